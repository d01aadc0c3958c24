// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/schema_layout.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>

namespace ringscribe::nvtxw {
namespace {

using Entries = std::vector<nvtxPayloadSchemaEntry_t>;

nvtxPayloadSchemaEntry_t entry(uint64_t type, uint64_t flags = 0, uint64_t detail = 0,
                               uint64_t offset = 0) {
  return {flags, type, "e", nullptr, detail, offset, nullptr, nullptr};
}

nvtxPayloadSchemaAttr_t schema(const Entries& entries,
                               uint64_t type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC) {
  nvtxPayloadSchemaAttr_t attr{};
  attr.type = type;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  return attr;
}

constexpr uint64_t kI8 = NVTX_PAYLOAD_ENTRY_TYPE_INT8;
constexpr uint64_t kI32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kI64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
constexpr uint64_t kZeroTerminated = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;

std::string failure_of(const nvtxPayloadSchemaAttr_t& attr, ResultCode code,
                       const NestedTypes& known = {}) {
  const Result<SchemaLayout> layout = compute_schema_layout(attr, known);
  CHECK(layout.status().code() == code);
  return layout.status().message();
}

TEST_CASE("computed offsets are those of the C compiler") {
  struct Row {
    int8_t a;
    int32_t b;
    int8_t c;
    int64_t d;
    char text[5];
  };
  const Entries entries = {entry(kI8), entry(kI32), entry(kI8), entry(kI64), entry(kText, 0, 5)};
  Result<SchemaLayout> layout = compute_schema_layout(schema(entries), {});
  REQUIRE(layout.ok());
  const size_t expected[] = {offsetof(Row, a), offsetof(Row, b), offsetof(Row, c), offsetof(Row, d),
                             offsetof(Row, text)};
  for (size_t i = 0; i < 5; ++i) CHECK(layout->entries[i].offset == expected[i]);
  CHECK(layout->size == sizeof(Row));
  CHECK(layout->data_end == offsetof(Row, text) + 5);
  CHECK(layout->alignment == alignof(Row));
  CHECK(layout->is_fixed);
}

TEST_CASE("packAlign caps the alignment of entries and of the whole") {
  const Entries entries = {entry(kI8), entry(kI32), entry(kI64)};
  nvtxPayloadSchemaAttr_t attr = schema(entries);
  for (const auto& [pack, second, third, size] :
       {std::array<size_t, 4>{1, 1, 5, 13}, {2, 2, 6, 14}, {4, 4, 8, 16}, {16, 4, 8, 16}}) {
    attr.packAlign = pack;
    Result<SchemaLayout> layout = compute_schema_layout(attr, {});
    REQUIRE(layout.ok());
    CHECK(layout->entries[1].offset == second);
    CHECK(layout->entries[2].offset == third);
    CHECK(layout->size == size);
  }
}

TEST_CASE("an explicit offset counts, and the next computed one follows it") {
  const Entries entries = {entry(kI32, 0, 0, 8), entry(kI8), entry(kI32, 0, 0, 40), entry(kI64)};
  Result<SchemaLayout> layout = compute_schema_layout(schema(entries), {});
  REQUIRE(layout.ok());
  CHECK(layout->entries[0].offset == 8);
  CHECK(layout->entries[1].offset == 12);
  CHECK(layout->entries[2].offset == 40);
  CHECK(layout->entries[3].offset == 48);
  CHECK(layout->size == 56);
}

TEST_CASE("strings: fixed ones count code units, without length they are pointers") {
  const Entries entries = {
      entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, 0, 32), entry(kText),
      entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, 3)};
  Result<SchemaLayout> layout = compute_schema_layout(schema(entries), {});
  REQUIRE(layout.ok());
  CHECK(layout->entries[0].size == 128);
  CHECK(layout->entries[1].size == 8);
  CHECK(layout->entries[2].size == 6);
  CHECK(layout->size == 144);
}

TEST_CASE("a nested schema brings its size, alignment and timestamp") {
  const NestedTypes known = {
      {1u << 24, {12, 12, 4, false, true, true, false}},
      {5u << 24, {2, 2, 2, true, true, false, false}},
  };
  const Entries entries = {entry(kI8), entry(1u << 24, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, 2),
                           entry(kI8), entry(5u << 24)};
  Result<SchemaLayout> layout = compute_schema_layout(schema(entries), known);
  REQUIRE(layout.ok());
  CHECK(layout->entries[1].offset == 4);
  CHECK(layout->entries[1].size == 24);
  CHECK(layout->entries[3].offset == 30);
  CHECK(layout->size == 32);
  CHECK(layout->has_timestamp);
}

TEST_CASE("a nested ID that is not registered is refused by number and entry") {
  const Entries entries = {entry(kI8), entry(1u << 24)};
  const std::string message = failure_of(schema(entries), ResultCode::kInvalidArgument);
  CHECK(message.find("entry 1") != std::string::npos);
  CHECK(message.find("16777216") != std::string::npos);
}

TEST_CASE("the message flag is not taken for a timestamp") {
  const Entries message = {entry(kText, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, 8)};
  CHECK_FALSE(compute_schema_layout(schema(message), {})->has_timestamp);
  const Entries time = {entry(kI64, NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP)};
  CHECK(compute_schema_layout(schema(time), {})->has_timestamp);
}

