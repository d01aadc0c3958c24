// SPDX-License-Identifier: Apache-2.0
//
// Flusher: reads all rings and has their records written to the backends (DESIGN D5).
//
//   Flusher flusher(threads, streams, options);
//   flusher.step();            // by hand, in a test: returns how many records it read
//   flusher.start();           // or on a thread of its own, which naps between steps
//   flusher.flush();           // returns when all that was committed before has been written
//
// Threads: step() from one at a time: the flusher's thread if it was started, else the caller
// (flush() does that by itself). Lifecycle and registration calls that touch a backend take
// StepLock, so they never overlap writes. No recording thread takes it.
#ifndef RINGSCRIBE_RUNTIME_FLUSHER_H_
#define RINGSCRIBE_RUNTIME_FLUSHER_H_

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "ringscribe/runtime/clock_watch.h"
#include "ringscribe/runtime/crash_folder.h"
#include "ringscribe/runtime/knobs.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/session_state.h"
#include "ringscribe/runtime/stream_table.h"
#include "ringscribe/runtime/thread_registry.h"
#include "ringscribe/runtime/wake_up.h"

namespace ringscribe::runtime {

class Flusher {
 public:
  // `may_doze`: naps grow while there is nothing to read, since a ring that fills wakes it.
  // `crash`: where to commit what was written; may be nullptr.
  Flusher(ThreadRegistry* threads, StreamTable* streams, uint64_t interval_ns, bool may_doze,
          std::string_view cpus, CrashFolder* crash);
  // REQUIRES: not running.
  ~Flusher() = default;
  Flusher(const Flusher&) = delete;
  Flusher& operator=(const Flusher&) = delete;

  // One pass over all rings. Returns the number of records read.
  uint64_t step();

  // Starts the thread, with all signals blocked. Returns false if the system has none to give;
  // then flush() does the steps.
  bool start();
  // Ends the thread after a last step. Harmless if it does not run.
  void stop();
  bool is_running() const noexcept { return is_running_.load(std::memory_order_acquire); }
  // Waits without bound, or for `longest_ns` if not 0. Returns false if that was not enough.
  bool flush(uint64_t longest_ns = 0);

  // Holds the step lock; while it is held, this thread's own records never wait (MustNotWait).
  class StepLock {
   public:
    explicit StepLock(Flusher& flusher) : waiting_(flusher.waiting_), lock_(flusher.step_mutex_) {
      waiting_.leave();
    }

   private:
    // A busy flusher takes its lock again at once: it lets those go first that it sees waiting.
    struct Waiting {
      explicit Waiting(std::atomic<int>& count) : count_(count) { ++count_; }
      void leave() { --count_; }
      std::atomic<int>& count_;
    };
    const MustNotWait guard_;
    Waiting waiting_;
    const std::lock_guard<std::mutex> lock_;
  };
  WakeUp& wake_up() noexcept { return wake_up_; }
  // Called on the flusher's thread after each step, without its lock. Before start().
  void set_after_step(void (*call)(void* context), void* context) noexcept {
    after_step_ = call;
    after_step_context_ = context;
  }

  // --- Under StepLock.
  void add_session(SessionState* session);
  void remove_session(SessionState* session);
  void add_stream(StreamWriter* writer);
  void remove_stream(StreamWriter* writer);

 private:
  void run();
  void let_waiting_go();
  uint64_t step_locked();
  // Relates the clocks in all sessions, now and then, and at once where one of them jumps.
  void watch_clocks();
  uint64_t read_ring(SpscRing& ring);
  void dispatch(const Header& header, const uint8_t* records, uint64_t count,
                const SpscRing::Thread& thread);
  void end_ring();
  // Gives the ring's bytes before `pos` back.
  void release(SpscRing& ring, uint64_t pos);

  ThreadRegistry* threads_;
  StreamTable* streams_;
  const uint64_t interval_ns_;
  const bool may_doze_;
  String cpus_;
  CrashFolder* const crash_;
  WakeUp wake_up_;

  std::mutex step_mutex_;
  std::atomic<int> waiting_{0};  // for step_mutex_; a hint
  Vector<SessionState*> sessions_;
  Vector<StreamWriter*> writers_;                       // by stream number; nullptr: closed
  uint64_t sequence_ = 0;                               // of records
  Vector<std::pair<uint64_t, StreamWriter*>> singles_;  // by sequence: of the ring that ends
  Vector<StreamWriter*> ring_writers_;  // those that got records of the ring being read
  Vector<StreamWriter*> step_writers_;  // … in this step
  ClockWatch clock_watch_{clock_kind()};
  int64_t last_look_ns_ = 0;
  int64_t next_sync_point_ns_ = 0;
  int64_t next_clock_warning_ns_ = 0;
  uint64_t unsaid_clock_warnings_ = 0;

  void (*after_step_)(void*) = nullptr;
  void* after_step_context_ = nullptr;

  pthread_t thread_{};
  std::atomic<bool> is_running_{false};  // release at start and stop, acquire in is_running()
  std::mutex flush_mutex_;
  std::condition_variable flush_done_;
  uint64_t flushes_asked_ = 0;  // under flush_mutex_, as the next two
  uint64_t flushes_done_ = 0;
  bool stop_asked_ = false;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_FLUSHER_H_
