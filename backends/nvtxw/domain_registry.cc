// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/domain_registry.h"

#include <cstring>
#include <string>

#include "ringscribe/backends/nvtxw/entry_types.h"
#include "ringscribe/backends/nvtxw/predefined_ids.h"

namespace ringscribe::nvtxw {
namespace {

static_assert(NVTX_PAYLOAD_SCHEMA_ID_STATIC_START == kStaticIdStart);
static_assert(NVTX_COUNTER_ID_STATIC_START == kStaticIdStart);
static_assert(NVTX_SCOPE_ID_STATIC_START == kStaticIdStart);
static_assert(NVTX_TIME_DOMAIN_ID_STATIC_START == kStaticIdStart);
static_assert(NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START == kDynamicIdStart);
static_assert(NVTX_COUNTER_ID_DYNAMIC_START == kDynamicIdStart);
static_assert(NVTX_SCOPE_ID_DYNAMIC_START == kDynamicIdStart);
static_assert(NVTX_TIME_DOMAIN_ID_DYNAMIC_START == kDynamicIdStart);

Status invalid(std::string sentence) {
  return Status(ResultCode::kInvalidArgument, std::move(sentence));
}

std::string number(uint64_t value) { return std::to_string(value); }

Status check_struct_size(size_t found, size_t needed) {
  if (found >= needed) return {};
  return invalid("structSize of the attributes is " + number(found) +
                 ", smaller than the first version's " + number(needed) +
                 ": set it to the sizeof of the struct.");
}

Status check_field_mask(uint64_t found, uint64_t needed, const char* names) {
  if ((found & needed) == needed) return {};
  return invalid("fieldMask is " + number(found) + " and lacks a mandatory field: set " +
                 std::string(names) + ".");
}

Status null_attributes() { return invalid("the attributes are NULL: pass them."); }

// The fields that are set, the others zero: the rest of the struct must not be read.
nvtxPayloadSchemaAttr_t set_fields(const nvtxPayloadSchemaAttr_t& in) {
  const auto has = [&in](uint64_t bit) { return (in.fieldMask & bit) != 0; };
  nvtxPayloadSchemaAttr_t out{};
  out.fieldMask = in.fieldMask | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) out.name = in.name;
  out.type = in.type;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) out.flags = in.flags;
  out.entries = in.entries;
  out.numEntries = in.numEntries;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)) {
    out.payloadStaticSize = in.payloadStaticSize;
  }
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) out.packAlign = in.packAlign;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID)) out.schemaId = in.schemaId;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_EXTENSION)) out.extension = in.extension;
  return out;
}

nvtxPayloadEnumAttr_t set_fields(const nvtxPayloadEnumAttr_t& in) {
  const auto has = [&in](uint64_t bit) { return (in.fieldMask & bit) != 0; };
  nvtxPayloadEnumAttr_t out{};
  out.fieldMask = in.fieldMask | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME)) out.name = in.name;
  out.entries = in.entries;
  out.numEntries = in.numEntries;
  out.sizeOfEnum = in.sizeOfEnum;
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID)) out.schemaId = in.schemaId;
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_EXTENSION)) out.extension = in.extension;
  return out;
}

bool is_blob_schema(uint64_t schema) noexcept {
  return schema == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED || schema == NVTX_TYPE_PAYLOAD_SCHEMA_RAW;
}

// Bytes up to the first code unit of zeros; one unit for an empty string, as NVTX writes it.
size_t string_bytes(const void* text, uint32_t unit_bytes) noexcept {
  constexpr char kZeros[4] = {};
  const auto* bytes = static_cast<const char*>(text);
  size_t size = 0;
  while (std::memcmp(bytes + size, kZeros, unit_bytes) != 0) size += unit_bytes;
  return size == 0 ? unit_bytes : size;
}

}  // namespace

Result<uint64_t> DomainRegistry::IdSpace::choose(uint64_t asked, bool has_out,
                                                 const char* what) const {
  if (asked == 0) {
    if (has_out) return next_dynamic;
    return invalid(std::string("no ID is asked for and there is no place to tell the new one: "
                               "pass a pointer for it, or a static ") +
                   what + " ID.");
  }
  if (asked < kStaticIdStart || asked >= kDynamicIdStart) {
    return invalid(std::string("static ") + what + " ID " + number(asked) +
                   " is out of range: use one from " + number(kStaticIdStart) + " to " +
                   number(kDynamicIdStart - 1) + ", or 0 to get one.");
  }
  if (used.count(asked) != 0) {
    return invalid(std::string("static ") + what + " ID " + number(asked) +
                   " is taken in this domain: use each ID once.");
  }
  return asked;
}

