// SPDX-License-Identifier: Apache-2.0
//
// Layouts described at run time, and events of several payloads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "ringscribe/tests/producer/decoded_session.h"
#include "ringscribe/tests/support/told_by.h"

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

struct Fixture : DecodedSession {
  Domain domain = session.get_domain("d");
  Stream stream = session.create_stream("s", {.domain = domain});

  std::string only_fields() {
    const Log& log = end();
    for (const auto& [sentence, count] : log.problems) return "problem: " + sentence;
    return log.events.size() == 1 ? log.events[0].fields
                                  : std::to_string(log.events.size()) + " events";
  }
};

// Values one after the other, without padding.
class Bytes {
 public:
  template <typename T>
  Bytes& add(T value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
    return *this;
  }
  Bytes& add_text(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return *this;
  }
  const void* data() const { return bytes_.data(); }
  size_t size() const { return bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
};

const Field kTime = {.name = "time", .type = EntryType::kInt64, .role = Role::kMark};

TEST_CASE("offsets and row sizes are computed by the rules of C") {
  Fixture f;
  const AnySchema schema = f.domain.get_schema("padded",
                                               {{.name = "a", .type = EntryType::kUint8},
                                                kTime,
                                                {.name = "b", .type = EntryType::kUint16},
                                                {.name = "c", .type = EntryType::kInt32}},
                                               {.kind = EventKind::kMark});
  REQUIRE(schema.ok());
  CHECK(schema.row_bytes() == 24);
  struct {
    uint8_t a = 1;
    int64_t time = 2;
    uint16_t b = 3;
    int32_t c = 4;
  } row;
  CHECK(f.stream.write_event(schema, &row, sizeof row));
  CHECK(f.only_fields() == "a=1u b=3u c=4");
}

TEST_CASE("a packed layout") {
  Fixture f;
  const AnySchema schema =
      f.domain.get_schema("packed", {{.name = "a", .type = EntryType::kUint8}, kTime},
                          {.kind = EventKind::kMark, .pack_align = 1});
  REQUIRE(schema.row_bytes() == 9);
  const Bytes row = Bytes().add<uint8_t>(7).add<int64_t>(5);
  CHECK(f.stream.write_event_batch(schema, row.data(), row.size()) == 1);
  CHECK(f.only_fields() == "a=7u");
}

TEST_CASE("fields of variable length in a dynamic schema") {
  Fixture f;
  const AnySchema schema = f.domain.get_schema(
      "dynamic",
      {kTime,
       {.name = "n", .type = EntryType::kUint32},
       {.name = "list", .type = EntryType::kUint16, .array = ArrayForm::kLengthField, .length = 1},
       {.name = "text", .type = EntryType::kUtf8, .array = ArrayForm::kZeroTerminated}},
      {.kind = EventKind::kMark, .type = SchemaType::kDynamic});
  REQUIRE(schema.ok());
  CHECK(schema.row_bytes() == 0);
  const Bytes row =
      Bytes().add<int64_t>(5).add<uint32_t>(2).add<uint16_t>(8).add<uint16_t>(9).add_text(
          std::string_view("hi\0", 3));
  CHECK(f.stream.write_event(schema, row.data(), row.size()));
  CHECK(f.only_fields() == "n=2u list=[8u 9u] text='hi'");
}

TEST_CASE("a union whose member a field beside it selects") {
  Fixture f;
  const AnySchema either = f.domain.get_schema("either",
                                               {{.name = "number", .type = EntryType::kInt64},
                                                {.name = "real", .type = EntryType::kFloat64}},
                                               {.type = SchemaType::kUnion});
  REQUIRE(either.ok());
  const AnySchema schema = f.domain.get_schema("selected",
                                               {kTime,
                                                {.name = "which", .type = EntryType::kUint32},
                                                {.name = "value", .type = either, .length = 1}},
                                               {.kind = EventKind::kMark});
  REQUIRE(schema.ok());
  const Bytes row = Bytes().add<int64_t>(5).add<uint64_t>(1).add<double>(2.5);
  CHECK(f.stream.write_event(schema, row.data(), row.size()));
  CHECK(f.only_fields() == "which=1u value={real=2.5}");
}

TEST_CASE("an enum that was described at run time, and an offset from the base") {
  Fixture f;
  const EnumValue values[] = {{"off", 0}, {"on", 1}};
  const Enum power = f.domain.get_enum("power", values, 1);
  REQUIRE(power.ok());
  const AnySchema schema =
      f.domain.get_schema("device",
                          {kTime,
                           {.name = "power", .type = power},
                           {.name = "name",
                            .type = EntryType::kUtf8,
                            .array = ArrayForm::kZeroTerminated,
                            .storage = Storage::kOffsetFromBase,
                            .offset = 16}},
                          {.kind = EventKind::kMark, .type = SchemaType::kDynamic});
  REQUIRE(schema.ok());
  const Bytes row = Bytes().add<int64_t>(5).add<uint64_t>(1).add<uint64_t>(24).add_text(
      std::string_view("fan\0", 4));
  CHECK(f.stream.write_event(schema, row.data(), row.size()));
  CHECK(f.only_fields() == "power='on' name='fan'");
}

// A mark whose message lies where its second word points to.
AnySchema pointing_mark(Domain& domain) {
  return domain.get_schema("head",
                           {kTime,
                            {.name = "name",
                             .type = EntryType::kUtf8,
                             .role = Role::kMessage,
                             .array = ArrayForm::kZeroTerminated,
                             .storage = Storage::kPointer}},
                           {.kind = EventKind::kMark});
}

TEST_CASE("several payloads make one event, and pointers among them are made right") {
  Fixture f;
  const AnySchema head = pointing_mark(f.domain);
  const AnySchema extra = f.domain.get_schema("extra", {{.name = "x", .type = EntryType::kInt32}});
  REQUIRE((head.ok() && extra.ok()));
  std::string blob("..here\0", 7);
  struct {
    int64_t time;
    const char* name;
  } row{5, blob.c_str() + 2};
  const int32_t x = 42;
  const uint16_t plain[] = {1, 2};
  CHECK(f.stream.write_event(
      {Payload(head, &row, sizeof row), Payload(EntryType::kReferenced, blob.data(), blob.size()),
       Payload(extra, &x, sizeof x), Payload(EntryType::kUint16, plain, sizeof plain)}));
  blob.assign(blob.size(), '!');
  const auto& log = f.end();
  CHECK(log.problems.empty());
  REQUIRE(log.events.size() == 1);
  CHECK(log.events[0].message == "here");
  CHECK(log.events[0].event.begin == 5);
  CHECK(log.events[0].fields.find("x=42") != std::string::npos);
  CHECK(log.events[0].fields.find("[1u 2u]") != std::string::npos);
}

TEST_CASE("flexible fields of a layout made at run time") {
  Fixture f;
  const AnySchema schema = f.domain.get_schema(
      "flexible",
      {kTime,
       {.name = "text",
        .type = EntryType::kUtf8,
        .role = Role::kMessage,
        .storage = Storage::kFlexible,
        .offset = 8},
       {.name = "list", .type = EntryType::kInt32, .storage = Storage::kFlexible, .offset = 24}},
      {.kind = EventKind::kMark, .row_bytes = 40});
  REQUIRE(schema.ok());
  const std::vector<int32_t> list = {1, -2};
  struct {
    int64_t time;
    Text text;
    Array<int32_t> list;
  } row{5, "made", list};
  CHECK(f.stream.write_event(schema, &row, sizeof row));
  const auto& events = f.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].message == "made");
  CHECK(events[0].fields == "list=[1 -2]");
}

