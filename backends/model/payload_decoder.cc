// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/payload_decoder.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

constexpr size_t kTextBytesPerValue = 64;  // what text costs of the budget of values

size_t align_up(size_t value, size_t align) {
  return align <= 1 ? value : (value + align - 1) / align * align;
}

// Text is one value however many code units it has; so are characters and bytes in a row.
bool is_text_like(const Step& step) {
  if (step.type.kind == TypeKind::kText) return true;
  return step.form != ArrayForm::kScalar &&
         (step.type.kind == TypeKind::kChar || step.type.kind == TypeKind::kByte);
}

bool is_begin_purpose(Role purpose) {
  return purpose == Role::kRangeBegin || purpose == Role::kMark || purpose == Role::kTime;
}

// One value in the payload itself, whose place is the same in every payload: it can be read without
// what comes before it.
bool is_plain(const Step& step) {
  return !step.is_unknown && step.has_offset && step.place == Place::kInline &&
         step.form == ArrayForm::kScalar;
}

bool is_external_union(const Step& step) {
  return step.nested != nullptr && step.nested->kind == SchemaKind::kUnion;
}

// Some types are attributes of the event wherever they stand.
Role predefined_role(TypeKind kind) {
  switch (kind) {
    case TypeKind::kCategory:
      return Role::kCategory;
    case TypeKind::kColor:
      return Role::kColor;
    case TypeKind::kRangeId:
      return Role::kRangeId;
    case TypeKind::kScopeId:
      return Role::kScope;
    case TypeKind::kProcessId:
      return Role::kProcess;
    case TypeKind::kThreadId:
      return Role::kThread;
    default:
      return Role::kNone;
  }
}

}  // namespace

const DecodedEvent& PayloadDecoder::decode(uint32_t domain,
                                           std::span<const nvtxPayloadData_t> payloads) {
  begin_event();
  domain_ = domain;
  locator_.begin({payloads, {}, domain});
  for (const nvtxPayloadData_t& payload : payloads) decode_payload(payload);
  return event_;
}

const DecodedEvent& PayloadDecoder::decode_row(const Schema& schema, Bytes row,
                                               const BatchData& batch, size_t& size) {
  begin_event();
  if (schema.size != 0) row = row.first(std::min(row.size(), schema.size));
  // Only something to point into: a row has no other payloads beside it.
  row_payload_ = {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, row.size(), row.data()};
  locator_.begin({{&row_payload_, 1}, batch, domain_});
  locator_.set_top(row);
  event_.family = schema.family;
  const std::span<Field> fields = decode_schema(schema, row, true, nullptr, size);
  event_.fields.assign(fields.begin(), fields.end());
  return event_;
}

void PayloadDecoder::begin_event() {
  arena_.reset();
  event_.clear();
  values_left_ = kValuesMax;
}

void PayloadDecoder::decode_payload(const nvtxPayloadData_t& payload) {
  if (payload.size == 0 || payload.payload == nullptr) return;
  if (payload.schemaId == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED) return;
  const auto* data = static_cast<const std::byte*>(payload.payload);
  if (payload.schemaId < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    decode_predefined(payload.schemaId, payload);
    return;
  }
  const Schema* schema = definitions_.schema(domain_, payload.schemaId);
  if (schema == nullptr) {
    problems_.add("A payload has schema " + std::to_string(payload.schemaId) +
                  ", which is not registered in its domain; register the schema before the event.");
    return;
  }
  size_t size = payload.size;
  if (size == SIZE_MAX && schema->size != 0) size = schema->size;
  if (size == SIZE_MAX) {
    problems_.add("A payload of schema " + schema->label() +
                  " leaves its size to us, which only zero-terminated strings can; give its size.");
    return;
  }
  const Bytes bytes{data, size};
  locator_.set_top(bytes);
  if (schema->family != Family::kNone) event_.family = schema->family;
  size_t used = 0;
  const std::span<Field> fields = decode_schema(*schema, bytes, true, nullptr, used);
  event_.fields.insert(event_.fields.end(), fields.begin(), fields.end());
}

