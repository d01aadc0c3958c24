// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/clock.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "ringscribe/backends/nvtxw/abi.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ringscribe::runtime {

namespace internal {
constinit std::atomic<uint8_t> g_clock_kind{static_cast<uint8_t>(ClockKind::kMonotonicRaw)};
}  // namespace internal

namespace {

int64_t read_clock(clockid_t clock) noexcept {
  timespec time{};
  ::clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool processor_has_invariant_tsc() noexcept {
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (edx & (1u << 8)) != 0;
#else
  return false;
#endif
}

// The kernel takes "tsc" off this list when it finds the TSC unstable.
bool kernel_lists_tsc() noexcept {
  const int file = ::open("/sys/devices/system/clocksource/clocksource0/available_clocksource",
                          O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[256] = {};
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  return size > 0 && std::strstr(text, "tsc") != nullptr;
}

}  // namespace

bool tsc_is_trusted() noexcept { return processor_has_invariant_tsc() && kernel_lists_tsc(); }

int64_t internal::read_system_clock() noexcept {
  switch (clock_kind()) {
    case ClockKind::kMonotonic:
      return read_clock(CLOCK_MONOTONIC);
    case ClockKind::kRealtime:
      return read_clock(CLOCK_REALTIME);
    default:
      return read_clock(CLOCK_MONOTONIC_RAW);
  }
}

ClockKind choose_clock(ClockChoice choice) noexcept {
  ClockKind kind = tsc_is_trusted() ? ClockKind::kTsc : ClockKind::kMonotonicRaw;
  if (choice == ClockChoice::kMonotonic) kind = ClockKind::kMonotonic;
  if (choice == ClockChoice::kRealtime) kind = ClockKind::kRealtime;
  if (choice == ClockChoice::kMonotonicRaw) kind = ClockKind::kMonotonicRaw;
  internal::g_clock_kind.store(static_cast<uint8_t>(kind), std::memory_order_relaxed);
  return kind;
}

const char* clock_kind_name(ClockKind kind) noexcept {
  constexpr const char* kNames[] = {"tsc", "monotonic_raw", "monotonic", "realtime"};
  return kNames[static_cast<int>(kind)];
}

uint64_t clock_time_domain(ClockKind kind) noexcept {
  switch (kind) {
    case ClockKind::kTsc:
      return NVTX_TIMESTAMP_TYPE_CPU_TSC;
    case ClockKind::kMonotonic:
      return NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
    case ClockKind::kRealtime:
      return NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;
    default:
      return NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW;
  }
}

SyncPoint take_sync_point() noexcept {
  SyncPoint best{};
  int64_t best_width = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const int64_t before = now_ticks();
    const int64_t monotonic = read_clock(CLOCK_MONOTONIC);
    const int64_t after = now_ticks();
    const int64_t realtime = read_clock(CLOCK_REALTIME);
    const int64_t monotonic_again = read_clock(CLOCK_MONOTONIC);
    // A pause between any two of them makes the point worthless; in ticks or in ns.
    const int64_t width = std::max(after - before, monotonic_again - monotonic);
    if (width >= best_width) continue;
    best_width = width;
    const int64_t realtime_at = monotonic + (monotonic_again - monotonic) / 2;
    best =
        SyncPoint{before + (after - before) / 2, monotonic, realtime - (realtime_at - monotonic)};
  }
  return best;
}

int64_t ticks_per_nanosecond(const SyncPoint& earlier, const SyncPoint& later) noexcept {
  const int64_t nanoseconds = later.monotonic_ns - earlier.monotonic_ns;
  const int64_t ticks = later.ticks - earlier.ticks;
  if (nanoseconds <= 0 || ticks <= 0) return 1;
  return (ticks + nanoseconds - 1) / nanoseconds;
}

}  // namespace ringscribe::runtime
