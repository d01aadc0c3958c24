// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/schema.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

constexpr size_t kSizeMax = size_t{1} << 40;  // sizes above it are nonsense and would overflow

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : valid_utf8_copy(text);
}

// Bits 10 and 11: message or timestamp. Bits 12 to 14: the role of a time or counter.
Role purpose_of(uint64_t flags) {
  switch ((flags >> 12) & 7) {
    case NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN >> 12:
      return Role::kRangeBegin;
    case NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END >> 12:
      return Role::kRangeEnd;
    case NVTX_PAYLOAD_ENTRY_FLAG_MARK >> 12:
      return Role::kMark;
    case NVTX_PAYLOAD_ENTRY_FLAG_COUNTER >> 12:
      return Role::kCounter;
    default:
      break;
  }
  return ((flags >> 10) & 3) == 2 ? Role::kTime : Role::kNone;
}

Role role_of(uint64_t flags, TypeKind kind) {
  switch (kind) {
    case TypeKind::kRangeId:
      return Role::kRangeId;
    case TypeKind::kCategory:
      return Role::kCategory;
    case TypeKind::kColor:
      return Role::kColor;
    case TypeKind::kScopeId:
      return Role::kScope;
    case TypeKind::kProcessId:
      return Role::kProcess;
    case TypeKind::kThreadId:
      return Role::kThread;
    default:
      break;
  }
  if (((flags >> 10) & 3) == 1) return Role::kMessage;
  return purpose_of(flags);
}

void settle_element(Step& step, uint64_t type, const SchemaLookup& lookup) {
  if (type < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    step.type = type_info(type);
    step.element_size = step.type.size;
    step.align = step.type.align;
    step.is_unknown = step.type.kind == TypeKind::kNone;
    return;
  }
  step.nested = lookup.schema(type);
  if (step.nested != nullptr) {
    step.element_size = step.nested->size;
    step.align = step.nested->align;
    step.is_unknown = step.nested->depth >= Schema::kDepthMax;
    return;
  }
  step.enumeration = lookup.enumeration(type);
  step.is_unknown = step.enumeration == nullptr || step.enumeration->size == 0;
  if (step.is_unknown) return;
  step.element_size = step.enumeration->size;
  step.align = step.enumeration->size;
}

Step compile_step(const nvtxPayloadSchemaEntry_t& entry, const SchemaLookup& lookup) {
  Step step;
  step.name = text_or_empty(entry.name);
  step.description = text_or_empty(entry.description);
  step.is_hidden = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_HIDE) != 0;
  step.is_deep_copy = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
  step.detail = entry.arrayOrUnionDetail;
  const nvtxw::EntryForm form = nvtxw::entry_form(entry.flags, entry.type, step.detail);
  step.form = form.array;
  step.place = form.place;
  step.semantics = read_semantics(entry.semantics);
  settle_element(step, entry.type, lookup);
  if (step.form == ArrayForm::kUnknown) step.is_unknown = true;
  step.role = role_of(entry.flags, step.type.kind);
  const bool is_scope =
      step.role == Role::kScope || step.role == Role::kProcess || step.role == Role::kThread;
  step.purpose = is_scope ? purpose_of(entry.flags) : step.role;
  return step;
}

uint64_t schema_type(SchemaKind kind) {
  switch (kind) {
    case SchemaKind::kDynamic:
      return NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
    case SchemaKind::kUnion:
      return NVTX_PAYLOAD_SCHEMA_TYPE_UNION;
    case SchemaKind::kUnionInternal:
      return NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR;
    case SchemaKind::kStatic:
      break;
  }
  return NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
}

// The room of one element. That of nested payloads that differ in size is not known, and of what
// is unknown itself neither.
nvtxw::EntryRoom element_room(const Step& step) {
  return {step.element_size, static_cast<uint32_t>(step.align), step.element_size != 0};
}

// Gives each step its offset as far as it is the same in every payload, and the schema its size.
void lay_out(Schema& schema, const nvtxPayloadSchemaAttr_t& attr, size_t pack) {
  std::vector<nvtxw::EntryRoom> rooms;
  rooms.reserve(schema.steps.size());
  for (const Step& step : schema.steps) {
    rooms.push_back(nvtxw::entry_room({step.place, step.form}, step.detail, element_room(step)));
  }
  const nvtxw::PlacedEntries placed = nvtxw::place_entries(
      schema_type(schema.kind), pack, {attr.entries, schema.steps.size()}, rooms);
  for (size_t i = 0; i < schema.steps.size(); ++i) {
    Step& step = schema.steps[i];
    step.align = rooms[i].alignment;
    if (pack != 0) step.align = std::min(step.align, pack);
    step.has_offset = placed.entries[i].offset_known;
    step.offset = std::min<uint64_t>(placed.entries[i].offset, kSizeMax);
    const bool selects =
        schema.kind == SchemaKind::kUnionInternal && step.type.kind == TypeKind::kUnionSelector;
    if (selects && schema.selector == Schema::kNoSelector) schema.selector = i;
  }
  schema.align = placed.alignment;
  schema.size = placed.all_known ? std::min<size_t>(placed.size, kSizeMax) : 0;
}

