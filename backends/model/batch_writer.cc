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
  const size_t row_bytes = plan.rows.row_bytes;
  if (rows.size() < row_bytes) return {};
  labels_.refresh();
  block_.resize(kBlockEvents);
  Shared shared;
  const uint64_t scope = batch_scope != NVTX_SCOPE_NONE ? batch_scope : stream.scope;
  size_t ready = 0;  // so many events of the block have what is shared
  bool has_row = true;
  while (has_row && rows.size() - used >= row_bytes) {
    arena_.reset();
    size_t count = 0;
    for (; count < kBlockEvents && rows.size() - used >= row_bytes; used += row_bytes, ++count) {
      Event& event = block_[count];
      const std::byte* row = rows.data() + used;
      if (!shared.is_settled) {
        // A row that is for the decoder is to find all as it was.
        has_row = read_row(plan, row, stream.domain, event);
        if (!has_row) break;
        shared.event.kind = plan.rows.kind;
        shared.event.domain = definitions_.domain_name(stream.domain);
        shared.event.field_names = plan.field_names;
        if (Status status = placement_.track_of(stream, scope, shared.event.track); !status.ok()) {
          return status;
        }
        shared.begin_node = placement_.time_node(stream, plan.rows.begin.time_domain);
        shared.event.time_domain = stream.cached_time_domain;
        if (plan.rows.kind != EventKind::kMark) {
          shared.end_node = placement_.time_node(stream, plan.rows.end.time_domain);
        }
      }
      // What differs between rows is written by each of them.
      if (count >= ready) {
        event = shared.event;
        ready = count + 1;
      }
      has_row = read_row(plan, row, stream.domain, event);
      if (!has_row) break;
      if (Status status = convert(plan.rows, shared, event); !status.ok()) return status;
      has_row = shared.is_comparable;
      if (!has_row) break;  // the slow way tells the problem
    }
    if (count == 0) break;
    Status status = sink_.events({block_.data(), count});
    if (!status.ok()) return status;
  }
  return {};
}

bool BatchWriter::read_row(const Plan& plan, const std::byte* row, uint32_t domain, Event& event) {
  const BatchPlan& rows = plan.rows;
  const LabelKey key = {load_or_zero<uint64_t>(row, rows.message), domain,
                        load_or_zero<uint32_t>(row, rows.category),
                        load_or_zero<uint32_t>(row, rows.color)};
  const EventLabel* label = labels_.find(key);
  if (label == nullptr) return false;
  event.label = label->number;
  event.message = label->message;
  event.category = label->category;
  event.category_id = key.category;
  event.color_argb = key.color;
  event.begin = load_time(row, rows.begin);
  event.end = rows.kind == EventKind::kMark ? event.begin : load_time(row, rows.end);
  if (rows.kind == EventKind::kRangeStartEnd) {
    event.range_id = load_or_zero<uint64_t>(row, rows.range_id);
  }
  if (!rows.fields.empty()) read_fields(rows, row, event);
  return true;
}

void BatchWriter::read_fields(const BatchPlan& plan, const std::byte* row, Event& event) {
  const std::span<Field> fields = arena_.array<Field>(plan.fields.size());
  size_t count = 0;
  for (const BatchPlan::FieldPlace& place : plan.fields) {
    const Step& step = *place.step;
    Field& field = fields[count++];
    field.name = step.name;
    if (step.enumeration != nullptr) {
      field.value = reader_.enumeration(*step.enumeration, row + place.offset);
    } else if (step.type.kind == TypeKind::kInt && step.type.size == sizeof(int64_t)) {
      field.value.kind = ValueKind::kInt;
      field.value.int_value = load<int64_t>(row + place.offset);
    } else {
      reader_.scalar(step.type, row + place.offset, field.value);
    }
  }
  event.fields = fields;
}

Status BatchWriter::convert(const BatchPlan& plan, Shared& shared, Event& event) {
  const bool is_mark = plan.kind == EventKind::kMark;
  ConvertedTime from;
  ConvertedTime to;
  if (shared.is_settled) {
    from = placement_.convert_next(shared.begin_node, event.begin);
    to = is_mark ? from : placement_.convert_next(shared.end_node, event.end);
  } else {
    if (Status status = placement_.convert(shared.begin_node, event.begin, from); !status.ok()) {
      return status;
    }
    to = from;
    if (!is_mark) {
      if (Status status = placement_.convert(shared.end_node, event.end, to); !status.ok()) {
        return status;
      }
    }
    shared.event.synchronised = event.synchronised = from.synchronised;
    shared.is_comparable = from.synchronised == to.synchronised &&
                           (from.synchronised || is_mark || shared.begin_node == shared.end_node);
    shared.is_settled = true;
  }
  event.begin = from.time;
  event.end = to.time;
  event.end_before_begin = event.end < event.begin;
  event.written_end = event.end_before_begin ? event.end : 0;
  if (event.end_before_begin) event.end = event.begin;
  return {};
}

}  // namespace ringscribe::model
