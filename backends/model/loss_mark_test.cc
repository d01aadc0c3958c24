// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/loss_mark.h"

#include <catch2/catch.hpp>
#include <vector>

namespace ringscribe::model {
namespace {

Field text(std::string_view name, std::string_view value) {
  Field field;
  field.name = name;
  field.value.kind = ValueKind::kText;
  field.value.text = value;
  return field;
}

Field number(std::string_view name, uint64_t value) {
  Field field;
  field.name = name;
  field.value.kind = ValueKind::kUint;
  field.value.uint_value = value;
  return field;
}

TEST_CASE("a mark of the domain ringscribe with the three fields is a loss, no other") {
  std::vector<Field> fields = {text("lost_stream", "orders"), text("lost_cause", "ring full"),
                               number("lost_events", 7)};
  Event event;
  event.domain = "ringscribe";
  event.begin = event.end = 42;
  event.synchronised = true;
  event.fields = fields;
  Loss loss;
  REQUIRE(read_loss_mark(event, loss));
  CHECK(loss.time == 42);
  CHECK(loss.synchronised);
  CHECK(loss.stream == "orders");
  CHECK(loss.cause == "ring full");
  CHECK(loss.events == 7);

  Loss untouched;
  SECTION("an application's domain") { event.domain = "net"; }
  SECTION("a range") { event.kind = EventKind::kRangePushPop; }
  SECTION("a field less") { event.fields = event.fields.first(2); }
  SECTION("a text for a number") { fields[2] = text("lost_events", "7"); }
  CHECK_FALSE(read_loss_mark(event, untouched));
  CHECK(untouched.events == 0);
}

}  // namespace
}  // namespace ringscribe::model
