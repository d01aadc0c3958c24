// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interned_event.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/perfetto/sequence.h"

namespace ringscribe::perfetto {
namespace {

TEST_CASE("equal heads and equal name sets have one number each") {
  Interners ids;
  CHECK(ids.head({1, 2}) == ids.head({1, 2}));
  CHECK(ids.head({1, 2}) != ids.head({2, 1}));
  CHECK(ids.head_of(ids.head({2, 1})).name == 2);
  CHECK(ids.name_set({}) == 0);
  CHECK(ids.name_set({1, 2}) == ids.name_set({1, 2}));
  CHECK(ids.name_set({1, 2}) != ids.name_set({2, 1}));
  CHECK(ids.names_of(ids.name_set({2, 1})) == std::vector<uint32_t>{2, 1});
}

TEST_CASE("the interners are full when one of their tables is") {
  Interners ids;
  ids.annotation_names.id("a");
  CHECK(ids.full(1, 100));
  CHECK_FALSE(ids.full(2, 100));
  ids.name_set({1});
  ids.name_set({1, 1});
  CHECK(ids.full(2, 100));
  ids.clear();
  CHECK_FALSE(ids.full(1, 100));
  CHECK(ids.head({5, 5}) == 0);
}

TEST_CASE("a number set tells what it has not seen") {
  NumberSet set;
  CHECK(set.insert(0));
  CHECK(set.insert(1000));
  CHECK_FALSE(set.insert(0));
  CHECK_FALSE(set.insert(1000));
  CHECK(set.insert(999));
  set.clear();
  CHECK(set.insert(0));
}

}  // namespace
}  // namespace ringscribe::perfetto
