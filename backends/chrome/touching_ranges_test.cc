// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/touching_ranges.h"

#include <catch2/catch.hpp>

namespace ringscribe::chrome {
namespace {

using model::Slice;
using model::SliceKind;

std::vector<bool> touching(const std::vector<Slice>& slices) {
  model::LaneHistory history;
  std::vector<bool> touches;
  find_touching(slices, model::order_slices(slices, history), touches);
  return touches;
}

Slice range(int64_t begin, int64_t end) { return {begin, end, SliceKind::kPushPop}; }

using Answer = std::vector<bool>;

TEST_CASE("ranges whose times all differ do not touch, but for the last") {
  CHECK(touching({range(20, 30), range(10, 40), range(50, 60)}) == Answer{false, false, true});
  CHECK(touching({}).empty());
}

TEST_CASE("a child that ends with its parent: both") {
  CHECK(touching({range(20, 40), range(10, 40), range(50, 60)}) == Answer{true, true, true});
}

TEST_CASE("one that ends where the next begins, whose own end is free") {
  CHECK(touching({range(10, 20), range(20, 30), range(50, 60)}) == Answer{true, false, true});
}

TEST_CASE("one without length") {
  CHECK(touching({range(20, 20), range(10, 40), range(50, 60)}) == Answer{true, false, true});
}

TEST_CASE("beginning together does not make a sum") {
  CHECK(touching({range(10, 20), range(10, 40), range(50, 60)}) == Answer{false, false, true});
}

}  // namespace
}  // namespace ringscribe::chrome
