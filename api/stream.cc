// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/stream.h"

#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/runtime/session_state.h"

namespace ringscribe {

Stream::Stream() noexcept : ref_(runtime::closed_stream()) {}

Status Stream::close() {
  if (session_ == nullptr) return Status();
  return runtime::Runtime::process().close_stream(*session_, ref_);
}

void Stream::set_overflow(StreamOverflow overflow) const noexcept {
  runtime::set_stream_overflow(ref_, overflow);
}

Counts Stream::stats() const {
  if (session_ == nullptr || runtime::Runtime::process().is_forked_child()) return Counts();
  return session_->counts_of(ref_);
}

bool Stream::refuse(InvalidCall what, uint64_t count) const noexcept {
  return runtime::count_invalid(ref_, what, count);
}

uint32_t Stream::category_number(std::string_view name) const noexcept {
  // A closed stream takes no lock: in a forked child nobody may be left to release it.
  if (ref_.mode->load(std::memory_order_relaxed) != ref_.word() || session_->is_ended()) return 0;
  return domain_->category(name);
}

RangeId Stream::write_start(int64_t timestamp, const EventArgs& args,
                            RangeId range_id) const noexcept {
  if (range_id.value == 0) range_id.value = runtime::next_range_id();
  runtime::TextAttributes text;
  if (resolve(args, text))
    runtime::write_text_record<runtime::RecordKind::kStart, true>(
        ref_, static_cast<uint64_t>(timestamp), range_id.value, text);
  return range_id;
}

bool Stream::write_event(const AnySchema& schema, const void* row,
                         size_t row_bytes) const noexcept {
  if (!is_own_event(schema)) return refuse(InvalidCall::kSchema);
  if (schema.row_bytes_ == 0) {  // rows differ in size
    if (schema.flexible_ != nullptr) return refuse(InvalidCall::kSchema);
    const runtime::PayloadBytes payload{schema.event_.number(), 0, row, row_bytes};
    return row_bytes != 0 ? runtime::write_payloads(ref_, {&payload, 1})
                          : refuse(InvalidCall::kSize);
  }
  if (row_bytes != schema.row_bytes_) return refuse(InvalidCall::kSize);
  if (schema.flexible_ != nullptr)
    return runtime::write_flex_row(ref_, schema.event_.number(), row, schema.row_bytes_,
                                   *schema.flexible_);
  return runtime::write_row(ref_, schema.event_.number(), row, schema.row_bytes_);
}

bool Stream::write_event(std::span<const Payload> payloads) const noexcept {
  if (payloads.empty() || payloads.size() > runtime::kMaxPayloads)
    return refuse(InvalidCall::kPayloads);
  runtime::PayloadBytes bytes[runtime::kMaxPayloads];
  size_t count = 0;
  for (const Payload& payload : payloads) {
    const runtime::Reference schema = payload.schema_reference;
    const bool is_wrong = schema.is_none()
                              ? payload.predefined == 0
                              : schema.domain() != ref_.domain() || payload.is_flexible ||
                                    payload.size_bytes < payload.row_bytes;
    if (is_wrong || payload.data == nullptr || payload.size_bytes == 0)
      return refuse(InvalidCall::kPayloads);
    bytes[count++] = {schema.number(), payload.predefined, payload.data, payload.size_bytes};
  }
  return runtime::write_payloads(ref_, {bytes, count});
}

uint64_t Stream::write_event_batch(const AnySchema& schema, const void* rows, size_t rows_bytes,
                                   BatchOrdering ordering) const noexcept {
  const bool is_complete = schema.kind_ == EventKind::kMark ||
                           schema.kind_ == EventKind::kRangePushPop ||
                           schema.kind_ == EventKind::kRangeStartEnd;
  if (!is_own_event(schema) || !is_complete || schema.row_bytes_ == 0 ||
      rows_bytes % schema.row_bytes_ != 0) {
    const size_t rows_given = schema.row_bytes_ == 0 ? 1 : rows_bytes / schema.row_bytes_;
    refuse(is_own_event(schema) ? InvalidCall::kBatch : InvalidCall::kSchema,
           rows_given == 0 ? 1 : rows_given);
    return 0;
  }
  const uint64_t count = rows_bytes / schema.row_bytes_;
  if (schema.flexible_ == nullptr)
    return runtime::write_row_batch(ref_, schema.event_.number(), rows, schema.row_bytes_, count,
                                    static_cast<uint32_t>(ordering));
  uint64_t written = 0;
  const auto* row = static_cast<const unsigned char*>(rows);
  for (uint64_t i = 0; i < count; ++i, row += schema.row_bytes_)
    if (runtime::write_flex_row(ref_, schema.event_.number(), row, schema.row_bytes_,
                                *schema.flexible_))
      ++written;
  return written;
}

bool Stream::write_counter_sample(const AnyCounter& counter, int64_t timestamp, const void* sample,
                                  size_t sample_bytes) const noexcept {
  if (!is_own(counter)) return refuse(InvalidCall::kCounter);
  if (counter.has_embedded_time_) return refuse(InvalidCall::kTimes);
  if (sample_bytes != counter.sample_bytes_) return refuse(InvalidCall::kSize);
  return runtime::write_sample(ref_, counter.reference_.number(), timestamp, sample,
                               counter.sample_bytes_);
}

uint64_t Stream::write_counter_batch(const AnyCounter& counter, const void* samples,
                                     size_t samples_bytes, const SampleTimes& times,
                                     BatchOrdering ordering) const noexcept {
  const size_t sample_bytes = counter.sample_bytes_;
  const bool fits = sample_bytes != 0 && samples_bytes % sample_bytes == 0;
  const size_t count = sample_bytes == 0 ? 1 : samples_bytes / sample_bytes;
  return write_samples(counter, samples, count, fits ? sample_bytes : 0, times, ordering);
}

uint64_t Stream::write_samples(const AnyCounter& counter, const void* samples, size_t count,
                               size_t sample_bytes, const SampleTimes& times,
                               BatchOrdering ordering) const noexcept {
  const bool is_embedded = times.form() == SampleTimes::Form::kEmbedded;
  const bool has_each = times.form() == SampleTimes::Form::kEach;
  InvalidCall wrong = InvalidCall::kNone;
  if (is_embedded != counter.has_embedded_time_ || (has_each && times.each().size() != count))
    wrong = InvalidCall::kTimes;
  if (sample_bytes != counter.sample_bytes_) wrong = InvalidCall::kSize;
  if (!is_own(counter)) wrong = InvalidCall::kCounter;
  if (wrong != InvalidCall::kNone) {
    refuse(wrong, count == 0 ? 1 : count);
    return 0;
  }
  static_assert(static_cast<int>(SampleTimes::Form::kUntil) ==
                    static_cast<int>(runtime::SampleForm::kUntil) &&
                static_cast<int>(SampleTimes::Form::kEach) ==
                    static_cast<int>(runtime::SampleForm::kEach));
  const runtime::SampleTimesOf at{static_cast<runtime::SampleForm>(times.form()),
                                  times.each().data(), times.anchor(), times.interval()};
  return runtime::write_sample_batch(ref_, counter.reference_.number(), at, samples,
                                     counter.sample_bytes_, count, static_cast<uint32_t>(ordering));
}

bool Stream::write_sync_points(const TimeDomain& source, const TimeDomain& destination,
                               std::span<const SyncPoint> points) const noexcept {
  if (!is_own(source) || !is_own(destination) || points.empty())
    return refuse(InvalidCall::kTimeDomain, points.empty() ? 1 : points.size());
  static_assert(sizeof(SyncPoint) == 16);
  return runtime::write_sync_points(ref_, source.id(), destination.id(), &points[0].source,
                                    points.size()) == points.size();
}

bool Stream::write_conversion_factor(const TimeDomain& source, const TimeDomain& destination,
                                     double slope, int64_t at_source,
                                     int64_t at_destination) const noexcept {
  if (!is_own(source) || !is_own(destination)) return refuse(InvalidCall::kTimeDomain);
  return runtime::write_conversion(ref_, source.id(), destination.id(), slope, at_source,
                                   at_destination);
}

}  // namespace ringscribe
