// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/continued_session.h"

namespace ringscribe::journal {

bool ContinuedSession::is_new(Kind kind, uint32_t domain, uint64_t id) {
  const bool added = ids_.insert({kind, target_domain(domain), id}).second;
  return added || !is_second_;
}

Status ContinuedSession::domain(uint32_t domain, std::string_view name) {
  if (domain >= domain_numbers_.size()) domain_numbers_.resize(size_t{domain} + 1, UINT32_MAX);
  const auto number = static_cast<uint32_t>(domains_.size());
  const auto [entry, added] = domains_.try_emplace(std::string(name), number);
  domain_numbers_[domain] = entry->second;
  return added ? target_->domain(number, name) : Status();
}

Status ContinuedSession::category(uint32_t domain, uint32_t category, std::string_view name) {
  if (!is_new(kCategories, domain, category)) return Status();
  return target_->category(target_domain(domain), category, name);
}

Status ContinuedSession::string(uint32_t domain, uint64_t handle, std::string_view text) {
  // A handle of the first part is not used any more: it may get another text.
  return target_->string(target_domain(domain), handle, text);
}

Status ContinuedSession::resource(uint32_t domain, const nvtxResourceAttributes_t& attr) {
  return target_->resource(target_domain(domain), attr);
}

Status ContinuedSession::scope(uint32_t domain, const nvtxScopeAttr_t& attr) {
  if (!is_new(kScopes, domain, attr.scopeId)) return Status();
  return target_->scope(target_domain(domain), attr);
}

Status ContinuedSession::schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  if (!is_new(kSchemas, domain, attr.schemaId)) return Status();
  return target_->schema(target_domain(domain), attr);
}

Status ContinuedSession::enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  if (!is_new(kSchemas, domain, attr.schemaId)) return Status();
  return target_->enumeration(target_domain(domain), attr);
}

Status ContinuedSession::counter(uint32_t domain, const nvtxCounterAttr_t& attr) {
  if (!is_new(kCounters, domain, attr.counterId)) return Status();
  return target_->counter(target_domain(domain), attr);
}

Status ContinuedSession::time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
  if (!is_new(kTimeDomains, domain, attr.timeDomainId)) return Status();
  return target_->time_domain(target_domain(domain), attr);
}

Status ContinuedSession::stream_open(uint32_t stream, uint32_t domain,
                                     const nvtxwStreamAttributes_t& attr) {
  if (stream >= stream_numbers_.size()) stream_numbers_.resize(size_t{stream} + 1, UINT32_MAX);
  const std::string name(attr.name == nullptr ? "" : attr.name);
  const auto [entry, added] = open_streams_.try_emplace({target_domain(domain), name}, streams_);
  stream_numbers_[stream] = entry->second;
  if (!added) return Status();
  return target_->stream_open(streams_++, target_domain(domain), attr);
}

Status ContinuedSession::stream_close(uint32_t stream) {
  const uint32_t number = target_stream(stream);
  std::erase_if(open_streams_, [number](const auto& open) { return open.second == number; });
  return target_->stream_close(number);
}

Status ContinuedSession::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  return target_->event(target_stream(stream), payloads);
}

Status ContinuedSession::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  return target_->event_batch(target_stream(stream), batch);
}

Status ContinuedSession::counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter,
                                        const void* data, size_t size) {
  return target_->counter_sample(target_stream(stream), timestamp, counter, data, size);
}

Status ContinuedSession::counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                                          uint8_t reason) {
  return target_->counter_no_value(target_stream(stream), timestamp, counter, reason);
}

Status ContinuedSession::counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) {
  return target_->counter_batch(target_stream(stream), batch);
}

Status ContinuedSession::sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                                     std::span<const nvtxSyncPoint_t> points) {
  return target_->sync_points(target_stream(stream), source, destination, points);
}

Status ContinuedSession::conversion_factor(uint32_t stream, uint64_t source, uint64_t destination,
                                           double slope, int64_t source_timestamp,
                                           int64_t destination_timestamp) {
  return target_->conversion_factor(target_stream(stream), source, destination, slope,
                                    source_timestamp, destination_timestamp);
}

Status ContinuedSession::end() { return is_second_ ? target_->end() : Status(); }

}  // namespace ringscribe::journal
