// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/schema_conversion.h"

#include <cstddef>
#include <cstring>

#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::inject {

namespace {

using runtime::SchemaEntry;
constexpr uint64_t kUnknownId = ProgramIds::kUnknownId;

constexpr uint64_t kKindBits = uint64_t{15} << 3;

bool is_counter_group(const nvtxPayloadSchemaAttr_t& attr) noexcept {
  return (attr.flags & kKindBits) == NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
}

uint64_t array_form(uint64_t flags) { return NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(flags); }

uint32_t code_unit_bytes(uint64_t type) {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16   ? 2
         : type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32 ? 4
                                                         : 1;
}

CounterLimit limit_of(int64_t type, const nvtxCounterLimit_t& limit) {
  if (type == NVTX_COUNTER_LIMIT_I64) return CounterLimit(limit.i64);
  if (type == NVTX_COUNTER_LIMIT_U64) return CounterLimit(limit.u64);
  if (type == NVTX_COUNTER_LIMIT_F64) return CounterLimit(limit.f64);
  return CounterLimit();
}

bool is_deep_copied(const nvtxPayloadSchemaAttr_t& attr, const nvtxPayloadSchemaEntry_t& entry) {
  return ((attr.flags & NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY) != 0 &&
          (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) ||
         (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
}

}  // namespace

void convert_semantics(const ProgramIds& ids, const nvtxSemanticsHeader_t* header,
                       FieldSemantics& to) {
  // A list that is longer than there are kinds is a ring.
  for (int links = 0; header != nullptr && links < 64; ++links, header = header->next) {
    if (header->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1 &&
        header->structSize >= sizeof(nvtxSemanticsCounter_t)) {
      const auto& from = *reinterpret_cast<const nvtxSemanticsCounter_t*>(header);
      CounterSemantics& counter = to.counter;
      if (from.unit != nullptr) counter.unit = from.unit;
      if ((from.flags & NVTX_COUNTER_FLAG_LIMIT_MIN) != 0)
        counter.min = limit_of(from.limitType, from.min);
      if ((from.flags & NVTX_COUNTER_FLAG_LIMIT_MAX) != 0)
        counter.max = limit_of(from.limitType, from.max);
      counter.value_type = static_cast<CounterValueType>(from.flags & NVTX_COUNTER_FLAG_VALUETYPES);
      counter.interpolation =
          static_cast<CounterInterpolation>(from.flags & NVTX_COUNTER_FLAG_INTERPOLATIONS);
      counter.unit_scale_numerator = from.unitScaleNumerator;
      counter.unit_scale_denominator = from.unitScaleDenominator;
      counter.normalize = (from.flags & NVTX_COUNTER_FLAG_NORMALIZE) != 0;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_TIME_V1 &&
               header->structSize >= sizeof(nvtxSemanticsTime_t)) {
      const uint64_t id =
          ids.time_domain_id(reinterpret_cast<const nvtxSemanticsTime_t*>(header)->timeDomainId);
      to.time_domain_id = id == kUnknownId ? 0 : id;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1 &&
               header->structSize >= sizeof(nvtxSemanticsScope_t)) {
      const uint64_t id =
          ids.scope_id(reinterpret_cast<const nvtxSemanticsScope_t*>(header)->scopeId);
      to.scope_id = id == kUnknownId ? 0 : id;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_CORRELATION_V1 &&
               header->structSize >= sizeof(nvtxSemanticsCorrelation_t)) {
      const auto& from = *reinterpret_cast<const nvtxSemanticsCorrelation_t*>(header);
      static_assert(sizeof from.correlationDomainUuid == sizeof to.correlation.uuid);
      std::memcpy(to.correlation.uuid, from.correlationDomainUuid, sizeof to.correlation.uuid);
      if (from.displayName != nullptr) to.correlation.display_name = from.displayName;
      to.correlation.role = from.role;
    }
  }
}

nvtxPayloadSchemaAttr_t without_what_the_mask_leaves_out(const nvtxPayloadSchemaAttr_t& attr) {
  nvtxPayloadSchemaAttr_t result{};
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  result.fieldMask = attr.fieldMask;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) result.name = attr.name;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) result.type = attr.type;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) result.flags = attr.flags;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES)) result.entries = attr.entries;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES)) result.numEntries = attr.numEntries;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE))
    result.payloadStaticSize = attr.payloadStaticSize;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) result.packAlign = attr.packAlign;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID)) result.schemaId = attr.schemaId;
  if (result.entries == nullptr) result.numEntries = 0;
  return result;
}

