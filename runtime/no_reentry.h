// SPDX-License-Identifier: Apache-2.0
//
// NoReentry: marks what a call that interrupts it on the same thread (signal handler, malloc hook)
// must not enter: the allocator is in the middle of its lists there, a mutex is held by the thread
// itself. What may be called from a handler looks before it goes in.
//
//   void* allocate(…) { const NoReentry mark; … }
//   uint32_t register_call_site(…) { if (NoReentry::holds()) return 0; … }
//
// Threads: any, each for itself. Readable at any time of a thread's life.
#ifndef RINGSCRIBE_RUNTIME_NO_REENTRY_H_
#define RINGSCRIBE_RUNTIME_NO_REENTRY_H_

#include <atomic>

namespace ringscribe::runtime {

class NoReentry {
 public:
  NoReentry() noexcept : before_(holds_) {
    holds_ = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~NoReentry() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    holds_ = before_;
  }
  NoReentry(const NoReentry&) = delete;
  NoReentry& operator=(const NoReentry&) = delete;

  static bool holds() noexcept { return holds_; }

 private:
  inline static thread_local constinit bool holds_ __attribute__((tls_model("initial-exec"))) =
      false;
  const bool before_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_NO_REENTRY_H_
