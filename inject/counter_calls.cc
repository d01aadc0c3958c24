// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/counter_calls.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ringscribe/inject/recording.h"
#include "ringscribe/runtime/loss.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

namespace {

using runtime::SampleForm;

TracedDomain& of(nvtxDomainHandle_t domain) { return Recording::process().domain(domain); }

bool is_float(uint64_t type) noexcept {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT || type == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32;
}
bool is_double(uint64_t type) noexcept {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE || type == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64;
}
bool is_small_float(uint64_t type) noexcept {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16 || type == NVTX_PAYLOAD_ENTRY_TYPE_BF16 ||
         type == NVTX_PAYLOAD_ENTRY_TYPE_TF32;
}

// The counter of a sample that is a single number; nullptr, and counted, if there is none.
const TracedDomain::CounterUse* number_counter(TracedDomain& domain, uint64_t id) {
  if (!domain.is_enabled()) return nullptr;
  const TracedDomain::CounterUse* counter = domain.find_counter(id);
  if (counter != nullptr && counter->type != 0 && !is_small_float(counter->type)) return counter;
  runtime::count_invalid(domain.stream(),
                         counter == nullptr ? InvalidCall::kCounter : InvalidCall::kSize);
  return nullptr;
}

}  // namespace

uint64_t NVTX_API register_counter(nvtxDomainHandle_t domain, const nvtxCounterAttr_t* attr) {
  if (attr == nullptr || attr->structSize < sizeof(nvtxCounterAttr_t)) return NVTX_COUNTER_ID_NONE;
  return of(domain).register_counter(*attr);
}

void NVTX_API sample_int64(nvtxDomainHandle_t handle, uint64_t id, int64_t value) {
  TracedDomain& domain = of(handle);
  const TracedDomain::CounterUse* counter = number_counter(domain, id);
  if (counter == nullptr) return;
  auto bits = static_cast<uint64_t>(value);
  if (is_double(counter->type)) bits = std::bit_cast<uint64_t>(static_cast<double>(value));
  if (is_float(counter->type)) bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  runtime::write_live_sample(domain.stream(), counter->live_number, bits);
}

void NVTX_API sample_float64(nvtxDomainHandle_t handle, uint64_t id, double value) {
  TracedDomain& domain = of(handle);
  const TracedDomain::CounterUse* counter = number_counter(domain, id);
  if (counter == nullptr) return;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  if (is_float(counter->type)) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  } else if (!is_double(counter->type)) {
    // An integer: what does not fit is the nearest that does.
    constexpr double kMost = 9223372036854774784.0;  // the last double below 2^63
    const double whole = std::isnan(value) ? 0 : std::nearbyint(value);
    bits = whole > kMost    ? static_cast<uint64_t>(std::numeric_limits<int64_t>::max())
           : whole < -kMost ? static_cast<uint64_t>(std::numeric_limits<int64_t>::min())
                            : static_cast<uint64_t>(static_cast<int64_t>(whole));
  }
  runtime::write_live_sample(domain.stream(), counter->live_number, bits);
}

void NVTX_API sample_bytes(nvtxDomainHandle_t handle, uint64_t id, const void* values,
                           size_t bytes) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled()) return;
  const TracedDomain::CounterUse* counter = domain.find_counter(id);
  if (counter == nullptr || values == nullptr || counter->has_embedded_time)
    runtime::count_invalid(domain.stream(), counter != nullptr && values != nullptr
                                                ? InvalidCall::kTimes
                                                : InvalidCall::kCounter);
  else if (bytes != counter->sample_bytes)
    runtime::count_invalid(domain.stream(), InvalidCall::kSize);
  else
    runtime::write_live_group(domain.stream(), counter->live_number, values, counter->sample_bytes);
}

void NVTX_API sample_no_value(nvtxDomainHandle_t handle, uint64_t id, uint8_t reason) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled()) return;
  const TracedDomain::CounterUse* counter = domain.find_counter(id);
  if (counter == nullptr)
    runtime::count_invalid(domain.stream(), InvalidCall::kCounter);
  else
    runtime::write_live_no_value(domain.stream(), counter->live_number, reason);
}

void NVTX_API submit_counter_batch(nvtxDomainHandle_t handle, const nvtxCounterBatch_t* batch) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled() || batch == nullptr) return;
  domain.read_timers();
  const runtime::StreamRef stream = domain.deferred_stream(NVTX_SCOPE_NONE);
  const TracedDomain::CounterUse* counter = domain.find_counter(batch->counterId);
  if (counter == nullptr || (batch->counters == nullptr && batch->countersSize != 0)) {
    runtime::count_invalid(stream, InvalidCall::kCounter);
    return;
  }
  if (batch->countersSize == 0) return;  // Python's nvtx gives no pointers then
  const uint64_t count = batch->countersSize / counter->sample_bytes;
  runtime::SampleTimesOf times{SampleForm::kEmbedded, nullptr, 0, 0};
  bool is_right = true;
  if (batch->timestamps == nullptr) {
    is_right = counter->has_embedded_time;
  } else if ((batch->flags & (NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR |
                              NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR)) != 0) {
    is_right = batch->timestampsSize >= 2 * sizeof(int64_t);
    if (is_right)
      times = {(batch->flags & NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR) != 0
                   ? SampleForm::kFrom
                   : SampleForm::kUntil,
               nullptr, batch->timestamps[0], batch->timestamps[1]};
  } else {
    is_right = batch->timestampsSize / sizeof(int64_t) >= count;
    times = {SampleForm::kEach, batch->timestamps, 0, 0};
  }
  if (!is_right) {
    runtime::count_invalid(stream, InvalidCall::kTimes, count);
    return;
  }
  runtime::write_sample_batch(stream, counter->number, times, batch->counters,
                              counter->sample_bytes, count,
                              static_cast<uint32_t>(batch->flags & NVTX_BATCH_FLAG_UNSORTED));
}

}  // namespace ringscribe::inject
