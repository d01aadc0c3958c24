// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/null/null_session.h"

#include "ringscribe/backends/nvtxw/log.h"

namespace ringscribe::null {
namespace {

Status count(uint64_t* counter, uint64_t by = 1) noexcept {
  *counter += by;
  return {};
}

}  // namespace

Status NullSession::domain(uint32_t, std::string_view) { return count(&counts_.definitions); }
Status NullSession::category(uint32_t, uint32_t, std::string_view) {
  return count(&counts_.definitions);
}
Status NullSession::string(uint32_t, uint64_t, std::string_view) {
  return count(&counts_.definitions);
}
Status NullSession::resource(uint32_t, const nvtxResourceAttributes_t&) {
  return count(&counts_.definitions);
}
Status NullSession::scope(uint32_t, const nvtxScopeAttr_t&) { return count(&counts_.definitions); }
Status NullSession::schema(uint32_t, const nvtxPayloadSchemaAttr_t&) {
  return count(&counts_.definitions);
}
Status NullSession::enumeration(uint32_t, const nvtxPayloadEnumAttr_t&) {
  return count(&counts_.definitions);
}
Status NullSession::counter(uint32_t, const nvtxCounterAttr_t&) {
  return count(&counts_.definitions);
}
Status NullSession::time_domain(uint32_t, const nvtxTimeDomainAttr_t&) {
  return count(&counts_.definitions);
}

Status NullSession::stream_open(uint32_t, uint32_t, const nvtxwStreamAttributes_t&) {
  return count(&counts_.streams);
}
Status NullSession::stream_close(uint32_t) { return {}; }

Status NullSession::event(uint32_t, std::span<const nvtxPayloadData_t>) {
  return count(&counts_.events);
}
Status NullSession::event_batch(uint32_t, const nvtxEventBatch_t& batch) {
  counts_.event_batch_bytes += batch.size;
  return count(&counts_.event_batches);
}
Status NullSession::counter_sample(uint32_t, int64_t, uint64_t, const void*, size_t) {
  return count(&counts_.counter_samples);
}
Status NullSession::counter_no_value(uint32_t, int64_t, uint64_t, uint8_t) {
  return count(&counts_.counter_samples);
}
Status NullSession::counter_batch(uint32_t, const nvtxCounterBatch_t& batch) {
  counts_.counter_batch_bytes += batch.countersSize;
  return count(&counts_.counter_batches);
}
Status NullSession::sync_points(uint32_t, uint64_t, uint64_t, std::span<const nvtxSyncPoint_t>) {
  return count(&counts_.time_calls);
}
Status NullSession::conversion_factor(uint32_t, uint64_t, uint64_t, double, int64_t, int64_t) {
  return count(&counts_.time_calls);
}

Status NullSession::end() {
  const auto text = [](uint64_t number) { return std::to_string(number); };
  nvtxw::log_line(nvtxw::LogLevel::kInfo,
                  "session '" + name_ + "' dropped by the null backend: " + text(counts_.events) +
                      " events, " + text(counts_.event_batches) + " event batches of " +
                      text(counts_.event_batch_bytes) + " bytes, " + text(counts_.counter_samples) +
                      " counter samples, " + text(counts_.counter_batches) +
                      " counter batches of " + text(counts_.counter_batch_bytes) + " bytes, " +
                      text(counts_.definitions) + " definitions, " + text(counts_.streams) +
                      " streams");
  return {};
}

Result<std::unique_ptr<nvtxw::SessionBackend>> open_null_session(
    const nvtxw::SessionConfig& config) {
  return std::unique_ptr<nvtxw::SessionBackend>(std::make_unique<NullSession>(config.name));
}

}  // namespace ringscribe::null
