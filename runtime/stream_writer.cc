// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/stream_writer.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/record_runs.h"
#include "ringscribe/runtime/row_words.h"
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

}  // namespace

StreamWriter::StreamWriter(DomainState* domain, nvtxwStreamHandle_t handle, uint16_t number,
                           const StreamOptions& options, const Limits& limits, StreamTable* streams,
                           DefinitionTables* tables)
    : output_(domain, handle, number, streams, tables),
      options_(options),
      limits_(limits),
      samples_(&output_, limits.batch_events_max),
      single_events_(&output_) {}

uint64_t StreamWriter::scope() {
  const bool is_of_thread = options_.is_live && options_.scope_id == NVTX_SCOPE_NONE;
  return is_of_thread ? output_.domain.ensure_thread_scope(*thread_) : options_.scope_id;
}

// EventWrite takes no scope: events of explicit streams have the stream's anyway.
uint64_t StreamWriter::single_scope() { return options_.is_live ? scope() : NVTX_SCOPE_NONE; }

void StreamWriter::write(const Header& header, const uint8_t* records, uint64_t count,
                         const SpscRing::Thread& thread, uint64_t sequence) {
  thread_ = &thread;
  sequence_ = sequence;
  switch (header.kind) {
    case RecordKind::kMark:
      if (header.id != 0) return write_known_texts(kMarks, header, records, count);
      break;
    case RecordKind::kRange:
      if (header.id != 0) return write_known_texts(kPushPops, header, records, count);
      break;
    case RecordKind::kStartEnd:
      if (header.id != 0) return write_known_texts(kStartEnds, header, records, count);
      break;
    case RecordKind::kCounter:
      enter_layout(kCounterLayouts + header.id);
      return samples_.write(header, records, count);
    case RecordKind::kEvent: {
      const SchemaDefinition* schema = output_.usable(output_.tables.schemas, header.id, count);
      if (schema == nullptr) return;
      if (is_complete(schema->event_kind)) return write_events(*schema, header, records, count);
      break;
    }
    default:
      break;
  }
  for (uint64_t i = 0; i < count; ++i, ++sequence_)
    write_one(header, records + i * header.record_bytes + 8);
}

void StreamWriter::write_one(const Header& header, const uint8_t* body) {
  switch (header.kind) {
    case RecordKind::kMark:
      return add_event(kMarks, as_time(body), as_time(body), parse_text(header.id, body + 8), 1);
    case RecordKind::kRange:
      return add_event(kPushPops, as_time(body), as_time(body + 8),
                       parse_text(header.id, body + 16), 1);
    case RecordKind::kStartEnd:
      return add_event(kStartEnds, as_time(body), as_time(body + 8),
                       parse_text(header.id, body + 16), 1);
    case RecordKind::kPush:
    case RecordKind::kStart:
      return write_push_or_start(header, body);
    case RecordKind::kPop: {
      const int64_t time = as_time(body);
      for (uint32_t n = header.id & kMissedPopsMax; n > 0; --n) write_pop(time, 0);
      write_pop(time, 1);
      for (uint32_t n = (header.id >> kMissedPopsBits) & kMissedPopsMax; n > 0; --n)
        write_pop(time, 0);
      return;
    }
    case RecordKind::kEnd:
      return write_end(as_time(body), load_word(body + 8));
    case RecordKind::kCounterBatch:
      enter_layout(kCounterLayouts + header.id);
      return samples_.write_batch_record(header, body);
    case RecordKind::kNoValue:
      enter_layout(kSingleLayout);
      return samples_.write_no_value(header, body);
    case RecordKind::kEvent:
      return write_rows(header, body, 1, kDetectOrder, nullptr);
    case RecordKind::kEventBatch: {
      const uint64_t word = load_word(body);
      return write_rows(header, body + 8, low_word(word), order_of(high_word(word)), nullptr);
    }
    case RecordKind::kFlexEvent: {
      const uint64_t flex_bytes = low_word(load_word(body));
      return write_rows(header, body + 8, 1, kDetectOrder,
                        body + header.record_bytes - 8 - flex_bytes);
    }
    case RecordKind::kPayloads:
      return write_payloads(body);
    case RecordKind::kSyncPoints:
      return write_sync_points(body);
    case RecordKind::kConversion:
      return write_conversion(body);
    case RecordKind::kCounter:  // write() has taken it
    case RecordKind::kFiller:
    case RecordKind::kThread:
      return;
  }
}