SchemaKind kind_of(uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC:
      return SchemaKind::kDynamic;
    case NVTX_PAYLOAD_SCHEMA_TYPE_UNION:
      return SchemaKind::kUnion;
    case NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR:
      return SchemaKind::kUnionInternal;
    default:
      return SchemaKind::kStatic;
  }
}

// A length stands in an earlier entry; a union is not an array's element, and its selector any
// other entry, but a later one only if its place is known.
void check_reference(Schema& schema, size_t index) {
  Step& step = schema.steps[index];
  const bool is_external = step.nested != nullptr && step.nested->kind == SchemaKind::kUnion;
  const bool has_length = step.form == ArrayForm::kLengthIndex;
  if (!is_external && !has_length) return;
  schema.needs_locations = true;
  if (has_length && step.detail >= index) step.is_unknown = true;
  if (!is_external) return;
  if (step.form != ArrayForm::kScalar || step.detail >= schema.steps.size() ||
      step.detail == index) {
    step.is_unknown = true;
    return;
  }
  const Step& selector = schema.steps[static_cast<size_t>(step.detail)];
  const bool is_anywhere = !selector.has_offset || selector.place != Place::kInline ||
                           selector.form != ArrayForm::kScalar;
  if (step.detail > index && is_anywhere) step.is_unknown = true;
}

// Beside a begin, end or mark, a further timestamp is something to show, not the event's time.
void settle_extra_times(Schema& schema) {
  const auto is_time = [](const Step& step) {
    return step.role == Role::kRangeBegin || step.role == Role::kRangeEnd ||
           step.role == Role::kMark;
  };
  if (std::none_of(schema.steps.begin(), schema.steps.end(), is_time)) return;
  for (Step& step : schema.steps) {
    if (step.role == Role::kTime) step.role = Role::kNone;
  }
}

double limit(const nvtxCounterLimit_t& value, int64_t type) {
  switch (type) {
    case NVTX_COUNTER_LIMIT_I64:
      return static_cast<double>(value.i64);
    case NVTX_COUNTER_LIMIT_U64:
      return static_cast<double>(value.u64);
    default:
      return value.f64;
  }
}

// Value type and interpolation are numbers in bit fields.
CounterSemantics counter_semantics(const nvtxSemanticsCounter_t& given) {
  CounterSemantics result;
  result.unit = text_or_empty(given.unit);
  result.normalize = (given.flags & NVTX_COUNTER_FLAG_NORMALIZE) != 0;
  if (given.unitScaleNumerator != 0 && given.unitScaleDenominator != 0) {
    result.scale_numerator = given.unitScaleNumerator;
    result.scale_denominator = given.unitScaleDenominator;
  }
  result.value_type =
      static_cast<CounterValueType>((given.flags & NVTX_COUNTER_FLAG_VALUETYPES) >> 4);
  const uint64_t interpolation = (given.flags & NVTX_COUNTER_FLAG_INTERPOLATIONS) >> 8;
  if (interpolation <= static_cast<uint64_t>(CounterInterpolation::kLinear)) {
    result.interpolation = static_cast<CounterInterpolation>(interpolation);
  }
  const bool has_type =
      given.limitType >= NVTX_COUNTER_LIMIT_I64 && given.limitType <= NVTX_COUNTER_LIMIT_F64;
  result.has_minimum = has_type && (given.flags & NVTX_COUNTER_FLAG_LIMIT_MIN) != 0;
  result.has_maximum = has_type && (given.flags & NVTX_COUNTER_FLAG_LIMIT_MAX) != 0;
  if (result.has_minimum) result.minimum = limit(given.min, given.limitType);
  if (result.has_maximum) result.maximum = limit(given.max, given.limitType);
  return result;
}

}  // namespace