TEST_CASE("a static ID may be chosen, within the users' range and once") {
  Fixture f;
  const auto make = [&](const char* name, uint64_t id) {
    return f.domain.get_schema(name, {{.name = "x", .type = EntryType::kInt32}}, {.static_id = id});
  };
  CHECK(make("a", 1u << 24).id() == 1u << 24);
  CHECK(make("a", 1u << 24).ok());        // the same again
  CHECK_FALSE(make("b", 1u << 24).ok());  // another of that ID
  CHECK_FALSE(make("c", 5).ok());
  CHECK_FALSE(make("d", uint64_t{1} << 31).ok());
  CHECK(f.domain.status().message().find("16777216") != std::string::npos);
}

struct WrongLayout {
  const char* what;
  std::vector<Field> fields;
  SchemaOptions options;
  const char* sentence;
};

TEST_CASE("a layout that cannot be is refused with a sentence that names the field") {
  const Field x = {.name = "x", .type = EntryType::kInt64};
  const Field begin = {.name = "b", .type = EntryType::kInt64, .role = Role::kRangeBegin};
  const Field id = {.name = "id", .type = EntryType::kRangeId};
  const std::vector<WrongLayout> wrong = {
      {"no fields", {}, {}, "no fields"},
      {"a mark without its role", {x}, {.kind = EventKind::kMark}, "Role::kMark"},
      {"two marks", {kTime, kTime}, {.kind = EventKind::kMark}, "2 are given"},
      {"a range without end", {begin}, {.kind = EventKind::kRangePushPop}, "Role::kRangeEnd"},
      {"a start without id", {begin}, {.kind = EventKind::kRangeStart}, "kRangeId"},
      {"an id that no kind has", {kTime, id}, {.kind = EventKind::kMark}, "kRangeId"},
      {"a counter's time in an event",
       {kTime, {.name = "t", .type = EntryType::kInt64, .role = Role::kTimestamp}},
       {.kind = EventKind::kMark},
       "Role::kTimestamp"},
      {"text without length",
       {{.name = "text", .type = EntryType::kUtf8}},
       {},
       "field \"text\": text needs its length"},
      {"two fields at the front",
       {{.name = "one", .type = EntryType::kInt64, .offset = 0},
        {.name = "two", .type = EntryType::kInt64, .offset = 0}},
       {.row_bytes = 8},
       "field \"two\": two fields have the offset 0"},
      {"a field beyond any record",
       {{.name = "far", .type = EntryType::kInt64, .offset = 1 << 20},
        {.name = "z", .type = EntryType::kUtf8, .array = ArrayForm::kZeroTerminated}},
       {.type = SchemaType::kDynamic},
       "512 KiB"},
      {"a floating timestamp",
       {{.name = "real", .type = EntryType::kFloat64, .role = Role::kMark}},
       {.kind = EventKind::kMark},
       "\"real\": a timestamp takes an integer of 64 bits"},
      {"a timestamp of 32 bits",
       {{.name = "short", .type = EntryType::kInt32, .role = Role::kMark}},
       {.kind = EventKind::kMark},
       "\"short\""},
      {"a union as an event",
       {kTime},
       {.kind = EventKind::kMark, .type = SchemaType::kUnion},
       "a union"},
      {"a length field that is not there",
       {{.name = "list", .type = EntryType::kInt8, .array = ArrayForm::kLengthField, .length = 9}},
       {.type = SchemaType::kDynamic},
       "field 9 of 1"},
      {"a length that varies in a static schema",
       {{.name = "n", .type = EntryType::kInt8},
        {.name = "list", .type = EntryType::kInt8, .array = ArrayForm::kLengthField, .length = 0}},
       {},
       "wrong"},
      {"a flexible field without its offset",
       {{.name = "t", .type = EntryType::kUtf8, .storage = Storage::kFlexible}},
       {},
       "Field::offset"},
      {"a registered string in a union",
       {{.name = "s", .type = EntryType::kRegisteredString}},
       {.type = SchemaType::kUnion},
       "union"},
      {"an unknown type", {{.name = "q", .type = static_cast<EntryType>(999)}}, {}, "wrong"},
      {"fields beyond the row", {x, x}, {.row_bytes = 8}, "wrong"},
      {"a row too large",
       {{.name = "all", .type = EntryType::kByte, .array = ArrayForm::kFixed, .length = 1 << 20}},
       {},
       "1048576"},
      {"a counter group with a kind",
       {kTime},
       {.kind = EventKind::kMark, .is_counter_group = true},
       "no event"},
  };
  for (const WrongLayout& one : wrong) {
    Fixture f;
    INFO(one.what);
    const AnySchema schema = f.domain.get_schema("wrong", one.fields, one.options);
    CHECK_FALSE(schema.ok());
    CHECK(f.domain.status().code() != ResultCode::kSuccess);
    CHECK(f.domain.status().message().find("\"wrong\"") != std::string::npos);
    CHECK(f.domain.status().message().find(one.sentence) != std::string::npos);
    // The domain is as usable as before.
    CHECK(f.domain.get_schema("right", {kTime}, {.kind = EventKind::kMark}).ok());
    f.stream.write_mark(1);
    CHECK(f.events().size() == 1);
  }
}

