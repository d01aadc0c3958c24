// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/frame_replayer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ringscribe/backends/journal/definition_codec.h"
#include "ringscribe/backends/journal/pointer_codec.h"

namespace ringscribe::journal {

using Outcome = FrameReplayer::Outcome;
using Backend = nvtxw::SessionBackend;

// The parts of a data frame's payload, each beginning at a multiple of 8.
class FrameReplayer::Parts {
 public:
  explicit Parts(std::span<std::byte> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  template <typename T>
  T prefix() {
    T value = {};
    const std::span<std::byte> from = part(sizeof(T));
    if (ok_) std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }
  std::span<std::byte> part(uint64_t size) {
    if (!ok_ || padded(size) > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<std::byte> result = rest_.first(size);
    rest_ = rest_.subspan(padded(size));
    return result;
  }
  // A part behind which there are zeros to end what is in it.
  std::span<std::byte> region(uint64_t size, bool guarded) {
    const std::span<std::byte> result = part(size);
    if (guarded) {
      const std::span<std::byte> guard = part(kGuardBytes);
      std::fill(guard.begin(), guard.end(), std::byte{0});
    }
    return result;
  }
  template <typename T>
  std::span<const T> array(uint64_t count) {
    const std::span<std::byte> from =
        part(count <= UINT32_MAX ? count * sizeof(T) : UINT64_MAX / 2);
    return std::span(reinterpret_cast<const T*>(from.data()), from.size() / sizeof(T));
  }

 private:
  std::span<std::byte> rest_;
  bool ok_ = true;
};

Outcome FrameReplayer::done(Status status) {
  status_ = std::move(status);
  return Outcome::kDone;
}

Outcome FrameReplayer::malformed(const std::string& why) {
  problem_ = why;
  return Outcome::kMalformed;
}

Outcome FrameReplayer::not_laid_out(uint64_t schema) {
  return done(Status(ResultCode::kNotSupported,
                     "cannot replay a payload of schema " + std::to_string(schema) +
                         ": it holds pointers whose places cannot be found"));
}

Outcome FrameReplayer::domain(Decoder& decoder) {
  uint32_t domain = 0;
  std::string_view name;
  decoder.number(domain);
  decoder.view(name);
  if (!decoder.ok()) return malformed("a domain frame is too short");
  if (domain != domains_) return malformed("a domain frame is out of order");
  ++domains_;
  return done(target_.domain(domain, name));
}

Outcome FrameReplayer::category(Decoder& decoder) {
  uint32_t domain = 0;
  uint32_t category = 0;
  std::string_view name;
  decoder.number(domain);
  decoder.number(category);
  decoder.view(name);
  if (!decoder.ok() || !is_domain(domain)) return malformed("a category frame makes no sense");
  return done(target_.category(domain, category, name));
}

Outcome FrameReplayer::string(Decoder& decoder) {
  uint32_t domain = 0;
  uint64_t handle = 0;
  std::string_view text;
  decoder.number(domain);
  decoder.number(handle);
  decoder.view(text);
  if (!decoder.ok() || !is_domain(domain) || handle == 0) {
    return malformed("a string frame makes no sense");
  }
  return done(target_.string(domain, handle, text));
}

Status FrameReplayer::learn(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  return map_.add_schema(domain, attr);
}
Status FrameReplayer::learn(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  return map_.add_enum(domain, attr);
}
Status FrameReplayer::learn(uint32_t domain, const nvtxCounterAttr_t& attr) {
  map_.add_counter(domain, attr);
  return Status();
}

template <typename Attributes>
Outcome FrameReplayer::attributes(Decoder& decoder, uint64_t Attributes::* id,
                                  Status (Backend::*call)(uint32_t, const Attributes&)) {
  uint32_t domain = 0;
  Attributes attr = {};
  decoder.number(domain);
  decode(decoder, attr);
  if (!decoder.ok()) return malformed("a definition frame is too short");
  if (!is_domain(domain)) return malformed("a definition is of no domain");
  if (id != nullptr && attr.*id == 0) return malformed("a definition has no ID");
  const Status learned = learn(domain, attr);
  if (!learned.ok()) return malformed(learned.message());
  return done((target_.*call)(domain, attr));
}

Outcome FrameReplayer::stream_open(Decoder& decoder) {
  uint32_t stream = 0;
  uint32_t domain = 0;
  nvtxwStreamAttributes_t attr = {};
  decoder.number(stream);
  decoder.number(domain);
  decode(decoder, attr);
  if (!decoder.ok() || !is_domain(domain) || stream != streams_.size()) {
    return malformed("a stream frame makes no sense");
  }
  streams_.push_back({domain, true});
  return done(target_.stream_open(stream, domain, attr));
}

Outcome FrameReplayer::stream_close(Decoder& decoder) {
  uint32_t stream = 0;
  decoder.number(stream);
  if (!decoder.ok() || !is_open(stream)) return malformed("a stream is closed that is not open");
  streams_[stream].open = false;
  return done(target_.stream_close(stream));
}

Outcome FrameReplayer::event(Parts& parts) {
  const auto prefix = parts.prefix<EventPrefix>();
  const auto stored = parts.array<StoredPayload>(prefix.payload_count);
  const auto runs = parts.array<PointerRun>(prefix.run_count);
  std::vector<std::span<std::byte>> regions;
  std::vector<uint64_t> schemas;
  std::vector<nvtxPayloadData_t> payloads;
  bool all_guarded = true;
  for (const StoredPayload& one : stored) {
    const bool guarded = (one.flags & kPayloadIsGuarded) != 0;
    all_guarded = all_guarded && guarded;
    regions.push_back(parts.region(one.bytes, guarded));
    schemas.push_back(one.schema);
    const bool null = (one.flags & kPayloadWasNull) != 0;
    payloads.push_back(
        {one.schema, null ? 0 : regions.back().size(), null ? nullptr : regions.back().data()});
  }
  regions.push_back(parts.part(prefix.extra_bytes));
  if (!parts.ok()) return malformed("an event frame is too short");
  if (!is_open(prefix.stream)) return malformed("an event is of no open stream");
  const uint32_t domain = streams_[prefix.stream].domain;
  PointerDecoder pointers(map_, regions, schemas, runs);
  if (!pointers.ok() || (!runs.empty() && !all_guarded)) {
    return malformed("an event's pointers do not fit it");
  }
  for (uint32_t i = 0; i < stored.size(); ++i) {
    if (regions[i].empty() || !map_.may_hold(domain, schemas[i], PayloadMap::kPointers)) continue;
    if (!pointers.restore(domain, schemas[i], i, 0)) return not_laid_out(schemas[i]);
  }
  return done(target_.event(prefix.stream, payloads));
}

Outcome FrameReplayer::event_batch(Parts& parts) {
  const auto prefix = parts.prefix<EventBatchPrefix>();
  const auto runs = parts.array<PointerRun>(prefix.run_count);
  const bool guarded = (prefix.flags & kBatchIsGuarded) != 0;
  const std::span<std::byte> rows = parts.region(prefix.rows_bytes, guarded);
  std::span<std::byte> flex = parts.region(prefix.flex_bytes, guarded);
  const std::span<std::byte> extra = parts.part(prefix.extra_bytes);
  if (!parts.ok() || prefix.flex_offset > kFlexOffsetMax) {
    return malformed("a batch frame is too short");
  }
  if (!is_open(prefix.stream)) return malformed("a batch is of no open stream");
  const uint32_t domain = streams_[prefix.stream].domain;
  if (prefix.flex_offset != 0) {
    // What stood before the usable part was not recorded: there are zeros instead.
    flex_copy_.assign(prefix.flex_offset, std::byte{0});
    flex_copy_.insert(flex_copy_.end(), flex.begin(), flex.end());
    flex_copy_.resize(flex_copy_.size() + 16);
    flex = std::span(flex_copy_).subspan(prefix.flex_offset, prefix.flex_bytes);
  }
  if (map_.may_hold(domain, prefix.schema, PayloadMap::kPointers)) {
    PointerDecoder pointers(map_, {rows, flex, extra}, {}, runs);
    if (!pointers.ok() || (!runs.empty() && !guarded)) {
      return malformed("a batch's pointers do not fit it");
    }
    if (!pointers.restore_all(domain, prefix.schema, 0)) return not_laid_out(prefix.schema);
  }
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = prefix.schema;
  batch.size = rows.size();
  batch.events = (prefix.flags & kBatchRowsWereNull) != 0 ? nullptr : rows.data();
  batch.scope = prefix.scope;
  batch.flags = prefix.batch_flags;
  batch.flexData = (prefix.flags & kBatchFlexWasNull) != 0 ? nullptr
                   : prefix.flex_offset != 0               ? flex_copy_.data()
                                                           : flex.data();
  batch.flexDataSize = flex.size();
  batch.flexDataOffset = prefix.flex_offset;
  return done(target_.event_batch(prefix.stream, batch));
}

bool FrameReplayer::clear_pointers(uint32_t stream, uint64_t counter,
                                   std::span<std::byte> samples) {
  const uint32_t domain = streams_[stream].domain;
  const uint64_t schema = map_.counter_schema(domain, counter);
  if (!map_.may_hold(domain, schema, PayloadMap::kPointers)) return true;
  PointerDecoder pointers(map_, {samples}, {}, {});
  return pointers.restore_all(domain, schema, 0);
}

Outcome FrameReplayer::counter_sample(Parts& parts) {
  const auto prefix = parts.prefix<CounterSamplePrefix>();
  const std::span<std::byte> data = parts.part(prefix.data_bytes);
  if (!parts.ok()) return malformed("a sample frame is too short");
  if (!is_open(prefix.stream)) return malformed("a sample is of no open stream");
  if (!clear_pointers(prefix.stream, prefix.counter, data)) return not_laid_out(prefix.counter);
  return done(target_.counter_sample(prefix.stream, prefix.timestamp, prefix.counter, data.data(),
                                     data.size()));
}

Outcome FrameReplayer::counter_no_value(Parts& parts) {
  const auto payload = parts.prefix<CounterNoValuePayload>();
  if (!parts.ok() || payload.reason > UINT8_MAX) return malformed("a sample frame is too short");
  if (!is_open(payload.stream)) return malformed("a sample is of no open stream");
  return done(target_.counter_no_value(payload.stream, payload.timestamp, payload.counter,
                                       static_cast<uint8_t>(payload.reason)));
}

Outcome FrameReplayer::counter_batch(Parts& parts) {
  const auto prefix = parts.prefix<CounterBatchPrefix>();
  const std::span<std::byte> samples = parts.part(prefix.counters_bytes);
  const std::span<std::byte> timestamps = parts.part(prefix.timestamps_bytes);
  if (!parts.ok()) return malformed("a counter batch frame is too short");
  if (!is_open(prefix.stream)) return malformed("a counter batch is of no open stream");
  if (!clear_pointers(prefix.stream, prefix.counter, samples)) return not_laid_out(prefix.counter);
  nvtxCounterBatch_t batch = {};
  batch.counterId = prefix.counter;
  batch.counters = samples.data();
  batch.countersSize = samples.size();
  batch.flags = prefix.batch_flags;
  batch.timestamps = (prefix.flags & kCounterTimestampsWereNull) != 0
                         ? nullptr
                         : reinterpret_cast<const int64_t*>(timestamps.data());
  batch.timestampsSize = timestamps.size();
  return done(target_.counter_batch(prefix.stream, batch));
}

Outcome FrameReplayer::sync_points(Parts& parts) {
  const auto prefix = parts.prefix<SyncPointsPrefix>();
  const auto points = parts.array<nvtxSyncPoint_t>(prefix.count);
  if (!parts.ok()) return malformed("a sync point frame is too short");
  if (!is_open(prefix.stream)) return malformed("a sync point is of no open stream");
  return done(target_.sync_points(prefix.stream, prefix.source, prefix.destination, points));
}

Outcome FrameReplayer::conversion_factor(Parts& parts) {
  const auto payload = parts.prefix<ConversionFactorPayload>();
  if (!parts.ok()) return malformed("a conversion frame is too short");
  if (!is_open(payload.stream)) return malformed("a conversion is of no open stream");
  return done(target_.conversion_factor(payload.stream, payload.source, payload.destination,
                                        payload.slope, payload.source_timestamp,
                                        payload.destination_timestamp));
}

Outcome FrameReplayer::replay(const Frame& frame) {
  if (frame.codec == FrameCodec::kPlain) return replay_plain(frame.type, frame.payload);
  if (frame.codec != FrameCodec::kCompact) return Outcome::kUnknown;
  std::span<std::byte> plain;
  if (!compact_.decode(frame.payload, &plain)) return malformed("a compact frame makes no sense");
  return replay_plain(frame.type, plain);
}

Outcome FrameReplayer::replay_plain(FrameType type, std::span<std::byte> payload) {
  Decoder decoder(payload);
  Parts parts(payload);
  target_.bound_pointers(payload);
  switch (type) {
    case FrameType::kDomain:
      return domain(decoder);
    case FrameType::kCategory:
      return category(decoder);
    case FrameType::kString:
      return string(decoder);
    case FrameType::kResource:
      return attributes<nvtxResourceAttributes_t>(decoder, nullptr, &Backend::resource);
    case FrameType::kScope:
      return attributes(decoder, &nvtxScopeAttr_t::scopeId, &Backend::scope);
    case FrameType::kSchema:
      return attributes(decoder, &nvtxPayloadSchemaAttr_t::schemaId, &Backend::schema);
    case FrameType::kEnum:
      return attributes(decoder, &nvtxPayloadEnumAttr_t::schemaId, &Backend::enumeration);
    case FrameType::kCounter:
      return attributes(decoder, &nvtxCounterAttr_t::counterId, &Backend::counter);
    case FrameType::kTimeDomain:
      return attributes(decoder, &nvtxTimeDomainAttr_t::timeDomainId, &Backend::time_domain);
    case FrameType::kStreamOpen:
      return stream_open(decoder);
    case FrameType::kStreamClose:
      return stream_close(decoder);
    case FrameType::kEvent:
      return event(parts);
    case FrameType::kEventBatch:
      return event_batch(parts);
    case FrameType::kCounterSample:
      return counter_sample(parts);
    case FrameType::kCounterNoValue:
      return counter_no_value(parts);
    case FrameType::kCounterBatch:
      return counter_batch(parts);
    case FrameType::kSyncPoints:
      return sync_points(parts);
    case FrameType::kConversionFactor:
      return conversion_factor(parts);
    case FrameType::kSession:
      return malformed("there is a second session");
    case FrameType::kEnd:
      return malformed("an end frame makes no sense");
  }
  return Outcome::kUnknown;
}

}  // namespace ringscribe::journal
