// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/domain_registry.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>

namespace ringscribe::nvtxw {
namespace {

constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr nvtxPayloadSchemaEntry_t kTime = {
    NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP, kInt64, "t", nullptr, 0, 0, nullptr, nullptr};
constexpr nvtxPayloadSchemaEntry_t kValue = {
    0, NVTX_PAYLOAD_ENTRY_TYPE_INT32, "v", nullptr, 0, 0, nullptr, nullptr};
constexpr nvtxPayloadSchemaEntry_t kRow[] = {kTime, kValue};  // 12 bytes and 4 of padding
constexpr nvtxPayloadSchemaEntry_t kPlainRow[] = {kValue, kValue};
constexpr nvtxPayloadEnum_t kColors[] = {{"red", 1, 0}};

nvtxPayloadSchemaAttr_t schema_attr(std::span<const nvtxPayloadSchemaEntry_t> entries,
                                    uint64_t id = 0) {
  nvtxPayloadSchemaAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES;
  if (id != 0) attr.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.entries = entries.data();
  attr.numEntries = entries.size();
  attr.schemaId = id;
  return attr;
}

nvtxPayloadEnumAttr_t enum_attr(uint64_t id = 0) {
  nvtxPayloadEnumAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
  if (id != 0) attr.fieldMask |= NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  attr.entries = kColors;
  attr.numEntries = 1;
  attr.sizeOfEnum = 4;
  attr.schemaId = id;
  return attr;
}

nvtxCounterAttr_t counter_attr(uint64_t schema, uint64_t id = 0) {
  nvtxCounterAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.schemaId = schema;
  attr.counterId = id;
  return attr;
}

nvtxScopeAttr_t scope_attr(uint64_t parent, uint64_t id = 0) {
  return {sizeof(nvtxScopeAttr_t), "path", parent, id};
}

// Checks and adds; returns the ID.
uint64_t add_schema(DomainRegistry* registry, const nvtxPayloadSchemaAttr_t& attr) {
  Result<SchemaRegistration> schema = registry->check_schema(&attr, true);
  REQUIRE(schema.ok());
  registry->add(*schema);
  return schema->attr.schemaId;
}
uint64_t add_counter(DomainRegistry* registry, uint64_t schema) {
  const nvtxCounterAttr_t attr = counter_attr(schema);
  Result<CounterRegistration> counter = registry->check_counter(&attr, true);
  REQUIRE(counter.ok());
  registry->add(*counter);
  return counter->attr.counterId;
}

bool is_invalid(const Status& status) {
  return status.code() == ResultCode::kInvalidArgument && !status.message().empty();
}
template <typename T>
bool is_invalid(const Result<T>& result) {
  return is_invalid(result.status());
}

TEST_CASE("dynamic IDs count from 1<<32, and only what was added counts") {
  DomainRegistry registry;
  const nvtxPayloadSchemaAttr_t attr = schema_attr(kRow);
  CHECK(registry.check_schema(&attr, true)->attr.schemaId == kDynamicIdStart);
  CHECK(add_schema(&registry, attr) == kDynamicIdStart);
  CHECK(add_schema(&registry, attr) == kDynamicIdStart + 1);
  CHECK(is_invalid(registry.check_schema(&attr, false)));
}

TEST_CASE("static IDs: the edges of their range, each once, in one space with enums") {
  DomainRegistry registry;
  for (const uint64_t id : std::initializer_list<uint64_t>{kStaticIdStart, kDynamicIdStart - 1}) {
    const nvtxPayloadSchemaAttr_t attr = schema_attr(kRow, id);
    Result<SchemaRegistration> schema = registry.check_schema(&attr, false);
    REQUIRE(schema.ok());
    registry.add(*schema);
    CHECK(is_invalid(registry.check_schema(&attr, true)));
    const nvtxPayloadEnumAttr_t enumeration = enum_attr(id);
    CHECK(is_invalid(registry.check_enum(&enumeration, true)));
    // Counters are a space of their own.
    const nvtxCounterAttr_t counter = counter_attr(kInt64, id);
    CHECK(registry.check_counter(&counter, false).ok());
  }
  for (const uint64_t id :
       std::initializer_list<uint64_t>{uint64_t{1}, kStaticIdStart - 1, kDynamicIdStart}) {
    const nvtxPayloadSchemaAttr_t attr = schema_attr(kRow, id);
    CHECK(is_invalid(registry.check_schema(&attr, true)));
  }
}

TEST_CASE("fields whose bit is not set are not read") {
  DomainRegistry registry;
  nvtxPayloadSchemaAttr_t attr = schema_attr(kRow);
  attr.name = reinterpret_cast<const char*>(1);
  attr.payloadStaticSize = 1;
  attr.packAlign = 3;
  attr.schemaId = 5;
  attr.flags = 77;
  Result<SchemaRegistration> schema = registry.check_schema(&attr, true);
  REQUIRE(schema.ok());
  CHECK(schema->attr.name == nullptr);
  CHECK(schema->attr.flags == 0);
  CHECK(schema->attr.payloadStaticSize == 0);
  CHECK(schema->attr.schemaId == kDynamicIdStart);
  CHECK((schema->attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID) != 0);
}

TEST_CASE("mandatory fields of schemas and enums") {
  DomainRegistry registry;
  CHECK(is_invalid(registry.check_schema(nullptr, true)));
  CHECK(is_invalid(registry.check_enum(nullptr, true)));
  for (const uint64_t bit : std::initializer_list<uint64_t>{
           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE, NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES,
           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES}) {
    nvtxPayloadSchemaAttr_t attr = schema_attr(kRow);
    attr.fieldMask &= ~bit;
    CHECK(is_invalid(registry.check_schema(&attr, true)));
  }
  for (const uint64_t bit : std::initializer_list<uint64_t>{
           NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES, NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES,
           NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE}) {
    nvtxPayloadEnumAttr_t attr = enum_attr();
    attr.fieldMask &= ~bit;
    CHECK(is_invalid(registry.check_enum(&attr, true)));
  }
  for (const uint64_t type : std::initializer_list<uint64_t>{0, 5}) {
    nvtxPayloadSchemaAttr_t attr = schema_attr(kRow);
    attr.type = type;
    CHECK(is_invalid(registry.check_schema(&attr, true)));
  }
  for (const size_t size : std::initializer_list<size_t>{0, 3, 16}) {
    nvtxPayloadEnumAttr_t attr = enum_attr();
    attr.sizeOfEnum = size;
    CHECK(is_invalid(registry.check_enum(&attr, true)));
  }
  nvtxPayloadSchemaAttr_t empty = schema_attr({});
  CHECK(is_invalid(registry.check_schema(&empty, true)));
}

TEST_CASE("a counter needs a number type or a schema, not an enum, not text") {
  DomainRegistry registry;
  const uint64_t schema = add_schema(&registry, schema_attr(kRow));
  const nvtxPayloadEnumAttr_t colors = enum_attr();
  Result<EnumRegistration> enumeration = registry.check_enum(&colors, true);
  REQUIRE(enumeration.ok());
  registry.add(*enumeration);
  for (const uint64_t good :
       std::initializer_list<uint64_t>{kInt64, uint64_t{NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64}, schema}) {
    const nvtxCounterAttr_t attr = counter_attr(good);
    CHECK(registry.check_counter(&attr, true).ok());
  }
  for (const uint64_t bad :
       std::initializer_list<uint64_t>{uint64_t{0}, uint64_t{NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8},
                                       schema + 9, enumeration->attr.schemaId}) {
    const nvtxCounterAttr_t attr = counter_attr(bad);
    CHECK(is_invalid(registry.check_counter(&attr, true)));
  }
  nvtxCounterAttr_t small = counter_attr(kInt64);
  small.structSize = sizeof small - 1;
  CHECK(is_invalid(registry.check_counter(&small, true)));
  nvtxCounterAttr_t current = counter_attr(kInt64);
  current.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD;
  CHECK(is_invalid(registry.check_counter(&current, true)));
}

TEST_CASE("a scope's parent is an anchor, NONE, ROOT or a scope of the domain") {
  DomainRegistry registry;
  for (const uint64_t parent :
       std::initializer_list<uint64_t>{NVTX_SCOPE_NONE, NVTX_SCOPE_ROOT,
                                       NVTX_SCOPE_CURRENT_HW_MACHINE, NVTX_SCOPE_CURRENT_VM}) {
    const nvtxScopeAttr_t attr = scope_attr(parent);
    CHECK(registry.check_scope(&attr, true).ok());
  }
  for (const uint64_t parent :
       std::initializer_list<uint64_t>{uint64_t{NVTX_SCOPE_CURRENT_SW_PROCESS}, kDynamicIdStart}) {
    const nvtxScopeAttr_t attr = scope_attr(parent);
    CHECK(is_invalid(registry.check_scope(&attr, true)));
  }
  const nvtxScopeAttr_t first = scope_attr(NVTX_SCOPE_ROOT, kStaticIdStart);
  registry.add(*registry.check_scope(&first, false));
  const nvtxScopeAttr_t child = scope_attr(kStaticIdStart);
  CHECK(registry.check_scope(&child, true).ok());
  const nvtxScopeAttr_t orphan = scope_attr(kStaticIdStart + 1);
  CHECK(is_invalid(registry.check_scope(&orphan, true)));
}

TEST_CASE("the scope of a stream or counter is registered, or a static ID that may yet be") {
  DomainRegistry registry;
  for (const uint64_t good :
       std::initializer_list<uint64_t>{NVTX_SCOPE_NONE, NVTX_SCOPE_ROOT, kStaticIdStart,
                                       kStaticIdStart + 84, kDynamicIdStart - 1}) {
    CHECK(registry.check_fixed_scope(good, "it").ok());
    CHECK(registry.check_any_scope(good, "it").ok());
  }
  CHECK(is_invalid(registry.check_fixed_scope(kStaticIdStart - 1, "it")));
  CHECK(is_invalid(registry.check_any_scope(kStaticIdStart - 1, "it")));
  const Status unknown = registry.check_fixed_scope(kDynamicIdStart, "the stream's scopeId");
  CHECK(is_invalid(unknown));
  CHECK(unknown.message().find("the stream's scopeId 4294967296 was not given out") == 0);
  const nvtxScopeAttr_t dynamic = scope_attr(NVTX_SCOPE_ROOT);
  registry.add(*registry.check_scope(&dynamic, true));
  CHECK(registry.check_fixed_scope(kDynamicIdStart, "it").ok());
  CHECK(is_invalid(registry.check_fixed_scope(NVTX_SCOPE_CURRENT_VM, "it")));
  CHECK(registry.check_any_scope(NVTX_SCOPE_CURRENT_VM, "it").ok());
}

TEST_CASE("a time domain ID is predefined or registered") {
  DomainRegistry registry;
  CHECK(registry.check_time_domain_id(NVTX_TIMESTAMP_TYPE_CPU_TSC, "it").ok());
  CHECK(is_invalid(registry.check_time_domain_id(kDynamicIdStart, "it")));
  nvtxTimeDomainAttr_t attr{};
  registry.add(*registry.check_time_domain(&attr, true));
  CHECK(registry.check_time_domain_id(kDynamicIdStart, "it").ok());
  attr.timestampTypeId = 99;
  CHECK(is_invalid(registry.check_time_domain(&attr, true)));
}

TEST_CASE("an event's payloads need bytes, a known schema and room for its entries") {
  DomainRegistry registry;
  const uint64_t schema = add_schema(&registry, schema_attr(kRow));
  char bytes[16] = {};
  std::vector<nvtxPayloadData_t> storage;
  const auto check = [&](std::vector<nvtxPayloadData_t> event) {
    std::span<const nvtxPayloadData_t> payloads = event;
    return registry.check_event(&payloads, &storage);
  };
  CHECK(check({{schema, 16, bytes}}).ok());
  CHECK(check({{schema, 12, bytes}}).ok());  // the padding may be left out
  CHECK(is_invalid(check({{schema, 11, bytes}})));
  CHECK(is_invalid(check({})));
  CHECK(is_invalid(check({{schema, 16, nullptr}})));
  CHECK(is_invalid(check({{schema + 1, 16, bytes}})));
  CHECK(is_invalid(check({{0, 16, bytes}})));
  CHECK(is_invalid(check({{schema, 0, nullptr}})));  // ignored, and nothing is left
  CHECK(check({{schema, 0, nullptr}, {schema, 16, bytes}}).ok());
  CHECK(check({{schema, 16, bytes}, {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, 3, bytes}}).ok());
  CHECK(check({{NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, 3, bytes}, {kInt64, 8, bytes}}).ok());
}

TEST_CASE("SIZE_MAX is replaced by the length of text, and by the size of a fixed schema") {
  DomainRegistry registry;
  const uint64_t schema = add_schema(&registry, schema_attr(kRow));
  char bytes[16] = {};
  std::vector<nvtxPayloadData_t> storage;
  const std::vector<nvtxPayloadData_t> event = {
      {schema, SIZE_MAX, bytes},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, SIZE_MAX, "abc"},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, SIZE_MAX, ""},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, SIZE_MAX, u"\u0100x"},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, SIZE_MAX, U"\U00010000"},
  };
  std::span<const nvtxPayloadData_t> payloads = event;
  REQUIRE(registry.check_event(&payloads, &storage).ok());
  REQUIRE(payloads.size() == 5);
  const size_t expected[] = {16, 3, 1, 4, 4};
  for (size_t i = 0; i < 5; ++i) CHECK(payloads[i].size == expected[i]);
  const std::vector<nvtxPayloadData_t> raw = {{NVTX_TYPE_PAYLOAD_SCHEMA_RAW, SIZE_MAX, bytes}};
  payloads = raw;
  CHECK(is_invalid(registry.check_event(&payloads, &storage)));
}