void DomainRegistry::IdSpace::add(uint64_t id) {
  used.insert(id);
  if (id == next_dynamic) ++next_dynamic;
}

Result<SchemaRegistration> DomainRegistry::check_schema(const nvtxPayloadSchemaAttr_t* attr,
                                                        bool has_out) const {
  if (attr == nullptr) return null_attributes();
  const Status mask = check_field_mask(attr->fieldMask,
                                       NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                                           NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES,
                                       "TYPE, ENTRIES and NUM_ENTRIES");
  if (!mask.ok()) return mask;
  if (attr->type < NVTX_PAYLOAD_SCHEMA_TYPE_STATIC ||
      attr->type > NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR) {
    return invalid("schema type " + number(attr->type) +
                   " does not exist: see NVTX_PAYLOAD_SCHEMA_TYPE_*.");
  }
  if (attr->entries == nullptr || attr->numEntries == 0) {
    return invalid("the schema has no entries: pass at least one.");
  }
  SchemaRegistration schema;
  schema.attr = set_fields(*attr);
  Result<uint64_t> id = schema_ids_.choose(schema.attr.schemaId, has_out, "schema");
  if (!id.ok()) return id.status();
  schema.attr.schemaId = *id;
  Result<SchemaLayout> layout = compute_schema_layout(schema.attr, types_);
  if (!layout.ok()) return layout.status();
  schema.type = *layout;
  return schema;
}

Result<EnumRegistration> DomainRegistry::check_enum(const nvtxPayloadEnumAttr_t* attr,
                                                    bool has_out) const {
  if (attr == nullptr) return null_attributes();
  const Status mask = check_field_mask(attr->fieldMask,
                                       NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                                           NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                                           NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE,
                                       "ENTRIES, NUM_ENTRIES and SIZE");
  if (!mask.ok()) return mask;
  if (attr->entries == nullptr || attr->numEntries == 0) {
    return invalid("the enum has no entries: pass at least one.");
  }
  const size_t size = attr->sizeOfEnum;
  if (size != 1 && size != 2 && size != 4 && size != 8) {
    return invalid("sizeOfEnum is " + number(size) + ": it must be 1, 2, 4 or 8 bytes.");
  }
  EnumRegistration enumeration{set_fields(*attr)};
  Result<uint64_t> id = schema_ids_.choose(enumeration.attr.schemaId, has_out, "enum");
  if (!id.ok()) return id.status();
  enumeration.attr.schemaId = *id;
  return enumeration;
}

Result<CounterRegistration> DomainRegistry::check_counter(const nvtxCounterAttr_t* attr,
                                                          bool has_out) const {
  if (attr == nullptr) return null_attributes();
  Status status = check_struct_size(attr->structSize, sizeof *attr);
  if (status.ok()) status = check_fixed_scope(attr->scopeId, "the counter's scopeId");
  if (!status.ok()) return status;
  const auto type = types_.find(attr->schemaId);
  const bool is_schema = type != types_.end() && !type->second.is_enum;
  if (!is_schema && !is_number_type(attr->schemaId)) {
    return invalid("the counter's schemaId " + number(attr->schemaId) +
                   " is neither a number type of NVTX nor a schema of this domain: register the "
                   "schema first.");
  }
  Result<uint64_t> id = counter_ids_.choose(attr->counterId, has_out, "counter");
  if (!id.ok()) return id.status();
  CounterRegistration counter{*attr};
  counter.attr.counterId = *id;
  return counter;
}

Result<nvtxScopeAttr_t> DomainRegistry::check_scope(const nvtxScopeAttr_t* attr,
                                                    bool has_out) const {
  if (attr == nullptr) return null_attributes();
  Status status = check_struct_size(attr->structSize, sizeof *attr);
  const bool is_anchor = attr->parentScope == NVTX_SCOPE_CURRENT_HW_MACHINE ||
                         attr->parentScope == NVTX_SCOPE_CURRENT_VM;
  if (status.ok() && !is_anchor) {
    status = check_registered_scope(attr->parentScope, "the scope's parentScope");
  }
  if (!status.ok()) return status;
  Result<uint64_t> id = scope_ids_.choose(attr->scopeId, has_out, "scope");
  if (!id.ok()) return id.status();
  nvtxScopeAttr_t scope = *attr;
  scope.scopeId = *id;
  return scope;
}

