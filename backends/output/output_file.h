// SPDX-License-Identifier: Apache-2.0
//
// OutputFile: a buffered file that a backend writes front to back, and that is either finished or
// valid as far as it goes.
//
// A full disk or a file size limit is a Status with the path and the errno text, never a signal:
// SIGXFSZ is held back during each write, also on a thread of the application's. After a failure
// all later writes return the first failure again and write nothing, so what was written before
// stays whole up to `bytes_on_disk()`.
//
// Threads: one at a time. Lifetime: the destructor flushes and closes, without renaming.
#ifndef RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FILE_H_
#define RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::output {

enum class Finish {
  kRename,   // written as PATH.part, renamed to PATH by finish(): PATH is never half a file
  kInPlace,  // written as PATH: for formats that are valid at every prefix
  kPrivate,  // as kInPlace, for this user alone: 0600, never through a symbolic link
};

class OutputFile {
 public:
  // Creates the file (replacing an older run's). A path that this process has written before, by
  // any session, is not replaced: "-2", "-3", ... is put before its extension, and path() says so.
  // Fails with kFailed, the path and the errno text: missing folder, no permission, a folder, a
  // symbolic link that neither this user nor root has made.
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path, Finish finish);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends. Goes to the kernel when the buffer (256 KiB) is full, or at once if larger.
  Status write(const void* data, size_t size);
  // Hands all that was written to the kernel (no fsync).
  Status flush();
  // For formats that need an end: from now on each write to the kernel has `tail` behind it, which
  // the next one overwrites, so that what is on disk is whole whenever the process is killed, but
  // for the moment of a write itself. A pipe or a device gets it once, from finish(). After a write
  // that failed the file ends as it did before. REQUIRES: at most kTailBytesMax.
  static constexpr size_t kTailBytesMax = size_t{64} << 10;
  void set_tail(std::string tail);
  // Flushes, closes, and renames if asked to. Further calls do nothing and return the same.
  Status finish();

  // The final path.
  const std::string& path() const;
  // What it is called now: path(), or path() with ".part".
  const std::string& current_path() const;
  uint64_t bytes_written() const;
  uint64_t bytes_on_disk() const;  // without the tail

 private:
  struct Impl;
  explicit OutputFile(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ringscribe::output

#endif  // RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FILE_H_
