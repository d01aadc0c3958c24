// SPDX-License-Identifier: Apache-2.0
//
// `ringscribe convert`: replays a journal into a backend of ours.
//
//   Result<tools::Converted> done = tools::convert("a.rsj", {.format = "chrome"});   // a.json
//   if (done.ok() && !done->warning.empty()) ...   // not all of the journal could be had
//
// Threads: one at a time. With `threads` = 2 the output is written on a thread that ends with the
// call; what is written is the same.
#ifndef RINGSCRIBE_TOOLS_CONVERT_H_
#define RINGSCRIBE_TOOLS_CONVERT_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

struct ConvertOptions {
  // A path, with the patterns of RINGSCRIBE_OUTPUT. One that ends in '/', or a folder that is no
  // output of the format: the journal's name in it. "": beside the journal. Where it is a file
  // name, its extension becomes the format's.
  std::string output;
  std::string format;  // "": as the output's extension says, else perfetto
  std::string config;  // further keys of the backend, "KEY=VALUE|..."
  unsigned threads = 2;
  // Once true the conversion is given up, and what it has written is removed.
  const std::atomic<bool>* stop = nullptr;
  // Told at each frame: the bytes of the journal that are read.
  std::function<void(uint64_t bytes)> progress = nullptr;
};

struct Converted {
  std::vector<std::string> paths;  // of the files or folders that were written
  uint64_t bytes = 0;              // they have
  std::optional<uint64_t> events;  // marks, ranges and samples; nothing if the backend cannot say
  uint64_t frames = 0;             // of the journal
  uint64_t lost = 0;               // events that the recording says are missing
  double seconds = 0;
  std::string warning;  // what is not in the output; "" if nothing
  bool stopped = false;
};

// Fails, with nothing written, if the journal cannot be read or would be overwritten; and if the
// output could not be written whole.
Result<Converted> convert(const std::string& journal, const ConvertOptions& options);

// One line that says it, such as "a.json: 5000 events, 612345 bytes, none lost, 0.12 s".
std::string summary_line(const Converted& converted);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_CONVERT_H_
