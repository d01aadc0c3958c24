// SPDX-License-Identifier: Apache-2.0
//
// Invalid calls of the functions that register something in a domain.
#include "ringscribe/tests/nvtxw/invalid_call_session.h"

namespace ringscribe::testing {
namespace {

using Session = InvalidCallSession;

// A registration with the session's valid attributes and one thing changed.
template <typename Attributes, typename Call, typename Change>
int32_t changed(Attributes attr, Call call, Change change) {
  change(attr);
  uint64_t id = 5;
  const int32_t result = call(&attr, &id);
  CHECK(id == 0);  // nothing was given out
  return result;
}
template <typename Change>
auto schema_with(Change change) {
  return [change](Session& s) {
    return changed(
        s.schema_attributes,
        [&s](auto* attr, auto* id) { return s.table().SchemaRegister(s.domain, attr, id); },
        [&](auto& attr) { change(s, attr); });
  };
}
template <typename Change>
auto enum_with(Change change) {
  return [change](Session& s) {
    return changed(
        s.enum_attributes,
        [&s](auto* attr, auto* id) { return s.table().EnumRegister(s.domain, attr, id); },
        [&](auto& attr) { change(s, attr); });
  };
}
template <typename Change>
auto counter_with(Change change) {
  return [change](Session& s) {
    return changed(
        s.counter_attributes,
        [&s](auto* attr, auto* id) { return s.table().CounterRegister(s.domain, attr, id); },
        [&](auto& attr) { change(s, attr); });
  };
}
template <typename Change>
auto scope_with(Change change) {
  return [change](Session& s) {
    return changed(
        s.scope_attributes,
        [&s](auto* attr, auto* id) { return s.table().ScopeRegister(s.domain, attr, id); },
        [&](auto& attr) { change(s, attr); });
  };
}
template <typename Change>
auto time_domain_with(Change change) {
  return [change](Session& s) {
    return changed(
        s.time_domain_attributes,
        [&s](auto* attr, auto* id) { return s.table().TimeDomainRegister(s.domain, attr, id); },
        [&](auto& attr) { change(s, attr); });
  };
}

// A schema of these entries.
auto schema_of(std::vector<nvtxPayloadSchemaEntry_t> entries,
               uint64_t type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC) {
  return [entries, type](Session& s) {
    nvtxPayloadSchemaAttr_t attr = s.schema_attributes;
    attr.type = type;
    attr.entries = entries.data();
    attr.numEntries = entries.size();
    uint64_t id = 0;
    return s.table().SchemaRegister(s.domain, &attr, &id);
  };
}

TEST_CASE("CategoryRegister, StringRegister and ResourceRegister refuse what breaks a rule") {
  check({
      {"the domain of a category is not NULL",
       kInvalid,
       {"CategoryRegister", "domain", "NULL"},
       [](Session& s) { return s.table().CategoryRegister(nullptr, 1, "c"); }},
      {"category 0 is reserved",
       kInvalid,
       {"CategoryRegister", "category 0"},
       [](Session& s) { return s.table().CategoryRegister(s.domain, 0, "c"); }},
      {"a category has a name",
       kInvalid,
       {"CategoryRegister", "name is NULL"},
       [](Session& s) { return s.table().CategoryRegister(s.domain, 1, nullptr); }},
      {"the domain of a string is not NULL",
       kInvalid,
       {"StringRegister", "domain", "NULL"},
       [](Session& s) {
         nvtxStringHandle_t out = nullptr;
         return s.table().StringRegister(nullptr, "s", &out);
       }},
      {"a string has a text",
       kInvalid,
       {"StringRegister", "string is NULL"},
       [](Session& s) {
         nvtxStringHandle_t out = nullptr;
         return s.table().StringRegister(s.domain, nullptr, &out);
       }},
      {"a string needs a place for its handle",
       kInvalid,
       {"StringRegister", "stringHandleOut"},
       [](Session& s) { return s.table().StringRegister(s.domain, "s", nullptr); }},
      {"the domain of a resource is not NULL",
       kInvalid,
       {"ResourceRegister", "domain", "NULL"},
       [](Session& s) {
         nvtxResourceAttributes_t attr{};
         attr.size = sizeof attr;
         return s.table().ResourceRegister(nullptr, &attr);
       }},
      {"a resource has attributes",
       kInvalid,
       {"ResourceRegister", "attributes are NULL"},
       [](Session& s) { return s.table().ResourceRegister(s.domain, nullptr); }},
      {"a resource's size is at least that of version 1",
       kInvalid,
       {"ResourceRegister", "size", "9"},
       [](Session& s) {
         nvtxResourceAttributes_t attr{};
         attr.size = 9;
         return s.table().ResourceRegister(s.domain, &attr);
       }},
  });
}

TEST_CASE("ScopeRegister refuses what breaks a rule") {
  check({
      {"the domain is not NULL",
       kInvalid,
       {"ScopeRegister", "domain", "NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().ScopeRegister(nullptr, &s.scope_attributes, &id);
       }},
      {"a scope has attributes",
       kInvalid,
       {"ScopeRegister", "attributes are NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().ScopeRegister(s.domain, nullptr, &id);
       }},
      {"structSize is at least that of version 1",
       kInvalid,
       {"ScopeRegister", "structSize", "31"},
       scope_with([](Session&, auto& attr) { attr.structSize = 31; })},
      {"the parent is no CURRENT scope but the anchors",
       kInvalid,
       {"ScopeRegister", "parentScope", "21"},
       scope_with([](Session&, auto& attr) { attr.parentScope = NVTX_SCOPE_CURRENT_SW_PROCESS; })},
      {"scopeId is no CURRENT scope and in range",
       kInvalid,
       {"ScopeRegister", "scope ID 22"},
       scope_with([](Session&, auto& attr) { attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD; })},
      {"a static ID is unique in its domain",
       kInvalid,
       {"ScopeRegister", "16777216", "taken"},
       scope_with([](Session& s, auto& attr) {
         attr.scopeId = kStaticId;
         CHECK(s.table().ScopeRegister(s.domain, &attr, nullptr) == kOk);
       })},
      {"without a static ID there is a place for the new one",
       kInvalid,
       {"ScopeRegister", "place", "scope ID"},
       [](Session& s) { return s.table().ScopeRegister(s.domain, &s.scope_attributes, nullptr); }},
  });
}

// No words where the sentence was told before: it differs in numbers only.
TEST_CASE("a scope's parent is registered in the scope's domain") {
  check({{"the parent is of this domain", kInvalid, {}, scope_with([](Session& s, auto& attr) {
            const nvtxwDomainAttributes_t other_attr{sizeof other_attr, "other"};
            nvtxDomainHandle_t other = nullptr;
            CHECK(s.table().DomainRegister(s.session, &other_attr, &other) == kOk);
            attr.scopeId = kStaticId;
            CHECK(s.table().ScopeRegister(other, &attr, nullptr) == kOk);
            attr.scopeId = 0;
            attr.parentScope = kStaticId;
          })}});
}

TEST_CASE("SchemaRegister refuses attributes that break a rule") {
  check({
      {"the domain is not NULL",
       kInvalid,
       {"SchemaRegister", "domain", "NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().SchemaRegister(nullptr, &s.schema_attributes, &id);
       }},
      {"a schema has attributes",
       kInvalid,
       {"SchemaRegister", "attributes are NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().SchemaRegister(s.domain, nullptr, &id);
       }},
      {"type, entries and their number are mandatory",
       kInvalid,
       {"SchemaRegister", "fieldMask", "24", "TYPE"},
       schema_with([](Session&, auto& attr) {
         attr.fieldMask =
             NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES;
       })},
      {"the type exists",
       kInvalid,
       {"SchemaRegister", "schema type 5"},
       schema_with([](Session&, auto& attr) { attr.type = 5; })},
      {"there is an entry",
       kInvalid,
       {"SchemaRegister", "no entries"},
       schema_with([](Session&, auto& attr) { attr.numEntries = 0; })},
      {"a static ID is in range",
       kInvalid,
       {"SchemaRegister", "schema ID 16777215", "range"},
       schema_with([](Session&, auto& attr) { attr.schemaId = kStaticId - 1; })},
      {"a static ID is unique, enums counted",
       kInvalid,
       {"SchemaRegister", "16777216", "taken"},
       schema_with([](Session& s, auto& attr) {
         attr.schemaId = s.enum_attributes.schemaId = kStaticId;
         CHECK(s.table().EnumRegister(s.domain, &s.enum_attributes, nullptr) == kOk);
       })},
      {"without a static ID there is a place for the new one",
       kInvalid,
       {"SchemaRegister", "place", "schema ID"},
       [](Session& s) {
         return s.table().SchemaRegister(s.domain, &s.schema_attributes, nullptr);
       }},
      {"a stated size holds the entries",
       kInvalid,
       {"SchemaRegister", "payloadStaticSize is 7", "8"},
       schema_with([](Session&, auto& attr) { attr.payloadStaticSize = 7; })},
  });
}

TEST_CASE("SchemaRegister refuses entries that break a rule") {
  constexpr uint64_t kDynamic = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
  constexpr uint64_t kLength = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX;
  check({
      {"an entry has a type",
       kInvalid,
       {"SchemaRegister", "entry 1", "type 0"},
       schema_of({entry(0, kInt64), entry(0, NVTX_PAYLOAD_ENTRY_TYPE_INVALID)})},
      {"a type that NVTX 3 does not have is not supported",
       kNotSupported,
       {},
       schema_of({entry(0, 99)})},
      {"a nested schema or enum is registered before",
       kInvalid,
       {"SchemaRegister", "entry 0", "16777299"},
       schema_of({entry(0, kStaticId + 83)})},
      {"the entry of a length stands before",
       kInvalid,
       {"SchemaRegister", "entry 0", "entry 1"},
       schema_of({entry(kLength, kInt64, 1), entry(0, kInt64)}, kDynamic)},
      {"a static schema has no array of variable length",
       kInvalid,
       {"SchemaRegister", "entry 1", "length", "DYNAMIC"},
       schema_of({entry(0, kInt64), entry(kLength, kInt64, 0)})},
      {"an array's elements have a fixed size",
       kInvalid,
       {"SchemaRegister", "entry 0", "array"},
       [](Session& s) {
         const uint64_t inner = s.register_schema(
             {entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kInt64)}, kDynamic);
         return schema_of({entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, inner, 2)}, kDynamic)(s);
       }},
      {"a size fits 64 bits",
       kInvalid,
       {"SchemaRegister", "entry 0", "length"},
       schema_of({entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kInt64, UINT64_MAX)})},
  });
}

