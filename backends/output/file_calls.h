// SPDX-License-Identifier: Apache-2.0
//
// What OutputFile and OutputFolder have in common: sentences about errno, names that nobody in this
// process has written yet, and a write(2) that sends no signal.
//
//   if (fd < 0) return failure("cannot create \"" + path + "\"", errno);
//
// Threads: any.
#ifndef RINGSCRIBE_BACKENDS_OUTPUT_FILE_CALLS_H_
#define RINGSCRIBE_BACKENDS_OUTPUT_FILE_CALLS_H_

#include <sys/types.h>

#include <cstddef>
#include <mutex>
#include <set>
#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::output {

inline constexpr int kNameAttemptsMax = 10000;

// kFailed: "`what`: the errno's text (errno N); what to do".
Status failure(const std::string& what, int error);

// "run.rsj" with 2 is "run-2.rsj"; a dot that begins the name begins no extension.
std::string numbered(const std::string& path, int number);

// The final paths this process has written. Leaked, so that a session that ends from a static
// destructor still finds it.
class WrittenPaths {
 public:
  static WrittenPaths& instance();
  // False if it is in already, under any spelling of its folder.
  bool insert(const std::string& path);
  void erase(const std::string& path);

 private:
  std::mutex mutex_;
  std::set<std::string> paths_;
};

// write(2) that reports a file size limit as EFBIG and nothing else. SIGXFSZ goes to the calling
// thread, so it is enough to block it there; what was pending before us stays pending.
ssize_t write_without_signal(int fd, const void* data, size_t size, int* error);

}  // namespace ringscribe::output

#endif  // RINGSCRIBE_BACKENDS_OUTPUT_FILE_CALLS_H_