// A payload whose schema is a predefined type: text, one value or several.
void PayloadDecoder::decode_predefined(uint64_t type, const nvtxPayloadData_t& payload) {
  const auto* data = static_cast<const std::byte*>(payload.payload);
  Step step;
  step.type = type_info(type);
  const bool is_raw = type == NVTX_TYPE_PAYLOAD_SCHEMA_RAW;
  if (is_raw) step.type = type_info(NVTX_PAYLOAD_ENTRY_TYPE_BYTE);
  step.element_size = step.type.size;
  size_t size = payload.size;
  if (size == SIZE_MAX && step.type.kind == TypeKind::kText) {
    bool is_terminated = false;
    size = step.type.size *
           count_until_zero(data, EntryLocator::kTerminatorBytesMax, step.type.size, is_terminated);
  }
  if (step.element_size == 0 || size == SIZE_MAX || size < step.element_size) {
    const bool is_empty_text = payload.size == SIZE_MAX && size == 0;
    if (!is_empty_text) {
      problems_.add("A payload of predefined type " + std::to_string(type) +
                    " is too small, without size, or of no type; it is left out.");
    }
    return;
  }
  const size_t count = size / step.element_size;
  step.form = count == 1 && !is_raw ? ArrayForm::kScalar : ArrayForm::kFixed;
  Located at;
  at.data = data;
  at.count = count;
  at.available = size;
  static const Schema kPredefined;
  Run run{{kPredefined, {data, size}, {}}, {}};
  Value value;
  if (!make_value(run, step, at, false, value)) return;
  step.role = predefined_role(step.type.kind);
  if (step.form == ArrayForm::kScalar && take_role(step, value)) return;
  event_.fields.push_back({is_raw ? "raw" : "value", value});
}

std::span<Field> PayloadDecoder::decode_schema(const Schema& schema, Bytes bytes, bool apply_roles,
                                               const size_t* selected, size_t& size) {
  size = schema.size;
  if (!spend(schema.steps.size())) return {};
  const size_t located = schema.needs_locations ? schema.steps.size() : 0;
  Run run{{schema, bytes, arena_.array<Location>(located)},
          arena_.array<Field>(schema.steps.size())};
  if (!schema.is_union()) {
    for (size_t i = 0; i < schema.steps.size(); ++i) run_step(run, i, apply_roles);
  } else {
    size_t member = selected != nullptr ? *selected : SIZE_MAX;
    if (selected == nullptr && schema.selector < schema.steps.size() &&
        is_plain(schema.steps[schema.selector])) {
      const Step& step = schema.steps[schema.selector];
      Located at;
      Value value;
      if (!locate(run, step, static_cast<size_t>(step.offset), at)) return {};
      if (EntryLocator::whole_number(step, at.data, value)) member = value.uint_value;
    }
    if (member >= schema.steps.size() || member == schema.selector) {
      problems_.add("The selector of union " + schema.label() +
                    " names no member of it; the union is left out.");
      return {};
    }
    run_step(run, member, apply_roles);
  }
  if (size == 0 && !run.is_broken) size = run.cursor;
  return run.fields.first(run.field_count);
}

void PayloadDecoder::run_step(Run& run, size_t index, bool apply_roles) {
  const Step& step = run.view.schema.steps[index];
  if (!step.has_offset && run.is_broken) return;  // its place is unknown, and that was told
  if (step.is_unknown) {
    problem(run.view.schema, step, "refers to what is not registered, or comes after it");
    run.is_broken = true;
    return;
  }
  const size_t offset =
      step.has_offset ? static_cast<size_t>(step.offset) : align_up(run.cursor, step.align);
  Located at;
  const bool is_found = locate(run, step, offset, at);
  run.is_broken = at.inline_end == Located::kUnknownEnd && !is_found;
  if (at.inline_end != Located::kUnknownEnd) run.cursor = std::max(run.cursor, at.inline_end);
  if (!is_found || at.is_absent) return;
  if (!run.view.locations.empty()) run.view.locations[index] = {at.data, at.count};
  settle_step(run, index, at, apply_roles);
}

void PayloadDecoder::settle_step(Run& run, size_t index, const Located& at, bool apply_roles) {
  const Step& step = run.view.schema.steps[index];
  const bool is_single = step.form == ArrayForm::kScalar || is_text_like(step);
  if (apply_roles && step.semantics.scope != 0) {
    take_scope(step.purpose, step.semantics.scope, ScopeSource::kRoleSemantics,
               ScopeSource::kGeneralSemantics);
  }
  Value value;
  if (!make_value(run, step, at, apply_roles && is_single, value)) return;
  if (apply_roles && is_single && take_role(step, value)) return;
  if (step.semantics.correlation != 0) take_flow(step, value);
  if (step.is_hidden || step.type.kind == TypeKind::kUnionSelector) return;
  run.fields[run.field_count++] = {step.name, value};
}

