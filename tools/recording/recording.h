// SPDX-License-Identifier: Apache-2.0
//
// A recording as the commands read it: a journal, decoded into an EventSink. `convert` takes
// another way where nothing has to be decoded.
//
//   Result<Recording> read = read_recording("run.rsj", std::make_unique<MySink>(result), {});
//   if (!read.ok()) return fail(read.status());
//   if (!read->warning.empty()) ...     // not all of it could be had
//
// Threads: one at a time. With `threads` = 2 the sink is called on a thread that ends with the
// call.
#ifndef RINGSCRIBE_TOOLS_RECORDING_RECORDING_H_
#define RINGSCRIBE_TOOLS_RECORDING_RECORDING_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

struct ReadOptions {
  unsigned threads = 2;
  // Once true the reading is given up; the sink is finished with what it has.
  const std::atomic<bool>* stop = nullptr;
  // Told at each frame: the bytes of the file that are read.
  std::function<void(uint64_t bytes)> progress = nullptr;
};

struct Recording {
  // Of a Perfetto trace there is the session's name, and `format`.
  journal::JournalInfo info;
  bool stopped = false;
  bool truncated = false;  // cut, still growing, or damaged: there is less than was recorded
  std::string warning;     // what is not in what was read, and why; "" if nothing
};

// Fails if there is nothing that can be read, and says what is there instead: no file, an empty
// one, a trace of another format, a folder. Fails as the sink does, too.
Result<Recording> read_recording(const std::string& path, std::unique_ptr<model::EventSink> sink,
                                 const ReadOptions& options);

// Success if `path` begins as a recording that this version can read; else as read_recording().
Result<journal::JournalInfo> check_recording(const std::string& path);

// What of a journal was not replayed, in a sentence; "" if nothing.
std::string warning_of(const journal::ReplaySummary& replayed);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECORDING_RECORDING_H_
