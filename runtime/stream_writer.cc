// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/stream_writer.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/text_rows.h"

namespace ringscribe::runtime {

namespace {

// Layout numbers for enter_layout(): text batches, then schemas, then counters.
constexpr uint64_t kSchemaLayouts = uint64_t{1} << 32;
constexpr uint64_t kCounterLayouts = uint64_t{1} << 33;
constexpr uint64_t kSingleLayout = uint64_t{1} << 34;

int64_t as_time(const uint8_t* body) noexcept { return static_cast<int64_t>(load_word(body)); }

bool is_complete(EventKind kind) noexcept {
  return kind == EventKind::kMark || kind == EventKind::kRangePushPop ||
         kind == EventKind::kRangeStartEnd;
}

size_t first_time_offset(const SchemaDefinition& schema) noexcept {
  constexpr uint64_t kTimeRoles = static_cast<uint64_t>(Role::kMark);  // BEGIN and END together
  for (const SchemaEntry& entry : schema.entries)
    if ((entry.flags & kTimeRoles) != 0) return entry.offset;
  return 0;
}

}  // namespace

StreamWriter::StreamWriter(DomainState* domain, nvtxwStreamHandle_t handle, uint16_t number,
                           const StreamOptions& options, const Limits& limits, StreamTable* streams,
                           DefinitionTables* tables)
    : domain_(domain),
      handle_(handle),
      number_(number),
      options_(options),
      limits_(limits),
      streams_(streams),
      tables_(tables) {}

uint64_t StreamWriter::scope() {
  return options_.is_live ? domain_->ensure_thread_scope(thread_) : options_.scope_id;
}

void StreamWriter::write(const Header& header, const uint8_t* body,
                         const SpscRing::Thread& thread) {
  thread_ = thread;
  ++sequence_;
  switch (header.kind) {
    case RecordKind::kMark:
      return write_point(header, body);
    case RecordKind::kRange:
    case RecordKind::kStartEnd:
      return write_range_record(header, body);
    case RecordKind::kPush:
    case RecordKind::kStart:
      return write_push_or_start(header, body);
    case RecordKind::kPop:
      return write_pop(as_time(body));
    case RecordKind::kEnd:
      return write_end(as_time(body), load_word(body + 8));
    case RecordKind::kCounter:
    case RecordKind::kCounterBatch:
      return write_samples(header, body);
    case RecordKind::kNoValue:
      return write_no_value(header, body);
    case RecordKind::kEvent:
      return write_rows(header, body, 1);
    case RecordKind::kEventBatch:
      return write_rows(header, body + 8, low_word(load_word(body)));
    case RecordKind::kFiller:
    case RecordKind::kThread:
      return;
  }
}

StreamWriter::Text StreamWriter::parse_text(uint32_t site, const uint8_t* body) {
  Text text;
  if (site != 0) {
    const DomainState::SiteHandles& handles = domain_->ensure_site(site);
    text.color = handles.color;
    text.category = handles.category;
    text.message = handles.message;
    return text;
  }
  const uint64_t looks = load_word(body), what = load_word(body + 8);
  text.color = low_word(looks);
  text.category = high_word(looks);
  const uint32_t bytes = low_word(what);
  if (const uint32_t number = high_word(what); number != 0) {
    StringDefinition* string = tables_->strings.get(number);
    if (string != nullptr && domain_->ensure(*string)) text.message = string->handle;
  } else if (bytes != 0) {
    text.text = std::string_view(reinterpret_cast<const char*>(body + kTextAttributeBytes), bytes);
  }
  return text;
}

void StreamWriter::add_event(Family family, int64_t begin, int64_t end, const Text& text,
                             uint64_t calls) {
  const bool is_inline = !text.text.empty();
  const size_t index = 2 * family + (is_inline ? 1 : 0);
  enter_layout(index);
  RowBatch& batch = text_batches_[index];
  uint64_t message = text.message;
  if (is_inline) {
    // Whether the bytes are text is looked at here, not in the recording thread.
    message = is_valid_c_text(text.text) ? batch.add_text(text.text)
                                         : batch.add_text(to_valid_c_text(text.text));
  }
  if (family == kMarks) {
    const PointRow row{begin, text.color, text.category, message};
    batch.add_row(&row, sizeof row, begin, calls);
  } else {
    const RangeRow row{begin, end, text.color, text.category, message};
    batch.add_row(&row, sizeof row, begin, calls);
  }
  if (batch.count() >= limits_.batch_events_max ||
      batch.text().size() >= limits_.batch_text_bytes_max)
    write_text_batch(index);
}

void StreamWriter::write_point(const Header& header, const uint8_t* body) {
  const int64_t time = as_time(body);
  add_event(kMarks, time, time, parse_text(header.id, body + 8), 1);
}

void StreamWriter::write_range_record(const Header& header, const uint8_t* body) {
  const Family family = header.kind == RecordKind::kRange ? kPushPops : kStartEnds;
  add_event(family, as_time(body), as_time(body + 8), parse_text(header.id, body + 16), 1);
}

StreamWriter::Single StreamWriter::make_single(const Header& header, const uint8_t* body) {
  const bool is_start = header.kind == RecordKind::kStart;
  const Text text = parse_text(header.id, body + (is_start ? 16 : 8));
  Single single;
  single.sequence = sequence_;
  single.schema = is_start ? BuiltinSchema::kStart : BuiltinSchema::kPush;
  single.time = as_time(body);
  single.range_id = is_start ? load_word(body + 8) : 0;
  single.color = text.color;
  single.category = text.category;
  single.message = text.message;
  if (!text.text.empty()) {
    single.has_text = true;
    single.bytes_at = scratch_.size();
    single.bytes = text.text.size();
    scratch_.insert(scratch_.end(), text.text.begin(), text.text.end());
  }
  return single;
}

void StreamWriter::write_push_or_start(const Header& header, const uint8_t* body) {
  const Single single = make_single(header, body);
  if (options_.is_ordered) return put_single(single);
  (header.kind == RecordKind::kStart ? open_starts_ : open_pushes_).push_back(single);
}

void StreamWriter::close_pair(Family family, const Single& open, int64_t end) {
  Text text;
  text.color = open.color;
  text.category = open.category;
  text.message = open.message;
  if (open.has_text) text.text = std::string_view(scratch_.data() + open.bytes_at, open.bytes);
  add_event(family, open.time, end, text, 2);
}

void StreamWriter::write_pop(int64_t time) {
  // A push of a user's schema was written as it came, so its pop is, too.
  if (!open_pushes_.empty() && open_pushes_.back().is_builtin) {
    const Single open = open_pushes_.back();
    open_pushes_.pop_back();
    return close_pair(kPushPops, open, time);
  }
  if (!open_pushes_.empty()) open_pushes_.pop_back();
  Single single;
  single.sequence = sequence_;
  single.schema = BuiltinSchema::kPop;
  single.time = time;
  put_single(single);
}

void StreamWriter::write_end(int64_t time, uint64_t range_id) {
  const auto open = std::find_if(open_starts_.begin(), open_starts_.end(),
                                 [&](const Single& single) { return single.range_id == range_id; });
  if (open != open_starts_.end()) {
    const Single start = *open;
    open_starts_.erase(open);
    return close_pair(kStartEnds, start, time);
  }
  Single single;
  single.sequence = sequence_;
  single.schema = BuiltinSchema::kEnd;
  single.time = time;
  single.range_id = range_id;
  put_single(single);
}

void StreamWriter::write_rows(const Header& header, const uint8_t* rows, uint64_t count) {
  SchemaDefinition* schema = tables_->schemas.get(header.id);
  if (schema == nullptr || schema->domain != domain_ || !domain_->ensure(*schema)) {
    streams_->count_loss(
        number_, schema != nullptr && schema->is_tried ? LossCause::kRejected : LossCause::kInvalid,
        count);
    return;
  }
  const size_t row_bytes = schema->row_bytes;
  if (!is_complete(schema->event_kind)) {
    Single single;
    single.sequence = sequence_;
    single.is_builtin = false;
    single.schema_id = schema->static_id;
    single.bytes_at = scratch_.size();
    single.bytes = row_bytes;
    const auto* bytes = reinterpret_cast<const char*>(rows);
    scratch_.insert(scratch_.end(), bytes, bytes + row_bytes);
    if (schema->event_kind == EventKind::kRangePush && !options_.is_ordered)
      open_pushes_.push_back(single);  // a barrier; it is in singles_, too
    if (schema->event_kind == EventKind::kRangePop && !open_pushes_.empty()) {
      if (open_pushes_.back().is_builtin) singles_.push_back(open_pushes_.back());
      open_pushes_.pop_back();
    }
    return put_single(single);
  }
  enter_layout(kSchemaLayouts + header.id);
  RowBatch& batch = row_batches_[header.id];
  if (batch.schema != schema) {
    batch.schema = schema;
    batch.time_offset = first_time_offset(*schema);
  }
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t* row = rows + i * row_bytes;
    batch.add_row(row, row_bytes, as_time(row + batch.time_offset), 1);
    if (batch.count() >= limits_.batch_events_max) write_row_batch(batch, schema->static_id);
  }
}

