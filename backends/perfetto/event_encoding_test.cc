// SPDX-License-Identifier: Apache-2.0
//
// Which names, categories and annotations an event gets. How they are encoded is read with the
// published protos, in tests/perfetto.
#include "ringscribe/backends/perfetto/event_encoding.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

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

// Body and texts of an event. Annotation names get the same numbers in each encoder.
std::string shown(EventEncoder& encoder, const model::Event& event) {
  for (const model::Field& field : event.fields) {
    encoder.ids().annotation_names.id(field_name(field));
  }
  encoder.ids().annotation_names.id("color");
  std::string bodies = "before";
  const EncodedEvent encoded = encoder.encode(event, bodies);
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
  for (const size_t count : {0, 4, 2}) {
    event.fields = {fields, count};
    event.label = 0;
    event.field_names = 0;
    EventEncoder plain_encoder;
    const std::string expected = shown(plain_encoder, event);
    event.label = 7;
    event.field_names = static_cast<uint32_t>(count);
    EventEncoder encoder;
    CHECK(shown(encoder, event) == expected);
    CHECK(shown(encoder, event) == expected);
    encoder.clear();
    CHECK(shown(encoder, event) == expected);
  }
}

TEST_CASE("two labels that share a place in the table are not taken for one another") {
  EventEncoder encoder;
  model::Event one = plain();
  one.message = "one";
  one.label = 1;
  model::Event other = plain();
  other.message = "other";
  other.label = 1 + 4096;
  CHECK(shown(encoder, one).substr(0, 4) == "one|");
  CHECK(shown(encoder, other).substr(0, 6) == "other|");
  CHECK(shown(encoder, one).substr(0, 4) == "one|");
}

}  // namespace
}  // namespace ringscribe::perfetto
