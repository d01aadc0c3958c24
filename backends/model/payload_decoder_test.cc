// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/payload_decoder.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/test_schemas.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kOther = kId + 1;
constexpr uint64_t kDynamic = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
constexpr uint64_t kFixed = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
constexpr uint64_t kZero = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
constexpr uint64_t kLength = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX;
constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
constexpr uint64_t kDeep = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY;
constexpr uint64_t kInt8 = NVTX_PAYLOAD_ENTRY_TYPE_INT8;
constexpr uint64_t kInt32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kUint16 = NVTX_PAYLOAD_ENTRY_TYPE_UINT16;
constexpr uint64_t kUtf8 = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
constexpr uint64_t kUtf16 = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16;
constexpr uint64_t kUtf32 = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;

uint64_t address(const void* data) { return reinterpret_cast<uintptr_t>(data); }

struct Fixture {
  Definitions definitions;
  Problems problems;
  PayloadDecoder decoder{definitions, problems};

  void add(SchemaBuilder& schema) { definitions.add_schema(0, schema.attr()); }
  std::string fields(const std::vector<nvtxPayloadData_t>& payloads) {
    return show(decoder.decode(0, payloads).fields);
  }
  std::string fields(SchemaBuilder& schema, const Blob& blob) {
    add(schema);
    return fields({blob.payload(schema.attr().schemaId)});
  }
  bool clean() const { return problems.all().empty(); }
};

TEST_CASE_METHOD(Fixture, "implicit offsets follow natural alignment") {
  SchemaBuilder schema(kId);
  schema.entry(kInt8, "a").entry(kInt64, "b").entry(kUint16, "c");
  Blob blob;
  blob.put<int8_t>(-1).zeros(7).put<int64_t>(INT64_MIN).put<uint16_t>(7).zeros(6);
  CHECK(fields(schema, blob) == "a=-1 b=-9223372036854775808 c=7u");
  CHECK(definitions.schema(0, kId)->size == 24);
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "packAlign caps the alignment") {
  SchemaBuilder schema(kId);
  schema.pack(1).entry(kInt8, "a").entry(kInt64, "b").entry(kUint16, "c");
  Blob blob;
  blob.put<int8_t>(1).put<int64_t>(2).put<uint16_t>(3);
  CHECK(fields(schema, blob) == "a=1 b=2 c=3u");
  CHECK(definitions.schema(0, kId)->size == 11);
}

TEST_CASE_METHOD(Fixture, "explicit offsets count, also unaligned and out of order") {
  SchemaBuilder schema(kId);
  schema.size(16)
      .entry(kInt32, "first", {.offset = 8})
      .entry(kInt32, "before", {.offset = 3})
      .entry(kInt8, "computed");
  Blob blob;
  blob.zeros(3).put<int32_t>(5).put<int8_t>(9).put<int32_t>(6).zeros(4);
  CHECK(fields(schema, blob) == "first=6 before=5 computed=9");
}

TEST_CASE_METHOD(Fixture, "an offset of zero is explicit in the first entry only") {
  SchemaBuilder schema(kId);
  schema.entry(kInt32, "a", {.offset = 0}).entry(kInt32, "b", {.offset = 0});
  Blob blob;
  blob.put<int32_t>(1).put<int32_t>(2);
  CHECK(fields(schema, blob) == "a=1 b=2");
}

