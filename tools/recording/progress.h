// SPDX-License-Identifier: Apache-2.0
//
// Progress: a line on stderr about long work on a file, rewritten in place, with rate and time
// left; only if stderr is a terminal, and only once the work has taken half a second.
//
//   Progress progress("run.rsj");
//   read_recording(path, sink, {.progress = std::ref(progress)});
//   // run.rsj  42 %  1.3 of 3.1 GB  512 MB/s  4 s left
//
// Threads: one at a time. Lifetime: the destructor takes the line away.
#ifndef RINGSCRIBE_TOOLS_RECORDING_PROGRESS_H_
#define RINGSCRIBE_TOOLS_RECORDING_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace ringscribe::tools {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // Of a file, whose size is the whole.
  explicit Progress(const std::string& path);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // To be called often: it looks at a clock, and writes ten times a second at most.
  void operator()(uint64_t bytes_done);

 private:
  std::string name_;
  uint64_t bytes_;  // 0: not known
  bool is_shown_;   // on a terminal
  bool is_written_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

// What is shown, without colours or line end; `seconds` since the work began.
std::string progress_line(const std::string& name, uint64_t bytes_done, uint64_t bytes,
                          double seconds);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECORDING_PROGRESS_H_