TEST_CASE("EnumRegister refuses what breaks a rule") {
  check({
      {"the domain is not NULL",
       kInvalid,
       {"EnumRegister", "domain", "NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().EnumRegister(nullptr, &s.enum_attributes, &id);
       }},
      {"an enum has attributes",
       kInvalid,
       {"EnumRegister", "attributes are NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().EnumRegister(s.domain, nullptr, &id);
       }},
      {"entries, their number and the size are mandatory",
       kInvalid,
       {"EnumRegister", "fieldMask", "4", "SIZE"},
       enum_with(
           [](Session&, auto& attr) { attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES; })},
      {"there is a value",
       kInvalid,
       {"EnumRegister", "no entries"},
       enum_with([](Session&, auto& attr) { attr.entries = nullptr; })},
      {"the size is that of an integer",
       kInvalid,
       {"EnumRegister", "sizeOfEnum is 3"},
       enum_with([](Session&, auto& attr) { attr.sizeOfEnum = 3; })},
      {"a static ID is in range",
       kInvalid,
       {"EnumRegister", "4294967296", "range"},
       enum_with([](Session&, auto& attr) { attr.schemaId = kDynamicId; })},
      {"a static ID is unique, schemas counted",
       kInvalid,
       {"EnumRegister", "16777216", "taken"},
       enum_with([](Session& s, auto& attr) {
         attr.schemaId = s.schema_attributes.schemaId = kStaticId;
         CHECK(s.table().SchemaRegister(s.domain, &s.schema_attributes, nullptr) == kOk);
       })},
      {"without a static ID there is a place for the new one",
       kInvalid,
       {"EnumRegister", "place", "enum ID"},
       [](Session& s) { return s.table().EnumRegister(s.domain, &s.enum_attributes, nullptr); }},
  });
}

