// SPDX-License-Identifier: Apache-2.0
//
// WakeUp: how the flusher naps and how a recording thread ends its nap. Waking costs the caller a
// load when the flusher is awake and one system call when it naps; it never waits.
//
// Orders: sleeping_ and token_ are seq_cst on both sides (a Dekker pair): either wake() sees that
// the flusher is about to nap, or the flusher sees the new token and does not.
// Threads: nap() from one; wake() from any, also from a signal handler.
#ifndef RINGSCRIBE_RUNTIME_WAKE_UP_H_
#define RINGSCRIBE_RUNTIME_WAKE_UP_H_

#include <atomic>
#include <cstdint>

namespace ringscribe::runtime {

class WakeUp {
 public:
  // Sleeps until wake() or `longest_ns` have passed. A wake() since the last nap() ends it at once.
  void nap(uint64_t longest_ns) noexcept;
  void wake() noexcept;

 private:
  std::atomic<uint32_t> token_{0};
  std::atomic<bool> sleeping_{false};
  uint32_t token_seen_ = 0;  // of the napping thread
};

// Sleeps for about `ns`: the wait of a recording thread under policy block.
void pause_for(uint64_t ns) noexcept;
// CLOCK_MONOTONIC in ns.
uint64_t monotonic_now_ns() noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_WAKE_UP_H_