void StreamWriter::write_samples(const Header& header, const uint8_t* body) {
  const bool is_batch = header.kind == RecordKind::kCounterBatch;
  const uint64_t count = is_batch ? low_word(load_word(body)) : 1;
  CounterDefinition* counter = tables_->counters.get(header.id);
  if (counter == nullptr || counter->domain != domain_ || !domain_->ensure(*counter)) {
    streams_->count_loss(
        number_,
        counter != nullptr && counter->is_tried ? LossCause::kRejected : LossCause::kInvalid,
        count);
    return;
  }
  enter_layout(kCounterLayouts + header.id);
  SampleBatch& batch = sample_batches_[header.id];
  batch.counter = counter;
  const uint8_t* times = is_batch ? body + 8 : body;
  const uint8_t* samples = times + 8 * count;
  for (uint64_t i = 0; i < count; ++i) {
    batch.add(as_time(times + 8 * i), samples + i * counter->sample_bytes, counter->sample_bytes);
    if (batch.times.size() >= limits_.batch_events_max) write_counter_batch(batch);
  }
}

void StreamWriter::write_no_value(const Header& header, const uint8_t* body) {
  CounterDefinition* counter = tables_->counters.get(header.id);
  if (counter == nullptr || counter->domain != domain_ || !domain_->ensure(*counter)) {
    streams_->count_loss(number_, LossCause::kInvalid);
    return;
  }
  enter_layout(kSingleLayout);
  if (const auto batch = sample_batches_.find(header.id); batch != sample_batches_.end())
    write_counter_batch(batch->second);
  account(domain_->interface()->CounterNoValueWrite(handle_, as_time(body), counter->static_id,
                                                    static_cast<uint8_t>(load_word(body + 8))),
          "CounterNoValueWrite", 1);
}