TEST_CASE_METHOD(Fixture, "a dynamic schema advances a cursor behind text and aligns it") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kUtf8, "name", {.flags = kZero})
      .entry(kInt32, "after")
      .entry(kUtf8, "last", {kZero});
  Blob blob;
  blob.text(std::string_view("abcd\0", 5)).zeros(3).put<int32_t>(-5).text("no end");
  CHECK(fields(schema, blob) == "name='abcd' after=-5 last='no end'");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "the client's empty message is one NUL, others have none") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kUtf8, "message", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | kZero});
  add(schema);
  const Blob empty = Blob().zeros(1);
  const DecodedEvent& none = decoder.decode(0, std::vector{empty.payload(kId)});
  CHECK(none.has_message);
  CHECK(none.message.empty());
  const Blob full = Blob().text("hello");
  CHECK(decoder.decode(0, std::vector{full.payload(kId)}).message == "hello");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "fixed strings end at their NUL or at their length, in all encodings") {
  SchemaBuilder schema(kId);
  schema.entry(kUtf8, "u8", {.detail = 4})
      .entry(kUtf16, "u16", {.flags = kFixed, .detail = 3})
      .entry(kUtf32, "u32", {.detail = 2})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "locale", {.detail = 3});
  Blob blob;
  blob.text(std::string_view("ab\0x", 4)).put(u'Ä').put(u'b').put(char16_t{0}).zeros(2);
  blob.put(U'🎉').put(U'z').text("xyz").zeros(1);
  CHECK(fields(schema, blob) == "u8='ab' u16='Äb' u32='🎉z' locale='xyz'");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "arrays of fixed and of zero-terminated length") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kInt8, "three", {.flags = kFixed, .detail = 3})
      .entry(kUint16, "until zero", {.flags = kZero})
      .entry(kInt8, "tail");
  Blob blob;
  blob.put<int8_t>(1).put<int8_t>(0).put<int8_t>(-1).zeros(1);
  blob.put<uint16_t>(256).put<uint16_t>(2).put<uint16_t>(0).put<int8_t>(7);
  CHECK(fields(schema, blob) == "three=[1 0 -1] until zero=[256u 2u] tail=7");
}

TEST_CASE_METHOD(Fixture,
                 "arrays whose length stands in an entry before, also in several dimensions") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kUint16, "dims", {.flags = kFixed, .detail = 2})
      .entry(kInt8, "matrix", {.flags = kLength, .detail = 0})
      .entry(kInt8, "n")
      .entry(kUtf8, "text", {.flags = kLength, .detail = 2})
      .entry(kInt8, "negative")
      .entry(kInt8, "none", {.flags = kLength, .detail = 4});
  Blob blob;
  blob.put<uint16_t>(2).put<uint16_t>(3);
  for (int8_t i = 1; i <= 6; ++i) blob.put(i);
  blob.put<int8_t>(2).text("hi").put<int8_t>(-4);
  CHECK(fields(schema, blob) ==
        "dims=[2u 3u] matrix=[1 2 3 4 5 6] n=2 text='hi' negative=-4 none=[]");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "arrays whose length is another payload") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kInt8, "data",
               {.flags = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX, .detail = 1});
  add(schema);
  SchemaBuilder length(kOther);
  length.entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT32, "n", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_HIDE});
  add(length);
  const Blob data = Blob().put<int8_t>(1).put<int8_t>(2).put<int8_t>(3);
  const Blob two = Blob().put<uint32_t>(2);
  CHECK(fields({data.payload(kId), two.payload(kOther)}) == "data=[1 2]");
  CHECK(fields({data.payload(kId), two.payload(NVTX_PAYLOAD_ENTRY_TYPE_UINT32)}) ==
        "data=[1 2] value=2u");
  CHECK(clean());
  CHECK(fields({data.payload(kId)}).empty());
  CHECK_FALSE(clean());
}

TEST_CASE_METHOD(Fixture, "nested schemas, arrays of them, and wrappers without a name") {
  SchemaBuilder point(kId);
  point.name("point").entry(kInt8, "x").entry(kInt32, "y");
  add(point);
  SchemaBuilder wrapper(kId + 1);
  wrapper.entry(kInt32, "int32");
  add(wrapper);
  SchemaBuilder schema(kId + 2);
  schema.entry(kInt8, "head")
      .entry(kId, "at")
      .entry(kId, "path", {.flags = kFixed, .detail = 2})
      .entry(kId + 1, "wrapped");
  Blob blob;
  blob.put<int8_t>(1).zeros(3);
  for (int32_t i = 1; i <= 3; ++i) blob.put(static_cast<int8_t>(i)).zeros(3).put(i * 10);
  blob.put<int32_t>(99);
  CHECK(fields(schema, blob) == "head=1 at={x=1 y=10} path=[{x=2 y=20} {x=3 y=30}] wrapped=99");
}