TEST_CASE(
    "a variable length is refused in a static schema and ends what is known in a dynamic one") {
  const Entries entries = {entry(kI32), entry(kText, kZeroTerminated), entry(kI64),
                           entry(kI64, 0, 0, 64)};
  CHECK(failure_of(schema(entries), ResultCode::kInvalidArgument).find("DYNAMIC") !=
        std::string::npos);
  Result<SchemaLayout> layout =
      compute_schema_layout(schema(entries, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC), {});
  REQUIRE(layout.ok());
  CHECK_FALSE(layout->is_fixed);
  CHECK(layout->entries[1].offset == 4);
  CHECK(layout->entries[1].offset_known);
  CHECK_FALSE(layout->entries[1].size_known);
  CHECK_FALSE(layout->entries[2].offset_known);
  CHECK(layout->entries[3].offset_known);
}

TEST_CASE("the entry that tells a length comes first") {
  const Entries late = {entry(kI32, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, 1), entry(kI32)};
  CHECK(failure_of(schema(late, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC), ResultCode::kInvalidArgument)
            .find("entry 0") != std::string::npos);
  const Entries good = {entry(kI32), entry(kI32, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, 0)};
  CHECK(compute_schema_layout(schema(good, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC), {}).ok());
}

TEST_CASE("a stated size counts if the entries fit, to the byte") {
  const Entries entries = {entry(kI64), entry(kI32)};
  nvtxPayloadSchemaAttr_t attr = schema(entries);
  attr.payloadStaticSize = 12;
  REQUIRE(compute_schema_layout(attr, {}).ok());
  CHECK(compute_schema_layout(attr, {})->size == 12);
  attr.payloadStaticSize = 11;
  CHECK(failure_of(attr, ResultCode::kInvalidArgument).find("11") != std::string::npos);
}

TEST_CASE("sizes that do not fit 64 bits are refused") {
  const Entries entries = {
      entry(kI64, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, uint64_t{1} << 61)};
  failure_of(schema(entries), ResultCode::kInvalidArgument);
  const Entries far = {entry(kI64), entry(kI64, 0, 0, UINT64_MAX - 3)};
  failure_of(schema(far), ResultCode::kInvalidArgument);
}

TEST_CASE("types that cannot stand in an entry are refused, later ones are not supported") {
  for (uint64_t type :
       {uint64_t{NVTX_PAYLOAD_ENTRY_TYPE_INVALID}, uint64_t{NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED},
        uint64_t{NVTX_TYPE_PAYLOAD_SCHEMA_RAW}}) {
    const Entries entries = {entry(type)};
    failure_of(schema(entries), ResultCode::kInvalidArgument);
  }
  const Entries later = {entry(60)};
  failure_of(schema(later), ResultCode::kNotSupported);
}

TEST_CASE("the members of a union lie on each other") {
  const Entries entries = {entry(kI8), entry(kI64), entry(kI32)};
  Result<SchemaLayout> layout =
      compute_schema_layout(schema(entries, NVTX_PAYLOAD_SCHEMA_TYPE_UNION), {});
  REQUIRE(layout.ok());
  for (const EntryLayout& placed : layout->entries) CHECK(placed.offset == 0);
  CHECK(layout->size == 8);
  CHECK(layout->is_fixed);
}

TEST_CASE("an offset is as wide as a pointer") {
  const Entries entries = {entry(kText, NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE | kZeroTerminated),
                           entry(kI32)};
  Result<SchemaLayout> layout = compute_schema_layout(schema(entries), {});
  REQUIRE(layout.ok());
  CHECK(layout->is_fixed);
  CHECK(layout->entries[1].offset == 8);
  CHECK(layout->size == 16);
}

TEST_CASE("rows of a dynamic schema have no padding at their end") {
  const Entries entries = {entry(kI64), entry(kI8)};
  Result<SchemaLayout> layout =
      compute_schema_layout(schema(entries, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC), {});
  REQUIRE(layout.ok());
  CHECK(layout->is_fixed);
  CHECK(layout->size == 9);
}

TEST_CASE("a union with an external selector is one value, selected by another entry") {
  const NestedTypes known = {{1u << 24, {8, 8, 8, false, true, false, true}}};
  const Entries before = {entry(kI8), entry(1u << 24, 0, 0)};
  CHECK(compute_schema_layout(schema(before), known).ok());
  const Entries behind = {entry(1u << 24, 0, 1), entry(kI8)};
  CHECK(compute_schema_layout(schema(behind), known).ok());
  const Entries itself = {entry(kI8), entry(1u << 24, 0, 1)};
  CHECK(failure_of(schema(itself), ResultCode::kInvalidArgument, known).find("entry 1") !=
        std::string::npos);
  const Entries none = {entry(kI8), entry(1u << 24, 0, 2)};
  failure_of(schema(none), ResultCode::kInvalidArgument, known);
  const Entries many = {entry(kI8), entry(1u << 24, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, 3)};
  CHECK(failure_of(schema(many), ResultCode::kInvalidArgument, known).find("INTERNAL_SELECTOR") !=
        std::string::npos);
}

TEST_CASE("entries that take no bytes at all make no schema") {
  const Entries none = {entry(kI32, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, 0)};
  CHECK(failure_of(schema(none), ResultCode::kInvalidArgument).find("no bytes") !=
        std::string::npos);
  CHECK(failure_of(schema(none, NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC), ResultCode::kInvalidArgument)
            .find("no bytes") != std::string::npos);
  nvtxPayloadSchemaAttr_t stated = schema(none);
  stated.payloadStaticSize = 4;
  CHECK(compute_schema_layout(stated, {}).ok());
}

TEST_CASE("array flags of a later version are not supported") {
  const Entries entries = {entry(kI8, 5 << 4)};
  failure_of(schema(entries), ResultCode::kNotSupported);
}

}  // namespace
}  // namespace ringscribe::nvtxw
