// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/event_body.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

using model::Event;
using model::EventKind;
using model::Field;
using model::Value;
using model::ValueKind;

Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

Value enumerator(std::string_view name, uint64_t value) {
  Value result;
  result.kind = ValueKind::kText;
  result.text = name;
  result.uint_value = value;
  return result;
}

Event event_of(EventKind kind, std::string_view domain = "") {
  Event event;
  event.kind = kind;
  event.message = "m";
  event.synchronised = true;
  event.domain = domain;
  return event;
}

// What the metadata says of a class.
std::string declared(Metadata& metadata, ClassTable& classes, uint32_t number, unsigned front = 0) {
  const std::string path = scratch("body");
  auto folder = open_folder(path);
  const std::string id = "\n  id = " + std::to_string(classes.id(number, front)) + ";\n  stream_id";
  metadata.set_clock({});
  REQUIRE(metadata.flush(*folder).ok());
  const std::string text = content(path + "/metadata");
  const size_t at = text.rfind("event {", text.find(id));
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find("};\n};\n", at) - at);
}

TEST_CASE("kinds and domains have classes of their own, an end has the message") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  std::string out;
  const auto mark = bodies.append(event_of(EventKind::kMark), out);
  CHECK(out == std::string("m\0", 2));
  const auto push = bodies.append(event_of(EventKind::kRangePushPop, "io"), out);
  const auto start = bodies.append(event_of(EventKind::kRangeStartEnd, "io"), out);
  CHECK(push.message_bytes == 2);
  CHECK(bodies.append(event_of(EventKind::kMark), out).begin_class == mark.begin_class);
  CHECK(declared(metadata, classes, mark.begin_class).find("name = \"mark\";") !=
        std::string::npos);
  CHECK(declared(metadata, classes, push.begin_class).find("\"io:push\"") != std::string::npos);
  CHECK(declared(metadata, classes, push.end_class).find("\"io:pop\"") != std::string::npos);
  CHECK(declared(metadata, classes, push.begin_class, kPair).find("\"io:crossing_push\"") !=
        std::string::npos);
  CHECK(declared(metadata, classes, push.end_class, kPair).find("\"io:crossing_pop\"") !=
        std::string::npos);
  CHECK(declared(metadata, classes, start.end_class, kPair).find("\"io:end\"") !=
        std::string::npos);
}

TEST_CASE("an empty message is in no begin and no end, and its name stays free") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  const Field fields[] = {{"message", number(1)}};
  for (const EventKind kind : {EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
    Event event = event_of(kind, "io");
    event.fields = fields;
    std::string out;
    const auto with = bodies.append(event, out);
    event.message = "";
    out.clear();
    const auto without = bodies.append(event, out);
    CHECK(without.message_bytes == 0);
    CHECK(out.size() == 8);
    CHECK(without.begin_class != with.begin_class);
    CHECK(without.end_class != with.end_class);
    CHECK(declared(metadata, classes, without.begin_class, kPair)
              .ends_with("struct {\nu64 _pair;\ni64 _message_2; /* \"message\" */\n"));
    CHECK(
        declared(metadata, classes, without.end_class, kPair).ends_with("struct {\nu64 _pair;\n"));
  }
}

TEST_CASE("message and category keep their names, fields go before the rest of ours") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  const Field fields[] = {{"message", number(1)}, {"color", number(2)}};
  Event event = event_of(EventKind::kMark);
  event.fields = fields;
  event.color_argb = 7;
  std::string out;
  const auto place = bodies.append(event, out);
  const std::string text = declared(metadata, classes, place.begin_class);
  CHECK(text.find("struct {\ntext _message;\ni64 _message_2; /* \"message\" */\ni64 _color;\n"
                  "x64 _color_2;\n") != std::string::npos);
  CHECK(out.size() == 2 + 3 * 8);
}

TEST_CASE("an event of a block has the class and the bytes that it has alone") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  const model::EventLabel labels[] = {
      {1, 0, 0, "a", ""}, {2, 9, 0xff, "b", "hot"}, {3, 0, 0, "", ""}};
  const Field fields[] = {{"x", number(1)}, {"x", number(2)}, {"x", enumerator("A", 1)}};
  for (const EventKind kind : {EventKind::kMark, EventKind::kRangePushPop}) {
    const Event shared = event_of(kind, "io");
    const model::EventRow rows[] = {
        {1, 5, 0, &labels[0]}, {2, 1, 3, &labels[1]}, {3, 3, 0, &labels[0]}};
    const model::EventBlock block = {shared, rows, fields, 1, 4};
    for (size_t row = 0; row < 3; ++row) {
      for (int again = 0; again < 2; ++again) {
        std::string in_block, alone;
        const auto a = bodies.append(block, row, in_block);
        const auto b = bodies.append(block.event(row), alone);
        CHECK(in_block == alone);
        CHECK(a.begin_class == b.begin_class);
        CHECK(a.end_class == b.end_class);
        CHECK(a.message_bytes == b.message_bytes);
      }
    }
  }
}

TEST_CASE("a label that is new makes a class that has it, and the class before stays") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  std::string out;
  const auto append = [&](std::string_view name, uint64_t value) {
    const Field fields[] = {{"e", enumerator(name, value)}};
    Event event = event_of(EventKind::kMark);
    event.fields = fields;
    return bodies.append(event, out).begin_class;
  };
  const uint32_t first = append("A", 1);
  CHECK(append("A", 1) == first);
  const uint32_t second = append("B", 2);
  CHECK(second != first);
  CHECK(append("A", 1) == second);
  const uint32_t plain = append("C", 1);
  CHECK(append("Z", 26) == plain);
  CHECK(declared(metadata, classes, first).find("{ \"A\" = 1 }") != std::string::npos);
  CHECK(declared(metadata, classes, second).find("{ \"A\" = 1, \"B\" = 2 }") != std::string::npos);
  CHECK(declared(metadata, classes, plain).find("u64 _number;") != std::string::npos);
}

TEST_CASE("when there are too many classes, domain and fields become texts") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  EventBody bodies(classes);
  std::string out;
  const Field known[] = {{"known", number(1)}};
  Event event = event_of(EventKind::kMark, "io");
  event.fields = known;
  const uint32_t before = bodies.append(event, out).begin_class;
  while (!classes.is_full()) classes.add({"n", "n", "", ""});
  CHECK(bodies.append(event, out).begin_class == before);
  const Field fields[] = {{"other", number(5)}};
  event.fields = fields;
  out.clear();
  const uint32_t after = bodies.append(event, out).begin_class;
  CHECK(after != before);
  CHECK(out == std::string("m\0io\0other=5\0", 13));
  const model::EventLabel label = {1, 0, 0, "m", ""};
  const model::EventRow rows[] = {{1, 1, 0, &label}};
  out.clear();
  CHECK(bodies.append(model::EventBlock{event, rows, fields, 1, 9}, 0, out).begin_class == after);
  CHECK(out == std::string("m\0io\0other=5\0", 13));
}

}  // namespace
}  // namespace ringscribe::ctf
