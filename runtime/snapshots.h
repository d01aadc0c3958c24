// SPDX-License-Identifier: Apache-2.0
//
// Snapshots: has flight recorders (RINGSCRIBE_OVERFLOW=overwrite) write what they hold.
//
//   Status status = snapshots.take(*session, "spike.pftrace", "order took 2 ms");
//   status = snapshots.take_later(session, "spike.pftrace", "order took 2 ms", 5'000'000'000);
//
// One that is to include what comes after the call waits on a thread of its own; further calls for
// that session are part of it. The end of a session ends its wait.
//
// Threads: any, but not the flusher's. take_later() starts a thread with all signals blocked.
#ifndef RINGSCRIBE_RUNTIME_SNAPSHOTS_H_
#define RINGSCRIBE_RUNTIME_SNAPSHOTS_H_

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/flusher.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/session_state.h"

namespace ringscribe::runtime {

class Snapshots {
 public:
  explicit Snapshots(Flusher* flusher) : flusher_(flusher) {}

  // All that was committed before is in it. Returns when the file is written.
  Status take(SessionState& session, std::string_view path, std::string_view reason);
  // Returns at once; a failure of the writing goes to stderr.
  Status take_later(std::shared_ptr<SessionState> session, std::string_view path,
                    std::string_view reason, uint64_t after_ns);
  // Writes what is still to come of the session's, and waits for it.
  void finish(const SessionState& session);

  // Where a snapshot goes that nobody gave a path: the output's, with "-snapshot" in it.
  static String default_path(const SessionState& session);

 private:
  struct Pending {
    Snapshots* owner;
    std::shared_ptr<SessionState> session;
    String path;
    String reason;
    uint64_t deadline_ns;  // CLOCK_MONOTONIC
    pthread_t thread{};
    bool hurry = false;
    bool is_writing = false;
  };
  static Status check(const SessionState& session);
  void run(Pending& pending);

  Flusher* const flusher_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Vector<Pending*> pending_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SNAPSHOTS_H_
