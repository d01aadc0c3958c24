// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/wake_up.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace ringscribe::runtime {

namespace {

timespec to_timespec(uint64_t ns) noexcept {
  return timespec{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
}

long futex(std::atomic<uint32_t>& word, int operation, uint32_t value,
           const timespec* timeout) noexcept {
  static_assert(sizeof(word) == 4);
  return ::syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, timeout, nullptr, 0);
}

}  // namespace

void WakeUp::nap(uint64_t longest_ns) noexcept {
  sleeping_.store(true, std::memory_order_seq_cst);
  const uint32_t token = token_.load(std::memory_order_seq_cst);
  if (token == token_seen_) {
    const timespec timeout = to_timespec(longest_ns);
    futex(token_, FUTEX_WAIT, token, &timeout);
  }
  sleeping_.store(false, std::memory_order_seq_cst);
  token_seen_ = token_.load(std::memory_order_seq_cst);
}

void WakeUp::wake() noexcept {
  token_.fetch_add(1, std::memory_order_seq_cst);
  if (sleeping_.load(std::memory_order_seq_cst)) futex(token_, FUTEX_WAKE, INT_MAX, nullptr);
}

void pause_for(uint64_t ns) noexcept {
  const timespec time = to_timespec(ns);
  ::nanosleep(&time, nullptr);
}

uint64_t monotonic_now_ns() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace ringscribe::runtime