TEST_CASE("words that are resolved when an event is written cannot stand in a union") {
  Fixture f;
  const Field text = {.name = "t", .type = EntryType::kUtf8, .storage = Storage::kFlexible};
  Field flexible = text;
  flexible.offset = 0;
  const AnySchema parts[] = {
      f.domain.get_schema("string", {{.name = "s", .type = EntryType::kRegisteredString}}),
      f.domain.get_schema("flexible", {flexible}, {.row_bytes = 16}),
  };
  for (const AnySchema& part : parts) {
    REQUIRE(part.ok());
    Domain domain = f.session.get_domain("d");
    CHECK_FALSE(domain
                    .get_schema("either",
                                {{.name = "number", .type = EntryType::kInt64},
                                 {.name = "part", .type = part}},
                                {.type = SchemaType::kUnion})
                    .ok());
    CHECK(domain.status().message().find("\"part\": a member of a union") != std::string::npos);
  }
  // Nor do fields of variable length go into a dynamic schema, nested or not.
  CHECK_FALSE(
      f.domain
          .get_schema(
              "outer",
              {kTime,
               {.name = "in", .type = parts[1]},
               {.name = "z", .type = EntryType::kUtf8, .array = ArrayForm::kZeroTerminated}},
              {.kind = EventKind::kMark, .type = SchemaType::kDynamic})
          .ok());
  CHECK(f.domain.status().message().find("kFlexible goes with SchemaType::kStatic") !=
        std::string::npos);
}

