// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/batch_writer.h"

#include <algorithm>
#include <cstring>

namespace ringscribe::model {
namespace {

template <typename T>
T load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

template <typename T>
T load_or_zero(const std::byte* row, size_t offset) {
  return offset == BatchPlan::kNowhere ? T{} : load<T>(row + offset);
}

int64_t load_time(const std::byte* row, const BatchPlan::Time& time) {
  const auto value = load<int64_t>(row + time.offset);
  return time.is_unsigned && value < 0 ? INT64_MAX : value;
}

}  // namespace

BatchWriter::BatchWriter(EventSink& sink, const Definitions& definitions, Placement& placement)
    : sink_(sink),
      definitions_(definitions),
      placement_(placement),
      labels_(definitions),
      reader_(definitions, arena_) {}

const BatchWriter::Plan* BatchWriter::plan(const StreamState& stream, const Schema& schema,
                                           uint64_t batch_scope) {
  if (&schema != last_schema_) {
    auto found = plans_.find(&schema);
    if (found == plans_.end()) {
      found = plans_.emplace(&schema, Plan{plan_batches(schema), 0}).first;
      const bool has_fields = !found->second.rows.fields.empty();
      if (has_fields) found->second.field_names = ++last_field_names_;
    }
    last_schema_ = &schema;
    last_plan_ = &found->second;
  }
  if (!last_plan_->rows.is_usable) return nullptr;
  const uint64_t scope = batch_scope != NVTX_SCOPE_NONE ? batch_scope : stream.scope;
  return placement_.has_settled_track(stream, scope) ? last_plan_ : nullptr;
}

Status BatchWriter::write(StreamState& stream, const Plan& plan, uint64_t batch_scope, Bytes rows,
                          size_t& used) {
  used = 0;
  labels_.refresh();
  const uint64_t scope = batch_scope != NVTX_SCOPE_NONE ? batch_scope : stream.scope;
  Shared shared;
  for (bool is_first = true;; is_first = false) {
    // Where the first row tells that all are for the decoder, more are not read in vain.
    const bool may_be_in_vain = is_first && plan.rows.kind != EventKind::kMark;
    const size_t count =
        read_rows(plan.rows, rows.subspan(used), stream.domain, may_be_in_vain ? 1 : kBlockEvents);
    // A row that is for the decoder is to find all as it was.
    if (count == 0) return {};
    if (is_first) {
      if (Status status = settle(stream, plan, scope, shared); !status.ok()) return status;
      if (!shared.is_comparable) return {};  // the slow way tells the problem
    }
    if (Status status = write_block(plan, shared, count); !status.ok()) return status;
    used += count * plan.rows.row_bytes;
  }
}

Status BatchWriter::settle(StreamState& stream, const Plan& plan, uint64_t scope, Shared& shared) {
  const bool is_mark = plan.rows.kind == EventKind::kMark;
  Event& event = shared.event;
  event.kind = plan.rows.kind;
  event.domain = definitions_.domain_name(stream.domain);
  event.stream = stream.identity;
  if (Status status = placement_.track_of(stream, scope, event.track); !status.ok()) return status;
  shared.begin_node = placement_.time_node(stream, plan.rows.begin.time_domain);
  event.time_domain = stream.cached_time_domain;
  ConvertedTime from;
  if (Status status = placement_.convert(shared.begin_node, begins_[0], from); !status.ok()) {
    return status;
  }
  event.synchronised = from.synchronised;
  if (is_mark) return {};
  shared.end_node = placement_.time_node(stream, plan.rows.end.time_domain);
  ConvertedTime to;
  Status status = placement_.convert(shared.end_node, ends_[0], to);
  shared.is_comparable = from.synchronised == to.synchronised &&
                         (from.synchronised || shared.begin_node == shared.end_node);
  return status;
}

size_t BatchWriter::read_rows(const BatchPlan& plan, Bytes rows, uint32_t domain, size_t most) {
  const size_t limit = std::min(most, rows.size() / plan.row_bytes);
  const bool is_mark = plan.kind == EventKind::kMark;
  const bool has_id = plan.kind == EventKind::kRangeStartEnd;
  size_t count = 0;
  for (const std::byte* row = rows.data(); count < limit; row += plan.row_bytes, ++count) {
    const LabelKey key = {load_or_zero<uint64_t>(row, plan.message), domain,
                          load_or_zero<uint32_t>(row, plan.category),
                          load_or_zero<uint32_t>(row, plan.color)};
    const EventLabel* label = labels_.find(key);
    if (label == nullptr) {
      // It may take the place of a label that an earlier row of this block has.
      if (count > 0) break;
      label = labels_.add(key);
      if (label == nullptr) break;
    }
    rows_[count].label = label;
    rows_[count].range_id = has_id ? load_or_zero<uint64_t>(row, plan.range_id) : 0;
    begins_[count] = load_time(row, plan.begin);
    if (!is_mark) ends_[count] = load_time(row, plan.end);
  }
  if (!plan.fields.empty()) read_fields(plan, rows, count);
  return count;
}

void BatchWriter::read_fields(const BatchPlan& plan, Bytes rows, size_t count) {
  arena_.reset();
  fields_ = arena_.array<Field>(count * plan.fields.size());
  Field* field = fields_.data();
  const std::byte* row = rows.data();
  for (size_t i = 0; i < count; ++i, row += plan.row_bytes) {
    for (const BatchPlan::FieldPlace& place : plan.fields) {
      const Step& step = *place.step;
      field->name = step.name;
      if (step.enumeration != nullptr) {
        field->value = reader_.enumeration(*step.enumeration, row + place.offset);
      } else if (step.type.kind == TypeKind::kInt && step.type.size == sizeof(int64_t)) {
        field->value.kind = ValueKind::kInt;
        field->value.int_value = load<int64_t>(row + place.offset);
      } else {
        reader_.scalar(step.type, row + place.offset, field->value);
      }
      ++field;
    }
  }
}

Status BatchWriter::write_block(const Plan& plan, const Shared& shared, size_t count) {
  const std::span<int64_t> begins(begins_.data(), count);
  placement_.convert_all(shared.begin_node, begins);
  std::span<int64_t> ends = begins;
  if (shared.event.kind != EventKind::kMark) {
    ends = {ends_.data(), count};
    placement_.convert_all(shared.end_node, ends);
  }
  for (size_t i = 0; i < count; ++i) {
    rows_[i].begin = begins[i];
    rows_[i].end = ends[i];
  }
  const size_t per_row = plan.rows.fields.size();
  const std::span<const Field> fields(fields_.data(), count * per_row);
  return sink_.events({shared.event, {rows_.data(), count}, fields, per_row, plan.field_names});
}

}  // namespace ringscribe::model
