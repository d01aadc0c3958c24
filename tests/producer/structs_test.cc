// SPDX-License-Identifier: Apache-2.0
//
// Structs described with RINGSCRIBE_SCHEMA: what is written comes out of a backend field by field.
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "ringscribe/tests/producer/decoded_session.h"

namespace shop {

namespace rs = ringscribe;

enum class Side : uint8_t { buy, sell = 7 };
RINGSCRIBE_ENUM(Side, buy, sell);
enum Access : uint32_t { read = 1, write = 2, run = 4 };
RINGSCRIBE_FLAGS(Access, read, write, run);
enum class Plain : int16_t { one = 1 };

struct Point {
  float x, y;
};
RINGSCRIBE_SCHEMA(Point, FIELD(x), FIELD(y));

struct Box {
  Point corners[2];
  Side side;
  int8_t tag;
};
RINGSCRIBE_SCHEMA(Box, FIELD(corners), FIELD(side), FIELD(tag));

struct Numbers {
  int64_t time;
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  float f32;
  double f64;
  long double wide;
  rs::Float16 half;
  rs::Bfloat16 brain;
  bool flag;
  char letter;
  __int128 big;
  const void* address;
};
RINGSCRIBE_SCHEMA(Numbers, MARK(time), FIELD(i8), FIELD(u8), FIELD(i16), FIELD(u16), FIELD(i32),
                  FIELD(u32), FIELD(i64), FIELD(u64), FIELD(f32), FIELD(f64), FIELD(wide),
                  FIELD(half), FIELD(brain), FIELD(flag), FIELD(letter), FIELD(big),
                  FIELD(address));

struct Deal {
  Box box;  // at offset 0, although described last
  int64_t begin, end;
  rs::RegisteredString name;
  Side side;
  Access access;
  Plain plain;
  std::array<uint16_t, 3> list;
  rs::FixedString<8> note;
  char16_t wide[4];
  rs::CategoryId category;
  rs::Color color;
};
RINGSCRIBE_SCHEMA(Deal, RANGE_BEGIN(begin), RANGE_END(end), MESSAGE(name), FIELD(side),
                  FIELD(access), FIELD(plain), FIELD(list, .description = "three numbers"),
                  FIELD(note), FIELD(wide), FIELD(category), FIELD(color), FIELD(box));

struct Query {
  rs::Array<double> weights;  // at offset 0
  int64_t begin, end;
  rs::Text sql;
  rs::Array<Point> path;
  rs::Array<Side> sides;
};
RINGSCRIBE_SCHEMA(Query, RANGE_BEGIN(begin), RANGE_END(end), MESSAGE(sql), FIELD(weights),
                  FIELD(path), FIELD(sides));

struct Where {
  int64_t time;
  rs::ScopeId scope;
};
RINGSCRIBE_SCHEMA(Where, MARK(time), FIELD(scope));

struct Push {
  int64_t begin;
  rs::Text message;
  rs::Array<int32_t> list;
};
RINGSCRIBE_SCHEMA(Push, RANGE_BEGIN(begin), MESSAGE(message), FIELD(list));

struct Pop {
  int64_t end;
};
RINGSCRIBE_SCHEMA(Pop, RANGE_END(end));

}  // namespace shop

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

TEST_CASE("each number type comes out with its value") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Numbers>(EventKind::kMark);
  REQUIRE(schema.ok());
  shop::Numbers numbers{};
  numbers.time = 5;
  numbers.i8 = -128;
  numbers.u8 = 255;
  numbers.i16 = -32768;
  numbers.u16 = 65535;
  numbers.i32 = std::numeric_limits<int32_t>::min();
  numbers.u32 = std::numeric_limits<uint32_t>::max();
  numbers.i64 = std::numeric_limits<int64_t>::min();
  numbers.u64 = std::numeric_limits<uint64_t>::max();
  numbers.f32 = 0.5f;
  numbers.f64 = -1e300;
  numbers.wide = 2.25L;
  numbers.half = Float16(-0.333251953125f);
  numbers.brain = Bfloat16(3.0f);
  numbers.flag = true;
  numbers.letter = 'x';
  numbers.big = -(__int128{1} << 100);
  numbers.address = reinterpret_cast<const void*>(0xabc0);
  CHECK(stream.write_event(schema, numbers));
  const auto& events = s.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].event.begin == 5);
  CHECK(events[0].fields ==
        "i8=-128 u8=255u i16=-32768 u16=65535u i32=-2147483648 u32=4294967295u "
        "i64=-9223372036854775808 u64=18446744073709551615u f32=0.5 f64=-1.0000000000000001e+300 "
        "wide=2.25 half=-0.333251953125 brain=3 flag=1u letter='x' "
        "big='-1267650600228229401496703205376' address=@abc0");
}

TEST_CASE("enums by name, nested structs, arrays, texts, attributes, whatever their order") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Deal>(EventKind::kRangePushPop);
  REQUIRE(schema.ok());
  const Category hot = domain.get_category("hot");
  shop::Deal deal{};
  deal.begin = 10;
  deal.end = 30;
  deal.name = domain.get_registered_string("a deal");
  deal.side = shop::Side::sell;
  deal.access = static_cast<shop::Access>(shop::read | shop::run);
  deal.plain = shop::Plain::one;
  deal.list = {1, 2, 3};
  deal.note = "so";
  deal.wide[0] = u'ä';
  deal.category = {hot.id};
  deal.color = color::green;
  deal.box = {{{1, 2}, {3, 4}}, shop::Side::buy, -1};
  CHECK(stream.write_event(schema, deal));
  const auto& events = s.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].message == "a deal");
  CHECK(events[0].category == "hot");
  CHECK(events[0].event.color_argb == color::green.argb);
  CHECK(events[0].event.begin == 10);
  CHECK(events[0].event.end == 30);
  CHECK(events[0].fields ==
        "box={corners=[{x=1 y=2} {x=3 y=4}] side='buy' tag=-1} side='sell' access='read|run' "
        "plain=1 list=[1u 2u 3u] note='so' wide='ä'");
}