TEST_CASE("a payload shorter than its schema's row is refused; a dynamic one ends where it ends") {
  Fixture f;
  std::vector<Field> fields = {kTime};
  for (int i = 0; i < 1000; ++i)
    fields.push_back({.name = "s", .type = EntryType::kRegisteredString});
  const AnySchema fixed = f.domain.get_schema("fixed", fields, {.kind = EventKind::kMark});
  fields.push_back({.name = "z", .type = EntryType::kUtf8, .array = ArrayForm::kZeroTerminated});
  const AnySchema dynamic = f.domain.get_schema(
      "dynamic", fields, {.kind = EventKind::kMark, .type = SchemaType::kDynamic});
  REQUIRE((fixed.ok() && dynamic.ok()));
  const int64_t time = 5;
  CHECK_FALSE(f.stream.write_event({Payload(fixed, &time, sizeof time)}));
  CHECK(f.stream.stats().lost(LossCause::kInvalid) == 1);
  // What is missing is found by the backend, and no byte behind the payload is touched.
  CHECK(f.stream.write_event(dynamic, &time, sizeof time));
  f.stream.write_mark(6, {.message = "after"});
  const auto& log = f.end();
  CHECK(std::any_of(log.events.begin(), log.events.end(),
                    [](const auto& event) { return event.message == "after"; }));
}

TEST_CASE("a pointer goes where its address lies, though another payload ends there") {
  Fixture f;
  const AnySchema head = pointing_mark(f.domain);
  const std::string both("first\0second\0", 13);
  struct {
    int64_t time;
    const char* name;
  } row{1, both.data() + 6};
  const Payload second(EntryType::kReferenced, both.data() + 6, 7);
  CHECK(f.stream.write_event(
      {Payload(head, &row, sizeof row), Payload(EntryType::kReferenced, both.data(), 6), second}));
  row.time = 2;
  CHECK(f.stream.write_event({Payload(head, &row, sizeof row), second}));
  // An address in no payload of the event, and one in a batch, is no text.
  row.time = 3;
  CHECK(f.stream.write_event({Payload(head, &row, sizeof row)}));
  row.time = 4;
  CHECK(f.stream.write_event_batch(head, &row, sizeof row) == 1);
  std::map<int64_t, std::string> messages;
  for (const auto& event : f.events()) messages[event.event.begin] = event.message;
  CHECK(messages == std::map<int64_t, std::string>{{1, "second"}, {2, "second"}, {3, ""}, {4, ""}});
}