void StreamWriter::enter_layout(uint64_t layout) {
  if (!options_.is_ordered || layout == layout_) return;
  layout_ = layout;
  write_batches();
  for (auto& [number, batch] : sample_batches_) write_counter_batch(batch);
}

void StreamWriter::put_single(const Single& single) {
  if (!options_.is_ordered) {
    singles_.push_back(single);
    return;
  }
  enter_layout(kSingleLayout);
  write_single(single);
  layout_ = 0;
  scratch_.clear();
}

void StreamWriter::write_single(const Single& single) {
  nvtxPayloadData_t payloads[2] = {};
  size_t count = 1;
  PushRow push;
  StartRow start;
  PopRow pop;
  EndRow end;
  std::string valid_text;
  BuiltinSchema schema = single.schema;
  uint64_t message = single.message;
  const uint64_t scope_id = options_.is_live ? scope() : NVTX_SCOPE_NONE;
  if (single.is_builtin && single.has_text) {
    valid_text = to_valid_c_text(std::string_view(scratch_.data() + single.bytes_at, single.bytes));
    message = reinterpret_cast<uint64_t>(valid_text.c_str());
    schema = static_cast<BuiltinSchema>(static_cast<int>(schema) + 1);
    payloads[1] = {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, valid_text.size() + 1, valid_text.c_str()};
    count = 2;
  }
  if (!single.is_builtin) {
    payloads[0] = {single.schema_id, single.bytes, scratch_.data() + single.bytes_at};
    if (options_.is_live) {
      payloads[1] = {domain_->ensure(BuiltinSchema::kScope), sizeof scope_id, &scope_id};
      count = 2;
    }
  } else if (single.schema == BuiltinSchema::kPush) {
    push = PushRow{single.time, single.color, single.category, message, scope_id};
    payloads[0] = {domain_->ensure(schema), sizeof push, &push};
  } else if (single.schema == BuiltinSchema::kStart) {
    start =
        StartRow{single.time, single.range_id, single.color, single.category, message, scope_id};
    payloads[0] = {domain_->ensure(schema), sizeof start, &start};
  } else if (single.schema == BuiltinSchema::kPop) {
    pop = PopRow{single.time, scope_id};
    payloads[0] = {domain_->ensure(schema), sizeof pop, &pop};
  } else {
    end = EndRow{single.time, single.range_id, scope_id};
    payloads[0] = {domain_->ensure(schema), sizeof end, &end};
  }
  account(domain_->interface()->EventWrite(handle_, payloads, count), "EventWrite", 1);
}