bool PayloadDecoder::locate(const Run& run, const Step& step, size_t offset, Located& at) {
  const char* failure = locator_.locate(run.view, step, offset, at);
  if (failure != nullptr) problem(run.view.schema, step, failure);
  if (failure == nullptr && at.is_cut) {
    problems_.add("Entry '" + step.name + "' of schema " + run.view.schema.label() +
                  " has no terminator within " + std::to_string(EntryLocator::kTerminatorBytesMax) +
                  " bytes; it is cut there.");
  }
  return failure == nullptr;
}

bool PayloadDecoder::make_value(Run& run, const Step& step, const Located& at, bool apply_roles,
                                Value& value) {
  const size_t text_cost = at.count * step.element_size / kTextBytesPerValue;
  if (is_text_like(step)) {
    if (!spend(1 + text_cost)) return false;
    value.kind = ValueKind::kText;
    const bool is_blob = step.type.kind == TypeKind::kByte && step.role != Role::kMessage;
    value.text =
        is_blob ? hex_text(at.data, at.count, arena_) : reader_.text(step.type, at.data, at.count);
    return true;
  }
  if (step.form != ArrayForm::kScalar) return make_array(step, at, value);
  if (step.enumeration != nullptr) {
    value = reader_.enumeration(*step.enumeration, at.data);
    return true;
  }
  if (step.nested == nullptr) return reader_.scalar(step.type, at.data, value);
  size_t member = 0;
  const size_t* selected = nullptr;
  if (is_external_union(step)) {
    if (!select_member(run, step, member)) return false;
    selected = &member;
  }
  size_t size = 0;
  const size_t limit = step.element_size == 0 ? at.available : step.element_size;
  const bool is_shown =
      nested_value(*step.nested, {at.data, limit}, apply_roles, selected, size, value);
  if (step.element_size == 0 && step.place == Place::kInline) {
    if (size == 0) run.is_broken = true;
    run.cursor = std::max(run.cursor, at.inline_end + size);
  }
  return is_shown;
}

bool PayloadDecoder::make_array(const Step& step, const Located& at, Value& value) {
  if (!spend(at.count)) return false;
  const std::span<Field> elements = arena_.array<Field>(at.count);
  for (size_t i = 0; i < at.count; ++i) {
    const std::byte* data = at.data + i * step.element_size;
    if (step.enumeration != nullptr) {
      elements[i].value = reader_.enumeration(*step.enumeration, data);
    } else if (step.nested == nullptr) {
      reader_.scalar(step.type, data, elements[i].value);
    } else {
      size_t size = 0;
      nested_value(*step.nested, {data, step.element_size}, false, nullptr, size,
                   elements[i].value);
    }
  }
  value.kind = ValueKind::kArray;
  value.children = elements;
  return true;
}

bool PayloadDecoder::nested_value(const Schema& nested, Bytes bytes, bool apply_roles,
                                  const size_t* selected, size_t& size, Value& value) {
  const std::span<Field> fields = decode_schema(nested, bytes, apply_roles, selected, size);
  if (fields.empty()) return false;
  // A schema without a name around a single entry only says what type the value has: clients
  // that derive schemas from data types wrap every number like that.
  if (nested.steps.size() == 1 && nested.name.empty() && !nested.is_union()) {
    value = fields[0].value;
    return true;
  }
  value.kind = ValueKind::kStruct;
  value.children = fields;
  return true;
}

bool PayloadDecoder::select_member(const Run& run, const Step& step, size_t& selected) {
  const auto index = static_cast<size_t>(step.detail);
  const Step& selector = run.view.schema.steps[index];
  Location location = run.view.locations[index];
  if (location.data == nullptr && is_plain(selector)) {
    // It comes later, at a place that is known.
    Located at;
    const char* failure =
        locator_.locate(run.view, selector, static_cast<size_t>(selector.offset), at);
    if (failure == nullptr) location = {at.data, at.count};
  }
  Value value;
  const bool is_known = location.data != nullptr && location.count == 1 &&
                        EntryLocator::whole_number(selector, location.data, value);
  if (!is_known) problem(run.view.schema, step, "is a union whose selector cannot be read");
  selected = value.uint_value;
  return is_known;
}

