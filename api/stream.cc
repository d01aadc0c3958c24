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

Counts Stream::stats() const {
  return session_ == nullptr ? Counts() : session_->counts_of(ref_.number);
}

bool Stream::refuse(uint64_t count) const noexcept {
  return runtime::count_loss(ref_, LossCause::kInvalid, count);
}

uint32_t Stream::category_number(std::string_view name) const noexcept {
  // A closed stream takes no lock: in a forked child nobody may be left to release it.
  if (ref_.mode->load(std::memory_order_relaxed) != ref_.word || session_->is_ended()) return 0;
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

uint64_t Stream::write_event_batch(const AnySchema& schema, const void* rows,
                                   size_t rows_bytes) const noexcept {
  const bool is_complete = schema.kind_ == EventKind::kMark ||
                           schema.kind_ == EventKind::kRangePushPop ||
                           schema.kind_ == EventKind::kRangeStartEnd;
  if (!is_own(schema) || !is_complete || rows_bytes % schema.row_bytes_ != 0) {
    const size_t rows_given = schema.row_bytes_ == 0 ? 1 : rows_bytes / schema.row_bytes_;
    refuse(rows_given == 0 ? 1 : rows_given);
    return 0;
  }
  return runtime::write_row_batch(ref_, schema.number_, rows, schema.row_bytes_,
                                  rows_bytes / schema.row_bytes_, 0);
}

uint64_t Stream::write_samples(const Counter& counter, const void* values, size_t count,
                               std::span<const int64_t> timestamps,
                               bool is_floating) const noexcept {
  if (!is_own(counter) || counter.is_floating_ != is_floating || timestamps.size() != count) {
    refuse(count == 0 ? 1 : count);
    return 0;
  }
  return runtime::write_sample_batch(ref_, counter.number_, timestamps.data(), values, 8, count, 0);
}

}  // namespace ringscribe