TEST_CASE("a batch is a whole number of rows") {
  DomainRegistry registry;
  const uint64_t schema = add_schema(&registry, schema_attr(kRow));
  const char bytes[32] = {};
  nvtxEventBatch_t batch{};
  batch.eventSchemaId = schema;
  batch.events = bytes;
  for (const size_t good : std::initializer_list<size_t>{0, 16, 32}) {
    batch.size = good;
    CHECK(registry.check_event_batch(batch).ok());
  }
  for (const size_t bad : std::initializer_list<size_t>{1, 12, 15, 17, 31}) {
    batch.size = bad;
    CHECK(is_invalid(registry.check_event_batch(batch)));
  }
  batch.size = 16;
  batch.flexDataSize = 1;
  CHECK(is_invalid(registry.check_event_batch(batch)));
  batch.flexDataSize = 0;
  batch.scope = kDynamicIdStart;
  CHECK(is_invalid(registry.check_event_batch(batch)));
  batch.scope = kStaticIdStart;
  CHECK(registry.check_event_batch(batch).ok());
  batch.scope = 0;
  batch.events = nullptr;
  CHECK(is_invalid(registry.check_event_batch(batch)));
  batch.events = bytes;
  batch.eventSchemaId = kInt64;
  CHECK(is_invalid(registry.check_event_batch(batch)));
}