TEST_CASE("texts and arrays made at run time are copied by the call") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Query>(EventKind::kRangeStartEnd);
  REQUIRE(schema.ok());
  for (int i = 0; i < 3; ++i) {
    std::string sql = "select " + std::string(static_cast<size_t>(i) * 5, 'x');
    std::vector<double> weights(static_cast<size_t>(i), 0.5 * i);
    std::vector<shop::Point> path(2, shop::Point{1, static_cast<float>(i)});
    const std::vector<shop::Side> sides(1, shop::Side::sell);
    CHECK(stream.write_event(schema, shop::Query{weights, i, i + 1, sql, path, sides}));
    sql.assign(sql.size(), '?');
    weights.assign(weights.size(), -1);
    path.clear();
  }
  CHECK(stream.write_event(schema, shop::Query{{}, 3, 4, {}, {}, {}}));
  CHECK(stream.write_event(schema, shop::Query{{}, 4, 5, std::string_view("a\0b\xff", 4), {}, {}}));
  const auto& events = s.events();
  REQUIRE(events.size() == 5);
  CHECK(events[0].message == "select ");
  CHECK(events[2].message == "select xxxxxxxxxx");
  CHECK(events[0].fields == "weights=[] path=[{x=1 y=0} {x=1 y=0}] sides=['sell']");
  CHECK(events[2].fields == "weights=[1 1] path=[{x=1 y=2} {x=1 y=2}] sides=['sell']");
  CHECK(events[3].fields == "weights=[] path=[] sides=[]");
  CHECK(events[4].message ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd");
}

TEST_CASE("a batch of rows with fields of variable length") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Query>(EventKind::kRangePushPop);
  const std::vector<double> weights = {1, 2};
  std::vector<shop::Query> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back({weights, i, i + 1, "q", {}, {}});
  CHECK(stream.write_event_batch(schema, rows) == 1000);
  const auto& events = s.events();
  REQUIRE(events.size() == 1000);
  CHECK(events[999].event.begin == 999);
  CHECK(events[999].fields == "weights=[1 2] path=[] sides=[]");
}

TEST_CASE("a row longer than a record takes is counted as too large, whatever its fields claim") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Query>(EventKind::kRangePushPop);
  const double one = 1;
  CHECK_FALSE(stream.write_event(
      schema, shop::Query{Array<double>(&one, size_t{1} << 62), 1, 2, "q", {}, {}}));
  CHECK(stream.stats().lost(LossCause::kTooLarge) == 1);
  CHECK(s.events().empty());
}

TEST_CASE("a scope in a field puts the event there") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Where>(EventKind::kMark);
  const Scope gpu = domain.get_scope("GPU[0]");
  CHECK(stream.write_event(schema, shop::Where{1, {gpu.id()}}));
  const auto& log = s.end();
  REQUIRE(log.events.size() == 1);
  REQUIRE(log.events[0].event.track < log.tracks.size());
  CHECK(log.tracks[log.events[0].event.track].name == "GPU[0]");
}

TEST_CASE("pushes and pops of users' schemas pair, with fields of variable length, too") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto push = domain.get_schema<shop::Push>(EventKind::kRangePush);
  const auto pop = domain.get_schema<shop::Pop>(EventKind::kRangePop);
  const std::vector<int32_t> list = {7, 8};
  stream.write_event(push, shop::Push{1, "outer", list});
  stream.write_push(2, {.message = "inner"});
  stream.write_pop(3);
  stream.write_event(pop, shop::Pop{4});
  const auto& events = s.events();
  REQUIRE(events.size() == 2);
  CHECK(events[0].message == "inner");
  CHECK(events[0].event.end == 3);
  CHECK(events[1].message == "outer");
  CHECK(events[1].event.end == 4);
  CHECK(events[1].fields == "list=[7 8]");
}

TEST_CASE("a registered string of another domain is no message, and harms nothing") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream stream = s.session.create_stream("s", {.domain = domain});
  const auto schema = domain.get_schema<shop::Deal>(EventKind::kRangePushPop);
  shop::Deal deal{};
  deal.name = s.session.get_domain("other").get_registered_string("not here");
  CHECK(stream.write_event(schema, deal));
  const auto& events = s.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].message.empty());
}

TEST_CASE("16-bit floats round to nearest, ties to even") {
  CHECK(Float16(1.0f).bits == 0x3C00);
  CHECK(Float16(65504.0f).bits == 0x7BFF);
  CHECK(Float16(65520.0f).bits == 0x7C00);
  CHECK(Float16(-0.0f).bits == 0x8000);
  CHECK(Float16(5.9604645e-8f).bits == 1);  // the smallest subnormal
  CHECK(Float16(2.9802322e-8f).bits == 0);  // half of it: to even
  CHECK(Float16(8.9406967e-8f).bits == 2);  // one and a half: to even
  CHECK(Float16(6.1035156e-5f).bits == 0x400);
  CHECK(Float16(2049.0f).bits == 0x6800);  // between 2048 and 2050
  CHECK(Float16(2051.0f).bits == 0x6802);
  CHECK((Float16(std::numeric_limits<float>::quiet_NaN()).bits & 0x7C00) == 0x7C00);
  CHECK(Bfloat16(1.0f).bits == 0x3F80);
  CHECK(Bfloat16(1.00390625f).bits == 0x3F80);  // a tie
  CHECK(Bfloat16(std::numeric_limits<float>::infinity()).bits == 0x7F80);
}

}  // namespace
