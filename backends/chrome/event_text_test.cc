// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/event_text.h"

#include <catch2/catch.hpp>
#include <cmath>

namespace ringscribe::chrome {
namespace {

using model::Field;
using model::Value;
using model::ValueKind;

Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

Value nested(ValueKind kind, std::span<const Field> children) {
  Value result;
  result.kind = kind;
  result.children = children;
  return result;
}

model::Event ordinary(std::string_view message) {
  model::Event event;
  event.synchronised = true;
  event.message = message;
  return event;
}

std::string text_of(const model::Event& event) {
  EventText text;
  std::string out;
  text.append(event, out);
  return out;
}

TEST_CASE("name and category stand alone where there is no more to say") {
  CHECK(text_of(ordinary("match")) == R"("name":"match","cat":"default")");
  model::Event event = ordinary("");
  event.domain = "io";
  CHECK(text_of(event) == R"("name":"","cat":"io")");
  event.category = "hot,\"args\":";
  CHECK(text_of(event) == R"("name":"","cat":"hot,\"args\":")");
}

TEST_CASE("structs are objects, arrays are arrays, and keys are unique in each object") {
  const Field inner[] = {{"x", number(1)}, {"x", number(2)}, {"", number(3)}};
  const Field items[] = {{"", number(1)}, {"", nested(ValueKind::kStruct, inner)}};
  const Field fields[] = {{"color", number(7)},
                          {"items", nested(ValueKind::kArray, items)},
                          {"items", nested(ValueKind::kArray, {})},
                          {"none", Value{}}};
  model::Event event = ordinary("m");
  event.fields = fields;
  event.color_argb = 0x8000FF7F;
  CHECK(text_of(event) ==
        R"j("name":"m","cat":"default","args":{"color":7,)j"
        R"j("items":[1,{"x":1,"x (2)":2,"(unnamed)":3}],"items (2)":[],"none":null,)j"
        R"j("color (2)":"#8000FF7F"})j");
}

TEST_CASE("what is out of the ordinary stands in args under the model's names") {
  model::Event event = ordinary("m");
  event.category_id = 9;
  event.range_id = 77;
  event.end_is_missing = event.begin_is_missing = event.end_before_begin = true;
  event.written_end = -3;
  event.synchronised = false;
  event.time_domain = UINT64_MAX;
  CHECK(text_of(event) ==
        R"("name":"m","cat":"default","args":{"category_id":9,"range_id":"77",)"
        R"("end_is_missing":true,"begin_is_missing":true,"end_before_begin":true,)"
        R"("written_end":-3,"time_domain":"18446744073709551615"})");
}

TEST_CASE("a range is bound to its first flow, a mark to none") {
  const uint64_t flows[] = {0xFFFFFFFFFFFFFFFF, 5};
  model::Event event = ordinary("m");
  event.flows = flows;
  CHECK(text_of(event) == R"("name":"m","cat":"default")");
  event.kind = model::EventKind::kRangePushPop;
  CHECK(text_of(event) == R"("name":"m","cat":"default","bind_id":"0xffffffffffffffff",)"
                          R"("flow_in":true,"flow_out":true)");
}

TEST_CASE("values that nest without end are cut") {
  Field fields[200];
  for (int i = 199; i >= 0; --i) {
    fields[i] = {"d", i == 199 ? number(1) : nested(ValueKind::kArray, {&fields[i + 1], 1})};
  }
  model::Event event = ordinary("m");
  event.fields = {fields, 1};
  CHECK(text_of(event).find("(nested too deep to show)") != std::string::npos);
}

TEST_CASE("events of a block read like the same events alone") {
  const model::EventLabel labels[] = {
      {1, 0, 0, "plain", ""},          {2, 5, 0, "numbered", ""},
      {3, 5, 0xFF00FF7F, "all", "c"},  {4, 5, 0xFF00FF7F, "color", ""},
      {4097, 0, 0, "same place", "c"}, {5, 0, 0, "", ""}};
  const std::string long_message(5000, 'n');
  const model::EventLabel long_label = {6, 0, 1, long_message, ""};
  std::vector<model::EventRow> rows;
  std::vector<Field> fields;
  for (int round = 0; round < 2; ++round) {
    for (const model::EventLabel& label : labels) rows.push_back({1, 1, 0, &label});
    rows.push_back({1, 1, 0, &long_label});
  }
  model::Event shared = ordinary("");
  shared.domain = "io";
  EventText text;
  for (const uint32_t names : {0U, 1U, 2U}) {
    fields.clear();
    for (size_t row = 0; row < rows.size(); ++row) {
      if (names == 0) break;
      fields.push_back({names == 1 ? "a" : "color", number(static_cast<int64_t>(row))});
      fields.push_back({names == 1 ? "a" : "category_id", number(-1)});
    }
    const model::EventBlock block{shared, rows, fields, names == 0 ? size_t{0} : size_t{2}, names};
    REQUIRE(EventText::is_ordinary(block));
    for (size_t row = 0; row < rows.size(); ++row) {
      std::string out;
      text.append(block, row, out);
      CHECK(out.find(block.event(row).message) != std::string::npos);
      // Where fields have the names of ours, the order of the two may differ, but both are there.
      CHECK(out.size() == text_of(block.event(row)).size());
      if (names != 2) CHECK(out == text_of(block.event(row)));
    }
  }
}

}  // namespace
}  // namespace ringscribe::chrome