TEST_CASE("names are valid UTF-8 without zeros when the backend gets them") {
  Fixture f;
  const AnySchema schema = f.domain.get_schema(
      "bad \xff", {kTime, {.name = std::string_view("x\0y", 3), .type = EntryType::kInt8}},
      {.kind = EventKind::kMark});
  REQUIRE(schema.ok());
  const Bytes row = Bytes().add<int64_t>(5).add<int64_t>(3);
  CHECK(f.stream.write_event(schema, row.data(), schema.row_bytes()));
  CHECK(f.only_fields() == "x\xEF\xBF\xBDy=3");
}

TEST_CASE("a value of an enum fits into its size") {
  Fixture f;
  const EnumValue fits[] = {{"least", static_cast<uint64_t>(-128)}, {"most", 255}};
  CHECK(f.domain.get_enum("fits", fits, 1).ok());
  for (const uint64_t value : {uint64_t{256}, static_cast<uint64_t>(-129)}) {
    Domain domain = f.session.get_domain("d");
    const EnumValue values[] = {{"wide", value}};
    CHECK_FALSE(domain.get_enum("e", values, 1).ok());
    CHECK(domain.status().message().find("value \"wide\": " + std::to_string(value)) !=
          std::string::npos);
  }
}

TEST_CASE("when a stream closes, stderr says what the first invalid call on it was") {
  Fixture f;
  const AnySchema mark = f.domain.get_schema("m", {kTime}, {.kind = EventKind::kMark});
  Stream fine = f.session.create_stream("fine", {.domain = f.domain});
  const int64_t time = 5;
  CHECK_FALSE(f.stream.write_event(mark, &time, 4));
  CHECK_FALSE(f.stream.write_event(AnySchema(), &time, 8));
  CHECK(fine.write_event(mark, &time, 8));
  const std::string told = ringscribe::testing::told_by([&] { f.end(); });
  CHECK(told.find("stream \"s\": 2 calls were invalid and not recorded; of the first "
                  "that was wrong: as many bytes as the schema") != std::string::npos);
  CHECK(told.find("\"fine\"") == std::string::npos);
}

TEST_CASE("writes of a wrong schema, size or domain are refused and counted") {
  Fixture f;
  const AnySchema mark = f.domain.get_schema("m", {kTime}, {.kind = EventKind::kMark});
  const AnySchema part = f.domain.get_schema("p", {{.name = "x", .type = EntryType::kInt64}});
  const AnySchema push = f.domain.get_schema(
      "push", {{.name = "b", .type = EntryType::kInt64, .role = Role::kRangeBegin}},
      {.kind = EventKind::kRangePush});
  Domain other = f.session.get_domain("other");
  const AnySchema foreign = other.get_schema("m", {kTime}, {.kind = EventKind::kMark});
  const int64_t row = 1;
  CHECK_FALSE(f.stream.write_event(part, &row, 8));
  CHECK_FALSE(f.stream.write_event(mark, &row, 4));
  CHECK_FALSE(f.stream.write_event(foreign, &row, 8));
  CHECK_FALSE(f.stream.write_event(AnySchema(), &row, 8));
  CHECK(f.stream.write_event_batch(push, &row, 8) == 0);
  CHECK(f.stream.write_event_batch(mark, &row, 7) == 0);
  CHECK_FALSE(f.stream.write_event(std::span<const Payload>()));
  CHECK_FALSE(f.stream.write_event({Payload(foreign, &row, 8)}));
  CHECK_FALSE(f.stream.write_event({Payload(mark, nullptr, 8)}));
  CHECK_FALSE(f.stream.write_event({Payload(mark, &row, 0)}));
  CHECK(f.stream.stats().lost(LossCause::kInvalid) == 10);
  CHECK(f.stream.write_event(mark, &row, 8));
  CHECK(f.events().size() == 1);
}

}  // namespace
