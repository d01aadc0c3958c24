// SPDX-License-Identifier: Apache-2.0
//
// OutputFolder: a folder of files that a backend writes, for formats that are more than one file.
//
// Files are appended to, or replaced as a whole by a hidden file that is renamed: no name ever
// holds half of a replaced file. No file stays open: ten thousand of them need one descriptor, the
// folder's. A full disk or a file size limit is a Status with the path and the errno text, never a
// signal, and the file ends as it did before; all later calls return the first failure again.
//
//   auto folder = OutputFolder::create("run.ctf", {"metadata", "/* CTF 1.8 */\n/* Ringscribe"});
//   Status status = (*folder)->append("track_0", bytes.data(), bytes.size());
//
// Threads: one at a time. Lifetime: the destructor closes. A forked child writes nothing.
#ifndef RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FOLDER_H_
#define RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FOLDER_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/own_file.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::output {

// How an older run's folder is known.
struct FolderMark {
  std::string file;   // its name, such as "metadata"
  std::string begin;  // what it begins with
  // What the names of all other files of ours begin with.
  std::vector<std::string> prefixes;
};

class OutputFolder {
 public:
  // Creates the folder (0700), takes one that is empty, or empties one that an older run wrote: it
  // has the mark, is this user's, and holds files of ours only. Where `path` is anything else that
  // is a folder, or this process or another one is writing or has written it, "-2", "-3", ... is
  // put before its extension, and path() says so: what is not ours is neither deleted nor added to.
  // Fails with kFailed, the path and the errno text: missing parent, no permission, a file in the
  // place, a symbolic link that neither this user nor root has made.
  static Result<std::unique_ptr<OutputFolder>> create(const std::string& path,
                                                      const FolderMark& mark);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  // Appends with one write(2) to a file of the folder, and makes it (0600) if need be.
  // `size_before` is how long it is, and how long it is again if this fails.
  Status append(const std::string& name, uint64_t size_before, const void* data, size_t size);
  // Makes or replaces a file in one step.
  Status replace(const std::string& name, const void* data, size_t size);

  const std::string& path() const noexcept { return path_; }
  uint64_t bytes_appended() const noexcept { return bytes_appended_; }

 private:
  OutputFolder(std::string path, int fd);
  Status keep(Status failure);
  bool is_ours();
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }
  int write_all(int fd, const char* data, size_t size);

  std::string path_;
  nvtxw::OwnFile folder_;
  pid_t owner_ = 0;
  Status failure_;
  uint64_t bytes_appended_ = 0;
};

}  // namespace ringscribe::output

#endif  // RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_FOLDER_H_
