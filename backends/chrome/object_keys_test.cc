// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/object_keys.h"

#include <catch2/catch.hpp>
#include <set>

namespace ringscribe::chrome {
namespace {

TEST_CASE("a name that comes again is numbered, also where the number is taken") {
  ObjectKeys keys;
  CHECK(keys.add("x") == "x");
  CHECK(keys.add("x (2)") == "x (2)");
  CHECK(keys.add("x") == "x (3)");
  CHECK(keys.add("x (2)") == "x (2) (2)");
  CHECK(keys.add("x") == "x (4)");
  keys.clear();
  CHECK(keys.add("x") == "x");
}

TEST_CASE("an empty name gets one") {
  ObjectKeys keys;
  CHECK(keys.add("") == "(unnamed)");
  CHECK(keys.add("") == "(unnamed) (2)");
}

TEST_CASE("a hundred thousand equal names are told apart in no time") {
  ObjectKeys keys;
  std::set<std::string> seen;
  for (int i = 0; i < 100'000; ++i) {
    REQUIRE(seen.insert(std::string(keys.add(i % 2 == 0 ? "a" : "b"))).second);
  }
}

}  // namespace
}  // namespace ringscribe::chrome
