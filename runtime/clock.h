// SPDX-License-Identifier: Apache-2.0
//
// The clock of live events (DESIGN D7): the TSC where it is invariant and the kernel trusts it,
// else CLOCK_MONOTONIC_RAW; or what RINGSCRIBE_CLOCK names. One kind for the whole process, chosen
// before the first record.
//
//   choose_clock(ClockChoice::kAuto);
//   int64_t ticks = now_ticks();          // hot path: one rdtsc
//   SyncPoint point = take_sync_point();  // the same instant on three clocks
//
// Threads: choose_clock() once, before threads record; the rest any.
#ifndef RINGSCRIBE_RUNTIME_CLOCK_H_
#define RINGSCRIBE_RUNTIME_CLOCK_H_

#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ringscribe::runtime {

enum class ClockChoice : uint8_t { kAuto, kTsc, kMonotonic, kRealtime, kMonotonicRaw };

enum class ClockKind : uint8_t { kTsc, kMonotonicRaw, kMonotonic, kRealtime };

struct SyncPoint {
  int64_t ticks;         // now_ticks()
  int64_t monotonic_ns;  // CLOCK_MONOTONIC
  int64_t realtime_ns;   // CLOCK_REALTIME
};

namespace internal {
// Relaxed everywhere: set before the first thread records.
extern constinit std::atomic<uint8_t> g_clock_kind;
int64_t read_system_clock() noexcept;
}  // namespace internal

// Chooses and returns the kind. kTsc where the TSC may not be used falls back as kAuto does.
ClockKind choose_clock(ClockChoice choice) noexcept;
inline ClockKind clock_kind() noexcept {
  return static_cast<ClockKind>(internal::g_clock_kind.load(std::memory_order_relaxed));
}
const char* clock_kind_name(ClockKind kind) noexcept;
// NVTX_TIMESTAMP_TYPE_* of the kind.
uint64_t clock_time_domain(ClockKind kind) noexcept;
// Whether the processor and the kernel vouch for the TSC.
bool tsc_is_trusted() noexcept;

// The time of the chosen clock. Two reads can be equal (some virtual machines step by 10 ns).
[[gnu::always_inline]] inline int64_t now_ticks() noexcept {
#if defined(__x86_64__)
  if (clock_kind() == ClockKind::kTsc) [[likely]]
    return static_cast<int64_t>(__rdtsc());
#endif
  return internal::read_system_clock();
}

// The tightest of a few bracketed readings: within some tens of nanoseconds.
SyncPoint take_sync_point() noexcept;
// 1 ns in ticks, rounded up, from two points; 1 if they are too close to tell.
int64_t ticks_per_nanosecond(const SyncPoint& earlier, const SyncPoint& later) noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CLOCK_H_
