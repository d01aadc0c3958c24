// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/registration.h"

#include <bit>
#include <cstring>

#include "ringscribe/runtime/builtin_schemas.h"

namespace ringscribe::runtime {

static_assert(static_cast<uint64_t>(Role::kTimestamp) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP);
static_assert(static_cast<uint64_t>(Role::kCounter) == NVTX_PAYLOAD_ENTRY_FLAG_COUNTER);
static_assert(static_cast<uint64_t>(CounterValueType::kDeltaSinceStart) ==
              NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START);
static_assert(static_cast<uint64_t>(CounterValueType::kAbsolute) ==
              NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE);
static_assert(static_cast<uint64_t>(CounterInterpolation::kPoint) ==
              NVTX_COUNTER_FLAG_INTERPOLATION_POINT);
static_assert(static_cast<uint64_t>(CounterInterpolation::kLinear) ==
              NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR);
static_assert(static_cast<int>(CounterLimit::Type::kFloat64) == NVTX_COUNTER_LIMIT_F64);
static_assert(static_cast<int>(CounterLimit::Type::kInt64) == NVTX_COUNTER_LIMIT_I64);
static_assert(static_cast<int>(SchemaType::kUnionWithInternalSelector) ==
              NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR);
static_assert(kFirstStaticId == NVTX_PAYLOAD_SCHEMA_ID_STATIC_START &&
              kFirstStaticId == NVTX_SCOPE_ID_STATIC_START &&
              kFirstStaticId == NVTX_COUNTER_ID_STATIC_START &&
              kFirstStaticId == NVTX_TIME_DOMAIN_ID_STATIC_START);

namespace {

const char* text_or_null(const String& text) { return text.empty() ? nullptr : text.c_str(); }

void set_limit(nvtxCounterLimit_t& to, const CounterLimit& limit) {
  to.u64 = limit.bits();
  if (limit.type() == CounterLimit::Type::kFloat64) to.f64 = std::bit_cast<double>(limit.bits());
}

}  // namespace

SemanticsChain::SemanticsChain(const OwnedSemantics& semantics) {
  const FieldSemantics& values = semantics.values;
  // Each is put before the others; NVTX gives their order no meaning.
  if (!values.correlation.is_empty()) {
    std::memcpy(correlation_.correlationDomainUuid, values.correlation.uuid,
                sizeof correlation_.correlationDomainUuid);
    correlation_.displayName = text_or_null(semantics.correlation_name);
    correlation_.role = values.correlation.role;
    add(correlation_.header, sizeof correlation_, NVTX_SEMANTIC_ID_CORRELATION_V1,
        NVTX_CORRELATION_SEMANTIC_VERSION);
  }
  if (values.scope_id != 0) {
    scope_.scopeId = values.scope_id;
    add(scope_.header, sizeof scope_, NVTX_SEMANTIC_ID_SCOPE_V1, NVTX_SCOPE_SEMANTIC_VERSION);
  }
  if (values.time_domain_id != 0) {
    time_.timeDomainId = values.time_domain_id;
    add(time_.header, sizeof time_, NVTX_SEMANTIC_ID_TIME_V1, NVTX_TIME_SEMANTIC_VERSION);
  }
  const CounterSemantics& counter = values.counter;
  if (counter.is_empty() && semantics.unit.empty()) return;
  counter_.flags =
      static_cast<uint64_t>(counter.value_type) | static_cast<uint64_t>(counter.interpolation);
  if (counter.normalize) counter_.flags |= NVTX_COUNTER_FLAG_NORMALIZE;
  if (counter.min.has_value()) counter_.flags |= NVTX_COUNTER_FLAG_LIMIT_MIN;
  if (counter.max.has_value()) counter_.flags |= NVTX_COUNTER_FLAG_LIMIT_MAX;
  counter_.unit = text_or_null(semantics.unit);
  counter_.unitScaleNumerator = counter.unit_scale_numerator;
  counter_.unitScaleDenominator = counter.unit_scale_denominator;
  const CounterLimit& typed = counter.min.has_value() ? counter.min : counter.max;
  counter_.limitType = static_cast<int64_t>(typed.type());
  set_limit(counter_.min, counter.min);
  set_limit(counter_.max, counter.max);
  add(counter_.header, sizeof counter_, NVTX_SEMANTIC_ID_COUNTERS_V1,
      NVTX_COUNTER_SEMANTIC_VERSION);
}

void SemanticsChain::add(nvtxSemanticsHeader_t& header, uint32_t size, uint16_t id,
                         uint16_t version) {
  header.structSize = size;
  header.semanticId = id;
  header.version = version;
  header.next = first;
  first = &header;
}

SchemaAttributes::SchemaAttributes(const SchemaDefinition& schema) {
  for (const SchemaDefinition::Entry& from : schema.entries) {
    semantics_.push_back(make<SemanticsChain>(from.semantics));
    nvtxPayloadSchemaEntry_t entry{};
    entry.flags = from.flags;
    entry.type = from.type;
    entry.name = text_or_null(from.name);
    entry.description = text_or_null(from.description);
    entry.arrayOrUnionDetail = from.detail;
    entry.offset = from.offset == kComputedOffset ? 0 : from.offset;
    entry.semantics = semantics_.back()->first;
    entries_.push_back(entry);
  }
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.name = schema.name.c_str();
  attr.type = static_cast<uint64_t>(schema.type);
  attr.flags = schema.flags;
  attr.entries = entries_.data();
  attr.numEntries = entries_.size();
  attr.schemaId = schema.static_id;
  if (schema.declared_bytes != 0) {
    attr.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attr.payloadStaticSize = schema.declared_bytes;
  }
  if (schema.pack_align != 0) {
    attr.fieldMask |= NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT;
    attr.packAlign = schema.pack_align;
  }
}

SchemaAttributes::~SchemaAttributes() {
  for (SemanticsChain* chain : semantics_) destroy(chain);
}

namespace {

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const SchemaDefinition& schema) {
  const SchemaAttributes attributes(schema);
  uint64_t registered = schema.static_id;
  return interface->SchemaRegister(domain, &attributes.attr, &registered);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const EnumDefinition& definition) {
  Vector<nvtxPayloadEnum_t> values;
  for (const EnumDefinition::Value& value : definition.values)
    values.push_back({value.name.c_str(), value.value, static_cast<int8_t>(value.is_flag ? 1 : 0)});
  nvtxPayloadEnumAttr_t attr{};
  attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME | NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE |
                   NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  attr.name = definition.name.c_str();
  attr.entries = values.data();
  attr.numEntries = values.size();
  attr.sizeOfEnum = definition.size_bytes;
  attr.schemaId = definition.static_id;
  uint64_t registered = definition.static_id;
  return interface->EnumRegister(domain, &attr, &registered);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const CounterDefinition& counter) {
  const SemanticsChain semantics(counter.semantics);
  nvtxCounterAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.schemaId = counter.layout;
  attr.name = counter.name.c_str();
  attr.description = text_or_null(counter.description);
  attr.scopeId = counter.scope_id;
  attr.semantics = semantics.first;
  attr.counterId = counter.static_id;
  uint64_t registered = counter.static_id;
  return interface->CounterRegister(domain, &attr, &registered);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const ScopeDefinition& scope) {
  nvtxScopeAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.path = scope.path.c_str();
  attr.parentScope = scope.parent_id;
  attr.scopeId = scope.static_id;
  uint64_t registered = scope.static_id;
  return interface->ScopeRegister(domain, &attr, &registered);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const TimeDomainDefinition& time) {
  nvtxTimeDomainAttr_t attr{};
  attr.scopeId = time.scope_id;
  attr.timestampTypeId = time.timestamp_type;
  attr.timeDomainId = time.static_id;
  attr.timerFlags = time.flags;
  attr.timerResolution = time.ticks_per_second;
  attr.timerStart = time.start;
  uint64_t registered = time.static_id;
  return interface->TimeDomainRegister(domain, &attr, &registered);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     const ResourceDefinition& resource) {
  nvtxResourceAttributes_t attr{};
  attr.version = NVTX_VERSION;
  attr.size = sizeof attr;
  attr.identifierType = resource.type;
  attr.identifier.ullValue = resource.identifier;
  attr.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attr.message.ascii = resource.name.c_str();
  return interface->ResourceRegister(domain, &attr);
}

int32_t register_one(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                     StringDefinition& string) {
  nvtxStringHandle_t handle = nullptr;
  const int32_t result = interface->StringRegister(domain, string.text.c_str(), &handle);
  if (result == NVTXW_RESULT_SUCCESS) string.handle = reinterpret_cast<uint64_t>(handle);
  return result == NVTXW_RESULT_SUCCESS && string.handle == 0 ? NVTXW_RESULT_FAILED : result;
}

}  // namespace

