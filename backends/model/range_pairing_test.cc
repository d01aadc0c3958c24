// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/range_pairing.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/recording_sink.h"

namespace ringscribe::model {
namespace {

TEST_CASE("ranges of one key close last in, first out; keys do not meet") {
  RangePairing pairing;
  pairing.open({1, 1}).message = "outer";
  pairing.open({1, 2}).message = "other scope";
  pairing.open({1, 1}).message = "inner";
  CHECK(pairing.open_count() == 3);
  CHECK(pairing.close({1, 1})->message == "inner");
  CHECK(pairing.close({1, 1})->message == "outer");
  CHECK_FALSE(pairing.close({1, 1}));
  CHECK_FALSE(pairing.close({2, 2}));
  CHECK(pairing.close({1, 2})->message == "other scope");
  CHECK(pairing.open_count() == 0);
}

TEST_CASE("all that is open comes out inner ranges first") {
  RangePairing pairing;
  for (const char* name : {"a", "b", "c", "d"}) {
    pairing.open({static_cast<uint64_t>(name[0]) % 2, 0}).message = name;
  }
  std::string order;
  for (const auto& range : pairing.close_all()) order += range->message;
  CHECK(order == "dcba");
  CHECK(pairing.close_all().empty());
}

TEST_CASE("a range that is used again has nothing of the one before") {
  RangePairing pairing;
  {
    OpenRange& range = pairing.open({});
    range.message = "old";
    range.color = range.category = 5;
    range.range_id = 9;
    Field field{"f", {}};
    range.fields = copy_fields({&field, 1}, range.arena);
    const RangePairing::Ended ended = pairing.close({});
    CHECK(ended->fields.size() == 1);
  }
  const OpenRange& again = pairing.open({});
  CHECK(again.message.empty());
  CHECK(again.fields.empty());
  CHECK(again.color == 0);
  CHECK(again.category == 0);
  CHECK(again.range_id == 0);
}

TEST_CASE("copied fields own all of their tree") {
  Arena arena;
  std::span<const Field> copies;
  {
    std::string name = "outer";
    std::string text = "some text";
    Field inner{std::string_view(name), {}};
    inner.value.kind = ValueKind::kText;
    inner.value.text = text;
    Field outer{std::string_view(name), {}};
    outer.value.kind = ValueKind::kStruct;
    outer.value.children = {&inner, 1};
    copies = copy_fields({&outer, 1}, arena);
    name = text = "overwritten, and longer than before";
  }
  CHECK(show(copies) == "outer={outer='some text'}");
}

TEST_CASE("ten thousand open ranges are kept and none of them when closed") {
  RangePairing pairing;
  for (uint64_t i = 0; i < 10000; ++i) pairing.open({i % 7, i}).time = static_cast<int64_t>(i);
  for (uint64_t i = 0; i < 10000; ++i) {
    CHECK(pairing.close({i % 7, i})->time == static_cast<int64_t>(i));
  }
  CHECK(pairing.open_count() == 0);
}

}  // namespace
}  // namespace ringscribe::model
