// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/batch_plan.h"

#include "ringscribe/backends/model/decoded_event.h"

namespace ringscribe::model {
namespace {

// One value at a place that is the same in every row, and inside of it.
bool has_fixed_place(const Schema& schema, const Step& step) {
  return !step.is_unknown && step.has_offset && step.place == Place::kInline &&
         step.form == ArrayForm::kScalar && step.nested == nullptr && step.element_size != 0 &&
         step.semantics.scope == 0 && step.offset <= schema.size &&
         step.element_size <= schema.size - step.offset;
}

// A field that ValueReader makes a value of without children.
bool is_simple_field(const Step& step) {
  if (step.semantics.correlation != 0) return false;  // the block has no place for flows
  if (step.enumeration != nullptr) return true;
  switch (step.type.kind) {
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kFloat:
    case TypeKind::kBf16:
    case TypeKind::kAddress:
    case TypeKind::kTextHandle:
    case TypeKind::kByte:
      return true;
    default:
      return false;
  }
}

// Notes where a role stands. False if it stands twice or has another size: the decoder knows.
bool take_once(size_t& place, const Step& step, size_t size) {
  if (place != BatchPlan::kNowhere || step.element_size != size) return false;
  place = static_cast<size_t>(step.offset);
  return true;
}

// Gathers the timestamps as an event that has them all would; their values are step numbers.
bool take_time(const Step& step, size_t index, DecodedEvent& sample) {
  const bool is_whole = step.type.kind == TypeKind::kInt || step.type.kind == TypeKind::kUint;
  if (!is_whole || step.element_size != sizeof(int64_t)) return false;
  Timestamp* time = nullptr;
  switch (step.role) {
    case Role::kRangeBegin:
      time = &sample.begin;
      break;
    case Role::kRangeEnd:
      time = &sample.end;
      break;
    case Role::kMark:
      time = &sample.mark;
      break;
    default:
      time = &sample.times[sample.times[0].present ? 1 : 0];
      break;
  }
  if (time->present) return false;
  *time = {static_cast<int64_t>(index), step.semantics.time_domain, true};
  return true;
}

bool take_step(const Step& step, size_t index, BatchPlan& plan, DecodedEvent& sample) {
  switch (step.role) {
    case Role::kRangeBegin:
    case Role::kRangeEnd:
    case Role::kMark:
    case Role::kTime:
      return take_time(step, index, sample);
    case Role::kMessage:
      return step.type.kind == TypeKind::kTextHandle &&
             take_once(plan.message, step, sizeof(uint64_t));
    case Role::kCategory:
      return take_once(plan.category, step, sizeof(uint32_t));
    case Role::kColor:
      return take_once(plan.color, step, sizeof(uint32_t));
    case Role::kRangeId:
      return take_once(plan.range_id, step, sizeof(uint64_t));
    case Role::kNone:
    case Role::kCounter:
      if (!is_simple_field(step)) return false;
      if (!step.is_hidden) plan.fields.push_back({&step, static_cast<size_t>(step.offset)});
      return true;
    case Role::kScope:
    case Role::kProcess:
    case Role::kThread:
      break;
  }
  return false;
}

BatchPlan::Time time_at(const Schema& schema, const Timestamp& sample) {
  if (!sample.present) return {};
  const Step& step = schema.steps[static_cast<size_t>(sample.value)];
  return {static_cast<size_t>(step.offset), step.type.kind == TypeKind::kUint,
          step.semantics.time_domain};
}

}  // namespace

BatchPlan plan_batches(const Schema& schema) {
  BatchPlan plan;
  if (schema.kind != SchemaKind::kStatic || schema.size == 0) return plan;
  DecodedEvent sample;
  sample.family = schema.family;
  for (size_t i = 0; i < schema.steps.size(); ++i) {
    const Step& step = schema.steps[i];
    if (!has_fixed_place(schema, step) || !take_step(step, i, plan, sample)) return {};
  }
  const EventTimes times = times_of(sample);
  if (!times.ok) return {};
  switch (times.kind) {
    case Family::kMark:
      plan.kind = EventKind::kMark;
      break;
    case Family::kRangePushPop:
      plan.kind = EventKind::kRangePushPop;
      break;
    case Family::kRangeStartEnd:
      plan.kind = EventKind::kRangeStartEnd;
      break;
    default:
      return {};  // half of a range
  }
  plan.begin = time_at(schema, times.begin);
  plan.end = time_at(schema, times.end);
  plan.row_bytes = schema.size;
  plan.is_usable = true;
  return plan;
}

}  // namespace ringscribe::model