void StreamWriter::write_known_texts(Family family, const Header& header, const uint8_t* records,
                                     uint64_t count) {
  const size_t index = 2 * family;
  const Text text = known_text(header.id);
  enter_layout(index);
  RowBatch& batch = text_batches_[index];
  if (family != kMarks && looks_for_long_ranges()) {
    const uint8_t* record = records;
    for (uint64_t i = 0; i < count; ++i, record += header.record_bytes)
      note_range(static_cast<int64_t>(load_word(record + 8)),
                 static_cast<int64_t>(load_word(record + 16)));
  }
  while (count != 0) {
    const uint64_t now = room_in(batch, count);
    if (family == kMarks)
      copy_marks(records, now, text.color, text.category, text.message,
                 batch.add_rows(now, sizeof(PointRow), now), batch.order);
    else
      copy_ranges(records, now, text.color, text.category, text.message,
                  batch.add_rows(now, sizeof(RangeRow), now), batch.order);
    records += now * header.record_bytes;
    count -= now;
    if (batch.count() >= limits_.batch_events_max) write_text_batch(index);
  }
}

void StreamWriter::write_events(const SchemaDefinition& schema, const Header& header,
                                const uint8_t* records, uint64_t count) {
  output_.domain.register_what_records_name();
  enter_layout(kSchemaLayouts + header.id);
  RowBatch& batch = row_batches_.at(header.id);
  batch.schema = &schema;
  while (count != 0) {
    const uint64_t now = room_in(batch, count);
    uint8_t* const rows = batch.add_rows(now, schema.row_bytes, now);
    copy_rows(records + 8, header.record_bytes, now, schema.row_bytes, rows);
    add_times(rows + schema.time_offset, schema.row_bytes, now, batch.order);
    resolve_words(schema, rows, now);
    records += now * header.record_bytes;
    count -= now;
    if (batch.count() >= limits_.batch_events_max) write_row_batch(batch, schema.static_id);
  }
}

void StreamWriter::resolve_words(const SchemaDefinition& schema, uint8_t* rows, uint64_t count) {
  if (schema.string_offsets.empty() && schema.pointer_offsets.empty()) return;
  for (uint64_t i = 0; i < count; ++i, rows += schema.row_bytes) {
    resolve_strings(schema, rows, schema.row_bytes, output_);
    // A row by itself has no payload that it could point into.
    for (const uint32_t offset : schema.pointer_offsets) store_word(rows + offset, 0);
  }
}

uint64_t StreamWriter::string_handle(uint32_t number) {
  StringDefinition* string = output_.tables.strings.get(number);
  return string != nullptr && output_.domain.ensure(*string) ? string->handle : 0;
}

StreamWriter::Text StreamWriter::known_text(uint32_t site) {
  Text text;
  if ((site & kRegisteredStringId) != 0) {
    text.message = string_handle(site & ~kRegisteredStringId);
    return text;
  }
  const DomainState::SiteHandles& handles = output_.domain.ensure_site(site);
  text.color = handles.color;
  text.category = handles.category;
  text.message = handles.message;
  return text;
}

StreamWriter::Text StreamWriter::parse_text(uint32_t site, const uint8_t* body) {
  if (site != 0) return known_text(site);
  Text text;
  const uint64_t looks = load_word(body), what = load_word(body + 8);
  text.color = low_word(looks);
  text.category = high_word(looks);
  if (text.category != 0) output_.domain.register_what_records_name();
  const uint32_t bytes = low_word(what);
  if (const uint32_t number = high_word(what); number != 0) {
    text.message = string_handle(number);
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
    std::memcpy(batch.add_rows(1, sizeof row, calls), &row, sizeof row);
  } else {
    if (looks_for_long_ranges()) note_range(begin, end);
    const RangeRow row{begin, end, text.color, text.category, message};
    std::memcpy(batch.add_rows(1, sizeof row, calls), &row, sizeof row);
  }
  batch.order.add(begin);
  if (batch.count() >= limits_.batch_events_max ||
      batch.text().size() >= limits_.batch_text_bytes_max)
    write_text_batch(index);
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
  if (!text.text.empty()) single_events_.keep_text(single, text.text);
  return single;
}

