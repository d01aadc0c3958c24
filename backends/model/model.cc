// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/model.h"

#include <exception>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

Bytes flex_of(const nvtxEventBatch_t& batch) {
  if (batch.flexData == nullptr) return {};
  return {static_cast<const std::byte*>(batch.flexData) + batch.flexDataOffset, batch.flexDataSize};
}

}  // namespace

Model::Model(std::unique_ptr<EventSink> sink, std::string_view session_name,
             const ClockSnapshot& snapshot)
    : sink_(std::move(sink)),
      tally_(*sink_),
      decoder_(definitions_, problems_),
      placement_(tally_, definitions_, problems_, snapshot),
      events_(tally_, definitions_, placement_, problems_),
      batches_(tally_, definitions_, placement_),
      counters_(tally_, definitions_, placement_, problems_) {
  first_status_ = sink_->session(valid_utf8_copy(session_name));
}

Model::~Model() { (void)end(); }

template <typename Work>
Status Model::guarded(const char* operation, Work work) noexcept {
  try {
    if (!first_status_.ok()) return std::exchange(first_status_, Status());
    return work();
  } catch (const std::exception& error) {
    try {
      return {ResultCode::kFailed,
              std::string(operation) + ": " + error.what() + "; the call was given up."};
    } catch (...) {
      return {ResultCode::kFailed, {}};  // not even memory to say so
    }
  }
}

Status Model::find_stream(uint32_t stream, StreamState*& found) {
  const auto place = streams_.find(stream);
  if (place == streams_.end()) {
    return {ResultCode::kInvalidArgument, "Writing to stream " + std::to_string(stream) +
                                              ": it is not open; open it before writing."};
  }
  found = &place->second;
  return {};
}

Status Model::domain(uint32_t domain, std::string_view name) {
  return guarded("Registering a domain", [&] {
    definitions_.add_domain(domain, name);
    return Status();
  });
}

Status Model::category(uint32_t domain, uint32_t category, std::string_view name) {
  return guarded("Naming a category", [&] {
    definitions_.add_category(domain, category, name);
    return sink_->category(definitions_.domain_name(domain), category,
                           definitions_.category_name(domain, category));
  });
}

Status Model::string(uint32_t, uint64_t handle, std::string_view text) {
  return guarded("Registering a string", [&] {
    definitions_.add_string(handle, text);
    return Status();
  });
}

// No viewer has a place for resource names; events refer to what they are about by fields.
Status Model::resource(uint32_t, const nvtxResourceAttributes_t&) { return {}; }

Status Model::scope(uint32_t domain, const nvtxScopeAttr_t& attr) {
  return guarded("Registering a scope", [&] { return placement_.add_scope(domain, attr); });
}

Status Model::schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  return guarded("Registering a schema", [&] {
    definitions_.add_schema(domain, attr);
    return Status();
  });
}

Status Model::enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  return guarded("Registering an enum", [&] {
    definitions_.add_enumeration(domain, attr);
    return Status();
  });
}

Status Model::counter(uint32_t domain, const nvtxCounterAttr_t& attr) {
  return guarded("Registering a counter", [&] {
    counters_.define(domain, attr);
    return Status();
  });
}

Status Model::time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
  return guarded("Registering a time domain", [&] {
    placement_.define_time_domain(domain, attr);
    return Status();
  });
}

Status Model::stream_open(uint32_t stream, uint32_t domain, const nvtxwStreamAttributes_t& attr) {
  return guarded("Opening a stream", [&] {
    StreamState state;
    state.name = valid_utf8_copy(attr.name == nullptr ? "" : attr.name);
    state.domain = domain;
    state.scope = attr.scopeId;
    state.time_domain = attr.timeDomainId;
    const auto identity = static_cast<uint32_t>(identities_.size());
    const auto [known, is_new] = identities_.try_emplace({domain, state.name}, identity);
    state.identity = known->second;
    Status status;
    if (is_new)
      status = sink_->stream({state.identity, state.name, definitions_.domain_name(domain)});
    streams_[stream] = std::move(state);
    return status;
  });
}

// Ranges that are open stay open: the stream may be opened again, and pop them.
Status Model::stream_close(uint32_t stream) {
  return guarded("Closing a stream", [&] {
    streams_.erase(stream);
    return Status();
  });
}