TEST_CASE("counter samples and batches fit their layout and their timestamps") {
  DomainRegistry registry;
  const uint64_t plain = add_counter(&registry, add_schema(&registry, schema_attr(kPlainRow)));
  const uint64_t timed = add_counter(&registry, add_schema(&registry, schema_attr(kRow)));
  const char bytes[32] = {};
  const int64_t times[4] = {};
  CHECK(registry.check_counter_sample(plain, bytes, 8).ok());
  CHECK(is_invalid(registry.check_counter_sample(plain, bytes, 7)));
  CHECK(is_invalid(registry.check_counter_sample(plain, nullptr, 8)));
  CHECK(is_invalid(registry.check_counter_sample(plain, bytes, 0)));
  CHECK(is_invalid(registry.check_counter_sample(plain + 100, bytes, 8)));

  nvtxCounterBatch_t batch{plain, bytes, 16, 0, times, 16};
  CHECK(registry.check_counter_batch(batch).ok());
  batch.timestampsSize = 8;
  CHECK(is_invalid(registry.check_counter_batch(batch)));
  batch.countersSize = 32;
  batch.timestampsSize = 16;
  batch.flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
  CHECK(registry.check_counter_batch(batch).ok());
  batch.countersSize = 12;
  CHECK(is_invalid(registry.check_counter_batch(batch)));
  batch = {plain, bytes, 16, 0, nullptr, 0};
  CHECK(is_invalid(registry.check_counter_batch(batch)));
  batch = {timed, bytes, 32, 0, nullptr, 0};
  CHECK(registry.check_counter_batch(batch).ok());
  batch = {plain, nullptr, 0, 0, nullptr, 0};
  CHECK(registry.check_counter_batch(batch).ok());
}

}  // namespace
}  // namespace ringscribe::nvtxw
