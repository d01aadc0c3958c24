// SPDX-License-Identifier: Apache-2.0
//
// ContractBackend: what is registered in a domain.
#include "ringscribe/tests/support/contract_test_session.h"

namespace ringscribe::testing {
namespace {

constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;

TEST_CASE("categories have a number and a name, strings a text and a place") {
  ContractTestSession s;
  nvtxStringHandle_t out = nullptr;
  CHECK(s.table().CategoryRegister(s.domain, 0, "c") == kInvalid);
  CHECK(s.table().CategoryRegister(s.domain, 1, nullptr) == kInvalid);
  CHECK(s.table().CategoryRegister(s.domain, 1, "\xC0\x80") == kInvalid);
  CHECK(s.table().StringRegister(s.domain, nullptr, &out) == kInvalid);
  CHECK(s.table().StringRegister(s.domain, "t", nullptr) == kInvalid);
  CHECK(s.table().StringRegister(s.domain, "\x80", &out) == kInvalid);
  CHECK(s.told() == Sentences{"CategoryRegister: category 0 means no category",
                              "CategoryRegister: the name is NULL",
                              "CategoryRegister: the name is not UTF-8",
                              "StringRegister: the text is NULL",
                              "StringRegister: there is no place for the handle",
                              "StringRegister: the text is not UTF-8"});
}

TEST_CASE("static IDs are in range and given once, schemas and enums together") {
  ContractTestSession s;
  CHECK(s.register_mark(kFirstStaticId - 1) == kInvalid);
  CHECK(s.register_mark(uint64_t{1} << 32) == kInvalid);
  CHECK(s.register_mark((uint64_t{1} << 32) - 1) == kOk);
  CHECK(s.register_mark(kFirstStaticId) == kOk);
  CHECK(s.register_mark(kFirstStaticId) == kInvalid);
  CHECK(s.register_mark(0) == kInvalid);  // dynamic, without a place for the ID
  const nvtxPayloadEnum_t value{"one", 1, 0};
  nvtxPayloadEnumAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  attr.entries = &value;
  attr.numEntries = 1;
  attr.sizeOfEnum = 4;
  attr.schemaId = kFirstStaticId;
  CHECK(s.table().EnumRegister(s.domain, &attr, nullptr) == kInvalid);
  CHECK(s.told() == Sentences{"SchemaRegister: static schema ID 16777215 is out of range",
                              "SchemaRegister: static schema ID 4294967296 is out of range",
                              "SchemaRegister: static schema ID 16777216 is taken",
                              "SchemaRegister: no schema ID is given, nor a place for one",
                              "EnumRegister: static enum ID 16777216 is taken"});
}

TEST_CASE("IDs of another domain, and of counters and scopes, are name spaces of their own") {
  ContractTestSession s;
  CHECK(s.register_mark() == kOk);
  CHECK(s.register_counter(kInt64) == kOk);
  nvtxScopeAttr_t scope{};
  scope.structSize = sizeof scope;
  scope.scopeId = kFirstStaticId;
  CHECK(s.table().ScopeRegister(s.domain, &scope, nullptr) == kOk);
  nvtxTimeDomainAttr_t time{};
  time.timeDomainId = kFirstStaticId;
  CHECK(s.table().TimeDomainRegister(s.domain, &time, nullptr) == kOk);
  nvtxDomainHandle_t other = nullptr;
  REQUIRE(s.table().DomainRegister(s.session, nullptr, &other) == kOk);
  s.domain = other;
  CHECK(s.register_mark() == kOk);
  CHECK(s.told() == Sentences{});
}

TEST_CASE("schemas have their mandatory fields, and entries that can be read") {
  ContractTestSession s;
  const std::vector<nvtxPayloadSchemaEntry_t> entries = {entry("e", 0, kInt64, 0)};
  const auto refuse = [&](auto change) {
    nvtxPayloadSchemaAttr_t attr =
        ContractTestSession::schema_attributes(entries, 8, kFirstStaticId);
    change(attr);
    CHECK(s.table().SchemaRegister(s.domain, &attr, nullptr) == kInvalid);
  };
  refuse([](auto& attr) { attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE; });
  refuse([](auto& attr) { attr.entries = nullptr; });
  refuse([](auto& attr) { attr.numEntries = 0; });
  refuse([](auto& attr) { attr.entries = reinterpret_cast<nvtxPayloadSchemaEntry_t*>(16); });
  refuse([](auto& attr) { attr.name = reinterpret_cast<const char*>(16); });
  CHECK(s.table().SchemaRegister(s.domain, nullptr, nullptr) == kInvalid);
  CHECK(s.told() == Sentences{"SchemaRegister: fieldMask is 4 and lacks a mandatory field",
                              "SchemaRegister: there are no entries",
                              "SchemaRegister: there are no entries",
                              "SchemaRegister: the entries cannot be read for 64 bytes",
                              "SchemaRegister: the name cannot be read up to a zero",
                              "SchemaRegister: the attributes are NULL"});
}

TEST_CASE("an entry's type exists, or is registered before") {
  ContractTestSession s;
  CHECK(s.register_entry(0, 99, 8) == kInvalid);
  CHECK(s.register_entry(0, kFirstStaticId + 7, 8) == kInvalid);
  CHECK(s.register_mark(kFirstStaticId + 7) == kOk);
  CHECK(s.register_entry(0, kFirstStaticId + 7, 8) == kOk);
  CHECK(s.told() ==
        Sentences{"SchemaRegister: entry 'entry' has type 99, which is no entry type",
                  "SchemaRegister: entry 'entry' has type 16777223, which is not registered"});
}

TEST_CASE("entries lie inside payloadStaticSize, and their lengths stand before them") {
  ContractTestSession s;
  CHECK(s.register_entry(0, kInt64, 7) == kInvalid);
  CHECK(s.register_entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kInt64, 16, 3) == kInvalid);
  CHECK(s.register_entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kInt64, 8) == kInvalid);
  CHECK(
      s.register_entry(NVTX_PAYLOAD_ENTRY_FLAG_POINTER | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX,
                       kInt64, 8, 1) == kInvalid);
  CHECK(s.told() ==
        Sentences{"SchemaRegister: payloadStaticSize is 7 where the entries reach to byte 8",
                  "SchemaRegister: payloadStaticSize is 16 where the entries reach to byte 24",
                  "SchemaRegister: a static schema has an entry of variable length",
                  "SchemaRegister: entry 'entry' takes its length from entry 1, which is not "
                  "before it"});
}

