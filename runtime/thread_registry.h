// SPDX-License-Identifier: Apache-2.0
//
// ThreadRegistry: gives each recording thread a ring and a number, and takes the ring back when
// the thread ends (DESIGN D4, D11).
//
// A ring's life:
//
//   create ──> spare ──(a thread's first record)──> owned ──(thread exit)──> retired
//     ^           ^                                                            │
//     │           └──── both wait in one queue; a retired ring is adopted even ┘
//   flusher             before it is drained: its first record names the new thread
//
// Who may take an arrow: create and trim (retired -> destroyed): the flusher, or a thread that
// finds the queue empty (create only); adopt and retire: the thread itself.
//
// Orders: the queue's push happens before its pop, so a new owner sees the old one's positions.
// Threads: adopt() and retire() on the thread itself; the rest from the flusher.
#ifndef RINGSCRIBE_RUNTIME_THREAD_REGISTRY_H_
#define RINGSCRIBE_RUNTIME_THREAD_REGISTRY_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "ringscribe/runtime/crash_folder.h"
#include "ringscribe/runtime/handoff_queue.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/ring_pile.h"
#include "ringscribe/runtime/spsc_ring.h"

namespace ringscribe::runtime {

// The ring of the calling thread, or nullptr before its first record. Trivially destructible and
// initial-exec: readable at any time of a thread's life, at the cost of one load.
extern thread_local constinit SpscRing* tls_ring __attribute__((tls_model("initial-exec")));
// True where waiting for the flusher could be waiting for oneself: on its thread, and on a thread
// that holds its step lock or waits for a flush. There policy block drops and counts.
extern thread_local constinit bool tls_must_not_wait __attribute__((tls_model("initial-exec")));

class MustNotWait {
 public:
  MustNotWait() noexcept : before_(tls_must_not_wait) { tls_must_not_wait = true; }
  ~MustNotWait() { tls_must_not_wait = before_; }
  MustNotWait(const MustNotWait&) = delete;
  MustNotWait& operator=(const MustNotWait&) = delete;

 private:
  const bool before_;
};

struct RingOptions {
  uint64_t ring_bytes = uint64_t{2} << 20;
  uint64_t memory_limit_bytes = uint64_t{256} << 20;
  bool huge_pages = true;
  int64_t time_step = 1;         // ticks between two timestamps of a thread
  uint32_t spares = 1;           // rings kept ready
  CrashFolder* crash = nullptr;  // where rings are files; nullptr: they are not
};
inline constexpr uint64_t kSmallRingBytes = 16 * 1024;

class ThreadRegistry {
 public:
  explicit ThreadRegistry(const RingOptions& options) noexcept;
  // REQUIRES: no other thread records.
  ~ThreadRegistry();
  ThreadRegistry(const ThreadRegistry&) = delete;
  ThreadRegistry& operator=(const ThreadRegistry&) = delete;

  // --- On the recording thread.

  // Sets tls_ring, numbers the thread, and writes its kThread record. Returns nullptr, leaving
  // tls_ring so, when the memory limit is used up. Never waits, and takes nothing from a heap: a
  // signal handler may call it.
  // `is_new` becomes true if none was to be had and one was made: the flusher should come and look.
  SpscRing* adopt(bool& is_new) noexcept;
  // Hands the calling thread's ring over. Called at thread exit; harmless without a ring.
  void retire() noexcept;
  // Names the calling thread in the output; cut at 15 bytes like the system's own thread names. A
  // name that comes after the thread's first event of a domain counts in other domains only.
  void set_thread_name(std::string_view name) noexcept;
  static uint32_t thread_number() noexcept;

  // --- On the flusher, or where it is driven by hand.

  // Calls visit(ring) for every ring there is.
  template <typename Visit>
  void for_each_ring(Visit visit) {
    collect_new_rings();
    for (SpscRing* ring : rings_) visit(ring);
  }
  // Makes missing spares; gives rings back to the system that are beyond need and drained.
  void keep_spares() noexcept;

  // Threads that come later record no earlier time than this one of the clock of live events.
  void set_earliest_time(int64_t ticks) noexcept {
    if (ticks > earliest_time_.load(std::memory_order_relaxed))
      earliest_time_.store(ticks, std::memory_order_relaxed);
  }

  uint64_t ring_memory_bytes() const noexcept {
    return ring_memory_.load(std::memory_order_relaxed);
  }
  uint32_t threads_seen() const noexcept {
    return next_thread_.load(std::memory_order_relaxed) - 1;
  }
  const RingOptions& options() const noexcept { return options_; }

 private:
  static constexpr uint64_t kTouchedAtOnceBytes = 16 * 1024;
  bool take_memory(uint64_t bytes) noexcept;
  SpscRing* create_ring(uint64_t touched_bytes) noexcept;
  void destroy_ring(SpscRing* ring) noexcept;
  void collect_new_rings() noexcept;
  bool write_thread_record(SpscRing* ring) noexcept;

  RingOptions options_;
  std::atomic<uint32_t> next_thread_{1};
  std::atomic<uint64_t> ring_memory_{0};     // relaxed: a limit, not a lock
  HandoffQueue<SpscRing> free_rings_;        // spares and retired rings
  RingPile<&SpscRing::next_new> new_rings_;  // to the flusher
  // To the flusher: not to be adopted before it has read.
  RingPile<&SpscRing::next_full> full_rings_;
  std::atomic<int64_t> earliest_time_{INT64_MIN / 2};  // relaxed: some value that was true
  Vector<SpscRing*> rings_;                            // flusher only
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_THREAD_REGISTRY_H_