EventKind event_kind_of(const nvtxPayloadSchemaAttr_t& attr) noexcept {
  const auto kind = static_cast<EventKind>((attr.flags & kKindBits) >> 3);
  return is_counter_group(attr) || kind > EventKind::kRangeEnd ? EventKind::kNone : kind;
}

uint64_t flags_beside_kind(const nvtxPayloadSchemaAttr_t& attr) noexcept {
  const uint64_t group = is_counter_group(attr) ? NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP : 0;
  return group | (attr.flags & NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED);
}

Status convert_entries(const ProgramIds& ids, const nvtxPayloadSchemaAttr_t& attr,
                       runtime::Vector<runtime::SchemaEntry>& entries, SchemaUse& use) {
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& from = attr.entries[i];
    SchemaEntry entry{};
    entry.name = from.name;
    entry.description = from.description;
    entry.flags = from.flags;
    entry.type = ids.type_id(from.type);
    entry.detail = from.arrayOrUnionDetail;
    // NVTX: 0 means "computed" for all but the first.
    entry.offset = i != 0 && from.offset == 0 ? runtime::kComputedOffset : from.offset;
    convert_semantics(ids, from.semantics, entry.semantics);
    if (entry.type == kUnknownId)
      return refused("field", from.name == nullptr ? std::to_string(i) : from.name,
                     "type " + std::to_string(from.type) +
                         " is no schema or enum of this domain; register it before");
    const bool is_text = nvtxw::is_string_type(entry.type);
    const uint64_t form = array_form(entry.flags);
    // Text that has neither a length nor an array form is an address; in a dynamic schema it stands
    // there itself.
    if (is_text && form == 0 && entry.detail == 0) {
      entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
      if (attr.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC)
        entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    }
    // The copy is a payload beside this one, which is what a pointer without this flag means.
    if (is_deep_copied(attr, from)) entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    entry.flags &= ~uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY};
    if (form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX) use.counts_payloads = true;
    if ((entry.flags & (NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                        NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE)) != 0)
      use.has_offsets = true;
    entries.push_back(entry);
  }
  return Status();
}

void find_places(const ProgramIds& ids, const nvtxPayloadSchemaAttr_t& attr,
                 const runtime::SchemaDefinition& schema, SchemaUse& use) {
  // Nothing was added or moved: the definition's entries are those of `attr`.
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const runtime::SchemaDefinition::Entry& entry = schema.entries[i];
    if (entry.place == runtime::kComputedOffset) continue;  // varies: there is no address
    const auto place = static_cast<uint32_t>(entry.place);
    const uint64_t form = array_form(entry.flags);
    const SchemaUse* const nested = ids.find_schema(attr.entries[i].type);
    if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) == 0) {
      if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID && form == 0) use.scopes.push_back(place);
      if (nested == nullptr) continue;
      const SchemaUse& inner = *nested;
      use.counts_payloads |= inner.counts_payloads;
      use.has_offsets |= inner.has_offsets;
      const bool is_array = form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
      for (uint64_t n = 0; n < (is_array ? entry.detail : 1); ++n) {
        const auto base = place + static_cast<uint32_t>(n) * inner.row_bytes;
        for (DeepCopy copy : inner.copies) {
          copy.offset += base;
          copy.count_offset += base;
          use.copies.push_back(copy);
        }
        for (const uint32_t scope : inner.scopes) use.scopes.push_back(base + scope);
      }
      continue;
    }
    if (!is_deep_copied(attr, attr.entries[i])) continue;
    DeepCopy copy;
    copy.offset = place;
    copy.element_bytes = nested != nullptr ? nested->row_bytes
                         : nvtxw::is_string_type(entry.type)
                             ? code_unit_bytes(entry.type)
                             : static_cast<uint32_t>(nvtxw::predefined_type_size(entry.type).size);
    if (copy.element_bytes == 0) continue;
    copy.is_terminated = form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
    copy.count = form == 0 && !nvtxw::is_string_type(entry.type) ? 1 : entry.detail;
    if (form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX) {
      if (entry.detail >= schema.entries.size()) continue;
      const runtime::SchemaDefinition::Entry& length = schema.entries[entry.detail];
      copy.count_bytes = static_cast<uint32_t>(nvtxw::predefined_type_size(length.type).size);
      if (length.place == runtime::kComputedOffset || copy.count_bytes == 0 ||
          copy.count_bytes > 8 || array_form(length.flags) != 0)
        continue;
      copy.count_offset = static_cast<uint32_t>(length.place);
    }
    use.copies.push_back(copy);
  }
}

}  // namespace ringscribe::inject
