// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/contract_domain.h"

#include <cstring>
#include <vector>

namespace ringscribe::testing {

namespace {

constexpr uint64_t kStaticIds = uint64_t{1} << 24;
constexpr uint64_t kDynamicIds = uint64_t{1} << 32;
constexpr uint64_t kOrderFlags = 3u << 1;

std::string number(uint64_t value) { return std::to_string(value); }

// The tables of nvToolsExtPayload.h, with their gaps.
bool is_predefined_timestamp(uint64_t type) {
  constexpr uint64_t kRanges[][2] = {{0, 1}, {10, 19}, {30, 32}, {40, 42}, {50, 56}, {80, 80}};
  for (const auto& range : kRanges)
    if (type >= range[0] && type <= range[1]) return true;
  return false;
}

template <typename Attributes>
bool check_struct(const Attributes* attr, ContractReport& report) {
  if (!report.expect(attr != nullptr, "the attributes are NULL") ||
      !report.readable(attr, sizeof *attr, "the attributes"))
    return false;
  return report.expect(attr->structSize >= sizeof *attr,
                       "structSize is " + number(attr->structSize) + " where the struct has " +
                           number(sizeof *attr) + " bytes");
}

template <typename Attributes>
bool check_mask(const Attributes* attr, uint64_t mandatory, ContractReport& report) {
  if (!report.expect(attr != nullptr, "the attributes are NULL") ||
      !report.readable(attr, sizeof *attr, "the attributes"))
    return false;
  return report.expect(
             (attr->fieldMask & mandatory) == mandatory,
             "fieldMask is " + number(attr->fieldMask) + " and lacks a mandatory field") &&
         report.expect(attr->entries != nullptr && attr->numEntries != 0, "there are no entries") &&
         report.readable(attr->entries, attr->numEntries * sizeof *attr->entries, "the entries");
}

int64_t load_time(const uint8_t* from) {
  int64_t time;
  std::memcpy(&time, from, sizeof time);
  return time;
}

// The flag "sorted" is a promise, and "unsorted" costs a tool a sort: each has to be true.
void check_order(uint64_t flags, bool is_sorted, const std::string& what, ContractReport& report) {
  if ((flags & kOrderFlags) == NVTX_BATCH_FLAG_TIME_SORTED)
    report.expect(is_sorted, "the batch of " + what + " is flagged sorted and is not");
  if ((flags & kOrderFlags) == NVTX_BATCH_FLAG_UNSORTED)
    report.expect(!is_sorted, "the batch of " + what + " is flagged unsorted and is sorted");
}

}  // namespace

// --- Registration.

void ContractDomain::check_static_id(uint64_t id, bool has_out, bool is_taken, const char* what,
                                     ContractReport& report) const {
  if (id == 0) {
    report.expect(has_out, std::string("no ") + what + " ID is given, nor a place for one");
    return;
  }
  report.expect(id >= kStaticIds && id < kDynamicIds,
                std::string("static ") + what + " ID " + number(id) + " is out of range");
  report.expect(!is_taken, std::string("static ") + what + " ID " + number(id) + " is taken");
}

void ContractDomain::check_fixed_scope(uint64_t id, const std::string& what,
                                       ContractReport& report) const {
  report.expect(id == NVTX_SCOPE_NONE || id == NVTX_SCOPE_ROOT || scopes_.contains(id),
                what + " " + number(id) + " is not registered");
}

void ContractDomain::check_any_scope(uint64_t id, const std::string& what,
                                     ContractReport& report) const {
  report.expect(is_predefined_scope_id(id) || scopes_.contains(id),
                what + " " + number(id) + " is not registered");
}

void ContractDomain::check_time_domain_id(uint64_t id, const std::string& what,
                                          ContractReport& report) const {
  report.expect(is_predefined_timestamp(id) || time_domains_.contains(id),
                what + " " + number(id) + " is neither predefined nor registered");
}

void ContractDomain::check_semantics(const nvtxSemanticsHeader_t* header, const std::string& what,
                                     ContractReport& report) const {
  for (; header != nullptr; header = header->next) {
    if (!report.readable(header, sizeof *header, "the semantics of " + what) ||
        !report.readable(header, header->structSize, "the semantics of " + what))
      return;
    if (header->semanticId == NVTX_SEMANTIC_ID_TIME_V1) {
      const auto* time = reinterpret_cast<const nvtxSemanticsTime_t*>(header);
      check_time_domain_id(time->timeDomainId, "the time semantics of " + what + ": time domain",
                           report);
    } else if (header->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1) {
      const auto* scope = reinterpret_cast<const nvtxSemanticsScope_t*>(header);
      check_any_scope(scope->scopeId, "the scope semantics of " + what + ": scope", report);
    } else if (header->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1) {
      const auto* counter = reinterpret_cast<const nvtxSemanticsCounter_t*>(header);
      report.text(counter->unit, "the unit of " + what);
    }
  }
}

void ContractDomain::check_resource(const nvtxResourceAttributes_t* attr,
                                    ContractReport& report) const {
  if (!report.expect(attr != nullptr, "the attributes are NULL") ||
      !report.readable(attr, sizeof *attr, "the attributes"))
    return;
  report.expect(
      attr->size >= sizeof *attr,
      "size is " + number(attr->size) + " where the struct has " + number(sizeof *attr) + " bytes");
}

void ContractDomain::check_scope(const nvtxScopeAttr_t* attr, bool has_out,
                                 ContractReport& report) const {
  if (!check_struct(attr, report)) return;
  report.text(attr->path, "the path");
  if (attr->parentScope != NVTX_SCOPE_CURRENT_HW_MACHINE &&
      attr->parentScope != NVTX_SCOPE_CURRENT_VM)
    check_fixed_scope(attr->parentScope, "the parent scope", report);
  check_static_id(attr->scopeId, has_out, scopes_.contains(attr->scopeId), "scope", report);
}

std::optional<ContractSchema> ContractDomain::check_schema(const nvtxPayloadSchemaAttr_t* attr,
                                                           bool has_out,
                                                           ContractReport& report) const {
  if (!check_mask(attr,
                  NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                      NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES,
                  report))
    return std::nullopt;
  const auto has = [attr](uint64_t bit) { return (attr->fieldMask & bit) != 0; };
  std::string name = "without name";
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME) && attr->name != nullptr &&
      report.text(attr->name, "the name"))
    name = attr->name;
  const uint64_t id = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID) ? attr->schemaId : 0;
  check_static_id(id, has_out, types_.contains(id), "schema", report);
  std::optional<ContractSchema> schema = read_schema(*attr, types_, report);
  for (size_t i = 0; i < attr->numEntries && schema; ++i)
    check_semantics(attr->entries[i].semantics, "entry '" + schema->entries[i].name + "'", report);
  if (schema) schema->name = name;
  return schema;
}

