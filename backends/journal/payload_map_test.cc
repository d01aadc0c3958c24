// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/payload_map.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

using namespace ringscribe::journal;

namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;

nvtxPayloadSchemaEntry_t entry(uint64_t flags, uint64_t type, uint64_t detail = 0,
                               uint64_t offset = 0) {
  nvtxPayloadSchemaEntry_t result = {};
  result.flags = flags;
  result.type = type;
  result.arrayOrUnionDetail = detail;
  result.offset = offset;
  return result;
}

ringscribe::Status add(PayloadMap& map, uint64_t id, uint64_t type,
                       const std::vector<nvtxPayloadSchemaEntry_t>& entries, size_t size = 0) {
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID |
                   (size != 0 ? NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE : 0);
  attr.type = type;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  attr.payloadStaticSize = size;
  attr.schemaId = id;
  return map.add_schema(0, attr);
}

// The slots as text: "p" pointer, "s" string handle, "c" scope, and the offset; then "=" and the
// size, or "!" for a layout that cannot be followed.
std::string slots(const PayloadMap& map, uint64_t id, const std::vector<uint8_t>& bytes) {
  std::string text;
  const auto used = map.walk(0, id, std::as_bytes(std::span(bytes)), [&](const PayloadSlot& slot) {
    text += slot.kind == SlotKind::kPointer ? 'p' : slot.kind == SlotKind::kScopeId ? 'c' : 's';
    text += std::to_string(slot.offset) + " ";
  });
  return text + (used ? "=" + std::to_string(*used) : "!");
}

constexpr uint64_t kStatic = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
constexpr uint64_t kDynamic = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
constexpr uint64_t kHandle = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
constexpr uint64_t kScope = NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID;
constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
constexpr uint64_t kInt32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kUint8 = NVTX_PAYLOAD_ENTRY_TYPE_UINT8;

}  // namespace

TEST_CASE("a static schema's slots are found by given and by computed offsets") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic,
              {entry(0, kUint8), entry(0, kHandle), entry(0, kInt32), entry(0, kText),
               entry(0, kText, 5), entry(0, kScope, 0, 48),
               entry(NVTX_PAYLOAD_ENTRY_FLAG_POINTER, kInt32)})
              .ok());
  CHECK(slots(map, kId, std::vector<uint8_t>(64)) == "s8 p24 c48 p56 =64");
  CHECK(slots(map, kId, std::vector<uint8_t>(63)) == "s8 p24 c48 !");
  CHECK(map.may_hold(0, kId, PayloadMap::kPointers));
  CHECK(map.may_hold(0, kId, PayloadMap::kScopeIds));
  CHECK(!map.may_hold(1, kId, PayloadMap::kScopeIds));
  CHECK(!map.may_hold(0, NVTX_TYPE_PAYLOAD_SCHEMA_RAW, 0xFF));
}

// As slots(), of what is known without bytes; "?" if they have to be walked.
std::string fixed(const PayloadMap& map, uint64_t id) {
  const FixedPointers* found = map.fixed_pointers(0, id);
  if (found == nullptr) return "?";
  std::string text;
  for (const PayloadSlot& slot : found->slots) text += "p" + std::to_string(slot.offset) + " ";
  return text + "=" + std::to_string(found->payload_bytes);
}

TEST_CASE("pointers are known without a walk where no byte says where another one is") {
  constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic, {entry(0, kInt32), entry(0, kText), entry(0, kScope)}).ok());
  CHECK(fixed(map, kId) == "p8 =24");
  REQUIRE(add(map, kId + 1, kStatic,
              {entry(kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kInt32, 4),
               entry(kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText),
               entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kUint8, 8)},
              32)
              .ok());
  CHECK(fixed(map, kId + 1) == "p0 p8 =32");
  CHECK(map.fixed_pointers(0, kId + 1)->slots[0].pointee.count == 4);
  CHECK(map.fixed_pointers(0, kId + 1)->slots[1].pointee.zero_terminated);
  CHECK(map.fixed_pointers(1, kId) == nullptr);
  CHECK(fixed(map, kInt32) == "?");
}

