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
  interner.drain([&](uint64_t, std::string_view text) { result += std::string(text) + "|"; });
  return result;
}

struct Encoded {
  std::string names;
  std::string categories;
  std::string annotations;
  std::string body;
};

Encoded encode(const model::Event& event) {
  Interners ids;
  Encoded result;
  encode_event(event, ids, result.body);
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

}  // namespace
}  // namespace ringscribe::perfetto
