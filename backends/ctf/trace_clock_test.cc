// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/trace_clock.h"

#include <catch2/catch.hpp>

namespace ringscribe::ctf {
namespace {

// What a reader makes of a count, without its limits.
__int128 read(const TraceClock& clock, uint64_t cycles) {
  return __int128{clock.offset_s()} * 1'000'000'000 + clock.offset() + cycles;
}

TEST_CASE("times in reach are exact, the others at the nearest end and marked") {
  bool is_exact = false;
  for (const int64_t time : {int64_t{0}, int64_t{-1}, int64_t{1}, TraceClock::kFirst,
                             TraceClock::kLast, int64_t{1672924880617000123}}) {
    const uint64_t cycles = TraceClock::cycles(time, &is_exact);
    CHECK(is_exact);
    CHECK(static_cast<int64_t>(cycles) + TraceClock::kFirst == time);
  }
  CHECK(TraceClock::cycles(INT64_MIN, &is_exact) == 0);
  CHECK_FALSE(is_exact);
  CHECK(TraceClock::cycles(TraceClock::kLast + 1, &is_exact) ==
        TraceClock::cycles(TraceClock::kLast, &is_exact));
  TraceClock::cycles(TraceClock::kLast + 1, &is_exact);
  CHECK_FALSE(is_exact);
}

TEST_CASE("without a point a time means itself") {
  const TraceClock clock;
  bool is_exact = false;
  for (const int64_t time : {int64_t{0}, int64_t{-7}, TraceClock::kLast}) {
    CHECK(read(clock, TraceClock::cycles(time, &is_exact)) == time);
  }
  CHECK_FALSE(clock.is_known());
}

TEST_CASE("the first point decides, and all times are in a reader's reach whatever it says") {
  bool is_exact = false;
  const int64_t far = TraceClock::kLast - 1;
  for (const int64_t difference :
       {int64_t{1}, int64_t{-1}, int64_t{1'764'738'000'123'456'789}, far, -far}) {
    TraceClock clock;
    REQUIRE(clock.see(1000, 1000 + difference));
    CHECK_FALSE(clock.see(1000, 5000));
    CHECK(clock.offset() >= 0);
    CHECK(clock.offset() < 1'000'000'000);
    for (const int64_t time : {TraceClock::kFirst, int64_t{0}, TraceClock::kLast}) {
      const __int128 utc = read(clock, TraceClock::cycles(time, &is_exact));
      CHECK(utc == __int128{time} + difference);
      CHECK(utc <= INT64_MAX);
      CHECK(utc >= INT64_MIN);
    }
  }
}

TEST_CASE("a point that is too far off is not taken") {
  TraceClock clock;
  CHECK_FALSE(clock.see(INT64_MAX, INT64_MIN));
  CHECK_FALSE(clock.see(0, TraceClock::kLast));
  CHECK_FALSE(clock.see(0, -TraceClock::kLast));
  CHECK(clock.see(1, 2));
}

}  // namespace
}  // namespace ringscribe::ctf