int32_t register_definition(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                            Definition& definition) {
  switch (definition.kind) {
    case DefinitionKind::kString:
      return register_one(interface, domain, static_cast<StringDefinition&>(definition));
    case DefinitionKind::kCategory:
      return interface->CategoryRegister(
          domain, static_cast<uint32_t>(definition.static_id),
          static_cast<const CategoryDefinition&>(definition).name.c_str());
    case DefinitionKind::kScope:
      return register_one(interface, domain, static_cast<const ScopeDefinition&>(definition));
    case DefinitionKind::kSchema:
      return register_one(interface, domain, static_cast<const SchemaDefinition&>(definition));
    case DefinitionKind::kEnum:
      return register_one(interface, domain, static_cast<const EnumDefinition&>(definition));
    case DefinitionKind::kCounter:
      return register_one(interface, domain, static_cast<const CounterDefinition&>(definition));
    case DefinitionKind::kTimeDomain:
      return register_one(interface, domain, static_cast<const TimeDomainDefinition&>(definition));
    case DefinitionKind::kResource:
      return register_one(interface, domain, static_cast<const ResourceDefinition&>(definition));
  }
  return NVTXW_RESULT_INVALID_ARGUMENT;
}

const char* registration_name(const Definition& definition) {
  switch (definition.kind) {
    case DefinitionKind::kString:
      return "StringRegister";
    case DefinitionKind::kCategory:
      return "CategoryRegister";
    case DefinitionKind::kScope:
      return "ScopeRegister";
    case DefinitionKind::kSchema:
      return "SchemaRegister";
    case DefinitionKind::kEnum:
      return "EnumRegister";
    case DefinitionKind::kCounter:
      return "CounterRegister";
    case DefinitionKind::kTimeDomain:
      return "TimeDomainRegister";
    case DefinitionKind::kResource:
      return "ResourceRegister";
  }
  return "";
}

std::string_view definition_subject(const Definition& definition) {
  switch (definition.kind) {
    case DefinitionKind::kString:
      return static_cast<const StringDefinition&>(definition).text;
    case DefinitionKind::kCategory:
      return static_cast<const CategoryDefinition&>(definition).name;
    case DefinitionKind::kScope:
      return static_cast<const ScopeDefinition&>(definition).path;
    case DefinitionKind::kSchema:
      return static_cast<const SchemaDefinition&>(definition).name;
    case DefinitionKind::kEnum:
      return static_cast<const EnumDefinition&>(definition).name;
    case DefinitionKind::kCounter:
      return static_cast<const CounterDefinition&>(definition).name;
    case DefinitionKind::kTimeDomain:
      return "time domain";
    case DefinitionKind::kResource:
      return static_cast<const ResourceDefinition&>(definition).name;
  }
  return "";
}

}  // namespace ringscribe::runtime