TEST_CASE("CounterRegister refuses what breaks a rule") {
  check({
      {"the domain is not NULL",
       kInvalid,
       {"CounterRegister", "domain", "NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().CounterRegister(nullptr, &s.counter_attributes, &id);
       }},
      {"a counter has attributes",
       kInvalid,
       {"CounterRegister", "attributes are NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().CounterRegister(s.domain, nullptr, &id);
       }},
      {"structSize is at least that of version 1",
       kInvalid,
       {"CounterRegister", "structSize", "55"},
       counter_with([](Session&, auto& attr) { attr.structSize = 55; })},
      {"the layout is a number type or a schema, no enum",
       kInvalid,
       {"CounterRegister", "schemaId 4294967296"},
       counter_with([](Session& s, auto& attr) { attr.schemaId = s.register_enum(); })},
      {"the scope is no CURRENT scope",
       kInvalid,
       {"CounterRegister", "scopeId", "22"},
       counter_with([](Session&, auto& attr) { attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD; })},
      {"a static ID is in range",
       kInvalid,
       {"CounterRegister", "counter ID 7", "range"},
       counter_with([](Session&, auto& attr) { attr.counterId = 7; })},
      {"a static ID is unique",
       kInvalid,
       {"CounterRegister", "16777216", "taken"},
       counter_with([](Session& s, auto& attr) {
         attr.counterId = kStaticId;
         CHECK(s.table().CounterRegister(s.domain, &attr, nullptr) == kOk);
       })},
      {"without a static ID there is a place for the new one",
       kInvalid,
       {"CounterRegister", "place", "counter ID"},
       [](Session& s) {
         return s.table().CounterRegister(s.domain, &s.counter_attributes, nullptr);
       }},
  });
}