Semantics read_semantics(const nvtxSemanticsHeader_t* first) {
  Semantics result;
  constexpr int kChainMax = 16;  // a list that is a ring ends here
  const nvtxSemanticsHeader_t* at = first;
  for (int i = 0; at != nullptr && i < kChainMax; ++i, at = at->next) {
    if (at->semanticId == NVTX_SEMANTIC_ID_TIME_V1 &&
        at->structSize >= sizeof(nvtxSemanticsTime_t)) {
      result.time_domain = reinterpret_cast<const nvtxSemanticsTime_t*>(at)->timeDomainId;
    } else if (at->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1 &&
               at->structSize >= sizeof(nvtxSemanticsScope_t)) {
      result.scope = reinterpret_cast<const nvtxSemanticsScope_t*>(at)->scopeId;
    } else if (at->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1 &&
               at->structSize >= sizeof(nvtxSemanticsCounter_t)) {
      result.has_counter = true;
      result.counter = counter_semantics(*reinterpret_cast<const nvtxSemanticsCounter_t*>(at));
    } else if (at->semanticId == NVTX_SEMANTIC_ID_CORRELATION_V1 &&
               at->structSize >= sizeof(nvtxSemanticsCorrelation_t)) {
      const auto& given = *reinterpret_cast<const nvtxSemanticsCorrelation_t*>(at);
      uint64_t halves[2] = {};
      static_assert(sizeof(halves) == sizeof(given.correlationDomainUuid));
      std::memcpy(halves, given.correlationDomainUuid, sizeof(halves));
      result.correlation = flow_number(halves[0], halves[1]);
    }
  }
  return result;
}

// Two rounds of a multiplication whose product's upper half comes back in: neighbours and equal
// values of two domains come out far apart.
uint64_t flow_number(uint64_t correlation, uint64_t value) {
  uint64_t mixed = correlation ^ 0x9E3779B97F4A7C15U;
  for (const uint64_t word : {value, correlation}) {
    mixed = (mixed ^ word) * 0xD6E8FEB86659FD93U;
    mixed ^= mixed >> 32U;
  }
  return mixed == 0 ? 1 : mixed;
}

std::string Schema::label() const { return name.empty() ? std::to_string(id) : "'" + name + "'"; }

std::unique_ptr<Schema> compile_schema(const nvtxPayloadSchemaAttr_t& attr,
                                       const SchemaLookup& lookup) {
  const auto has = [&attr](uint64_t field) { return (attr.fieldMask & field) != 0; };
  auto schema = std::make_unique<Schema>();
  schema->id = attr.schemaId;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) schema->name = text_or_empty(attr.name);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) schema->kind = kind_of(attr.type);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) {
    const uint64_t family = (attr.flags >> 3) & 15;
    if (family <= static_cast<uint64_t>(Family::kEnd)) schema->family = static_cast<Family>(family);
  }
  const bool has_entries = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) &&
                           has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES) &&
                           attr.entries != nullptr;
  const size_t count = has_entries ? attr.numEntries : 0;
  const size_t pack = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT) ? attr.packAlign : 0;
  schema->steps.reserve(std::min<size_t>(count, 4096));
  for (size_t i = 0; i < count; ++i) {
    schema->steps.push_back(compile_step(attr.entries[i], lookup));
    const Step& step = schema->steps.back();
    if (step.nested != nullptr) schema->depth = std::max(schema->depth, step.nested->depth + 1);
  }
  lay_out(*schema, attr, pack);
  for (size_t i = 0; i < count; ++i) check_reference(*schema, i);
  settle_extra_times(*schema);
  const bool is_dynamic = schema->kind == SchemaKind::kDynamic;
  if (!is_dynamic && has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE) &&
      attr.payloadStaticSize != 0) {
    schema->size = std::min(attr.payloadStaticSize, kSizeMax);
  }
  return schema;
}

std::unique_ptr<Enumeration> compile_enumeration(const nvtxPayloadEnumAttr_t& attr) {
  const auto has = [&attr](uint64_t field) { return (attr.fieldMask & field) != 0; };
  auto result = std::make_unique<Enumeration>();
  if (!has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE)) return result;
  const size_t size = attr.sizeOfEnum;
  if (size != 1 && size != 2 && size != 4 && size != 8) return result;
  result->size = static_cast<uint8_t>(size);
  const bool has_entries = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES) &&
                           has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES) && attr.entries != nullptr;
  const uint64_t mask = size == 8 ? UINT64_MAX : (uint64_t{1} << (size * 8)) - 1;
  std::map<uint64_t, const nvtxPayloadEnum_t*> by_value;  // the first of equal ones stays
  for (size_t i = 0; i < (has_entries ? attr.numEntries : 0); ++i) {
    by_value.emplace(attr.entries[i].value & mask, &attr.entries[i]);
  }
  for (const auto& [value, entry] : by_value) {
    result->has_flags |= entry->isFlag != 0;
    result->entries.push_back({value, text_or_empty(entry->name), entry->isFlag != 0});
  }
  return result;
}

}  // namespace ringscribe::model
