// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/name_filter.h"

#include <catch2/catch.hpp>

namespace ringscribe::inject {
namespace {

TEST_CASE("an empty list lets all through") {
  for (const char* list : {"", " ", ",", " , -, "}) {
    const NameFilter filter(list);
    CHECK(filter.is_empty());
    CHECK(filter.passes("io"));
    CHECK(filter.passes(""));
    CHECK(filter.passes_nameless());
  }
}

TEST_CASE("names let themselves through, and nothing else") {
  const NameFilter filter("io, net work ,");
  CHECK(filter.passes("io"));
  CHECK(filter.passes("net work"));
  CHECK_FALSE(filter.passes("IO"));
  CHECK_FALSE(filter.passes("i"));
  CHECK_FALSE(filter.passes(""));
  CHECK_FALSE(filter.passes_nameless());
}

TEST_CASE("names with a dash keep themselves out") {
  const NameFilter filter("-debug");
  CHECK_FALSE(filter.passes("debug"));
  CHECK(filter.passes("io"));
  CHECK(filter.passes_nameless());
  const NameFilter both("io,-io");
  CHECK_FALSE(both.passes("io"));
}

TEST_CASE("what has two names passes by either, and is kept out by either") {
  const NameFilter filter("net,-9");
  CHECK(filter.passes("net", "7"));
  CHECK_FALSE(filter.passes("net", "9"));
  CHECK_FALSE(filter.passes("disk", "7"));
  CHECK(NameFilter("7").passes("net", "7"));
}

}  // namespace
}  // namespace ringscribe::inject
