// SPDX-License-Identifier: Apache-2.0
//
// MemoryFile: a file in memory, written anew for each input of a fuzzer whose unit reads files.
//
//   static nvtxw::MemoryFile file("trace");
//   read(file.write(bytes));
//
// Threads: one at a time. Lifetime: the path is valid as long as this object.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_MEMORY_FILE_H_
#define RINGSCRIBE_BACKENDS_NVTXW_MEMORY_FILE_H_

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>

#include "ringscribe/backends/nvtxw/fuzz_input.h"

namespace ringscribe::nvtxw {

class MemoryFile {
 public:
  explicit MemoryFile(const char* name) : file_(memfd_create(name, 0)) {
    fuzz_require(file_ >= 0, "a file can be made in memory");
    path_ = "/proc/self/fd/" + std::to_string(file_);
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  // Its path, with these bytes and no others in it.
  const std::string& write(std::span<const std::byte> bytes) {
    const bool is_written =
        ftruncate(file_, 0) == 0 &&
        pwrite(file_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    fuzz_require(is_written, "a file in memory can be written");
    return path_;
  }

 private:
  int file_;
  std::string path_;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_MEMORY_FILE_H_
