// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/piecewise_linear.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace ringscribe::model {
namespace {

TEST_CASE("with one point the slope is the default, exactly") {
  PiecewiseLinear same;
  same.add_point(1000, 5000);
  CHECK(same.convert(1000) == 5000);
  CHECK(same.convert(0) == 4000);
  CHECK(same.convert(int64_t{1} << 62) == (int64_t{1} << 62) + 4000);

  PiecewiseLinear slower;
  slower.set_default_slope(0.25);
  slower.add_point(0, 7);
  CHECK(slower.convert(400) == 107);
}

TEST_CASE("points that come before the first conversion are all met exactly") {
  PiecewiseLinear function;
  // A 2.5 GHz counter against ns, with jitter, out of order, with one point twice.
  const std::vector<std::pair<int64_t, int64_t>> points = {{10'000'000'000, 4'000'000'003},
                                                           {0, 0},
                                                           {2'500'000'000, 1'000'000'001},
                                                           {2'500'000'000, 999},
                                                           {25'000'000'000, 9'999'999'990}};
  for (const auto& [x, y] : points) function.add_point(x, y);
  CHECK(function.convert(0) == 0);
  CHECK(function.convert(2'500'000'000) == 1'000'000'001);
  CHECK(function.convert(10'000'000'000) == 4'000'000'003);
  CHECK(function.convert(25'000'000'000) == 9'999'999'990);
}

TEST_CASE("outside of the points the long slope goes on") {
  PiecewiseLinear function;
  function.add_point(1000, 0);
  function.add_point(2000, 400);
  function.add_point(3000, 1000);
  CHECK(function.convert(0) == -500);  // 1000 in 2000
  CHECK(function.convert(5000) == 2000);
}

TEST_CASE("the result saturates at the ends of int64") {
  PiecewiseLinear function;
  function.set_default_slope(1000.0);
  function.add_point(0, 0);
  CHECK(function.convert(INT64_MAX) == INT64_MAX);
  CHECK(function.convert(INT64_MIN) == INT64_MIN);

  PiecewiseLinear wide;
  wide.add_point(INT64_MIN, INT64_MIN);
  wide.add_point(INT64_MAX, INT64_MAX);
  CHECK(wide.convert(0) == 0);
  CHECK(wide.convert(INT64_MIN) == INT64_MIN);
  CHECK(wide.convert(INT64_MAX) == INT64_MAX);
}

TEST_CASE("clocks that went back are passed over") {
  PiecewiseLinear function;
  function.add_point(100, 100);
  function.add_point(200, 50);
  function.add_point(300, 300);
  CHECK(function.convert(200) == 200);
  function.add_point(250, 1000);
  function.add_point(400, 20);
  CHECK(function.convert(350) == 350);
}

// What was converted once, the function's continuity and its rise, all while points arrive.
TEST_CASE("new points never bend what was used, make no step, and never turn back") {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    const double slope = 0.4 * (1.0 + (static_cast<double>(seed) - 25) * 1e-3);
    PiecewiseLinear function;
    std::vector<std::pair<int64_t, int64_t>> used;
    const auto measured = [&](int64_t x) {
      return std::llround(static_cast<double>(x) * slope) + static_cast<int64_t>(random() % 2001) -
             1000;
    };
    function.add_point(0, measured(0));
    int64_t x = 0;
    for (int step = 1; step <= 60; ++step) {
      const int64_t next = step * int64_t{100'000'000};
      if (random() % 3 != 0) {
        for (int i = 0; i < 20; ++i) {
          x = std::max(x, next - 100'000'000) + static_cast<int64_t>(random() % 5'000'000);
          used.emplace_back(x, function.convert(x));
        }
      }
      function.add_point(next, measured(next));
    }
    std::vector<std::pair<int64_t, int64_t>> sorted = used;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [at, value] : sorted) CHECK(function.convert(at) == value);
    for (size_t i = 1; i < sorted.size(); ++i) CHECK(sorted[i - 1].second <= sorted[i].second);
    int64_t last = function.convert(0);
    for (int64_t at = 0; at < 6'200'000'000; at += 999'983) {
      const int64_t value = function.convert(at);
      CHECK(value >= last);
      CHECK(value - last < 2'000'000);  // no step: at most five times the slope
      last = value;
    }
    CHECK(std::abs(function.convert(6'000'000'000) - std::llround(6e9 * slope)) < 20'000);
  }
}

TEST_CASE("an error is worked off within about one interval and not overshot") {
  PiecewiseLinear function;
  function.add_point(0, 0);
  function.add_point(1'000'000, 1'000'000);
  CHECK(function.convert(2'000'000) == 2'000'000);
  // The other clock turns out to be 1000 ahead from here on.
  function.add_point(2'000'000, 2'001'000);
  CHECK(function.convert(2'000'000) == 2'000'000);
  int64_t last = 0;
  for (int i = 0; i < 20; ++i) {
    const int64_t x = 3'000'000 + i * 1'000'000;
    function.add_point(x, x + 1000);
    const int64_t error = x + 1000 - function.convert(x);
    if (i > 3) CHECK(std::abs(error) <= 600);
    last = error;
  }
  CHECK(std::abs(last) <= 50);
}

TEST_CASE("between the last point and one beyond all use the way is straight") {
  PiecewiseLinear function;
  function.add_point(0, 0);
  function.add_point(1000, 1000);
  CHECK(function.convert(900) == 900);
  function.add_point(2000, 2100);  // nothing behind 1000 was used
  CHECK(function.convert(1000) == 1000);
  CHECK(function.convert(2000) == 2100);
  CHECK(function.convert(1500) == 1550);
}

TEST_CASE("a given line holds from its point on, without a step where it was used") {
  PiecewiseLinear fresh;
  fresh.set_line(100, 1000, 2.0);
  CHECK(fresh.convert(150) == 1100);
  CHECK(fresh.convert(50) == 900);

  PiecewiseLinear used;
  used.add_point(0, 0);
  CHECK(used.convert(1000) == 1000);
  used.set_line(1000, 1500, 1.0);
  CHECK(used.convert(1000) == 1000);
  CHECK(used.convert(100'000) == 100'500);
}

TEST_CASE("many times at once are converted as one by one") {
  std::mt19937_64 random(5);
  int wrong = 0;
  for (int round = 0; round < 300; ++round) {
    PiecewiseLinear single;
    PiecewiseLinear block;
    int64_t x = static_cast<int64_t>(random() % 1000) - 500;
    int64_t y = static_cast<int64_t>(random() % 1000) - 500;
    for (int step = 0; step < 20; ++step) {
      x += static_cast<int64_t>(random() % 1000) + 1;
      y += static_cast<int64_t>(random() % 1500) + 1;
      single.add_point(x, y);
      block.add_point(x, y);
      std::vector<int64_t> times(random() % 20);
      for (int64_t& time : times) {
        time = random() % 16 == 0 ? static_cast<int64_t>(random())
                                  : x + static_cast<int64_t>(random() % 2000) - 1500;
      }
      std::vector<int64_t> expected;
      for (const int64_t time : times) expected.push_back(single.convert(time));
      block.convert_all(times);
      wrong += times != expected;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a clock that jumps ahead is followed at once, and its rate stays that of before") {
  PiecewiseLinear function;
  for (int64_t i = 0; i < 10; ++i) {
    function.add_point(i * 1'000'000'000, i * 1'000'000'000);
    CHECK(function.convert(i * 1'000'000'000 + 5) == i * 1'000'000'000 + 5);
  }
  // x jumps by 5 s while y goes on for 0.1 s.
  function.add_point(14'100'000'000, 9'100'000'000);
  CHECK(function.convert(14'100'000'000) == 9'100'000'000);
  CHECK(function.convert(14'200'000'000) == 9'200'000'000);
  int64_t last = function.convert(9'000'000'005);
  CHECK(last == 9'000'000'005);
  for (int64_t x = 9'000'000'006; x < 14'300'000'000; x += 1'000'003) {
    const int64_t y = function.convert(x);
    CHECK(y >= last);
    last = y;
  }
  function.add_point(15'100'000'000, 10'100'000'000);
  CHECK(function.convert(15'100'000'000) == 10'100'000'000);
  // y jumps by 60 s.
  function.add_point(16'100'000'000, 71'100'000'000);
  CHECK(function.convert(16'100'000'000) == 71'100'000'000);
  CHECK(function.convert(16'200'000'000) == 71'200'000'000);
  function.add_point(17'100'000'000, 72'100'000'000);
  CHECK(function.convert(17'100'000'000) == 72'100'000'000);
}

TEST_CASE("a clock whose rate was not known is followed from its second point on") {
  PiecewiseLinear function;  // 24 MHz, taken for 1 GHz at first
  const auto y_of = [](int64_t x) { return x * 125 / 3; };
  function.add_point(0, 0);
  CHECK(function.convert(1000) == 1000);
  for (int64_t x = 24'000'000; x <= 240'000'000; x += 24'000'000) {
    function.add_point(x, y_of(x));
    (void)function.convert(x + 1000);
  }
  CHECK(std::llabs(function.convert(240'000'000) - y_of(240'000'000)) < 1'000'000);
  CHECK(std::llabs(function.convert(252'000'000) - y_of(252'000'000)) < 1'000'000);
}

TEST_CASE("a jump before the first conversion is not taken for a rate") {
  PiecewiseLinear function;
  constexpr int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;
  for (int64_t i = 0; i < 30; ++i) function.add_point(i * kSecond, i * kSecond);
  for (int64_t i = 30; i < 32; ++i) function.add_point(kHour + i * kSecond, i * kSecond);
  CHECK(function.convert(kHour + 32 * kSecond) == 32 * kSecond);
  for (int64_t i = 33; i < 40; ++i) {
    function.add_point(kHour + i * kSecond, i * kSecond);
    CHECK(function.convert(kHour + i * kSecond + 500) == i * kSecond + 500);
  }
}

TEST_CASE("a clock that changes its rate for good is followed") {
  PiecewiseLinear function;
  constexpr int64_t kSecond = 1'000'000'000;
  for (int64_t i = 0; i < 10; ++i) {
    function.add_point(i * kSecond, i * kSecond);
    (void)function.convert(i * kSecond);
  }
  int64_t x = 9 * kSecond, y = 9 * kSecond;
  for (int i = 0; i < 10; ++i) {
    function.add_point(x += 3 * kSecond, y += kSecond);
    (void)function.convert(x);
  }
  CHECK(std::llabs(function.convert(x + 3 * kSecond) - (y + kSecond)) < 10'000'000);
}

}  // namespace
}  // namespace ringscribe::model
