// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/builtin_schemas.h"

#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/text_rows.h"

namespace ringscribe::runtime {

static_assert(static_cast<uint64_t>(Role::kMessage) == NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE);
static_assert(static_cast<uint64_t>(Role::kRangeBegin) == NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN);
static_assert(static_cast<uint64_t>(Role::kRangeEnd) == NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END);
static_assert(static_cast<uint64_t>(Role::kMark) == NVTX_PAYLOAD_ENTRY_FLAG_MARK);
static_assert(schema_flags(EventKind::kMark) == NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
static_assert(schema_flags(EventKind::kRangePushPop) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP);
static_assert(schema_flags(EventKind::kRangeStartEnd) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND);
static_assert(schema_flags(EventKind::kRangePush) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH);
static_assert(schema_flags(EventKind::kRangePop) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP);
static_assert(schema_flags(EventKind::kRangeStart) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_START);
static_assert(schema_flags(EventKind::kRangeEnd) == NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END);
static_assert(kOurStaticIds >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START);

namespace {

constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kString = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
constexpr uint64_t kRangeId = NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID;
constexpr uint64_t kBegin = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN;
constexpr uint64_t kEnd = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END;

// The entries of one schema, gathered one after the other.
struct Entries {
  nvtxPayloadSchemaEntry_t list[7] = {};
  size_t count = 0;

  Entries& add(const char* name, uint64_t flags, uint64_t type, size_t offset) {
    list[count++] = schema_entry(name, flags, type, offset);
    return *this;
  }
  // Color, category and message, which lie behind each other in all rows.
  Entries& add_text(size_t color_offset, bool is_text) {
    add("color", 0, NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, color_offset);
    add("category", 0, NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, color_offset + 4);
    if (!is_text)
      return add("message", NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, kString, color_offset + 8);
    return add("message",
               NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                   NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED,
               NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, color_offset + 8);
  }
  Entries& add_scope(size_t offset) {
    return add("scope", 0, NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, offset);
  }
};

}  // namespace

nvtxPayloadSchemaEntry_t schema_entry(const char* name, uint64_t flags, uint64_t type,
                                      uint64_t offset, uint64_t array_length) {
  nvtxPayloadSchemaEntry_t result{};
  result.name = name;
  result.flags = flags;
  result.type = type;
  result.arrayOrUnionDetail = array_length;
  result.offset = offset;
  return result;
}

nvtxPayloadSchemaAttr_t static_schema(const char* name, uint64_t schema_flags,
                                      const nvtxPayloadSchemaEntry_t* entries, size_t count,
                                      size_t row_bytes, uint64_t id) {
  nvtxPayloadSchemaAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.name = name;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.flags = schema_flags;
  attr.entries = entries;
  attr.numEntries = count;
  attr.payloadStaticSize = row_bytes;
  attr.schemaId = id;
  return attr;
}

int32_t register_builtin_schema(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                                BuiltinSchema schema, uint64_t id) {
  const bool is_text = schema < BuiltinSchema::kPop && (static_cast<int>(schema) & 1) != 0;
  Entries entries;
  uint64_t flags = 0;
  size_t row_bytes = 0;
  const char* name = "";
  const auto describe = [&](const char* schema_name, EventKind kind, size_t bytes) {
    name = schema_name;
    flags = schema_flags(kind);
    row_bytes = bytes;
  };
  switch (schema) {
    case BuiltinSchema::kMark:
    case BuiltinSchema::kMarkText:
      describe("mark", EventKind::kMark, sizeof(PointRow));
      entries.add("time", NVTX_PAYLOAD_ENTRY_FLAG_MARK, kInt64, 0)
          .add_text(offsetof(PointRow, color), is_text);
      break;
    case BuiltinSchema::kPushPop:
    case BuiltinSchema::kPushPopText:
      describe("range", EventKind::kRangePushPop, sizeof(RangeRow));
      entries.add("begin", kBegin, kInt64, 0)
          .add("end", kEnd, kInt64, 8)
          .add_text(offsetof(RangeRow, color), is_text);
      break;
    case BuiltinSchema::kStartEnd:
    case BuiltinSchema::kStartEndText:
      describe("start-end range", EventKind::kRangeStartEnd, sizeof(RangeRow));
      entries.add("begin", kBegin, kInt64, 0)
          .add("end", kEnd, kInt64, 8)
          .add_text(offsetof(RangeRow, color), is_text);
      break;
    case BuiltinSchema::kPush:
    case BuiltinSchema::kPushText:
      describe("push", EventKind::kRangePush, sizeof(PushRow));
      entries.add("begin", kBegin, kInt64, 0)
          .add_text(offsetof(PushRow, color), is_text)
          .add_scope(offsetof(PushRow, scope));
      break;
    case BuiltinSchema::kStart:
    case BuiltinSchema::kStartText:
      describe("start", EventKind::kRangeStart, sizeof(StartRow));
      entries.add("begin", kBegin, kInt64, 0)
          .add("range_id", 0, kRangeId, offsetof(StartRow, range_id))
          .add_text(offsetof(StartRow, color), is_text)
          .add_scope(offsetof(StartRow, scope));
      break;
    case BuiltinSchema::kPop:
      describe("pop", EventKind::kRangePop, sizeof(PopRow));
      entries.add("end", kEnd, kInt64, 0).add_scope(offsetof(PopRow, scope));
      break;
    case BuiltinSchema::kEnd:
      describe("end", EventKind::kRangeEnd, sizeof(EndRow));
      entries.add("end", kEnd, kInt64, 0)
          .add("range_id", 0, kRangeId, offsetof(EndRow, range_id))
          .add_scope(offsetof(EndRow, scope));
      break;
    case BuiltinSchema::kScope:
      name = "scope";
      row_bytes = 8;
      entries.add_scope(0);
      break;
    case BuiltinSchema::kLoss:
      describe("gap", EventKind::kMark, sizeof(LossRow));
      entries.add("time", NVTX_PAYLOAD_ENTRY_FLAG_MARK, kInt64, 0)
          .add_text(offsetof(PointRow, color), false)
          .add("lost_stream", 0, kString, offsetof(LossRow, stream))
          .add("lost_cause", 0, kString, offsetof(LossRow, cause))
          .add("lost_events", 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT64, offsetof(LossRow, events));
      break;
  }
  const nvtxPayloadSchemaAttr_t attr =
      static_schema(name, flags, entries.list, entries.count, row_bytes, id);
  uint64_t registered = id;
  return interface->SchemaRegister(domain, &attr, &registered);
}

}  // namespace ringscribe::runtime