Result<nvtxTimeDomainAttr_t> DomainRegistry::check_time_domain(const nvtxTimeDomainAttr_t* attr,
                                                               bool has_out) const {
  if (attr == nullptr) return null_attributes();
  const Status status = check_any_scope(attr->scopeId, "the time domain's scopeId");
  if (!status.ok()) return status;
  if (!is_predefined_timestamp_type(attr->timestampTypeId)) {
    return invalid("the time domain's timestampTypeId " + number(attr->timestampTypeId) +
                   " is not predefined: see NVTX_TIMESTAMP_TYPE_*.");
  }
  Result<uint64_t> id = time_domain_ids_.choose(attr->timeDomainId, has_out, "time domain");
  if (!id.ok()) return id.status();
  nvtxTimeDomainAttr_t time_domain = *attr;
  time_domain.timeDomainId = *id;
  return time_domain;
}

void DomainRegistry::add(const SchemaRegistration& schema) {
  types_[schema.attr.schemaId] = schema.type;
  schema_ids_.add(schema.attr.schemaId);
}

void DomainRegistry::add(const EnumRegistration& enumeration) {
  const uint64_t size = enumeration.attr.sizeOfEnum;
  types_[enumeration.attr.schemaId] = {size,  size, static_cast<uint32_t>(size), true, true,
                                       false, false};
  schema_ids_.add(enumeration.attr.schemaId);
}

void DomainRegistry::add(const CounterRegistration& counter) {
  CounterType type;
  const auto schema = types_.find(counter.attr.schemaId);
  if (schema != types_.end()) {
    const NestedType& layout = schema->second;
    if (layout.is_fixed) type = {layout.size, layout.data_end, layout.has_timestamp};
    type.has_timestamp = layout.has_timestamp;
  } else {
    type.row_bytes = predefined_type_size(counter.attr.schemaId).size;
    type.data_bytes = type.row_bytes;
  }
  counters_[counter.attr.counterId] = type;
  counter_ids_.add(counter.attr.counterId);
}

void DomainRegistry::add(const nvtxScopeAttr_t& scope) { scope_ids_.add(scope.scopeId); }

void DomainRegistry::add(const nvtxTimeDomainAttr_t& time_domain) {
  time_domain_ids_.add(time_domain.timeDomainId);
}

Status DomainRegistry::check_registered_scope(uint64_t scope, const char* what) const {
  if (scope == NVTX_SCOPE_NONE || scope == NVTX_SCOPE_ROOT || scope_ids_.used.count(scope) != 0) {
    return {};
  }
  return invalid(std::string(what) + " " + number(scope) +
                 " is neither NONE nor ROOT nor a scope of this domain: register it first.");
}

Status DomainRegistry::check_fixed_scope(uint64_t scope, const char* what) const {
  if (scope >= kStaticIdStart && scope < kDynamicIdStart) return {};
  if (scope < kDynamicIdStart || scope_ids_.used.count(scope) != 0) {
    return check_registered_scope(scope, what);
  }
  return invalid(std::string(what) + " " + number(scope) +
                 " was not given out in this domain: pass an ID that ScopeRegister returned for "
                 "it, or a static one from " +
                 number(kStaticIdStart) + " to " + number(kDynamicIdStart - 1) + ".");
}

Status DomainRegistry::check_any_scope(uint64_t scope, const char* what) const {
  return is_predefined_scope(scope) ? Status() : check_fixed_scope(scope, what);
}

Status DomainRegistry::check_time_domain_id(uint64_t time_domain, const char* what) const {
  if (is_predefined_timestamp_type(time_domain) || time_domain_ids_.used.count(time_domain) != 0) {
    return {};
  }
  return invalid(std::string(what) + " " + number(time_domain) +
                 " is neither predefined nor a time domain of this domain: register it first.");
}

Status DomainRegistry::find_payload_size(nvtxPayloadData_t* payload) const {
  if (is_string_type(payload->schemaId)) {
    payload->size = string_bytes(payload->payload, predefined_type_size(payload->schemaId).size);
    return {};
  }
  const auto type = types_.find(payload->schemaId);
  if (type != types_.end() && type->second.is_fixed) {
    payload->size = type->second.size;
    return {};
  }
  return invalid("a payload of schema " + number(payload->schemaId) +
                 " has size SIZE_MAX, which is defined for C strings only: pass its size.");
}

Status DomainRegistry::check_payload(const nvtxPayloadData_t& payload, size_t index) const {
  const auto refuse = [index](const std::string& why) {
    return invalid("payload " + number(index) + " of the event " + why);
  };
  if (payload.payload == nullptr) {
    return refuse("is NULL with size " + number(payload.size) +
                  ": pass its bytes, or size 0 to have it ignored.");
  }
  if (payload.schemaId < kStaticIdStart) {
    if (is_blob_schema(payload.schemaId) || predefined_type_size(payload.schemaId).size != 0) {
      return {};
    }
    return refuse("has schema " + number(payload.schemaId) +
                  ", which is not a predefined type of NVTX.");
  }
  const auto type = types_.find(payload.schemaId);
  if (type == types_.end() || type->second.is_enum) {
    return refuse("has schema " + number(payload.schemaId) +
                  ", which is not registered in the stream's domain: register it first.");
  }
  if (type->second.is_fixed && payload.size < type->second.data_end) {
    return refuse("has " + number(payload.size) + " bytes where schema " +
                  number(payload.schemaId) + " needs " + number(type->second.data_end) + ".");
  }
  return {};
}