void StreamWriter::write_push_or_start(const Header& header, const uint8_t* body) {
  const Single single = make_single(header, body);
  if (options_.is_ordered) return put_single(single);
  (header.kind == RecordKind::kStart ? open_starts_ : open_pushes_).push_back(single);
}

void StreamWriter::close_pair(Family family, const Single& open, int64_t end, uint64_t calls) {
  Text text;
  text.color = open.color;
  text.category = open.category;
  text.message = open.message;
  text.text = single_events_.text_of(open);
  add_event(family, open.time, end, text, calls);
}

void StreamWriter::write_pop(int64_t time, uint32_t calls) {
  if (!open_pushes_.empty()) {
    const Single open = open_pushes_.back();
    open_pushes_.pop_back();
    return close_pair(kPushPops, open, time, 1 + calls);
  }
  Single single;
  single.sequence = sequence_;
  single.schema = BuiltinSchema::kPop;
  single.time = time;
  single.calls = calls;
  put_single(single);
}

void StreamWriter::write_end(int64_t time, uint64_t range_id) {
  // The last one, as the model has it, should an id be open twice.
  const auto open = std::find_if(open_starts_.rbegin(), open_starts_.rend(),
                                 [&](const Single& single) { return single.range_id == range_id; });
  if (open != open_starts_.rend()) {
    const Single start = *open;
    open_starts_.erase(std::next(open).base());
    return close_pair(kStartEnds, start, time, 2);
  }
  Single single;
  single.sequence = sequence_;
  single.schema = BuiltinSchema::kEnd;
  single.time = time;
  single.range_id = range_id;
  put_single(single);
}

void StreamWriter::write_rows(const Header& header, const uint8_t* rows, uint64_t count,
                              uint32_t order, const uint8_t* flex) {
  const SchemaDefinition* schema = output_.usable(output_.tables.schemas, header.id, count);
  if (schema == nullptr) return;
  output_.domain.register_what_records_name();
  if (!is_complete(schema->event_kind))
    return put_user_single(single_events_.keep_row(sequence_, *schema, rows, flex));
  enter_layout(kSchemaLayouts + header.id);
  RowBatch& batch = row_batches_.at(header.id);
  batch.schema = schema;
  const bool is_own_batch = order != kDetectOrder;
  if (is_own_batch) write_row_batch(batch, schema->static_id);
  const size_t row_bytes = schema->row_bytes;
  while (count != 0) {
    // What follows a row in its record belongs to that row: one at a time then.
    const uint64_t now = flex != nullptr ? 1 : is_own_batch ? count : room_in(batch, count);
    uint8_t* const copy = batch.add_rows(now, row_bytes, now);
    std::memcpy(copy, rows, now * row_bytes);
    add_times(copy + schema->time_offset, row_bytes, now, batch.order);
    resolve_words(*schema, copy, now);
    if (flex != nullptr) append_flexible(*schema->flexible, copy, flex, batch.mutable_text(), 0);
    rows += now * row_bytes;
    count -= now;
    if (!is_own_batch && (batch.count() >= limits_.batch_events_max ||
                          batch.text().size() >= limits_.batch_text_bytes_max))
      write_row_batch(batch, schema->static_id);
  }
  if (is_own_batch) write_row_batch(batch, schema->static_id, order);
}

void StreamWriter::write_payloads(const uint8_t* body) {
  output_.domain.register_what_records_name();
  if (Single single; single_events_.keep_payloads(sequence_, body, single)) put_user_single(single);
}

void StreamWriter::write_sync_points(const uint8_t* body) {
  output_.domain.register_what_records_name();
  enter_layout(kSingleLayout);
  const uint64_t count = low_word(load_word(body));
  const uint64_t source = load_word(body + 8), destination = load_word(body + 16);
  const auto* points = reinterpret_cast<const nvtxSyncPoint_t*>(body + 24);
  const int32_t result = count == 1
                             ? output_.interface.TimeSyncPointWrite(
                                   output_.handle, source, destination, points->src, points->dst)
                             : output_.interface.TimeSyncPointTableWrite(
                                   output_.handle, source, destination, points, count);
  output_.account(result, count == 1 ? "TimeSyncPointWrite" : "TimeSyncPointTableWrite", count);
}