TEST_CASE("TimeDomainRegister refuses what breaks a rule") {
  check({
      {"the domain is not NULL",
       kInvalid,
       {"TimeDomainRegister", "domain", "NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().TimeDomainRegister(nullptr, &s.time_domain_attributes, &id);
       }},
      {"a time domain has attributes",
       kInvalid,
       {"TimeDomainRegister", "attributes are NULL"},
       [](Session& s) {
         uint64_t id = 0;
         return s.table().TimeDomainRegister(s.domain, nullptr, &id);
       }},
      {"its source is predefined",
       kInvalid,
       {"TimeDomainRegister", "timestampTypeId 99"},
       time_domain_with([](Session&, auto& attr) { attr.timestampTypeId = 99; })},
      {"its scope is registered",
       kInvalid,
       {"TimeDomainRegister", "scopeId", "4294967296"},
       time_domain_with([](Session&, auto& attr) { attr.scopeId = kDynamicId; })},
      {"a static ID is in range",
       kInvalid,
       {"TimeDomainRegister", "time domain ID 50", "range"},
       time_domain_with([](Session&, auto& attr) { attr.timeDomainId = 50; })},
      {"a static ID is unique",
       kInvalid,
       {"TimeDomainRegister", "16777216", "taken"},
       time_domain_with([](Session& s, auto& attr) {
         attr.timeDomainId = kStaticId;
         CHECK(s.table().TimeDomainRegister(s.domain, &attr, nullptr) == kOk);
       })},
      {"without a static ID there is a place for the new one",
       kInvalid,
       {"TimeDomainRegister", "place", "time domain ID"},
       [](Session& s) {
         return s.table().TimeDomainRegister(s.domain, &s.time_domain_attributes, nullptr);
       }},
  });
}

}  // namespace
}  // namespace ringscribe::testing