TEST_CASE_METHOD(Fixture, "a nested dynamic schema takes what it takes") {
  SchemaBuilder inner(kId, kDynamic);
  inner.name("inner").entry(kUtf8, "text", {.flags = kZero});
  add(inner);
  SchemaBuilder schema(kOther, kDynamic);
  schema.entry(kId, "a").entry(kId, "b").entry(kInt8, "c");
  Blob blob;
  blob.text(std::string_view("one\0two2\0", 9)).put<int8_t>(3);
  CHECK(fields(schema, blob) == "a={text='one'} b={text='two2'} c=3");
}

TEST_CASE_METHOD(Fixture,
                 "enums show names, flags their combination, unknown values their number") {
  const nvtxPayloadEnum_t colors[] = {{"red", 1, 0}, {"minus", UINT64_MAX, 0}};
  nvtxPayloadEnumAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
  attr.entries = colors;
  attr.numEntries = 2;
  attr.sizeOfEnum = 4;
  attr.schemaId = kId;
  definitions.add_enumeration(0, attr);
  const nvtxPayloadEnum_t bits[] = {{"A", 1, 1}, {"B", 2, 1}, {"C", 4, 1}, {"BC", 6, 1}};
  attr.entries = bits;
  attr.numEntries = 4;
  attr.sizeOfEnum = 1;
  attr.schemaId = kId + 1;
  definitions.add_enumeration(0, attr);
  SchemaBuilder schema(kId + 2);
  schema.entry(kId, "c", {.flags = kFixed, .detail = 3})
      .entry(kId + 1, "f", {.flags = kFixed, .detail = 5});
  Blob blob;
  blob.put<int32_t>(1).put<int32_t>(-1).put<int32_t>(-2);
  blob.put<int8_t>(3).put<int8_t>(7).put<int8_t>(6).put<int8_t>(8).put<int8_t>(0);
  CHECK(fields(schema, blob) == "c=['red' 'minus' -2] f=['A|B' 'A|BC' 'BC' 8u 0u]");
  const Value& red = decoder.event().fields[0].value.children[0].value;
  CHECK(red.uint_value == 1);
}

