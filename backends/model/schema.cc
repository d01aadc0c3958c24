// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/schema.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

constexpr size_t kReferenceBytes = 8;         // of a pointer or an offset in a payload
constexpr size_t kSizeMax = size_t{1} << 40;  // sizes above it are nonsense and would overflow

std::string text_or_empty(const char* text) {
  return text == nullptr ? std::string() : valid_utf8_copy(text);
}

size_t align_up(size_t value, size_t align) {
  return align <= 1 ? value : (value + align - 1) / align * align;
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
    default:
      break;
  }
  if (((flags >> 10) & 3) == 1) return Role::kMessage;
  return purpose_of(flags);
}

ArrayForm form_of(uint64_t flags) {
  switch ((flags >> 4) & 7) {
    case 0:
      return ArrayForm::kScalar;
    case 1:
      return ArrayForm::kFixed;
    case 2:
      return ArrayForm::kZeroTerminated;
    case 3:
      return ArrayForm::kLengthIndex;
    case 4:
      return ArrayForm::kLengthPayload;
    default:
      return ArrayForm::kScalar;
  }
}

Place place_of(uint64_t flags) {
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) return Place::kPointer;
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE) != 0) return Place::kFromBase;
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE) != 0) return Place::kFromHere;
  return Place::kInline;
}

// A string without array flags and without a length is a pointer to a zero-terminated one; in a
// dynamic schema, where it may stand inline, only if a flag says so.
void settle_text(Step& step, SchemaKind kind) {
  if (step.is_deep_copy && step.place == Place::kInline) step.place = Place::kPointer;
  const bool fixed = step.form == ArrayForm::kScalar || step.form == ArrayForm::kFixed;
  if (!fixed) return;
  if (step.detail > 0) {
    step.form = ArrayForm::kFixed;
    return;
  }
  step.form = ArrayForm::kZeroTerminated;
  if (kind != SchemaKind::kDynamic && step.place == Place::kInline) step.place = Place::kPointer;
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

Step compile_step(const nvtxPayloadSchemaEntry_t& entry, SchemaKind kind,
                  const SchemaLookup& lookup) {
  Step step;
  step.name = text_or_empty(entry.name);
  step.description = text_or_empty(entry.description);
  step.is_hidden = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_HIDE) != 0;
  step.is_deep_copy = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
  step.detail = entry.arrayOrUnionDetail;
  step.form = form_of(entry.flags);
  step.place = place_of(entry.flags);
  step.semantics = read_semantics(entry.semantics);
  settle_element(step, entry.type, lookup);
  if (step.type.kind == TypeKind::kText) settle_text(step, kind);
  step.role = role_of(entry.flags, step.type.kind);
  if (step.role == Role::kScope) step.purpose = purpose_of(entry.flags);
  if (step.place != Place::kInline) step.align = kReferenceBytes;
  return step;
}

// The bytes a step takes inside its schema; 0 if that differs from payload to payload.
size_t inline_size(const Step& step) {
  if (step.place != Place::kInline) return kReferenceBytes;
  if (step.form == ArrayForm::kScalar) return step.element_size;
  if (step.form != ArrayForm::kFixed || step.element_size == 0) return 0;
  return step.detail > kSizeMax / step.element_size
             ? kSizeMax
             : static_cast<size_t>(step.detail) * step.element_size;
}

// Gives each step its offset as far as it is the same in every payload, and the schema its size.
void lay_out(Schema& schema, const nvtxPayloadSchemaAttr_t& attr) {
  size_t cursor = 0;
  size_t end = 0;
  bool is_known = true;
  for (size_t i = 0; i < schema.steps.size(); ++i) {
    Step& step = schema.steps[i];
    schema.align = std::max(schema.align, step.align);
    const uint64_t written = attr.entries[i].offset;
    if (written != 0 || i == 0) {
      step.offset = std::min<uint64_t>(written, kSizeMax);
      step.has_offset = true;
    } else if (is_known || schema.is_union()) {
      step.offset = align_up(schema.is_union() ? 0 : cursor, step.align);
      step.has_offset = true;
    }
    const size_t size = inline_size(step);
    is_known = size != 0 && step.has_offset;
    if (is_known) cursor = std::min(kSizeMax, static_cast<size_t>(step.offset) + size);
    end = std::max(end, cursor);
    if (size == 0) schema.size = SIZE_MAX;  // varies
  }
  if (schema.size == SIZE_MAX || schema.kind == SchemaKind::kDynamic) {
    // Nested in another schema, a dynamic one has to be walked; a fixed size is still a size.
    schema.size = schema.size == SIZE_MAX ? 0 : end;
    return;
  }
  schema.size = align_up(end, schema.align);
}

// Members of a union with an internal selector stand behind the selector, all at one place.
void place_members(Schema& schema, const nvtxPayloadSchemaAttr_t& attr) {
  size_t align = 1;
  for (size_t i = 0; i < schema.steps.size(); ++i) {
    if (schema.steps[i].type.kind == TypeKind::kUnionSelector &&
        schema.selector == Schema::kNoSelector) {
      schema.selector = i;
    } else {
      align = std::max(align, schema.steps[i].align);
    }
  }
  if (schema.selector == Schema::kNoSelector) return;
  const Step& selector = schema.steps[schema.selector];
  const size_t begin =
      align_up(static_cast<size_t>(selector.offset) + selector.element_size, align);
  size_t end = begin;
  for (size_t i = 0; i < schema.steps.size(); ++i) {
    Step& step = schema.steps[i];
    if (i != schema.selector && i > 0 && attr.entries[i].offset == 0) step.offset = begin;
    end = std::max(end, static_cast<size_t>(step.offset) + inline_size(step));
  }
  if (schema.size != 0) schema.size = align_up(std::min(end, kSizeMax), schema.align);
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

// An entry may refer to earlier ones only; a union is not an array's element.
void check_reference(Schema& schema, size_t index) {
  Step& step = schema.steps[index];
  const bool is_external = step.nested != nullptr && step.nested->kind == SchemaKind::kUnion;
  const bool refers = step.form == ArrayForm::kLengthIndex || is_external;
  if (refers) {
    schema.needs_locations = true;
    if (step.detail >= index) step.is_unknown = true;
  }
  if (is_external && step.form != ArrayForm::kScalar) step.is_unknown = true;
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
      const auto& counter = *reinterpret_cast<const nvtxSemanticsCounter_t*>(at);
      result.has_counter = true;
      result.counter.unit = text_or_empty(counter.unit);
      result.counter.normalize = (counter.flags & NVTX_COUNTER_FLAG_NORMALIZE) != 0;
      if (counter.unitScaleNumerator != 0 && counter.unitScaleDenominator != 0) {
        result.counter.scale_numerator = counter.unitScaleNumerator;
        result.counter.scale_denominator = counter.unitScaleDenominator;
      }
    }
  }
  return result;
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
    schema->steps.push_back(compile_step(attr.entries[i], schema->kind, lookup));
    Step& step = schema->steps.back();
    if (pack != 0) step.align = std::min(step.align, pack);
    if (step.nested != nullptr) schema->depth = std::max(schema->depth, step.nested->depth + 1);
    check_reference(*schema, i);
  }
  lay_out(*schema, attr);
  if (schema->kind == SchemaKind::kUnionInternal) place_members(*schema, attr);
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