Status Model::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  return guarded("Writing an event", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    return events_.write(*state, decoder_.decode(state->domain, payloads), NVTX_SCOPE_NONE);
  });
}

Status Model::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  return guarded("Writing an event batch", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    const Schema* schema = definitions_.schema(state->domain, batch.eventSchemaId);
    if (schema == nullptr || batch.events == nullptr) {
      return Status(ResultCode::kInvalidArgument,
                    "Writing an event batch to stream '" + state->name + "': schema " +
                        std::to_string(batch.eventSchemaId) +
                        " is not registered in the stream's domain, or there are no rows.");
    }
    return write_rows(*state, *schema, batch);
  });
}

Status Model::write_rows(StreamState& stream, const Schema& schema, const nvtxEventBatch_t& batch) {
  BatchData data;
  data.rows = {static_cast<const std::byte*>(batch.events), batch.size};
  data.flex_base = static_cast<const std::byte*>(batch.flexData);
  data.flex = flex_of(batch);
  const BatchWriter::Plan* plan = batches_.plan(stream, schema, batch.scope);
  Bytes rest = data.rows;
  while (!rest.empty()) {
    size_t size = 0;
    if (plan != nullptr) {
      Status status = batches_.write(stream, *plan, batch.scope, rest, size);
      if (!status.ok()) return status;
      rest = rest.subspan(size);
      if (rest.empty()) break;
    }
    const DecodedEvent& decoded = decoder_.decode_row(schema, rest, data, size);
    if (Status status = events_.write(stream, decoded, batch.scope); !status.ok()) return status;
    if (size == 0 || size > rest.size()) {
      return {ResultCode::kInvalidArgument,
              "Writing an event batch of schema " + schema.label() + " to stream '" + stream.name +
                  "': the last " + std::to_string(rest.size()) +
                  " bytes are not a whole number of rows; make the size fit the schema."};
    }
    rest = rest.subspan(size);
  }
  return {};
}

Status Model::counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                             size_t size) {
  return guarded("Writing a counter sample", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    const Bytes sample(static_cast<const std::byte*>(data), data == nullptr ? 0 : size);
    return counters_.write(*state, timestamp, counter, sample);
  });
}

Status Model::counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                               uint8_t reason) {
  return guarded("Writing a counter sample", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    return counters_.write_no_value(*state, timestamp, counter, reason);
  });
}

Status Model::counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) {
  return guarded("Writing a counter batch", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    return counters_.write_batch(*state, batch);
  });
}

Status Model::sync_points(uint32_t stream, uint64_t source_time_domain,
                          uint64_t destination_time_domain,
                          std::span<const nvtxSyncPoint_t> points) {
  return guarded("Writing sync points", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    return placement_.add_sync_points(state->domain, source_time_domain, destination_time_domain,
                                      points);
  });
}

Status Model::conversion_factor(uint32_t stream, uint64_t source_time_domain,
                                uint64_t destination_time_domain, double slope,
                                int64_t source_timestamp, int64_t destination_timestamp) {
  return guarded("Writing a conversion factor", [&] {
    StreamState* state = nullptr;
    if (Status status = find_stream(stream, state); !status.ok()) return status;
    return placement_.add_factor(state->domain, source_time_domain, destination_time_domain, slope,
                                 source_timestamp, destination_timestamp);
  });
}

Status Model::end() {
  if (is_ended_) return {};
  is_ended_ = true;
  // The session() failure, if nobody was told of it yet, does not keep the sink from finishing.
  Status first = std::exchange(first_status_, Status());
  Status last = guarded("Ending the session", [&] { return finish(); });
  return first.ok() ? last : first;
}

// Does all that is left, whatever fails; returns the first failure.
Status Model::finish() {
  Status first = events_.finish();
  const auto keep = [&first](Status status) {
    if (first.ok()) first = std::move(status);
  };
  keep(placement_.ensure_clock_point());
  for (const auto& [sentence, count] : problems_.all()) keep(sink_->problem(sentence, count));
  keep(sink_->finish());
  return first;
}

}  // namespace ringscribe::model