std::optional<ContractSchema> ContractDomain::check_enum(const nvtxPayloadEnumAttr_t* attr,
                                                         bool has_out,
                                                         ContractReport& report) const {
  if (!check_mask(attr,
                  NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                      NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE,
                  report))
    return std::nullopt;
  const size_t size = attr->sizeOfEnum;
  report.expect(size == 1 || size == 2 || size == 4 || size == 8, "sizeOfEnum is " + number(size));
  for (size_t i = 0; i < attr->numEntries; ++i)
    report.text(attr->entries[i].name, "the name of value " + number(i));
  const uint64_t id =
      (attr->fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID) != 0 ? attr->schemaId : 0;
  check_static_id(id, has_out, types_.contains(id), "enum", report);
  ContractSchema type;
  type.is_enum = type.is_fixed = true;
  type.row_bytes = type.alignment = size;
  return type;
}

ContractDomain::Counter ContractDomain::check_counter(const nvtxCounterAttr_t* attr, bool has_out,
                                                      ContractReport& report) const {
  Counter counter;
  if (!check_struct(attr, report)) return counter;
  report.text(attr->name, "the name");
  report.text(attr->description, "the description");
  check_fixed_scope(attr->scopeId, "the scope", report);
  check_semantics(attr->semantics, "the counter", report);
  check_static_id(attr->counterId, has_out, counters_.contains(attr->counterId), "counter", report);
  if (attr->schemaId < kStaticIds) {
    counter.row_bytes = predefined_bytes(attr->schemaId);
    report.expect(counter.row_bytes != 0 && attr->schemaId <= NVTX_PAYLOAD_ENTRY_TYPE_TF32,
                  "schema " + number(attr->schemaId) + " is no number type");
    return counter;
  }
  const auto type = types_.find(attr->schemaId);
  if (report.expect(type != types_.end() && !type->second.is_enum,
                    "schema " + number(attr->schemaId) + " is not registered")) {
    counter.row_bytes = type->second.is_fixed ? type->second.row_bytes : 0;
    counter.has_timestamp = type->second.has_timestamp;
  }
  return counter;
}

