// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/rotation.h"

#include <catch2/catch.hpp>

namespace ringscribe::output {
namespace {

TEST_CASE("sizes and times, one or both") {
  Rotation rotation;
  REQUIRE(read_rotation("512MiB", rotation));
  CHECK(rotation.bytes == uint64_t{512} << 20);
  CHECK(rotation.ns == 0);
  REQUIRE(read_rotation("60s", rotation));
  CHECK(rotation.bytes == 0);
  CHECK(rotation.ns == 60'000'000'000);
  REQUIRE(read_rotation("2h,1KiB", rotation));
  CHECK(rotation.bytes == 1024);
  CHECK(rotation.ns == 7'200'000'000'000);
  REQUIRE(read_rotation("3GiB,5min", rotation));
  CHECK(rotation.bytes == uint64_t{3} << 30);
  CHECK(rotation.ns == 300'000'000'000);
}

TEST_CASE("anything else is refused and changes nothing") {
  for (const char* text :
       {"", "1", "MiB", "0s", "-1s", "1 s", "1.5s", "1s,", ",1s", "1s,2s", "1KiB,1MiB",
        "1s,1KiB,1s", "99999999999GiB", "18446744073709551616s", "9223372037s"}) {
    Rotation rotation{7, 7};
    INFO(text);
    CHECK_FALSE(read_rotation(text, rotation));
    CHECK(rotation.bytes == 7);
    CHECK(rotation.ns == 7);
  }
}

TEST_CASE("the number stands before the extension") {
  CHECK(part_path("out/trace.pftrace", 1) == "out/trace-0001.pftrace");
  CHECK(part_path("trace", 12) == "trace-0012");
  CHECK(part_path("run.d/trace", 2) == "run.d/trace-0002");
  CHECK(part_path("run.d/.hidden", 2) == "run.d/.hidden-0002");
  CHECK(part_path("a.b.json", 10000) == "a.b-10000.json");
}

}  // namespace
}  // namespace ringscribe::output
