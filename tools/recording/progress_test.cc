// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/progress.h"

#include <catch2/catch.hpp>

namespace ringscribe::tools {
namespace {

TEST_CASE("a line of progress has share, amounts, rate and time left") {
  CHECK(progress_line("a.rsj", 1'300'000'000, 3'100'000'000, 2.0) ==
        "a.rsj  41 %  1.3 GB of 3.1 GB  650 MB/s  3 s left");
  CHECK(progress_line("a.rsj", 999, 1000, 1.0) ==
        "a.rsj  99 %  999 B of 1.0 kB  999 B/s  1 s left");
}

TEST_CASE("nothing is divided by zero, and a file that grows is not more than all of it") {
  CHECK(progress_line("a", 0, 0, 0) == "a  0 B  0 B/s");
  CHECK(progress_line("a", 0, 100, 1) == "a  0 %  0 B of 100 B  0 B/s");
  CHECK(progress_line("a", 200, 100, 1) == "a  100 %  200 B of 200 B  200 B/s  0 s left");
}

}  // namespace
}  // namespace ringscribe::tools