void ContractDomain::check_time_domain(const nvtxTimeDomainAttr_t* attr, bool has_out,
                                       ContractReport& report) const {
  if (!report.expect(attr != nullptr, "the attributes are NULL") ||
      !report.readable(attr, sizeof *attr, "the attributes"))
    return;
  check_any_scope(attr->scopeId, "the scope", report);
  report.expect(is_predefined_timestamp(attr->timestampTypeId),
                "timestamp type " + number(attr->timestampTypeId) + " is not predefined");
  check_static_id(attr->timeDomainId, has_out, time_domains_.contains(attr->timeDomainId),
                  "time domain", report);
}

// --- Streams and data.

void ContractDomain::check_stream(const nvtxwStreamAttributes_t& attr,
                                  ContractReport& report) const {
  check_fixed_scope(attr.scopeId, "the scope", report);
  check_time_domain_id(attr.timeDomainId, "the time domain", report);
  report.expect(attr.orderInterleaving >= NVTXW_STREAM_ORDER_INTERLEAVING_NONE &&
                    attr.orderInterleaving <= NVTXW_STREAM_ORDER_INTERLEAVING_SCOPE,
                "orderInterleaving " + std::to_string(attr.orderInterleaving) + " does not exist");
  report.expect(attr.orderingType >= NVTXW_STREAM_ORDERING_TYPE_UNKNOWN &&
                    attr.orderingType <= NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_END,
                "orderingType " + std::to_string(attr.orderingType) + " does not exist");
  report.expect(attr.orderingSkid >= NVTXW_STREAM_ORDERING_SKID_NONE &&
                    attr.orderingSkid <= NVTXW_STREAM_ORDERING_SKID_EVENT_COUNT,
                "orderingSkid " + std::to_string(attr.orderingSkid) + " does not exist");
}

void ContractDomain::check_payload(const nvtxPayloadData_t& payload, const std::string& what,
                                   const std::vector<MemoryArea>& areas,
                                   ContractReport& report) const {
  if (payload.schemaId < kStaticIds) {
    report.expect(payload.schemaId == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED ||
                      payload.schemaId == NVTX_TYPE_PAYLOAD_SCHEMA_RAW ||
                      predefined_bytes(payload.schemaId) != 0,
                  what + " has schema " + number(payload.schemaId) + ", which is not predefined");
    return;
  }
  const auto type = types_.find(payload.schemaId);
  if (!report.expect(
          type != types_.end() && !type->second.is_enum,
          what + " has schema " + number(payload.schemaId) + ", which is not registered"))
    return;
  const ContractSchema& schema = type->second;
  const auto* bytes = static_cast<const uint8_t*>(payload.payload);
  if (schema.is_fixed) {
    if (report.expect(payload.size == schema.row_bytes, what + " has " + number(payload.size) +
                                                            " bytes where schema '" + schema.name +
                                                            "' has " + number(schema.row_bytes)))
      RowChecker({&types_, &strings_, &scopes_}, areas, nullptr, report).check(schema, bytes);
  } else if (schema.entries.size() == 1 &&
             schema.entries[0].type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), payload.size);
    report.expect(nvtxw::is_valid_utf8(text), what + " is not UTF-8");
  }
}

void ContractDomain::check_event(const nvtxPayloadData_t* payloads, size_t count,
                                 ContractReport& report) const {
  if (!report.expect(payloads != nullptr && count != 0, "there is no payload") ||
      !report.readable(payloads, count * sizeof *payloads, "the payloads"))
    return;
  std::vector<MemoryArea> areas;
  for (size_t i = 0; i < count; ++i) {
    if (!report.expect(payloads[i].size != SIZE_MAX, "payload " + number(i) + " has size SIZE_MAX"))
      return;
    if (!report.readable(payloads[i].payload, payloads[i].size, "payload " + number(i))) return;
    areas.push_back({static_cast<const uint8_t*>(payloads[i].payload), payloads[i].size});
  }
  for (size_t i = 0; i < count; ++i)
    if (payloads[i].size != 0) check_payload(payloads[i], "payload " + number(i), areas, report);
}

