// SPDX-License-Identifier: Apache-2.0
//
// Runtime: one a process, built of the parts in this folder (DESIGN D2). The one visible place
// where they are wired.
//
//   Runtime& runtime = Runtime::process();       // made at first use, never destroyed
//   Result<std::shared_ptr<SessionState>> session = runtime.begin_session("engine", {});
//
// A test builds its own, drives it by hand and destroys it:
//
//   Runtime runtime(settings, Runtime::Drive::kByHand);  // one at a time
//
// Threads: any, for all functions; they wait for the step that is under way (flusher.h).
#ifndef RINGSCRIBE_RUNTIME_RUNTIME_H_
#define RINGSCRIBE_RUNTIME_RUNTIME_H_

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/crash_folder.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/flusher.h"
#include "ringscribe/runtime/knobs.h"
#include "ringscribe/runtime/recorder.h"
#include "ringscribe/runtime/session_state.h"
#include "ringscribe/runtime/shared_backend.h"
#include "ringscribe/runtime/snapshots.h"
#include "ringscribe/runtime/stream_table.h"
#include "ringscribe/runtime/thread_registry.h"

namespace ringscribe::runtime {

class Runtime {
 public:
  enum class Drive : uint8_t { kThread, kByHand };

  // Installs itself as the one that records.
  Runtime(const Settings& settings, Drive drive);
  // Ends sessions still open. REQUIRES: no other thread records or calls.
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  // The process's, from the environment; or the one that a test has built.
  static Runtime& process();

  struct BeginOptions {
    std::string_view backend, output, config;
    const void* interface =
        nullptr;  // an nvtxwInterface_v2_t of the caller's, instead of a backend
    std::shared_ptr<SharedBackend> loaded = {};  // instead of a backend by name
    bool is_recovery = false;                    // SessionState::is_recovery
  };
  // A session without a backend (nullptr) if RINGSCRIBE_ENABLED is 0.
  Result<std::shared_ptr<SessionState>> begin_session(std::string_view name,
                                                      const BeginOptions& options);
  // Drains, closes, ends. Idempotent.
  Status end_session(const std::shared_ptr<SessionState>& session);
  Status flush_session(SessionState& session);
  // Of a flight recorder: writes what it holds, now or when `after_ns` have passed (snapshots.h).
  Status snapshot_session(const std::shared_ptr<SessionState>& session, std::string_view path,
                          std::string_view reason, uint64_t after_ns);
  // Ends the sessions that were begun with `backend`. Returns the first failure.
  Status end_sessions_of(const SharedBackend& backend);
  // Whether a session is open on that library, however it was chosen.
  bool has_session_of(const nvtxwInterface_v2_t* interface);

  // Each returns nullptr or a closed stream, and `status`, on failure.
  DomainState* get_domain(SessionState& session, std::string_view name, Status& status);
  StreamRef open_stream(SessionState& session, const SessionState::NewStream& attributes,
                        Status& status);
  Status close_stream(SessionState& session, const StreamRef& stream);

  // True in a child that was forked from the process that began recording: nothing is recorded
  // there, and nothing is to be finished.
  bool is_forked_child() const noexcept;

  ThreadRegistry& threads() noexcept { return threads_; }
  Flusher& flusher() noexcept { return flusher_; }
  StreamTable& streams() noexcept { return streams_; }
  DefinitionTables& tables() noexcept { return tables_; }
  const Settings& settings() const noexcept { return settings_; }

 private:
  void end_all_at_exit();
  // Leaves the sessions as they are: a backend does not come back, and the process has to end.
  void give_up();
  // Nothing is to be finished here, and nobody is to wait for the flusher.
  bool is_over() const noexcept {
    return has_given_up_.load(std::memory_order_relaxed) || is_forked_child();
  }
  // Snapshots of all sessions if a signal or a long range asks for them. On the flusher.
  void look_for_triggers();
  // Adds to `config` where the backend is to keep a journal for recovery.
  void ask_for_journal(const SessionState& session, std::string& config);

  struct Destroy {
    void operator()(CrashFolder* folder) const { destroy(folder); }
  };

  Settings settings_;
  const Drive drive_;
  const int pid_;
  SyncPoint first_point_;
  StreamTable streams_;
  const std::unique_ptr<CrashFolder, Destroy> crash_;  // nullptr: off
  DefinitionTables tables_;
  ThreadRegistry threads_;
  Flusher flusher_;
  Snapshots snapshots_{&flusher_};
  std::atomic<bool> has_given_up_{false};  // relaxed: nothing is read because of it
  std::atomic<bool> long_range_seen_{false};
  uint64_t next_range_snapshot_ns_ = 0;  // flusher
  RecorderContext context_;

  std::mutex sessions_mutex_;  // begin, end
  Vector<std::shared_ptr<SessionState>> sessions_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RUNTIME_H_
