// SPDX-License-Identifier: Apache-2.0
//
// HandleTable: the sessions that are open, and the handles that producers hold.
//
// A handle is a number, not the address of anything, so one that is NULL, stale, garbage or of the
// wrong kind is told from a good one without touching memory:
//
//   63    56 55  52 51            28 27                         0
//   [ mark  | kind | session number | domain or stream number   ]
//
// The mark is no address of user space on any machine of ours. Session numbers are never used
// twice in a process, so a handle of an ended session never means a later one.
//
//   const uint64_t handle = make_handle({HandleKind::kStream, session_number, stream});
//   HandleParts parts;
//   if (parse_handle(handle, HandleKind::kStream, &parts)) session = table.find(parts.session);
//
// Threads: any. Cost: find() holds a lock for one look-up and counts a reference.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_HANDLE_TABLE_H_
#define RINGSCRIBE_BACKENDS_NVTXW_HANDLE_TABLE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/nvtxw/checked_session.h"

namespace ringscribe::nvtxw {

enum class HandleKind : uint8_t { kSession = 1, kDomain = 2, kStream = 3 };

struct HandleParts {
  HandleKind kind = HandleKind::kSession;
  uint32_t session = 0;  // less than 1<<24
  uint32_t number = 0;   // less than 1<<28; 0 for a session
};

inline constexpr uint32_t kSessionNumbersMax = 1u << 24;

uint64_t make_handle(const HandleParts& parts) noexcept;
// False, and `parts` unchanged, for what is no handle of that kind.
bool parse_handle(uint64_t handle, HandleKind kind, HandleParts* parts) noexcept;

class HandleTable {
 public:
  using SessionPtr = std::shared_ptr<CheckedSession>;

  // False when the process has used up all session numbers.
  bool add(SessionPtr session, uint32_t* session_number);
  // nullptr if there is none of that number (any more).
  SessionPtr find(uint32_t session_number) const;
  // The same, and forgets it: of two threads that end a session, one gets it.
  SessionPtr take(uint32_t session_number);
  // All of them, and forgets them.
  std::vector<SessionPtr> take_all();
  // The same if no other thread is in a call of the table; else none.
  std::vector<SessionPtr> take_all_if_idle();

 private:
  std::vector<SessionPtr> take_all_locked();

  mutable std::mutex mutex_;
  std::unordered_map<uint32_t, SessionPtr> sessions_;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_HANDLE_TABLE_H_