TEST_CASE_METHOD(Fixture, "unions with a selector outside and one inside") {
  SchemaBuilder outside(kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION);
  outside.entry(kInt32, "number").entry(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, "real");
  add(outside);
  SchemaBuilder inside(kId + 1, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
  inside.entry(NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR, "which")
      .entry(kInt32, "number")
      .entry(kUtf8, "text", {.detail = 4});
  add(inside);
  SchemaBuilder schema(kId + 2);
  schema.entry(kInt8, "kind").entry(kId, "u", {.detail = 0}).entry(kId + 1, "v");
  Blob blob;
  blob.put<int8_t>(1).zeros(3).put(2.5f).put<uint8_t>(2).zeros(3).text("abcd");
  CHECK(fields(schema, blob) == "kind=1 u={real=2.5} v={text='abcd'}");
  CHECK(clean());
  Blob wrong;
  wrong.put<int8_t>(2).zeros(3).put(2.5f).put<uint8_t>(0).zeros(3).text("abcd");
  CHECK(fields({wrong.payload(kId + 2)}) == "kind=2");
  CHECK(problems.all().size() == 2);
}

TEST_CASE_METHOD(Fixture, "a union's selector may come later in a static schema") {
  SchemaBuilder outside(kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION);
  outside.entry(kInt32, "number").entry(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, "real");
  add(outside);
  SchemaBuilder schema(kId + 1);
  schema.entry(kId, "u", {.detail = 1}).entry(kInt8, "kind");
  CHECK(fields(schema, Blob().put(2.5f).put<int8_t>(1).zeros(3)) == "u={real=2.5} kind=1");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "a selector that is no plain number selects nothing") {
  SchemaBuilder outside(kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION);
  outside.entry(kInt32, "number");
  add(outside);
  // Its length would stand in entry 200.
  SchemaBuilder schema(kId + 1, kDynamic);
  schema.entry(kId, "u", {.detail = 1}).entry(kInt8, "kind", {.flags = kLength, .detail = 200});
  CHECK(fields(schema, Blob().zeros(16)).empty());
  SchemaBuilder inside(kId + 2, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
  inside.entry(NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR, "which", {.flags = kLength, .detail = 200})
      .entry(kInt32, "number");
  CHECK(fields(inside, Blob().zeros(16)).empty());
  CHECK(problems.all().size() >= 2);
}

TEST_CASE_METHOD(Fixture, "unions with their selector inside stand in arrays") {
  SchemaBuilder inside(kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
  inside.entry(NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR, "which")
      .entry(kInt8, "small")
      .entry(kInt32, "large");
  add(inside);
  SchemaBuilder schema(kId + 1);
  schema.entry(kId, "v", {.flags = kFixed, .detail = 3});
  Blob blob;
  blob.put<uint8_t>(2).zeros(3).put<int32_t>(70000);
  blob.put<uint8_t>(1).zeros(3).put<int8_t>(-7).zeros(3);
  blob.put<uint8_t>(2).zeros(3).put<int32_t>(1);
  CHECK(fields(schema, blob) == "v=[{large=70000} {small=-7} {large=1}]");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "a wider selector is read where its members have offsets") {
  SchemaBuilder inside(kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
  inside.entry(NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR, "which")
      .entry(kInt8, "small", {.offset = 4})
      .entry(kInt64, "large", {.offset = 8});
  CHECK(fields(inside, Blob().put<uint32_t>(1).put<int8_t>(-7).zeros(11)) == "small=-7");
  CHECK(fields({Blob().put<uint32_t>(2).zeros(4).put<int64_t>(9).payload(kId)}) == "large=9");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "text without length and flags is a pointer in a dynamic schema too") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kInt8, "a").entry(kUtf8, "text").entry(kInt8, "b");
  const Blob target = Blob().text(std::string_view("there\0", 6));
  Blob blob;
  blob.put<int8_t>(1).zeros(7).put(address(target.data())).put<int8_t>(2);
  add(schema);
  const auto referenced = target.payload(NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED);
  CHECK(fields({blob.payload(kId), referenced}) == "a=1 text='there' b=2");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "pointers into another payload of the event are followed, others not") {
  SchemaBuilder schema(kId);
  schema.entry(kUtf8, "text", {.flags = kPointer | kZero})
      .entry(kInt32, "numbers", {.flags = kPointer | kFixed, .detail = 2})
      .entry(kUtf8, "absent", {.flags = kPointer | kZero});
  add(schema);
  const Blob target = Blob().put<int32_t>(4).put<int32_t>(5).text(std::string_view("far\0", 4));
  Blob blob;
  blob.put(address(target.data() + 8)).put(address(target.data())).put<uint64_t>(0);
  const auto referenced = target.payload(NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED);
  CHECK(fields({blob.payload(kId), referenced}) == "text='far' numbers=[4 5]");
  CHECK(clean());
  CHECK(fields({blob.payload(kId)}).empty());
  CHECK(problems.count("Entry 'text' of schema 16777216 points outside of the event's data; it is "
                       "left out.") == 1);
}

TEST_CASE_METHOD(Fixture, "a pointed-to array must end inside the payload that it begins in") {
  SchemaBuilder schema(kId);
  schema.entry(kInt32, "numbers", {.flags = kPointer | kFixed, .detail = 3});
  add(schema);
  const Blob target = Blob().put<int32_t>(4).put<int32_t>(5);
  const Blob blob = Blob().put(address(target.data()));
  CHECK(fields({blob.payload(kId), target.payload(NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED)}).empty());
  CHECK_FALSE(clean());
}

TEST_CASE_METHOD(Fixture, "deep copies may be anywhere; text alone is a pointer") {
  SchemaBuilder schema(kId);
  schema.entry(kUtf8, "flagged", {.flags = kDeep | kPointer})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, "two", {.flags = kDeep, .detail = 2})
      .entry(kUtf16, "wide", {.flags = kDeep});
  const std::string text = "elsewhere";
  const std::u16string wide = u"weit";
  Blob blob;
  blob.put(text.c_str()).put(text.c_str()).put(wide.c_str());
  CHECK(fields(schema, blob) == "flagged='elsewhere' two='el' wide='weit'");
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "a deep copy without terminator is cut, and that is told") {
  SchemaBuilder schema(kId);
  schema.name("s").entry(kUtf8, "text", {.flags = kDeep});
  const std::string endless(EntryLocator::kTerminatorBytesMax + 10, 'x');
  const Blob blob = Blob().put(endless.c_str());
  add(schema);
  decoder.decode(0, std::vector{blob.payload(kId)});
  REQUIRE(decoder.event().fields.size() == 1);
  CHECK(decoder.event().fields[0].value.text.size() == EntryLocator::kTerminatorBytesMax);
  CHECK(problems.count("Entry 'text' of schema 's' has no terminator within 1048576 bytes; it is "
                       "cut there.") == 1);
}

TEST_CASE_METHOD(Fixture, "deep copies of a file stay in its memory") {
  SchemaBuilder schema(kId);
  schema.entry(kUtf8, "text", {.flags = kDeep})
      .entry(kInt32, "numbers", {.flags = kDeep | kPointer | kFixed, .detail = 2});
  add(schema);
  const Blob memory = Blob().put<int32_t>(4).put<int32_t>(5).text(std::string_view("in\0", 3));
  const Blob outside = memory;
  Blob good;
  good.put(address(memory.data() + 8)).put(address(memory.data()));
  Blob bad;
  bad.put(address(outside.data() + 8)).put(address(memory.data() + 4));
  decoder.bound_deep_copies({memory.data(), memory.size()});
  CHECK(fields({good.payload(kId)}) == "text='in' numbers=[4 5]");
  CHECK(clean());
  // 7 bytes follow where the numbers begin: one of them would end outside.
  CHECK(fields({bad.payload(kId)}).empty());
  CHECK(problems.all().size() == 2);
  decoder.bound_deep_copies({});
  CHECK(fields({good.payload(kId)}).empty());
}

TEST_CASE_METHOD(Fixture, "offsets count from the payload's base or from the entry's end") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kUtf8, "base", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | kZero})
      .entry(kUtf8, "here", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE | kZero})
      .entry(kUtf8, "back", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE, .detail = 2});
  Blob blob;
  blob.put<int64_t>(24).put<int64_t>(12).put<int64_t>(-24).text(std::string_view("abc\0def\0", 8));
  CHECK(fields(schema, blob) == "base='abc' here='def' back='\x18'");
  CHECK(clean());
  Blob wrong;
  wrong.put<int64_t>(1000).put<int64_t>(-1000).put<int64_t>(INT64_MIN);
  CHECK(fields({wrong.payload(kId)}).empty());
  CHECK(problems.all().size() == 3);
}