Status DomainRegistry::check_event(std::span<const nvtxPayloadData_t>* payloads,
                                   std::vector<nvtxPayloadData_t>* storage) const {
  bool has_data = false;
  for (size_t i = 0; i < payloads->size(); ++i) {
    const nvtxPayloadData_t& payload = (*payloads)[i];
    if (payload.size == 0) continue;
    has_data = true;
    Status status = check_payload(payload, i);
    if (!status.ok()) return status;
    if (payload.size != SIZE_MAX) continue;
    if (payloads->data() != storage->data()) {
      storage->assign(payloads->begin(), payloads->end());
      *payloads = *storage;
    }
    status = find_payload_size(&(*storage)[i]);
    if (!status.ok()) return status;
  }
  if (!has_data) return invalid("the event has no payload with data: pass at least one.");
  return {};
}

Status DomainRegistry::check_event_batch(const nvtxEventBatch_t& batch) const {
  const auto type = types_.find(batch.eventSchemaId);
  if (type == types_.end() || type->second.is_enum) {
    return invalid("the batch's schema " + number(batch.eventSchemaId) +
                   " is not registered in the stream's domain: register it first.");
  }
  const Status scope = check_any_scope(batch.scope, "the batch's scope");
  if (!scope.ok()) return scope;
  if (batch.size == 0) return {};
  if (batch.events == nullptr) {
    return invalid("the batch's events are NULL with size " + number(batch.size) + ".");
  }
  if (batch.flexData == nullptr && batch.flexDataSize != 0) {
    return invalid("the batch's flexData is NULL with size " + number(batch.flexDataSize) + ".");
  }
  const uint64_t row = type->second.size;
  if (type->second.is_fixed && (row == 0 || batch.size % row != 0)) {
    return invalid("the batch has " + number(batch.size) + " bytes, no multiple of the " +
                   number(row) + " bytes of a row of schema " + number(batch.eventSchemaId) + ".");
  }
  return {};
}

Status DomainRegistry::check_counter_id(uint64_t counter) const {
  if (counters_.count(counter) != 0) return {};
  return invalid("counter " + number(counter) +
                 " is not registered in the stream's domain: register it first.");
}

Status DomainRegistry::check_counter_sample(uint64_t counter, const void* data, size_t size) const {
  const Status known = check_counter_id(counter);
  if (!known.ok()) return known;
  if (data == nullptr || size == 0) {
    return invalid("the sample of counter " + number(counter) +
                   " has no data: pass its value, or call CounterNoValueWrite.");
  }
  const uint64_t needed = counters_.find(counter)->second.data_bytes;
  if (size >= needed) return {};
  return invalid("the sample of counter " + number(counter) + " has " + number(size) +
                 " bytes where its layout needs " + number(needed) + ".");
}

Status DomainRegistry::check_counter_batch(const nvtxCounterBatch_t& batch) const {
  const Status known = check_counter_id(batch.counterId);
  if (!known.ok()) return known;
  if (batch.countersSize == 0) return {};
  if (batch.counters == nullptr) {
    return invalid("the batch's counters are NULL with size " + number(batch.countersSize) + ".");
  }
  const CounterType& type = counters_.find(batch.counterId)->second;
  if (type.row_bytes == 0 || batch.countersSize % type.row_bytes != 0) {
    return invalid("the batch of counter " + number(batch.counterId) + " has " +
                   number(batch.countersSize) + " bytes, no multiple of the " +
                   number(type.row_bytes) + " bytes of a sample.");
  }
  if (batch.timestamps == nullptr) {
    if (type.has_timestamp) return {};
    return invalid("the batch of counter " + number(batch.counterId) +
                   " has no timestamps and its layout carries none: pass them.");
  }
  const uint64_t pair_flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR |
                              NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
  const uint64_t times = (batch.flags & pair_flags) != 0 ? 2 : batch.countersSize / type.row_bytes;
  if (batch.timestampsSize == times * sizeof(int64_t)) return {};
  return invalid("the batch of counter " + number(batch.counterId) + " has " +
                 number(batch.timestampsSize) + " bytes of timestamps where " +
                 number(times * sizeof(int64_t)) + " are needed.");
}

}  // namespace ringscribe::nvtxw