TEST_CASE("an entry's semantics refer to time domains and scopes that are there") {
  ContractTestSession s;
  nvtxSemanticsTime_t time{{sizeof time, NVTX_SEMANTIC_ID_TIME_V1, 1, nullptr}, kFirstStaticId};
  nvtxSemanticsScope_t scope{{sizeof scope, NVTX_SEMANTIC_ID_SCOPE_V1, 1, &time.header},
                             kFirstStaticId};
  std::vector<nvtxPayloadSchemaEntry_t> entries = {entry("e", 0, kInt64, 0)};
  entries[0].semantics = &scope.header;
  CHECK(s.register_schema(entries, 8) == kInvalid);
  entries[0].semantics = reinterpret_cast<nvtxSemanticsHeader_t*>(16);
  CHECK(s.register_schema(entries, 8) == kInvalid);
  CHECK(
      s.told() ==
      Sentences{"SchemaRegister: the scope semantics of entry 'e': scope 16777216 is not "
                "registered",
                "SchemaRegister: the time semantics of entry 'e': time domain 16777216 is neither "
                "predefined nor registered",
                "SchemaRegister: the semantics of entry 'e' cannot be read for 16 bytes"});
}

TEST_CASE("enums have a size, and values with names that can be read") {
  ContractTestSession s;
  nvtxPayloadEnum_t value{"one", 1, 0};
  nvtxPayloadEnumAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES;
  attr.entries = &value;
  attr.numEntries = 1;
  attr.sizeOfEnum = 3;
  uint64_t id = 0;
  CHECK(s.table().EnumRegister(s.domain, &attr, &id) == kInvalid);
  attr.fieldMask |= NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
  CHECK(s.table().EnumRegister(s.domain, &attr, &id) == kInvalid);
  attr.sizeOfEnum = 8;
  value.name = "\xFF";
  CHECK(s.table().EnumRegister(s.domain, &attr, &id) == kInvalid);
  value.name = "one";
  CHECK(s.table().EnumRegister(s.domain, &attr, &id) == kOk);
  CHECK(id >= uint64_t{1} << 32);
  CHECK(s.told() == Sentences{"EnumRegister: fieldMask is 12 and lacks a mandatory field",
                              "EnumRegister: sizeOfEnum is 3",
                              "EnumRegister: the name of value 0 is not UTF-8"});
}