void StreamWriter::write_conversion(const uint8_t* body) {
  output_.domain.register_what_records_name();
  enter_layout(kSingleLayout);
  const int32_t result = output_.interface.TimestampConversionFactorWrite(
      output_.handle, load_word(body), load_word(body + 8),
      std::bit_cast<double>(load_word(body + 16)), as_time(body + 24), as_time(body + 32));
  output_.account(result, "TimestampConversionFactorWrite", 1);
}

void StreamWriter::enter_layout(uint64_t layout) {
  if (!options_.is_ordered || layout == layout_) return;
  layout_ = layout;
  write_batches();
  samples_.flush();
}

void StreamWriter::put_single(const Single& single) {
  if (!options_.is_ordered) {
    singles_.push_back(single);
    return;
  }
  enter_layout(kSingleLayout);
  single_events_.write(single, single_scope());
  layout_ = 0;
  single_events_.clear();
}

void StreamWriter::put_user_single(const Single& single) {
  // Ranges pair by scope or range id, and a user's row may have one of its own: what is open then
  // is for the backend to pair.
  if (single.kind == EventKind::kRangePush || single.kind == EventKind::kRangePop ||
      single.kind == EventKind::kRangeStart || single.kind == EventKind::kRangeEnd)
    give_up_pairing();
  put_single(single);
}

void StreamWriter::give_up_pairing() {
  singles_.insert(singles_.end(), open_pushes_.begin(), open_pushes_.end());
  singles_.insert(singles_.end(), open_starts_.begin(), open_starts_.end());
  open_pushes_.clear();
  open_starts_.clear();
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
  write_row_batch(batch, output_.domain.ensure(static_cast<BuiltinSchema>(index)));
}

void StreamWriter::write_row_batch(RowBatch& batch, uint64_t schema_id, uint32_t order) {
  if (batch.empty()) return;
  if (batch.schema != nullptr && batch.schema->flexible != nullptr)
    for (size_t at = 0; at < batch.rows().size(); at += batch.schema->row_bytes)
      resolve_flexible(*batch.schema->flexible, batch.rows().data() + at, batch.text().data());
  nvtxEventBatch_t event_batch{};
  event_batch.eventSchemaId = schema_id;
  event_batch.size = batch.rows().size();
  event_batch.events = batch.rows().data();
  event_batch.scope = scope();
  event_batch.flags = order != kDetectOrder   ? order
                      : batch.order.is_sorted ? NVTX_BATCH_FLAG_TIME_SORTED
                                              : NVTX_BATCH_FLAG_UNSORTED;
  event_batch.flexData = batch.text().empty() ? nullptr : batch.text().data();
  event_batch.flexDataSize = batch.text().size();
  output_.account(output_.interface.EventBatchWrite(output_.handle, &event_batch),
                  "EventBatchWrite", batch.calls());
  batch.clear();
}

bool StreamWriter::has_range_id(const Header& header) const noexcept {
  switch (header.kind) {
    case RecordKind::kStart:
    case RecordKind::kEnd:
    case RecordKind::kPayloads:
      return true;
    case RecordKind::kEvent:
    case RecordKind::kFlexEvent: {
      const SchemaDefinition* schema = output_.tables.schemas.get(header.id);
      return schema != nullptr && (schema->event_kind == EventKind::kRangeStart ||
                                   schema->event_kind == EventKind::kRangeEnd);
    }
    default:
      return false;
  }
}

void StreamWriter::begin_end_of_ring() {
  write_batches();
  give_up_pairing();
  std::sort(singles_.begin(), singles_.end(),
            [](const Single& a, const Single& b) { return a.sequence < b.sequence; });
}

void StreamWriter::end_ring() {
  singles_.clear();
  next_single_ = 0;
  single_events_.clear();
}

void StreamWriter::end_step() { samples_.flush(); }

}  // namespace ringscribe::runtime