void StreamWriter::write_batches() {
  for (size_t index = 0; index < 2 * kFamilies; ++index) write_text_batch(index);
  for (auto& [number, batch] : row_batches_)
    if (!batch.empty()) write_row_batch(batch, batch.schema->static_id);
}

void StreamWriter::write_text_batch(size_t index) {
  RowBatch& batch = text_batches_[index];
  if (batch.empty()) return;
  if (index % 2 == 1) {
    const bool is_mark = index / 2 == kMarks;
    batch.resolve_text(is_mark ? sizeof(PointRow) : sizeof(RangeRow),
                       is_mark ? offsetof(PointRow, message) : offsetof(RangeRow, message));
  }
  static_assert(static_cast<int>(BuiltinSchema::kMark) == 2 * kMarks &&
                static_cast<int>(BuiltinSchema::kPushPop) == 2 * kPushPops &&
                static_cast<int>(BuiltinSchema::kStartEnd) == 2 * kStartEnds);
  write_row_batch(batch, domain_->ensure(static_cast<BuiltinSchema>(index)));
}

void StreamWriter::write_row_batch(RowBatch& batch, uint64_t schema_id) {
  nvtxEventBatch_t event_batch{};
  event_batch.eventSchemaId = schema_id;
  event_batch.size = batch.rows().size();
  event_batch.events = batch.rows().data();
  event_batch.scope = scope();
  event_batch.flags = batch.is_sorted() ? NVTX_BATCH_FLAG_TIME_SORTED : NVTX_BATCH_FLAG_UNSORTED;
  event_batch.flexData = batch.text().empty() ? nullptr : batch.text().data();
  event_batch.flexDataSize = batch.text().size();
  account(domain_->interface()->EventBatchWrite(handle_, &event_batch), "EventBatchWrite",
          batch.calls());
  batch.clear();
}

void StreamWriter::write_counter_batch(SampleBatch& batch) {
  if (batch.times.empty()) return;
  nvtxCounterBatch_t counter_batch{};
  counter_batch.counterId = batch.counter->static_id;
  counter_batch.counters = batch.samples.data();
  counter_batch.countersSize = batch.samples.size();
  counter_batch.flags = batch.is_sorted ? NVTX_BATCH_FLAG_TIME_SORTED : NVTX_BATCH_FLAG_UNSORTED;
  counter_batch.timestamps = batch.times.data();
  counter_batch.timestampsSize = batch.times.size() * sizeof(int64_t);
  account(domain_->interface()->CounterBatchWrite(handle_, &counter_batch), "CounterBatchWrite",
          batch.times.size());
  batch.clear();
}

void StreamWriter::end_ring() {
  write_batches();
  // What stayed unpaired, in the thread's order.
  for (const Single& single : open_pushes_)
    if (single.is_builtin) singles_.push_back(single);
  singles_.insert(singles_.end(), open_starts_.begin(), open_starts_.end());
  std::sort(singles_.begin(), singles_.end(),
            [](const Single& a, const Single& b) { return a.sequence < b.sequence; });
  for (const Single& single : singles_) write_single(single);
  open_pushes_.clear();
  open_starts_.clear();
  singles_.clear();
  scratch_.clear();
}

void StreamWriter::end_step() {
  for (auto& [number, batch] : sample_batches_) write_counter_batch(batch);
}

void StreamWriter::account(int32_t result, const char* operation, uint64_t calls) {
  if (result == NVTXW_RESULT_SUCCESS) {
    recorded_.fetch_add(calls, std::memory_order_relaxed);
    return;
  }
  streams_->count_loss(number_, LossCause::kRejected, calls);
  if (!failure_.ok()) return;
  failure_ = Status(static_cast<ResultCode>(result),
                    std::string(operation) + " was refused by the backend (" +
                        result_code_name(static_cast<ResultCode>(result)) +
                        "); the events are counted as rejected");
}

Status StreamWriter::take_failure() {
  Status taken = failure_;
  failure_ = Status();
  return taken;
}

}  // namespace ringscribe::runtime
