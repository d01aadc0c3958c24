// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/covered_time.h"

#include <catch2/catch.hpp>
#include <cstdint>

namespace ringscribe::model {
namespace {

TEST_CASE("nothing is blocked while nothing was written") {
  const CoveredTime past;
  CHECK_FALSE(past.blocks(INT64_MIN, INT64_MAX));
}

TEST_CASE("a range is blocked where one of its ends lies in a span") {
  CoveredTime past;
  past.add({{10, 20}, {30, 40}});
  CHECK(past.size() == 2);
  CHECK_FALSE(past.blocks(5, 50));
  CHECK_FALSE(past.blocks(21, 29));
  CHECK_FALSE(past.blocks(25, 45));
  CHECK_FALSE(past.blocks(41, 50));
  CHECK(past.blocks(15, 50));
  CHECK(past.blocks(5, 35));
  CHECK(past.blocks(12, 18));
}

TEST_CASE("a tie is blocked only where the order of the file would be wrong") {
  CoveredTime past;
  past.add({{10, 20}});
  CHECK_FALSE(past.blocks(20, 30));  // its begin comes after the end that is in the file
  CHECK_FALSE(past.blocks(5, 20));   // its end comes after the child's
  CHECK(past.blocks(5, 10));         // its end would come after the begin that is in the file
  CHECK(past.blocks(10, 30));        // its begin would come after its child's
  CHECK(past.blocks(10, 20));
}

TEST_CASE("a parent that comes later replaces the spans of its children") {
  CoveredTime past;
  past.add({{10, 20}, {30, 40}, {60, 70}});
  past.add({{5, 50}});
  CHECK(past.size() == 2);
  CHECK(past.blocks(25, 80));
  CHECK_FALSE(past.blocks(55, 80));
}

TEST_CASE("spans that come in any order are merged, touching ones too") {
  CoveredTime past;
  past.add({{50, 60}});
  past.add({{10, 20}, {60, 70}, {90, 100}});
  past.add({{20, 30}, {55, 95}});
  CHECK(past.size() == 2);
  CHECK(past.blocks(20, 40));
  CHECK_FALSE(past.blocks(30, 40));
  CHECK(past.blocks(80, 120));
}

TEST_CASE("forgetting closes the older gaps and keeps the newer ones") {
  CoveredTime past;
  past.add({{0, 1}, {10, 11}, {20, 21}, {30, 31}, {40, 41}});
  past.forget_older_half();
  CHECK(past.size() == 3);
  CHECK(past.blocks(5, 50));
  CHECK_FALSE(past.blocks(25, 50));
  CHECK_FALSE(past.blocks(-5, 50));
  past.forget_older_half();
  past.forget_older_half();
  past.forget_older_half();
  CHECK(past.size() == 1);
  CHECK(past.blocks(35, 50));
}

}  // namespace
}  // namespace ringscribe::model