uint64_t ContractDomain::check_event_batch(const nvtxEventBatch_t* batch,
                                           ContractReport& report) const {
  if (!report.expect(batch != nullptr, "the batch is NULL") ||
      !report.readable(batch, sizeof *batch, "the batch"))
    return 0;
  check_any_scope(batch->scope, "the scope", report);
  const auto type = types_.find(batch->eventSchemaId);
  if (!report.expect(type != types_.end() && !type->second.is_enum,
                     "schema " + number(batch->eventSchemaId) + " is not registered") ||
      !report.readable(batch->events, batch->size, "the events") ||
      !report.readable(batch->flexData, batch->flexDataOffset + batch->flexDataSize, "flexData"))
    return 0;
  const ContractSchema& schema = type->second;
  if (!schema.is_fixed) return 0;  // how many there are only a decoder can tell
  if (!report.expect(batch->size != 0 && batch->size % schema.row_bytes == 0,
                     "the events have " + number(batch->size) + " bytes, not one or more rows of " +
                         number(schema.row_bytes)))
    return 0;
  const auto* flex = static_cast<const uint8_t*>(batch->flexData);
  std::vector<MemoryArea> areas;
  if (flex != nullptr) areas.push_back({flex + batch->flexDataOffset, batch->flexDataSize});
  RowChecker rows({&types_, &strings_, &scopes_}, areas, flex, report);
  const auto* events = static_cast<const uint8_t*>(batch->events);
  const ContractEntry* time = first_time(schema);
  bool is_sorted = true;
  for (size_t at = 0; at < batch->size; at += schema.row_bytes) {
    rows.check(schema, events + at);
    if (time != nullptr && at != 0)
      is_sorted = is_sorted && load_time(events + at + time->offset) >=
                                   load_time(events + at - schema.row_bytes + time->offset);
  }
  if (time != nullptr) check_order(batch->flags, is_sorted, "schema '" + schema.name + "'", report);
  return batch->size / schema.row_bytes;
}

const ContractDomain::Counter* ContractDomain::find_counter(uint64_t id,
                                                            ContractReport& report) const {
  const auto at = counters_.find(id);
  if (!report.expect(at != counters_.end(), "counter " + number(id) + " is not registered"))
    return nullptr;
  return &at->second;
}

void ContractDomain::check_sample(uint64_t id, const void* data, size_t size,
                                  ContractReport& report) const {
  const Counter* counter = find_counter(id, report);
  if (counter == nullptr || !report.readable(data, size, "the sample")) return;
  report.expect(size != 0 && (counter->row_bytes == 0 || size == counter->row_bytes),
                "the sample has " + number(size) + " bytes where the counter's layout has " +
                    number(counter->row_bytes));
}

void ContractDomain::check_no_value(uint64_t id, uint8_t reason, ContractReport& report) const {
  find_counter(id, report);
  report.expect(reason <= NVTX_COUNTER_SAMPLE_UNAVAILABLE,
                "reason " + number(reason) + " does not exist");
}

uint64_t ContractDomain::check_counter_batch(const nvtxCounterBatch_t* batch,
                                             ContractReport& report) const {
  if (!report.expect(batch != nullptr, "the batch is NULL") ||
      !report.readable(batch, sizeof *batch, "the batch"))
    return 0;
  const Counter* counter = find_counter(batch->counterId, report);
  if (counter == nullptr || counter->row_bytes == 0 ||
      !report.readable(batch->counters, batch->countersSize, "the samples") ||
      !report.expect(batch->countersSize != 0 && batch->countersSize % counter->row_bytes == 0,
                     "the samples have " + number(batch->countersSize) +
                         " bytes, not one or more of " + number(counter->row_bytes)))
    return 0;
  const uint64_t samples = batch->countersSize / counter->row_bytes;
  constexpr uint64_t kPair = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR |
                             NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
  report.expect((batch->flags & kPair) != kPair, "both pair flags are set");
  if (batch->timestamps == nullptr) {
    report.expect(counter->has_timestamp, "the batch has no timestamps, nor has the layout");
    return samples;
  }
  const bool is_pair = (batch->flags & kPair) != 0;
  const uint64_t times = is_pair ? 2 : samples;
  if (!report.readable(batch->timestamps, batch->timestampsSize, "the timestamps") ||
      !report.expect(batch->timestampsSize == times * sizeof(int64_t),
                     "there are " + number(batch->timestampsSize) + " bytes of timestamps for " +
                         number(samples) + " samples"))
    return samples;
  bool is_sorted = true;
  for (uint64_t i = 1; i < times && !is_pair; ++i)
    is_sorted = is_sorted && batch->timestamps[i] >= batch->timestamps[i - 1];
  if (!is_pair) check_order(batch->flags, is_sorted, "counter " + number(batch->counterId), report);
  return samples;
}

}  // namespace ringscribe::testing
