// SPDX-License-Identifier: Apache-2.0
//
// `ringscribe recover`: makes the output that a dead process did not finish, of what it left in
// RINGSCRIBE_CRASH_DIR: first what its flusher had handed on, then what was still in the rings.
//
//   Result<std::vector<std::string>> folders = tools::find_crash_folders("/dev/shm/crash");
//   Result<tools::Recovered> done = tools::recover_session(process, session, {.output =
//   "a.pftrace"});
//
// Threads: one at a time. Nothing in the folder is changed.
#ifndef RINGSCRIBE_TOOLS_RECOVER_H_
#define RINGSCRIBE_TOOLS_RECOVER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/crash_recovery.h"

namespace ringscribe::tools {

// `path` itself if a process has left it, else the folders in it that processes have left, oldest
// first. Fails if there is none.
Result<std::vector<std::string>> find_crash_folders(const std::string& path);

struct RecoverOptions {
  std::string output;  // path, with the patterns of RINGSCRIBE_OUTPUT; "": of the session's name
  std::string format;  // "": as the output's extension says, else perfetto
};

struct Recovered {
  uint64_t journal_frames = 0;  // of what the flusher had handed on
  runtime::RecoveredRings rings;
  std::string warning;  // what could not be read; "" if nothing
};

Result<Recovered> recover_session(const runtime::DeadProcess& process,
                                  const runtime::DeadSession& session,
                                  const RecoverOptions& options);

// Removes a folder that a dead process left. Fails if the process lives.
Status remove_crash_folder(const std::string& folder);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECOVER_H_