// NVTX_CORRELATION_VALUE_NONE says that the event is in no flow.
void PayloadDecoder::take_flow(const Step& step, const Value& value) {
  if (value.kind != ValueKind::kInt && value.kind != ValueKind::kUint &&
      value.kind != ValueKind::kAddress)
    return;
  if (value.uint_value == NVTX_CORRELATION_VALUE_NONE) return;
  const uint64_t flow = flow_number(step.semantics.correlation, value.uint_value);
  if (std::find(event_.flows.begin(), event_.flows.end(), flow) == event_.flows.end())
    event_.flows.push_back(flow);
}

bool PayloadDecoder::take_role(const Step& step, const Value& value) {
  const bool is_number = value.kind == ValueKind::kInt || value.kind == ValueKind::kUint ||
                         value.kind == ValueKind::kDouble || value.kind == ValueKind::kAddress;
  Timestamp* time = nullptr;
  switch (step.role) {
    case Role::kNone:
    case Role::kCounter:
      return false;
    case Role::kMessage:
      if (value.kind == ValueKind::kText) {
        event_.message = value.text;
        event_.has_message = true;
        return true;
      }
      // No handle, no message; a handle that nobody registered is worth showing.
      return step.type.kind == TypeKind::kTextHandle && value.uint_value == 0;
    case Role::kCategory:
      if (value.uint_value != 0) event_.category = static_cast<uint32_t>(value.uint_value);
      return true;
    case Role::kColor:
      if (value.uint_value != 0) event_.color = static_cast<uint32_t>(value.uint_value);
      return true;
    case Role::kRangeId:
      if (value.uint_value != 0) event_.range_id = value.uint_value;
      return true;
    case Role::kScope:
      take_scope(step.purpose, value.uint_value, ScopeSource::kRoleEntry, ScopeSource::kEntry);
      return true;
    case Role::kProcess:
    case Role::kThread:
      take_id(step, value.uint_value);
      return false;
    case Role::kRangeBegin:
      time = &event_.begin;
      break;
    case Role::kRangeEnd:
      time = &event_.end;
      break;
    case Role::kMark:
      time = &event_.mark;
      break;
    case Role::kTime:
      time = &event_.times[event_.times[0].present ? 1 : 0];
      break;
  }
  if (!is_number) return false;
  *time = {saturate_to_int64(value), step.semantics.time_domain, true};
  return true;
}

// A scope for the end of a range counts for the end, one for a counter not for an event at all.
void PayloadDecoder::take_scope(Role purpose, uint64_t scope, ScopeSource with_purpose,
                                ScopeSource general) {
  if (scope == NVTX_SCOPE_NONE || purpose == Role::kCounter) return;
  const bool is_end = purpose == Role::kRangeEnd;
  const ScopeSource source = is_end || is_begin_purpose(purpose) ? with_purpose : general;
  uint64_t& taken = is_end ? event_.end_scope : event_.scope;
  ScopeSource& taken_source = is_end ? event_.end_scope_source : event_.scope_source;
  if (source > taken_source) return;
  taken = scope;
  taken_source = source;
}

void PayloadDecoder::take_id(const Step& step, uint64_t id) {
  if (step.purpose == Role::kCounter || step.purpose == Role::kRangeEnd) return;
  const ScopeSource source =
      is_begin_purpose(step.purpose) ? ScopeSource::kRoleEntry : ScopeSource::kEntry;
  event_.ids_source = std::min(event_.ids_source, source);
  if (step.role == Role::kProcess) {
    event_.has_process = true;
    event_.process = id;
  } else {
    event_.has_thread = true;
    event_.thread = id;
  }
}

bool PayloadDecoder::spend(size_t values) {
  if (values <= values_left_) {
    values_left_ -= values;
    return true;
  }
  values_left_ = 0;
  problems_.add("An event has more than " + std::to_string(kValuesMax) +
                " values; the rest of them is left out.");
  return false;
}

void PayloadDecoder::problem(const Schema& schema, const Step& step, std::string_view what) {
  std::string sentence = "Entry '" + step.name + "' of schema " + schema.label() + " ";
  sentence.append(what);
  sentence += "; it is left out.";
  problems_.add(sentence);
}

}  // namespace ringscribe::model
