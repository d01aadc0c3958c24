// SPDX-License-Identifier: Apache-2.0
//
// The functions behind NVTX's counters. Samples are of the time of the call; those of a batch have
// their own times and go to the domain's stream of deferred events.
//
// A number is stored as the counter's type has it: NVTX has functions for int64_t and double only,
// whatever the counter was registered as.
//
// Threads: as NVTX's, any. Source: nvToolsExtCounters.h.
#ifndef RINGSCRIBE_INJECT_COUNTER_CALLS_H_
#define RINGSCRIBE_INJECT_COUNTER_CALLS_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/inject/nvtx_abi.h"

namespace ringscribe::inject {

uint64_t NVTX_API register_counter(nvtxDomainHandle_t domain, const nvtxCounterAttr_t* attr);
void NVTX_API sample_int64(nvtxDomainHandle_t domain, uint64_t counter, int64_t value);
void NVTX_API sample_float64(nvtxDomainHandle_t domain, uint64_t counter, double value);
void NVTX_API sample_bytes(nvtxDomainHandle_t domain, uint64_t counter, const void* values,
                           size_t bytes);
void NVTX_API sample_no_value(nvtxDomainHandle_t domain, uint64_t counter, uint8_t reason);
void NVTX_API submit_counter_batch(nvtxDomainHandle_t domain, const nvtxCounterBatch_t* batch);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_COUNTER_CALLS_H_