TEST_CASE_METHOD(Fixture, "registered strings, characters, bytes and big integers") {
  definitions.add_string(77, "registered");
  SchemaBuilder schema(kId);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, "s")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, "unknown")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT128, "big")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_BYTE, "blob", {.flags = kFixed, .detail = 3})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CHAR, "chars", {.flags = kFixed, .detail = 3})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CHAR, "char")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS, "address");
  Blob blob;
  blob.put<uint64_t>(77).put<uint64_t>(78).put<int64_t>(-5).put<int64_t>(-1);
  blob.put<uint8_t>(1).put<uint8_t>(0).put<uint8_t>(255).text(std::string_view("a\0b", 3));
  blob.text("x").zeros(1).put<uint64_t>(0xABC);
  CHECK(fields(schema, blob) ==
        "s='registered' unknown=78u big='-5' blob='0x0100ff' chars='a' char='x' address=@abc");
}

TEST_CASE_METHOD(Fixture, "payloads of a predefined type") {
  const Blob numbers = Blob().put<int32_t>(3).put<int32_t>(-4).zeros(1);
  const Blob text = Blob().text("text");
  const Blob color = Blob().put<uint32_t>(0xFF00FF00);
  CHECK(fields({numbers.payload(kInt32), text.payload(kUtf8),
                text.payload(NVTX_TYPE_PAYLOAD_SCHEMA_RAW),
                text.payload(NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED),
                color.payload(NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB)}) ==
        "value=[3 -4] value='text' raw='0x74657874'");
  CHECK(decoder.event().color == 0xFF00FF00);
  CHECK(fields({{kUtf8, SIZE_MAX, "measured"}}) == "value='measured'");
  CHECK(fields({{kUtf8, SIZE_MAX, ""}}).empty());
  CHECK(clean());
  CHECK(fields({{kInt32, SIZE_MAX, "measured"}, {kInt64, 4, "1234"}, {999, 4, "1234"}}).empty());
  CHECK(problems.all().size() == 3);
}

