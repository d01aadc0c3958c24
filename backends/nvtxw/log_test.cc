// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/log.h"

#include <catch2/catch.hpp>

namespace ringscribe::nvtxw {
namespace {

TEST_CASE("log levels are read in any case and nothing else is one") {
  LogLevel level = LogLevel::kInfo;
  CHECK(parse_log_level("OFF", &level));
  CHECK(level == LogLevel::kOff);
  CHECK(parse_log_level("Warn", &level));
  CHECK(level == LogLevel::kWarn);
  for (const char* bad : {"", "warning", "warn ", "2"}) {
    CHECK_FALSE(parse_log_level(bad, &level));
    CHECK(level == LogLevel::kWarn);
  }
}

TEST_CASE("failures that differ in numbers and quoted names are of one kind") {
  CHECK(failure_kind("schema 17 of 'a' is unknown") == "schema # of # is unknown");
  CHECK(failure_kind("schema 9 of 'bb' is unknown") == "schema # of # is unknown");
  CHECK(failure_kind("counter 17 is unknown") != failure_kind("schema 17 is unknown"));
  CHECK(failure_kind("the caller's thing 12") == "the caller's thing #");
}

}  // namespace
}  // namespace ringscribe::nvtxw
