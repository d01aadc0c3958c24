// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/differential/session_facts.h"

#include <memory>

namespace ringscribe::testing {

// A fixed relation of the clocks, so that two sessions convert alike.
SessionFacts::SessionFacts()
    : printer_([this](std::string_view line) { calls_.emplace_back(line); }),
      model_(std::make_unique<FactSink>(&decoded_, &stream_), "facts", model::ClockSnapshot{}) {}

Status SessionFacts::domain(uint32_t domain, std::string_view name) {
  return on_both([&](SessionBackend& to) { return to.domain(domain, name); });
}
Status SessionFacts::category(uint32_t domain, uint32_t category, std::string_view name) {
  return on_both([&](SessionBackend& to) { return to.category(domain, category, name); });
}
Status SessionFacts::string(uint32_t domain, uint64_t handle, std::string_view text) {
  return on_both([&](SessionBackend& to) { return to.string(domain, handle, text); });
}
Status SessionFacts::resource(uint32_t domain, const nvtxResourceAttributes_t& attr) {
  return on_both([&](SessionBackend& to) { return to.resource(domain, attr); });
}
Status SessionFacts::scope(uint32_t domain, const nvtxScopeAttr_t& attr) {
  return on_both([&](SessionBackend& to) { return to.scope(domain, attr); });
}
Status SessionFacts::schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  return on_both([&](SessionBackend& to) { return to.schema(domain, attr); });
}
Status SessionFacts::enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  return on_both([&](SessionBackend& to) { return to.enumeration(domain, attr); });
}
Status SessionFacts::counter(uint32_t domain, const nvtxCounterAttr_t& attr) {
  return on_both([&](SessionBackend& to) { return to.counter(domain, attr); });
}
Status SessionFacts::time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
  return on_both([&](SessionBackend& to) { return to.time_domain(domain, attr); });
}
Status SessionFacts::stream_open(uint32_t stream, uint32_t domain,
                                 const nvtxwStreamAttributes_t& attr) {
  if (attr.name != nullptr && std::string_view(attr.name) == "ringscribe")
    own_streams_.insert(stream);
  return on_stream(stream,
                   [&](SessionBackend& to) { return to.stream_open(stream, domain, attr); });
}
Status SessionFacts::stream_close(uint32_t stream) {
  return on_stream(stream, [&](SessionBackend& to) { return to.stream_close(stream); });
}
Status SessionFacts::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  return on_stream(stream, [&](SessionBackend& to) { return to.event(stream, payloads); });
}
Status SessionFacts::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  return on_stream(stream, [&](SessionBackend& to) { return to.event_batch(stream, batch); });
}
Status SessionFacts::counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter,
                                    const void* data, size_t size) {
  return on_stream(stream, [&](SessionBackend& to) {
    return to.counter_sample(stream, timestamp, counter, data, size);
  });
}
Status SessionFacts::counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                                      uint8_t reason) {
  return on_stream(stream, [&](SessionBackend& to) {
    return to.counter_no_value(stream, timestamp, counter, reason);
  });
}
Status SessionFacts::counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) {
  return on_stream(stream, [&](SessionBackend& to) { return to.counter_batch(stream, batch); });
}
Status SessionFacts::sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                                 std::span<const nvtxSyncPoint_t> points) {
  return on_stream(stream, [&](SessionBackend& to) {
    return to.sync_points(stream, source, destination, points);
  });
}
Status SessionFacts::conversion_factor(uint32_t stream, uint64_t source, uint64_t destination,
                                       double slope, int64_t source_timestamp,
                                       int64_t destination_timestamp) {
  return on_stream(stream, [&](SessionBackend& to) {
    return to.conversion_factor(stream, source, destination, slope, source_timestamp,
                                destination_timestamp);
  });
}
Status SessionFacts::end() {
  return on_both([](SessionBackend& to) { return to.end(); });
}

}  // namespace ringscribe::testing