TEST_CASE_METHOD(Fixture, "payloads without data are passed over") {
  CHECK(fields({{kInt32, 0, "x"}, {kInt32, 4, nullptr}}).empty());
  CHECK(clean());
}

TEST_CASE_METHOD(Fixture, "roles are numbers in a bit field: a mark is not a begin and an end") {
  SchemaBuilder schema(kId);
  schema.entry(kInt64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK})
      .entry(kInt64, "counter", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER});
  Blob blob;
  blob.put<int64_t>(5).put<int64_t>(6);
  CHECK(fields(schema, blob) == "counter=6");
  const DecodedEvent& event = decoder.event();
  CHECK(event.mark.present);
  CHECK(event.mark.value == 5);
  CHECK_FALSE(event.begin.present);
  CHECK_FALSE(event.end.present);
}

TEST_CASE_METHOD(Fixture, "roles in later payloads and in nested schemas override earlier ones") {
  SchemaBuilder inner(kId);
  inner.entry(NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, "color")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, "category");
  add(inner);
  SchemaBuilder schema(kOther);
  schema.entry(kInt64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(kId, "attributes")
      .entry(kUtf8, "m", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, .detail = 4});
  add(schema);
  const auto row = [](int64_t time, uint32_t color, uint32_t category, std::string_view text) {
    return Blob().put(time).put(color).put(category).text(text).zeros(4);
  };
  const Blob first = row(1, 10, 20, "one ");
  const Blob second = row(2, 0, 21, "two ");
  CHECK(fields({first.payload(kOther), second.payload(kOther)}).empty());
  const DecodedEvent& event = decoder.event();
  CHECK(event.begin.value == 2);
  CHECK(event.color == 10);  // no colour does not take one away
  CHECK(event.category == 21);
  CHECK(event.message == "two ");
}

TEST_CASE_METHOD(Fixture, "hidden entries are not shown, but their roles count") {
  SchemaBuilder schema(kId);
  schema.entry(kInt8, "hidden", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_HIDE})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, "c", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_HIDE});
  CHECK(fields(schema, Blob().put<int8_t>(1).zeros(3).put<uint32_t>(8)).empty());
  CHECK(decoder.event().color == 8);
}

TEST_CASE_METHOD(Fixture, "bytes with the role of a message are its text") {
  SchemaBuilder schema(kId);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_BYTE, "m",
               {.flags = kFixed | NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, .detail = 6});
  add(schema);
  const Blob blob = Blob().text(std::string_view("abc\0\0\0", 6));
  CHECK(decoder.decode(0, std::vector{blob.payload(kId)}).message == "abc");
}