TEST_CASE("pointers whose places or lengths depend on bytes are walked to") {
  constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
  PayloadMap map;
  const std::vector<nvtxPayloadSchemaEntry_t> walked[] = {
      // a length in another entry
      {entry(0, kInt32), entry(kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, kInt32, 0)},
      // one pointer over another
      {entry(kPointer, kInt32, 0, 8), entry(kPointer, kInt32, 0, 12)},
  };
  uint64_t id = kId;
  for (const auto& entries : walked) {
    REQUIRE(add(map, id, kStatic, entries, 32).ok());
    CHECK(fixed(map, id++) == "?");
  }
  // A row that is shorter than its entries.
  REQUIRE(add(map, id, kStatic, {entry(0, kInt32), entry(kPointer, kInt32)}, 8).ok());
  CHECK(fixed(map, id++) == "?");
  // Text within the row that ends where it ends.
  REQUIRE(
      add(map, id, kDynamic,
          {entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText), entry(kPointer, kInt32)})
          .ok());
  CHECK(fixed(map, id++) == "?");
  // Pointers in nested schemas.
  REQUIRE(add(map, id, kStatic, {entry(kPointer, kInt32)}).ok());
  REQUIRE(add(map, id + 1, kStatic, {entry(0, id), entry(0, kInt32)}).ok());
  CHECK(fixed(map, id) == "p0 =8");
  CHECK(fixed(map, id + 1) == "?");
}

TEST_CASE("a schema without slots is known to have none") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic, {entry(0, kInt32), entry(0, kText, 32)}).ok());
  CHECK(!map.may_hold(0, kId, 0xFF));
  REQUIRE(add(map, kId + 1, kDynamic, {entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText)})
              .ok());
  CHECK(!map.may_hold(0, kId + 1, 0xFF));
}

TEST_CASE("slots in nested schemas and arrays of them are found") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic, {entry(0, kInt32), entry(0, kHandle)}).ok());
  REQUIRE(add(map, kId + 1, kStatic,
              {entry(0, kUint8), entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kId, 3),
               entry(0, kText)})
              .ok());
  CHECK(slots(map, kId + 1, std::vector<uint8_t>(64)) == "s16 s32 s48 p56 =64");
}

TEST_CASE("a dynamic schema is walked behind texts and counted arrays") {
  PayloadMap map;
  REQUIRE(add(map, kId, kDynamic,
              {entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText), entry(0, kUint8),
               entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, kInt32, 1), entry(0, kHandle)})
              .ok());
  std::vector<uint8_t> bytes(32);
  bytes[0] = 'a';
  bytes[1] = 'b';
  bytes[3] = 2;  // two int32 at 4, the handle at 16
  CHECK(slots(map, kId, bytes) == "s16 =24");
  bytes[3] = 5;
  CHECK(slots(map, kId, bytes) == "s24 =32");
  bytes[3] = 7;
  CHECK(slots(map, kId, bytes) == "!");
}

TEST_CASE("a union is walked by its external selector") {
  PayloadMap map;
  REQUIRE(add(map, kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION, {entry(0, kInt32), entry(0, kText)}).ok());
  REQUIRE(add(map, kId + 1, kStatic, {entry(0, kUint8), entry(0, kId, 0), entry(0, kHandle)}).ok());
  std::vector<uint8_t> bytes(24);
  CHECK(slots(map, kId + 1, bytes) == "s16 =24");
  bytes[0] = 1;
  CHECK(slots(map, kId + 1, bytes) == "p8 s16 =24");
}

