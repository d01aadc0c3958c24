// SPDX-License-Identifier: Apache-2.0
//
// The null backend: takes every call, counts it, and keeps nothing. For measuring what recording
// costs without a sink, and for trying whether a producer's calls are accepted.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_null_session(config);
//
// At the end one line with the counts goes to stderr if RINGSCRIBE_LOG is info.
// Threads: as nvtxw::SessionBackend.
#ifndef RINGSCRIBE_BACKENDS_NULL_NULL_SESSION_H_
#define RINGSCRIBE_BACKENDS_NULL_NULL_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"

namespace ringscribe::null {

struct NullCounts {
  uint64_t definitions = 0;
  uint64_t streams = 0;
  uint64_t events = 0;  // single ones
  uint64_t event_batches = 0;
  uint64_t event_batch_bytes = 0;
  uint64_t counter_samples = 0;  // single ones, with or without value
  uint64_t counter_batches = 0;
  uint64_t counter_batch_bytes = 0;
  uint64_t time_calls = 0;
};

class NullSession final : public nvtxw::SessionBackend {
 public:
  explicit NullSession(std::string name) : name_(std::move(name)) {}

  const NullCounts& counts() const noexcept { return counts_; }

  Status domain(uint32_t domain, std::string_view name) override;
  Status category(uint32_t domain, uint32_t category, std::string_view name) override;
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override;
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override;
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override;
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override;
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override;
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override;
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override;
  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override;
  Status stream_close(uint32_t stream) override;
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override;
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override;
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override;
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override;
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override;
  Status sync_points(uint32_t stream, uint64_t source_time_domain, uint64_t destination_time_domain,
                     std::span<const nvtxSyncPoint_t> points) override;
  Status conversion_factor(uint32_t stream, uint64_t source_time_domain,
                           uint64_t destination_time_domain, double slope, int64_t source_timestamp,
                           int64_t destination_timestamp) override;
  Status end() override;

 private:
  std::string name_;
  NullCounts counts_;
};

// Never fails; `output` is ignored.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_null_session(
    const nvtxw::SessionConfig& config);

}  // namespace ringscribe::null

#endif  // RINGSCRIBE_BACKENDS_NULL_NULL_SESSION_H_