TEST_CASE_METHOD(Fixture, "a purpose's scope is stronger than a general one, whatever the order") {
  SchemaBuilder schema(kId);
  schema
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "of the begin",
             {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "general");
  CHECK(fields(schema, Blob().put<uint64_t>(100).put<uint64_t>(200)).empty());
  CHECK(decoder.event().scope == 100);
  CHECK(decoder.event().scope_source == ScopeSource::kRoleEntry);
}

TEST_CASE_METHOD(Fixture, "rows of a batch: stride, flexible data, and the end") {
  SchemaBuilder schema(kId);
  schema.size(16)
      .entry(kInt32, "n")
      .entry(kUtf8, "s", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | kZero, .offset = 8});
  add(schema);
  const Blob flex = Blob().text(std::string_view("....one\0two\0", 12));
  Blob rows;
  rows.put<int32_t>(1).zeros(4).put<uint64_t>(4).put<int32_t>(2).zeros(4).put<uint64_t>(8);
  BatchData batch;
  batch.rows = {rows.data(), rows.size()};
  batch.flex_base = flex.data();
  batch.flex = Bytes{flex.data(), flex.size()}.subspan(4);
  size_t size = 0;
  const Schema& compiled = *definitions.schema(0, kId);
  CHECK(show(decoder.decode_row(compiled, batch.rows, batch, size).fields) == "n=1 s='one'");
  CHECK(size == 16);
  CHECK(show(decoder.decode_row(compiled, batch.rows.subspan(16), batch, size).fields) ==
        "n=2 s='two'");
  CHECK(clean());
  // The part in front of the usable one may not be read.
  Blob bad = Blob().put<int32_t>(1).zeros(4).put<uint64_t>(0);
  CHECK(show(decoder.decode_row(compiled, {bad.data(), 16}, batch, size).fields) == "n=1");
  CHECK_FALSE(clean());
}

TEST_CASE_METHOD(Fixture, "rows of a dynamic schema are as long as what is in them") {
  SchemaBuilder schema(kId, kDynamic);
  schema.entry(kInt8, "n").entry(kUtf8, "s", {.flags = kZero});
  add(schema);
  const Blob rows = Blob().put<int8_t>(1).text(std::string_view("abc\0\2\0", 6));
  const Bytes all{rows.data(), rows.size()};
  size_t size = 0;
  const Schema& compiled = *definitions.schema(0, kId);
  CHECK(show(decoder.decode_row(compiled, all, {}, size).fields) == "n=1 s='abc'");
  REQUIRE(size == 5);
  CHECK(show(decoder.decode_row(compiled, all.subspan(5), {}, size).fields) == "n=2 s=''");
  CHECK(size == 2);
}

TEST_CASE_METHOD(Fixture,
                 "unknown schemas and unknown entry types are problems, the rest is decoded") {
  SchemaBuilder schema(kId);
  schema.entry(kInt32, "a").entry(kOther, "who?", {.offset = 4}).entry(kInt32, "b", {.offset = 8});
  add(schema);
  const Blob blob = Blob().put<int32_t>(1).zeros(4).put<int32_t>(2);
  CHECK(fields({blob.payload(kOther), blob.payload(kId)}) == "a=1 b=2");
  CHECK(problems.all().size() == 2);
}

TEST_CASE_METHOD(Fixture,
                 "decoding again allocates no new arena and sees nothing of the event before") {
  SchemaBuilder schema(kId);
  schema.entry(kInt32, "a").entry(kUtf32, "s", {.detail = 2});
  add(schema);
  const Blob blob = Blob().put<int32_t>(1).put(U'x').put(U'y');
  const Blob other = Blob().put<int32_t>(2).put(U'z').put(char32_t{0});
  CHECK(fields({blob.payload(kId)}) == "a=1 s='xy'");
  const void* first = decoder.event().fields[1].value.text.data();
  CHECK(fields({other.payload(kId)}) == "a=2 s='z'");
  CHECK(decoder.event().fields[1].value.text.data() == first);
}

}  // namespace
}  // namespace ringscribe::model