TEST_CASE("a union is walked by its internal selector, and by an external one that comes later") {
  PayloadMap map;
  REQUIRE(add(map, kId, NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR,
              {entry(0, NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR), entry(0, kInt32), entry(0, kText)})
              .ok());
  REQUIRE(add(map, kId + 1, kStatic, {entry(0, kUint8), entry(0, kId), entry(0, kHandle)}).ok());
  std::vector<uint8_t> bytes(32);
  bytes[8] = 1;
  CHECK(slots(map, kId + 1, bytes) == "s24 =32");
  bytes[8] = 2;
  CHECK(slots(map, kId + 1, bytes) == "p16 s24 =32");
  REQUIRE(
      add(map, kId + 2, NVTX_PAYLOAD_SCHEMA_TYPE_UNION, {entry(0, kInt32), entry(0, kText)}).ok());
  REQUIRE(add(map, kId + 3, kStatic, {entry(0, kId + 2, 1), entry(0, kUint8)}).ok());
  bytes.assign(16, 0);
  CHECK(slots(map, kId + 3, bytes) == "=16");
  bytes[8] = 1;
  CHECK(slots(map, kId + 3, bytes) == "p0 =16");
}

TEST_CASE("an entry that is flagged as pointer and as offset is a pointer for every reader") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic,
              {entry(NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                         NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY,
                     kText)})
              .ok());
  CHECK(slots(map, kId, std::vector<uint8_t>(8)) == "p0 =8");
}

TEST_CASE("pointers say what they point at") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic,
              {entry(0, kUint8), entry(NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY, kText),
               entry(NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY | NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                         NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
                     kInt32, 0)})
              .ok());
  REQUIRE(add(map, kId + 1, kStatic, {entry(NVTX_PAYLOAD_ENTRY_FLAG_POINTER, kId)}).ok());
  std::vector<uint8_t> bytes(24);
  bytes[0] = 3;
  std::vector<Pointee> pointees;
  const auto keep = [&](const PayloadSlot& slot) { pointees.push_back(slot.pointee); };
  REQUIRE(map.walk(0, kId, std::as_bytes(std::span(bytes)), keep));
  REQUIRE(map.walk(0, kId + 1, std::as_bytes(std::span(bytes)), keep));
  REQUIRE(pointees.size() == 3);
  CHECK(pointees[0].zero_terminated);
  CHECK(pointees[0].unit_bytes == 1);
  CHECK(pointees[1].count == 3);
  CHECK(pointees[1].unit_bytes == 4);
  CHECK(pointees[1].deep_copy);
  CHECK(!pointees[2].deep_copy);
  CHECK(pointees[2].nested_schema == kId);
}

TEST_CASE("an ID is given once and refers to what is known") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic, {entry(0, kInt32)}).ok());
  CHECK(!add(map, kId, kStatic, {entry(0, kHandle)}).ok());
  CHECK(!map.may_hold(0, kId, 0xFF));
  CHECK_THAT(add(map, kId + 1, kStatic, {entry(0, kId + 1)}).message(),
             Catch::Contains("register that one first"));
  nvtxPayloadEnumAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
  attr.sizeOfEnum = 2;
  attr.schemaId = kId;
  CHECK(!map.add_enum(0, attr).ok());
  attr.schemaId = kId + 2;
  REQUIRE(map.add_enum(0, attr).ok());
  CHECK(!add(map, kId + 2, kStatic, {}).ok());
  REQUIRE(add(map, kId + 3, kStatic,
              {entry(0, kId + 2), entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kId + 2, 3),
               entry(0, kHandle)})
              .ok());
  CHECK(slots(map, kId + 3, std::vector<uint8_t>(16)) == "s8 =16");
}

TEST_CASE("nesting is bounded, and so is the work of a small hostile schema") {
  PayloadMap map;
  REQUIRE(add(map, kId, kStatic, {entry(0, kUint8)}).ok());
  uint64_t id = kId;
  while (
      add(map, id + 1, kDynamic, std::vector<nvtxPayloadSchemaEntry_t>(100, entry(0, id))).ok()) {
    ++id;
  }
  CHECK(id - kId == 15);
  CHECK(slots(map, id, std::vector<uint8_t>(100)) == "!");
  REQUIRE(add(map, id + 2, kStatic,
              {entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kHandle, UINT64_MAX)})
              .ok());
  CHECK(slots(map, id + 2, std::vector<uint8_t>(100)) == "!");
  REQUIRE(add(map, id + 3, kStatic, {entry(0, kHandle, 0, UINT64_MAX), entry(0, kHandle)}).ok());
  CHECK(slots(map, id + 3, std::vector<uint8_t>(100)) == "!");
}
