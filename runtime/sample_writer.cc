// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/sample_writer.h"

#include <algorithm>

#include "ringscribe/runtime/record_runs.h"

namespace ringscribe::runtime {

namespace {

int64_t time_at(const uint8_t* from) noexcept { return static_cast<int64_t>(load_word(from)); }

bool are_sorted(const uint8_t* first, uint64_t stride, uint64_t count) noexcept {
  for (uint64_t i = 1; i < count; ++i)
    if (time_at(first + i * stride) < time_at(first + (i - 1) * stride)) return false;
  return true;
}

constexpr uint64_t flag_of(bool is_sorted) noexcept {
  return is_sorted ? NVTX_BATCH_FLAG_TIME_SORTED : NVTX_BATCH_FLAG_UNSORTED;
}

}  // namespace

void SampleWriter::write(const Header& header, const uint8_t* records, uint64_t count) {
  const CounterDefinition* counter = output_->usable(output_->tables.counters, header.id, count);
  if (counter == nullptr) return;
  SampleBatch& batch = batches_.at(header.id);
  batch.counter = counter;
  add(batch, *counter, records + 8, header.record_bytes, records + 16, header.record_bytes, count);
}

void SampleWriter::write_batch_record(const Header& header, const uint8_t* body) {
  const uint64_t word = load_word(body);
  const uint64_t count = low_word(word);
  const CounterDefinition* counter = output_->usable(output_->tables.counters, header.id, count);
  if (counter == nullptr) return;
  SampleBatch& batch = batches_.at(header.id);
  batch.counter = counter;
  const SampleForm form = form_of(high_word(word));
  const uint32_t order = order_of(high_word(word));
  const uint8_t* times = body + 8;
  if (form != SampleForm::kEach || order != kDetectOrder) {
    write_batch(batch);  // what came before stays before
    return write_as_it_is(*counter, form, order, times, count);
  }
  add(batch, *counter, times, 8, times + 8 * count, counter->sample_bytes, count);
}

void SampleWriter::add(SampleBatch& batch, const CounterDefinition& counter, const uint8_t* times,
                       size_t time_stride, const uint8_t* samples, size_t sample_stride,
                       uint64_t count) {
  while (count != 0) {
    const uint64_t now = std::min(count, batch_samples_max_ - batch.count());
    copy_rows(times, time_stride, now, 8, batch.times.extend(8 * now));
    copy_rows(samples, sample_stride, now, counter.sample_bytes,
              batch.samples.extend(now * counter.sample_bytes));
    add_times(times, time_stride, now, batch.order);
    times += now * time_stride;
    samples += now * sample_stride;
    count -= now;
    if (batch.count() >= batch_samples_max_) write_batch(batch);
  }
}

void SampleWriter::write_as_it_is(const CounterDefinition& counter, SampleForm form, uint32_t order,
                                  const uint8_t* times, uint64_t count) {
  nvtxCounterBatch_t batch{};
  batch.counterId = counter.static_id;
  batch.countersSize = count * counter.sample_bytes;
  batch.timestampsSize = form == SampleForm::kEach       ? 8 * count
                         : form == SampleForm::kEmbedded ? 0
                                                         : 16;
  batch.timestamps =
      form == SampleForm::kEmbedded ? nullptr : reinterpret_cast<const int64_t*>(times);
  batch.counters = times + batch.timestampsSize;
  batch.flags = order;
  if (order == kDetectOrder) {
    const bool is_embedded = form == SampleForm::kEmbedded;
    const bool is_falling = (form == SampleForm::kFrom || form == SampleForm::kUntil) &&
                            time_at(times + 8) < 0;  // a negative interval
    batch.flags = flag_of((!is_embedded && !is_falling) ||
                          are_sorted(times + counter.time_offset, counter.sample_bytes, count));
  }
  if (form == SampleForm::kFrom) batch.flags |= NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
  if (form == SampleForm::kUntil) batch.flags |= NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
  output_->account(output_->interface.CounterBatchWrite(output_->handle, &batch),
                   "CounterBatchWrite", count);
}

void SampleWriter::write_no_value(const Header& header, const uint8_t* body) {
  const CounterDefinition* counter = output_->usable(output_->tables.counters, header.id, 1);
  if (counter == nullptr) return;
  if (SampleBatch* batch = batches_.find(header.id); batch != nullptr) write_batch(*batch);
  output_->account(
      output_->interface.CounterNoValueWrite(output_->handle, time_at(body), counter->static_id,
                                             static_cast<uint8_t>(load_word(body + 8))),
      "CounterNoValueWrite", 1);
}

void SampleWriter::flush() {
  for (auto& [number, batch] : batches_) write_batch(batch);
}

void SampleWriter::write_batch(SampleBatch& batch) {
  if (batch.count() == 0) return;
  nvtxCounterBatch_t counter_batch{};
  counter_batch.counterId = batch.counter->static_id;
  counter_batch.counters = batch.samples.data();
  counter_batch.countersSize = batch.samples.size();
  counter_batch.flags = flag_of(batch.order.is_sorted);
  counter_batch.timestamps = reinterpret_cast<const int64_t*>(batch.times.data());
  counter_batch.timestampsSize = batch.times.size();
  output_->account(output_->interface.CounterBatchWrite(output_->handle, &counter_batch),
                   "CounterBatchWrite", batch.count());
  batch.clear();
}

}  // namespace ringscribe::runtime
