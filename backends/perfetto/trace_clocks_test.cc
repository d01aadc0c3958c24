// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_clocks.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

namespace ringscribe::perfetto {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// A machine that slept for 7 s since it was booted.
ClockPacket now() { return {100 * kSecond, 5000 * kSecond, 107 * kSecond}; }

TEST_CASE("without a point the clocks are read, once") {
  TraceClocks clocks(now);
  const std::vector<ClockPacket> taken = clocks.take();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].monotonic_ns == 100 * kSecond);
  CHECK(taken[0].realtime_ns == 5000 * kSecond);
  CHECK(taken[0].boottime_ns == 107 * kSecond);
  CHECK(clocks.take().empty());
}

TEST_CASE("a point of this boot gets the time since boot") {
  TraceClocks clocks(now);
  CHECK(clocks.point(90 * kSecond, 4990 * kSecond + 5));
  const std::vector<ClockPacket> taken = clocks.take();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].monotonic_ns == 90 * kSecond);
  CHECK(taken[0].boottime_ns == 97 * kSecond);
}

TEST_CASE("a point of another boot or machine does not") {
  TraceClocks clocks(now);
  CHECK(clocks.point(90 * kSecond, 3000 * kSecond));
  const std::vector<ClockPacket> taken = clocks.take();
  REQUIRE(taken.size() == 1);
  CHECK(taken[0].realtime_ns == 3000 * kSecond);
  CHECK(taken[0].boottime_ns == 0);
}

TEST_CASE("later points count if time went on and the offset changed") {
  TraceClocks clocks(now);
  CHECK(clocks.point(10, 1010));
  CHECK(clocks.point(20, 1020));  // the same offset
  CHECK(clocks.point(5, 2000));   // back in time
  CHECK(clocks.point(10, 2000));  // the same time
  CHECK(clocks.point(30, 1031));
  const std::vector<ClockPacket> taken = clocks.take();
  REQUIRE(taken.size() == 2);
  CHECK(taken[1].monotonic_ns == 30);
  CHECK(taken[1].realtime_ns == 1031);
  CHECK(clocks.point(40, 1041));
  CHECK(clocks.take().empty());
  CHECK(clocks.point(50, 1000));  // the wall clock may be set back
  CHECK(clocks.take().size() == 1);
}

TEST_CASE("negative times are refused and the extremes do not overflow") {
  TraceClocks clocks(now);
  CHECK_FALSE(clocks.point(-1, 5));
  CHECK_FALSE(clocks.point(5, INT64_MIN));
  CHECK(clocks.point(0, INT64_MAX));
  CHECK(clocks.point(INT64_MAX, 0));
  CHECK(clocks.take().size() == 2);
}

TEST_CASE("clocks are told back to an earlier time, as far as they have one") {
  const ClockPacket clocks{100, 1000, 150};
  CHECK(clocks_at(clocks, 100).realtime_ns == 1000);
  const ClockPacket earlier = clocks_at(clocks, -40);
  CHECK(earlier.monotonic_ns == -40);
  CHECK(earlier.realtime_ns == 860);
  CHECK(earlier.boottime_ns == 10);
  CHECK(clocks_at(clocks, -50).boottime_ns == 0);
  CHECK(clocks_at(clocks, -900).realtime_ns == 0);
  CHECK(clocks_at(clocks, -901).realtime_ns < 0);
  CHECK(clocks_at({INT64_MAX, 5, 0}, -1).realtime_ns < 0);
}

TEST_CASE("the clocks of the system can be read") {
  const ClockPacket first = read_system_clocks();
  const ClockPacket second = read_system_clocks();
  CHECK(first.monotonic_ns > 0);
  CHECK(second.monotonic_ns >= first.monotonic_ns);
  CHECK(first.boottime_ns >= first.monotonic_ns);
}

}  // namespace
}  // namespace ringscribe::perfetto
