// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_clocks.h"

#include <time.h>

#include <utility>

namespace ringscribe::perfetto {
namespace {

// A point whose offset is that near to today's was taken on this machine since it was booted.
constexpr int64_t kSameBootNs = 1'000'000'000;

int64_t read(clockid_t id) noexcept {
  timespec now{};
  if (clock_gettime(id, &now) != 0) return 0;
  return int64_t{now.tv_sec} * 1'000'000'000 + int64_t{now.tv_nsec};
}

// All are >= 0, so that no difference overflows.
int64_t offset(const ClockPacket& clocks) noexcept {
  return clocks.realtime_ns - clocks.monotonic_ns;
}

// The time since boot at `point`, or 0 where the clocks of now say nothing about it.
int64_t boottime_at(const ClockPacket& point, const ClockPacket& now) noexcept {
  const int64_t drift = offset(now) - offset(point);
  if (now.boottime_ns == 0 || drift >= kSameBootNs || drift <= -kSameBootNs) return 0;
  int64_t boottime = 0;
  if (__builtin_add_overflow(point.monotonic_ns, now.boottime_ns - now.monotonic_ns, &boottime)) {
    return 0;
  }
  return boottime > 0 ? boottime : 0;
}

}  // namespace

ClockPacket read_system_clocks() {
  ClockPacket clocks;
  clocks.monotonic_ns = read(CLOCK_MONOTONIC);
  clocks.realtime_ns = read(CLOCK_REALTIME);
  clocks.boottime_ns = read(CLOCK_BOOTTIME);
  return clocks;
}

ClockPacket clocks_at(const ClockPacket& clocks, int64_t monotonic_ns) noexcept {
  // In unsigned numbers nothing overflows, and what is later than time 0 is so by less than 2^63.
  const uint64_t back =
      static_cast<uint64_t>(clocks.monotonic_ns) - static_cast<uint64_t>(monotonic_ns);
  const auto moved = [back](int64_t time, int64_t if_before) {
    return back <= static_cast<uint64_t>(time) ? time - static_cast<int64_t>(back) : if_before;
  };
  return {monotonic_ns, moved(clocks.realtime_ns, -1), moved(clocks.boottime_ns, 0)};
}

bool TraceClocks::point(int64_t monotonic_ns, int64_t realtime_ns) {
  if (monotonic_ns < 0 || realtime_ns < 0) return false;
  ClockPacket point{monotonic_ns, realtime_ns, 0};
  if (any_) {
    if (point.monotonic_ns <= last_.monotonic_ns || offset(point) == offset(last_)) return true;
  } else {
    point.boottime_ns = boottime_at(point, read_clocks_());
  }
  waiting_.push_back(point);
  last_ = point;
  any_ = true;
  return true;
}

std::vector<ClockPacket> TraceClocks::take() {
  if (!any_) {
    last_ = read_clocks_();
    any_ = true;
    waiting_.push_back(last_);
  }
  return std::exchange(waiting_, {});
}

}  // namespace ringscribe::perfetto
