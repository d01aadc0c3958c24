// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/row_columns.h"

#include <catch2/catch.hpp>

using namespace ringscribe::journal;

namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kFixed = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kInt32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kInt8 = NVTX_PAYLOAD_ENTRY_TYPE_INT8;
constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;

struct Entry {
  uint64_t offset, type, flags = 0, detail = 0;
};

void add(PayloadMap& map, uint64_t id, const std::vector<Entry>& entries, size_t row_bytes,
         uint64_t type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC) {
  std::vector<nvtxPayloadSchemaEntry_t> list;
  for (const Entry& entry : entries) {
    nvtxPayloadSchemaEntry_t given = {};
    given.flags = entry.flags;
    given.type = entry.type;
    given.arrayOrUnionDetail = entry.detail;
    given.offset = entry.offset;
    list.push_back(given);
  }
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.type = type;
  attr.entries = list.data();
  attr.numEntries = list.size();
  attr.payloadStaticSize = row_bytes;
  attr.schemaId = id;
  REQUIRE(map.add_schema(0, attr).ok());
}

std::vector<int> widths_of(PayloadMap& map, uint64_t id) {
  RowColumns columns(map);
  const ColumnWidths* widths = columns.of(0, id);
  if (widths == nullptr) return {};
  size_t sum = 0;
  std::vector<int> result;
  for (const uint8_t width : widths->bytes) {
    result.push_back(width);
    sum += width;
  }
  CHECK(sum == widths->row_bytes);
  return result;
}

}  // namespace

TEST_CASE("each number of a row is a column, and so is each gap between them") {
  PayloadMap map;
  add(map, kId, {{0, kInt64}, {8, kInt32}, {12, kInt8}, {16, kInt32}}, 24);
  CHECK(widths_of(map, kId) == std::vector<int>{8, 4, 1, 1, 2, 4, 4});
}

TEST_CASE("numbers that stand in another order, or that a union lays over each other, are found") {
  PayloadMap map;
  add(map, kId, {{8, kInt64}, {4, kInt32}, {8, kInt32}}, 16);
  CHECK(widths_of(map, kId) == std::vector<int>{4, 4, 8});
  add(map, kId + 1, {{0, kInt64}, {0, kInt32}}, 8, NVTX_PAYLOAD_SCHEMA_TYPE_UNION);
  CHECK(widths_of(map, kId + 1) == std::vector<int>{8});
}

TEST_CASE("nested structs and arrays of numbers are taken apart, text is not") {
  PayloadMap map;
  add(map, kId, {{0, kInt32}, {4, kInt32}}, 8);
  add(map, kId + 1, {{0, kId}, {8, kInt32, kFixed, 2}, {16, kText, 0, 12}}, 28);
  CHECK(widths_of(map, kId + 1) == std::vector<int>{4, 4, 4, 4, 8, 4});
}

TEST_CASE("predefined types have the columns of their size") {
  PayloadMap map;
  CHECK(widths_of(map, kInt64) == std::vector<int>{8});
  CHECK(widths_of(map, kInt8) == std::vector<int>{1});
}

TEST_CASE("rows of no fixed size, unknown schemas and very wide rows have no columns") {
  PayloadMap map;
  add(map, kId, {{0, kInt64}, {8, kText, NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED}}, 0,
      NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC);
  CHECK(widths_of(map, kId).empty());
  CHECK(widths_of(map, kId + 9).empty());
  add(map, kId + 1, {{0, kInt64, kFixed, 65}}, 65 * 8);
  CHECK(widths_of(map, kId + 1).empty());
  // 64 are as many as a mask has bits; 65 are one too many.
  add(map, kId + 2, {{0, kInt32, kFixed, 64}}, 64 * 4);
  CHECK(widths_of(map, kId + 2).size() == 64);
  add(map, kId + 3, {{0, kInt32, kFixed, 65}}, 65 * 4);
  CHECK(widths_of(map, kId + 3).empty());
}

TEST_CASE("a schema that is registered after it was asked for is found then") {
  PayloadMap map;
  RowColumns columns(map);
  CHECK(columns.of(0, kId) == nullptr);
  add(map, kId, {{0, kInt64}}, 8);
  CHECK(columns.of(0, kId) != nullptr);
}

TEST_CASE("arrays of arrays of nothing cost no more than a bounded number of steps") {
  PayloadMap map;
  add(map, kId, {}, 1);
  for (uint64_t i = 1; i < 15; ++i) add(map, kId + i, {{0, kId + i - 1, kFixed, 1000}}, 1);
  CHECK(widths_of(map, kId + 14) == std::vector<int>{1});
}
