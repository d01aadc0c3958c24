// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/sample_writer.h"

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

void SampleWriter::write(const Header& header, const uint8_t* body) {
  const bool is_batch = header.kind == RecordKind::kCounterBatch;
  const uint64_t word = is_batch ? load_word(body) : 0;
  const uint64_t count = is_batch ? low_word(word) : 1;
  const CounterDefinition* counter = output_->usable(output_->tables.counters, header.id, count);
  if (counter == nullptr) return;
  SampleBatch& batch = batches_[header.id];
  batch.counter = counter;
  const SampleForm form = is_batch ? form_of(high_word(word)) : SampleForm::kEach;
  const uint32_t order = is_batch ? order_of(high_word(word)) : kDetectOrder;
  const uint8_t* times = is_batch ? body + 8 : body;
  if (form != SampleForm::kEach || order != kDetectOrder) {
    write_batch(batch);  // what came before stays before
    return write_as_it_is(*counter, form, order, times, count);
  }
  const uint8_t* samples = times + 8 * count;
  for (uint64_t i = 0; i < count; ++i) {
    batch.add(time_at(times + 8 * i), samples + i * counter->sample_bytes, counter->sample_bytes);
    if (batch.times.size() >= batch_samples_max_) write_batch(batch);
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
  if (const auto batch = batches_.find(header.id); batch != batches_.end())
    write_batch(batch->second);
  output_->account(
      output_->interface.CounterNoValueWrite(output_->handle, time_at(body), counter->static_id,
                                             static_cast<uint8_t>(load_word(body + 8))),
      "CounterNoValueWrite", 1);
}

void SampleWriter::flush() {
  for (auto& [number, batch] : batches_) write_batch(batch);
}

void SampleWriter::write_batch(SampleBatch& batch) {
  if (batch.times.empty()) return;
  nvtxCounterBatch_t counter_batch{};
  counter_batch.counterId = batch.counter->static_id;
  counter_batch.counters = batch.samples.data();
  counter_batch.countersSize = batch.samples.size();
  counter_batch.flags = flag_of(batch.is_sorted);
  counter_batch.timestamps = batch.times.data();
  counter_batch.timestampsSize = batch.times.size() * sizeof(int64_t);
  output_->account(output_->interface.CounterBatchWrite(output_->handle, &counter_batch),
                   "CounterBatchWrite", batch.times.size());
  batch.clear();
}

}  // namespace ringscribe::runtime