TEST_CASE("scopes have a parent that is there, or one of the two anchors") {
  ContractTestSession s;
  nvtxScopeAttr_t attr{};
  uint64_t id = 0;
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kInvalid);
  attr.structSize = sizeof attr;
  attr.parentScope = NVTX_SCOPE_CURRENT_SW_PROCESS;
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kInvalid);
  attr.parentScope = kFirstStaticId;
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kInvalid);
  attr.parentScope = NVTX_SCOPE_CURRENT_VM;
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kOk);
  attr.parentScope = id;
  attr.path = "\xFF";
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kInvalid);
  attr.path = "p";
  attr.scopeId = 5;
  CHECK(s.table().ScopeRegister(s.domain, &attr, &id) == kInvalid);
  CHECK(s.told() == Sentences{"ScopeRegister: structSize is 0 where the struct has 32 bytes",
                              "ScopeRegister: the parent scope 21 is not registered",
                              "ScopeRegister: the parent scope 16777216 is not registered",
                              "ScopeRegister: the path is not UTF-8",
                              "ScopeRegister: static scope ID 5 is out of range"});
}

TEST_CASE("counters have a number type or a schema, and a scope that is there") {
  ContractTestSession s;
  CHECK(s.register_counter(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8) == kInvalid);
  CHECK(s.register_counter(kFirstStaticId) == kInvalid);
  nvtxCounterAttr_t attr = ContractTestSession::counter_attributes(kInt64, kFirstStaticId);
  attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD;
  CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kInvalid);
  attr.scopeId = NVTX_SCOPE_ROOT;
  attr.structSize = 1;
  CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kInvalid);
  nvtxSemanticsCounter_t semantics{};
  semantics.header = {sizeof semantics, NVTX_SEMANTIC_ID_COUNTERS_V1, 2, nullptr};
  semantics.unit = "\xFF";
  attr = ContractTestSession::counter_attributes(kInt64, kFirstStaticId);
  attr.semantics = &semantics.header;
  CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kInvalid);
  attr.semantics = nullptr;
  CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kOk);
  CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kInvalid);
  CHECK(s.told() == Sentences{"CounterRegister: schema 76 is no number type",
                              "CounterRegister: schema 16777216 is not registered",
                              "CounterRegister: the scope 22 is not registered",
                              "CounterRegister: structSize is 1 where the struct has 56 bytes",
                              "CounterRegister: the unit of the counter is not UTF-8",
                              "CounterRegister: static counter ID 16777216 is taken"});
}

TEST_CASE("time domains have a predefined source, resources their size") {
  ContractTestSession s;
  nvtxTimeDomainAttr_t time{};
  uint64_t id = 0;
  time.timestampTypeId = 20;
  CHECK(s.table().TimeDomainRegister(s.domain, &time, &id) == kInvalid);
  time.timestampTypeId = 19;
  time.scopeId = kFirstStaticId;
  CHECK(s.table().TimeDomainRegister(s.domain, &time, &id) == kInvalid);
  CHECK(s.table().TimeDomainRegister(s.domain, nullptr, &id) == kInvalid);
  nvtxResourceAttributes_t resource{};
  CHECK(s.table().ResourceRegister(s.domain, &resource) == kInvalid);
  CHECK(s.table().ResourceRegister(s.domain, nullptr) == kInvalid);
  resource.size = sizeof resource;
  CHECK(s.table().ResourceRegister(s.domain, &resource) == kOk);
  CHECK(s.told() == Sentences{"TimeDomainRegister: timestamp type 20 is not predefined",
                              "TimeDomainRegister: the scope 16777216 is not registered",
                              "TimeDomainRegister: the attributes are NULL",
                              "ResourceRegister: size is 0 where the struct has 32 bytes",
                              "ResourceRegister: the attributes are NULL"});
}

}  // namespace
}  // namespace ringscribe::testing
