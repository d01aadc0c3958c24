// SPDX-License-Identifier: Apache-2.0
//
// Which names, categories and annotations an event gets. How they are encoded is read with the
// published protos, in tests/perfetto.
#include "ringscribe/backends/perfetto/event_encoding.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringscribe::perfetto {
namespace {

std::string texts(Interner& interner) {
  std::string result;
  for (uint32_t id = 1; id <= interner.size(); ++id) {
    result.append(interner.text(id)).append("|");
  }
  return result;
}

struct Encoded {
  std::string names;
  std::string categories;
  std::string annotations;
  std::string body;
};

Encoded encode(const model::Event& event) {
  EventEncoder encoder;
  Encoded result;
  encoder.encode(event, result.body);
  Interners& ids = encoder.ids();
  result.names = texts(ids.names);
  result.categories = texts(ids.categories);
  result.annotations = texts(ids.annotation_names);
  return result;
}

model::Event plain() {
  model::Event event;
  event.synchronised = true;
  return event;
}

TEST_CASE("an event that says nothing has a name and a category all the same") {
  const Encoded encoded = encode(plain());
  CHECK(encoded.names == "(no message)|");
  CHECK(encoded.categories == "default|");
  CHECK(encoded.annotations.empty());
}

TEST_CASE("the category is the name of the category, else the domain") {
  model::Event event = plain();
  event.domain = "domain";
  CHECK(encode(event).categories == "domain|");
  event.category_id = 3;
  CHECK(encode(event).categories == "domain|");
  CHECK(encode(event).annotations == "category_id|");
  event.category = "hot";
  CHECK(encode(event).categories == "hot|");
  CHECK(encode(event).annotations.empty());
}

TEST_CASE("a colour is written with its alpha only if it is translucent") {
  model::Event event = plain();
  event.color_argb = 0xFF0102FE;
  CHECK(encode(event).body.find("#0102FE") != std::string::npos);
  event.color_argb = 0x000102FE;  // as Python's nvtx gives it
  CHECK(encode(event).body.find("#0102FE") != std::string::npos);
  event.color_argb = 0x7F0102FE;
  CHECK(encode(event).body.find("#7F0102FE") != std::string::npos);
}

TEST_CASE("what is out of the ordinary has the name that the model gives it") {
  model::Event event = plain();
  event.end_is_missing = true;
  event.begin_is_missing = true;
  event.end_before_begin = true;
  event.range_id = 1;
  event.synchronised = false;
  CHECK(encode(event).annotations ==
        "range_id|end_is_missing|begin_is_missing|end_before_begin|written_end|time_domain|");
}

TEST_CASE("what has no name in a struct is (unnamed), as a field is") {
  model::Value number;
  number.kind = model::ValueKind::kInt;
  const model::Field members[] = {{"", number}, {"x", number}};
  model::Value structure;
  structure.kind = model::ValueKind::kStruct;
  structure.children = members;
  const model::Field fields[] = {{"where", structure}};
  model::Event event = plain();
  event.fields = fields;
  CHECK(encode(event).annotations == "where|(unnamed)|x|");
}

// Annotation names get the same numbers in each encoder.
void number_names(EventEncoder& encoder, const model::Event& event) {
  for (const model::Field& field : event.fields) {
    encoder.ids().annotation_names.id(field_name(field));
  }
  encoder.ids().annotation_names.id("color");
}

// Body and texts of an event.
std::string shown(EventEncoder& encoder, const EncodedEvent& encoded, const std::string& bodies) {
  const EventHead head = encoder.ids().head_of(encoded.head);
  std::string text(encoder.ids().names.text(head.name));
  text.append("|").append(encoder.ids().categories.text(head.category)).append("|");
  if (encoded.name_set != 0) {
    for (const uint32_t id : encoder.ids().names_of(encoded.name_set)) {
      text.append(encoder.ids().annotation_names.text(id)).append("|");
    }
  }
  return text + bodies.substr(encoded.body, encoded.body_bytes);
}

std::string shown(EventEncoder& encoder, const model::Event& event) {
  number_names(encoder, event);
  std::string bodies = "before";
  const EncodedEvent encoded = encoder.encode(event, bodies);
  return shown(encoder, encoded, bodies);
}

// As the second of two rows of a block.
std::string shown(EventEncoder& encoder, const model::Event& event, const model::EventLabel& label,
                  uint32_t field_names) {
  number_names(encoder, event);
  const model::EventLabel first = {1000, 0, 0, "first", {}};
  const model::EventRow rows[] = {{0, 0, 0, &first}, {0, 0, 0, &label}};
  std::vector<model::Field> fields(event.fields.begin(), event.fields.end());
  for (model::Field& field : fields) field.value = {};
  fields.insert(fields.end(), event.fields.begin(), event.fields.end());
  const model::EventBlock block = {event, rows, fields, event.fields.size(), field_names};
  REQUIRE(EventEncoder::is_ordinary(block));
  std::string bodies = "before";
  const EncodedEvent encoded = encoder.encode(block, 1, bodies);
  return shown(encoder, encoded, bodies);
}

TEST_CASE("a block with anything out of the ordinary is found out") {
  model::Event event = plain();
  const model::EventLabel label = {1, 0, 0, "label", {}};
  model::EventRow rows[] = {{5, 9, 0, &label}, {5, 5, 0, &label}};
  const model::EventBlock block = {event, rows, {}, 0, 0};
  CHECK(EventEncoder::is_ordinary(block));
  event.kind = model::EventKind::kRangeStartEnd;
  CHECK_FALSE(EventEncoder::is_ordinary(block));
  event.kind = model::EventKind::kRangePushPop;
  rows[1].end = 4;
  CHECK_FALSE(EventEncoder::is_ordinary(block));
  rows[1].end = 5;
  event.synchronised = false;
  CHECK_FALSE(EventEncoder::is_ordinary(block));
}

TEST_CASE("an event of a known label is the same as without one") {
  model::Event event = plain();
  event.message = "m";
  event.domain = "d";
  event.color_argb = 0xFF0000FF;
  model::Field fields[4] = {{"int", {}}, {"uint", {}}, {"double", {}}, {"", {}}};
  fields[0].value.kind = model::ValueKind::kInt;
  fields[0].value.int_value = -5;
  fields[1].value.kind = model::ValueKind::kUint;
  fields[1].value.uint_value = 300;
  fields[2].value.kind = model::ValueKind::kDouble;
  fields[2].value.double_value = 0.5;
  fields[3].value.kind = model::ValueKind::kText;
  fields[3].value.text = "text";
  const model::EventLabel label = {7, 0, event.color_argb, event.message, {}};
  for (const size_t count : {0, 4, 2}) {
    event.fields = {fields, count};
    EventEncoder plain_encoder;
    const std::string expected = shown(plain_encoder, event);
    EventEncoder encoder;
    const auto names = static_cast<uint32_t>(count);
    CHECK(shown(encoder, event, label, names) == expected);
    CHECK(shown(encoder, event, label, names) == expected);
    encoder.clear();
    CHECK(shown(encoder, event, label, names) == expected);
  }
}

TEST_CASE("more numbers than the encoder's array holds are all there") {
  model::Event event = plain();
  std::vector<model::Field> fields(100, {"field", {}});
  for (model::Field& field : fields) {
    field.value.kind = model::ValueKind::kUint;
    field.value.uint_value = UINT64_MAX - static_cast<uint64_t>(&field - fields.data());
  }
  event.fields = fields;
  EventEncoder plain_encoder;
  EventEncoder encoder;
  const model::EventLabel label = {1, 0, 0, event.message, {}};
  CHECK(shown(encoder, event, label, 1) == shown(plain_encoder, event));
}

TEST_CASE("two labels that share a place in the table are not taken for one another") {
  EventEncoder encoder;
  const model::Event event = plain();
  const model::EventLabel one = {1, 0, 0, "one", {}};
  const model::EventLabel other = {1 + 4096, 0, 0, "other", {}};
  CHECK(shown(encoder, event, one, 0).substr(0, 4) == "one|");
  CHECK(shown(encoder, event, other, 0).substr(0, 6) == "other|");
  CHECK(shown(encoder, event, one, 0).substr(0, 4) == "one|");
}

}  // namespace
}  // namespace ringscribe::perfetto
