// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/microseconds.h"

#include <catch2/catch.hpp>
#include <string>

namespace ringscribe::chrome {
namespace {

std::string time_text(int64_t ns) {
  char text[kMicrosecondsMax];
  return std::string(text, put_microseconds(text, ns));
}

std::string duration_text(uint64_t ns) {
  char text[kMicrosecondsMax];
  return std::string(text, put_duration(text, ns));
}

TEST_CASE("a time has three decimals, whatever it is") {
  CHECK(time_text(0) == "0.000");
  CHECK(time_text(1) == "0.001");
  CHECK(time_text(999) == "0.999");
  CHECK(time_text(1000) == "1.000");
  CHECK(time_text(1672924880617000123) == "1672924880617000.123");
  CHECK(time_text(INT64_MAX) == "9223372036854775.807");
}

TEST_CASE("a negative time keeps its sign also below a microsecond") {
  CHECK(time_text(-1) == "-0.001");
  CHECK(time_text(-1000) == "-1.000");
  CHECK(time_text(-1001) == "-1.001");
  CHECK(time_text(INT64_MIN) == "-9223372036854775.808");
}

TEST_CASE("the longest duration there can be is written") {
  CHECK(duration_text(UINT64_MAX) == "18446744073709551.615");
}

}  // namespace
}  // namespace ringscribe::chrome
