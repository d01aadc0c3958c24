// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/time_shift.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace ringscribe::perfetto {
namespace {

TEST_CASE("times that are not negative are left alone") {
  TimeShift shift;
  shift.see(100);
  shift.see(INT64_MAX);
  CHECK_FALSE(shift.fix());
  CHECK(shift.amount() == 0);
  CHECK(shift.map(100).time == 100);
  CHECK(shift.map(INT64_MAX).time == INT64_MAX);
  CHECK(shift.map(INT64_MAX).exact);
  CHECK(shift.map(0).exact);
}

TEST_CASE("the smallest time of the first lot becomes 0") {
  TimeShift shift;
  shift.see(-5);
  shift.see(-7);
  shift.see(3);
  CHECK(shift.fix());
  CHECK(shift.amount() == 7);
  CHECK(shift.map(-7).time == 0);
  CHECK(shift.map(3).time == 10);
  CHECK(shift.map(3).exact);
}

TEST_CASE("the amount is fixed once") {
  TimeShift shift;
  CHECK_FALSE(shift.fix());
  shift.see(-1);
  CHECK_FALSE(shift.fix());
  CHECK(shift.amount() == 0);
  CHECK(shift.map(-1).time == 0);
  CHECK_FALSE(shift.map(-1).exact);
}

TEST_CASE("the extremes do not overflow") {
  TimeShift shift;
  shift.see(INT64_MIN);
  CHECK(shift.fix());
  CHECK(shift.amount() == uint64_t{1} << 63);
  CHECK(shift.map(INT64_MIN).time == 0);
  CHECK(shift.map(-1).time == INT64_MAX);
  CHECK(shift.map(-1).exact);
  CHECK(shift.map(0).time == INT64_MAX);
  CHECK_FALSE(shift.map(0).exact);
  CHECK_FALSE(shift.map(INT64_MAX).exact);
  CHECK(shift.original(INT64_MAX) == -1);
  CHECK(shift.original(0) == INT64_MIN);
}

}  // namespace
}  // namespace ringscribe::perfetto
