// SPDX-License-Identifier: Apache-2.0
//
// Reads a journal and repeats its calls on another backend: converting is replaying into a sink,
// and a finished recording is compared by replaying it into a printer (call_printer.h).
//
//   Result<JournalInfo> info = journal::read_header("a.rsj");
//   Result<ReplaySummary> summary = journal::replay("a.rsj", *target);
//   if (summary.ok() && summary->truncated) ...   // all whole frames were replayed
//
// The bytes of the file are not trusted: what reaches the target keeps the promises of
// nvtxw::SessionBackend, and every pointer in a payload is NULL or leads into the frame's data,
// behind which there are zero bytes.
//
// Threads: any; one target from one thread.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_READER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_READER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

struct JournalInfo {
  uint16_t major = 0;
  uint16_t minor = 0;
  std::string session_name;
  std::string format;  // the key `format` that the session was begun with
  std::vector<std::pair<std::string, std::string>> config;  // its other keys but `output`
};

struct ReplaySummary {
  JournalInfo info;
  uint64_t frames = 0;          // whole frames, of all kinds
  uint64_t bytes = 0;           // of the file, up to the end of the last whole frame
  uint64_t unknown_frames = 0;  // of a type or codec that a newer version wrote; skipped
  uint64_t rejected = 0;        // calls that the target refused, and frames that it cannot be given
  Status first_rejection;
  bool stopped = false;    // as asked for, before the end; target.end() was not called
  bool finished = false;   // the session was ended
  bool truncated = false;  // neither ended nor damaged: the file was cut, or still grows
  bool damaged = false;    // what follows `bytes` is not what was written
  std::string damage;      // where and why
  // What the writer left out, if it finished.
  uint64_t null_pointers = 0;
  uint64_t skipped_extensions = 0;
  Status end_status;  // of target.end()
};

// The journal's version and session, without its calls. Fails if there is no whole session frame.
Result<JournalInfo> read_header(const std::string& path);

struct ReplayOptions {
  uint64_t bytes_max = UINT64_MAX;  // what lies behind is left out
  // Looked at before each frame: once it is true, nothing more is called.
  const std::atomic<bool>* stop = nullptr;
  // Called before each frame but the first with the bytes of the file up to there.
  std::function<void(uint64_t bytes)> progress = nullptr;
};

// Repeats the calls of the journal up to its end, or to where it is cut or damaged, and then calls
// target.end(), always unless it was stopped. A refused call does not end the replay. Fails, with
// nothing called, where read_header() fails.
Result<ReplaySummary> replay(const std::string& path, nvtxw::SessionBackend& target,
                             const ReplayOptions& options = {});

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_READER_H_
