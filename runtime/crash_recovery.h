// SPDX-License-Identifier: Apache-2.0
//
// Crash recovery: what a dead process left in its crash folder (crash_folder.h), as calls of NVTXW.
//
//   Result<DeadProcess> process = read_crash_folder("/dev/shm/crash/app-71-1700000000000");
//   for (const DeadSession& session : process->sessions) {
//     // journal::replay(session.journal, ..., session.journal_bytes), then what was in no journal:
//     Result<RecoveredRings> rings = recover_rings(*process, session, table);
//   }
//
// The rings' records go through the flusher of a runtime of this process, as they would have gone
// in the process that died: definitions get their numbers back from the definition log.
//
// What is read is not trusted: a record that is not what its kind says ends its ring, and is
// counted.
//
// Threads: one at a time, in a process that records nothing itself.
#ifndef RINGSCRIBE_RUNTIME_CRASH_RECOVERY_H_
#define RINGSCRIBE_RUNTIME_CRASH_RECOVERY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::runtime {

struct DeadSession {
  uint32_t number = 0;
  std::string name;
  std::string backend;
  std::string output;          // what its backend was told; "" if nothing
  std::string journal;         // path; "" if there is none
  uint64_t journal_bytes = 0;  // so far it counts
};

struct DeadProcess {
  std::string folder;
  int64_t pid = 0;
  std::string name;
  int64_t begin_realtime_ns = 0;
  int signal = 0;  // that ended it; 0: not known (SIGKILL cannot be caught)
  // When the signal came, or else when the flusher was last seen.
  int64_t end_monotonic_ns = 0;
  int64_t end_realtime_ns = 0;
  std::vector<DeadSession> sessions;  // that had not ended, in the order in which they began
};

// Fails if the process lives, or if the folder is none of ours.
Result<DeadProcess> read_crash_folder(const std::string& folder);

struct RecoveredRings {
  uint64_t rings = 0;
  uint64_t events = 0;   // written to the table
  uint64_t refused = 0;  // by the table, or of definitions that are not known
  uint64_t unreadable_bytes = 0;
};

// Begins a session of that name on the table, writes what the rings hold of `session`, and a mark
// that says how the process ended, on our own stream; ends it.
Result<RecoveredRings> recover_rings(const DeadProcess& process, const DeadSession& session,
                                     const nvtxwInterface_v2_t& table);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CRASH_RECOVERY_H_
