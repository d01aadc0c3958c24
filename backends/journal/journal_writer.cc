// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/journal_writer.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/journal/byte_codec.h"
#include "ringscribe/backends/journal/compact_encoder.h"
#include "ringscribe/backends/journal/definition_codec.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/frame_writer.h"
#include "ringscribe/backends/journal/payload_map.h"
#include "ringscribe/backends/journal/pointer_codec.h"
#include "ringscribe/backends/journal/row_columns.h"
#include "ringscribe/backends/output/output_path.h"

namespace ringscribe::journal {
namespace {

using Bytes = std::span<const std::byte>;

constexpr const char* kFlushKey = "journal_flush";
constexpr const char* kCodecKey = "journal_codec";

Bytes bytes_at(const void* data, size_t size) {
  return Bytes(static_cast<const std::byte*>(data), data == nullptr ? 0 : size);
}

// The length of a text whose size was left to us, its terminator included.
size_t text_bytes(uint64_t type, const void* text) {
  size_t unit = 1;
  if (type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16) unit = 2;
  if (type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32) unit = 4;
  const char* bytes = static_cast<const char*>(text);
  const char zeros[4] = {};
  size_t size = unit;
  while (std::memcmp(bytes + size - unit, zeros, unit) != 0) size += unit;
  return size;
}

// The bytes of a payload. A size of SIZE_MAX is left to us: only a text says by itself where it
// ends; anything else is as good as empty.
Bytes payload_bytes(const nvtxPayloadData_t& payload) {
  if (payload.size != SIZE_MAX || payload.payload == nullptr) {
    return bytes_at(payload.payload, payload.size);
  }
  const bool is_text = payload.schemaId >= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING &&
                       payload.schemaId <= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;
  return bytes_at(payload.payload, is_text ? text_bytes(payload.schemaId, payload.payload) : 0);
}

constexpr std::byte kGuard[kGuardBytes] = {};

struct Options {
  bool flush_each = false;
  bool is_compact = true;
};

class JournalWriter : public nvtxw::SessionBackend {
 public:
  JournalWriter(std::unique_ptr<FrameSink> writer, const Options& options)
      : writer_(std::move(writer)), options_(options), pointers_(map_), columns_(map_) {}

  Status begin(const nvtxw::SessionConfig& config) {
    encoder_.view(config.name);
    encoder_.view(config.format);
    encoder_.number(static_cast<uint32_t>(config.other.size()));
    for (const auto& [key, value] : config.other) {
      encoder_.view(key);
      encoder_.view(value);
    }
    const Status written = write_definition(FrameType::kSession);
    // So that a journal is one from its first moment on, whatever becomes of its process.
    return written.ok() ? writer_->flush() : written;
  }

  nvtxw::Written written() override { return {{path_}, std::nullopt, 0}; }
  void set_path(std::string path) { path_ = std::move(path); }

  Status domain(uint32_t domain, std::string_view name) override {
    encoder_.number(domain);
    encoder_.view(name);
    return write_definition(FrameType::kDomain);
  }
  Status category(uint32_t domain, uint32_t category, std::string_view name) override {
    encoder_.number(domain);
    encoder_.number(category);
    encoder_.view(name);
    return write_definition(FrameType::kCategory);
  }
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override {
    encoder_.number(domain);
    encoder_.number(handle);
    encoder_.view(text);
    return write_definition(FrameType::kString);
  }
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override {
    return define(FrameType::kResource, domain, attr);
  }
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override {
    return define(FrameType::kScope, domain, attr);
  }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    const Status added = map_.add_schema(domain, attr);
    return added.ok() ? define(FrameType::kSchema, domain, attr) : added;
  }
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override {
    const Status added = map_.add_enum(domain, attr);
    return added.ok() ? define(FrameType::kEnum, domain, attr) : added;
  }
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override {
    map_.add_counter(domain, attr);
    return define(FrameType::kCounter, domain, attr);
  }
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override {
    return define(FrameType::kTimeDomain, domain, attr);
  }

  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    if (stream != stream_domains_.size()) {
      return Status(ResultCode::kInvalidArgument,
                    "cannot open stream number " + std::to_string(stream) + ": " +
                        std::to_string(stream_domains_.size()) + " is the next one");
    }
    stream_domains_.push_back(domain);
    encoder_.number(stream);
    return define(FrameType::kStreamOpen, domain, attr);
  }
  Status stream_close(uint32_t stream) override {
    encoder_.number(stream);
    const Status written = write_definition(FrameType::kStreamClose);
    return written.ok() ? writer_->flush() : written;
  }

  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override;
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override;
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override;
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override {
    const CounterNoValuePayload payload = {stream, reason, timestamp, counter};
    return write_data(FrameType::kCounterNoValue, {bytes_of(payload)});
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override;

  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override {
    const SyncPointsPrefix prefix = {stream, static_cast<uint32_t>(points.size()), source,
                                     destination};
    return write_data(FrameType::kSyncPoints, {bytes_of(prefix), std::as_bytes(points)});
  }
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double slope,
                           int64_t source_timestamp, int64_t destination_timestamp) override {
    const ConversionFactorPayload payload = {
        stream, 0, source, destination, slope, source_timestamp, destination_timestamp};
    return write_data(FrameType::kConversionFactor, {bytes_of(payload)});
  }

  Status end() override {
    const EndPayload payload = {writer_->frames(), pointers_.null_pointers(), skipped_extensions_};
    const Bytes parts[] = {bytes_of(payload)};
    const Status written = writer_->write(FrameType::kEnd, FrameCodec::kPlain, parts);
    const Status finished = writer_->finish();
    return written.ok() ? finished : written;
  }

 private:
  Status write_definition(FrameType type) {
    const Bytes parts[] = {encoder_.bytes()};
    const Status written = writer_->write(type, FrameCodec::kPlain, parts);
    encoder_.clear();
    return written;
  }
  // The frame has the numbers that were encoded before, the domain, and the attributes.
  template <typename Attributes>
  Status define(FrameType type, uint32_t domain, const Attributes& attr) {
    encoder_.number(domain);
    skipped_extensions_ += encode(encoder_, attr);
    return write_definition(type);
  }
  Status write_data(FrameType type, std::span<const Bytes> parts,
                    FrameCodec codec = FrameCodec::kPlain) {
    const Status written = writer_->write(type, codec, parts);
    return written.ok() && options_.flush_each ? writer_->flush() : written;
  }
  Status write_data(FrameType type, std::initializer_list<Bytes> parts) {
    return write_data(type, std::span(parts.begin(), parts.size()));
  }
  // The columns of rows that may be written by column; nullptr if they may not.
  const ColumnWidths* columns_of(uint32_t domain, uint64_t schema, Bytes rows) {
    if (!options_.is_compact || rows.empty()) return nullptr;
    const ColumnWidths* columns = columns_.of(domain, schema);
    return columns != nullptr && rows.size() % columns->row_bytes == 0 ? columns : nullptr;
  }

  void append(Bytes rows, const ColumnWidths* columns) {
    if (columns == nullptr) return compact_.literal(rows);
    compact_.table(rows, *columns);
  }
  // Writes what compact_ holds, or its parts if they are no larger.
  Status write_smaller(FrameType type, std::span<const Bytes> parts) {
    const Bytes compact[] = {compact_.end()};
    if (compact[0].size() >= compact_.plain_bytes()) return write_data(type, parts);
    return write_data(type, compact, FrameCodec::kCompact);
  }

  // The domain of an open or once open stream; events of others are not handed to us.
  uint32_t domain_of(uint32_t stream) const {
    return stream < stream_domains_.size() ? stream_domains_[stream] : UINT32_MAX;
  }
  Status no_layout(uint64_t schema) const {
    return Status(ResultCode::kNotSupported,
                  "cannot record an event of schema " + std::to_string(schema) +
                      ": it holds pointers whose places in the " +
                      "payload cannot be found; give it all bytes of its schema, and no pointers "
                      "in unions with an internal selector or behind arrays whose length is in "
                      "another payload");
  }
  static Status too_large(const char* what, size_t size) {
    return Status(ResultCode::kInvalidArgument, std::string("cannot record ") + what + " of " +
                                                    std::to_string(size) +
                                                    " bytes; a frame holds less than 4 GiB, "
                                                    "split it");
  }
  Status encode_event_pointers(uint32_t domain);
  Status encode_batch_pointers(uint32_t domain, uint64_t schema, Bytes rows, Bytes flex);
  // Rows with their pointers as they are stored: NULL, as in no other sample there is anything
  // that they could lead into.
  Bytes without_pointers(uint32_t domain, uint64_t counter, Bytes samples, Status* status);

  std::string path_;  // "" if it is no file of its own
  std::unique_ptr<FrameSink> writer_;
  Options options_;
  PayloadMap map_;
  PointerEncoder pointers_;
  RowColumns columns_;
  CompactEncoder compact_;
  Encoder encoder_;
  std::vector<uint32_t> stream_domains_;
  std::vector<StoredPayload> stored_;
  std::vector<Bytes> regions_;
  std::vector<std::byte> copy_;
  uint64_t skipped_extensions_ = 0;
};

// Puts the stored form of all pointers of the event at hand into copy_.
Status JournalWriter::encode_event_pointers(uint32_t domain) {
  std::vector<uint64_t> schemas;
  for (const StoredPayload& stored : stored_) schemas.push_back(stored.schema);
  pointers_.begin(regions_, schemas);
  size_t start = 0;
  for (uint32_t i = 0; i < stored_.size(); ++i) {
    const std::span<std::byte> copy = std::span(copy_).subspan(start, stored_[i].bytes);
    start += padded(stored_[i].bytes) + kGuardBytes;
    if (copy.empty() || !map_.may_hold(domain, schemas[i], PayloadMap::kPointers)) continue;
    if (!pointers_.encode(domain, schemas[i], i, 0, copy)) return no_layout(schemas[i]);
  }
  return Status();
}

Status JournalWriter::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  const uint32_t domain = domain_of(stream);
  if (payloads.size() >= kRegionsMax) {
    return Status(ResultCode::kInvalidArgument,
                  "cannot record an event of " + std::to_string(payloads.size()) +
                      " payloads; use fewer than " + std::to_string(kRegionsMax));
  }
  stored_.clear();
  regions_.clear();
  bool has_pointers = false;
  uint64_t total = 0;
  for (const nvtxPayloadData_t& payload : payloads) {
    StoredPayload stored = {payload.schemaId, 0, 0};
    const Bytes bytes = payload_bytes(payload);
    if (payload.payload == nullptr) stored.flags |= kPayloadWasNull;
    total += bytes.size();
    if (bytes.size() > kPayloadBytesMax || total > kPayloadBytesMax) {
      return too_large("an event", total);
    }
    stored.bytes = static_cast<uint32_t>(bytes.size());
    stored_.push_back(stored);
    regions_.push_back(bytes);
    if (map_.may_hold(domain, payload.schemaId, PayloadMap::kPointers)) has_pointers = true;
  }
  copy_.clear();
  for (size_t i = 0; i < stored_.size(); ++i) {
    copy_.insert(copy_.end(), regions_[i].begin(), regions_[i].end());
    copy_.resize(padded(copy_.size()) + (has_pointers ? kGuardBytes : 0));
    if (has_pointers) stored_[i].flags |= kPayloadIsGuarded;
  }
  std::span<const PointerRun> runs;
  Bytes extra;
  if (has_pointers) {
    const Status encoded = encode_event_pointers(domain);
    if (!encoded.ok()) return encoded;
    runs = pointers_.runs();
    extra = pointers_.extra();
  }
  const EventPrefix prefix = {stream, static_cast<uint32_t>(stored_.size()),
                              static_cast<uint32_t>(runs.size()),
                              static_cast<uint32_t>(extra.size())};
  return write_data(FrameType::kEvent, {bytes_of(prefix), std::as_bytes(std::span(stored_)),
                                        std::as_bytes(runs), copy_, extra});
}

Status JournalWriter::encode_batch_pointers(uint32_t domain, uint64_t schema, Bytes rows,
                                            Bytes flex) {
  copy_.assign(rows.begin(), rows.end());
  pointers_.begin({rows, flex}, {});
  size_t offset = 0;
  while (offset < rows.size()) {
    const std::optional<size_t> used =
        pointers_.encode(domain, schema, 0, offset, std::span(copy_).subspan(offset));
    if (!used || *used == 0) return no_layout(schema);
    offset += *used;
  }
  return Status();
}

Status JournalWriter::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  const uint32_t domain = domain_of(stream);
  Bytes rows = bytes_at(batch.events, batch.size);
  const Bytes flex =
      batch.flexData == nullptr
          ? Bytes()
          : bytes_at(static_cast<const std::byte*>(batch.flexData) + batch.flexDataOffset,
                     batch.flexDataSize);
  if (rows.size() > kPayloadBytesMax) return too_large("a batch", rows.size());
  if (flex.size() > kPayloadBytesMax) return too_large("flexible data", flex.size());
  if (batch.flexDataOffset > kFlexOffsetMax) {
    return Status(ResultCode::kInvalidArgument, "cannot record a batch with flexDataOffset " +
                                                    std::to_string(batch.flexDataOffset) +
                                                    "; at most " + std::to_string(kFlexOffsetMax) +
                                                    " is kept, move flexData ahead");
  }
  EventBatchPrefix prefix = {};
  prefix.stream = stream;
  prefix.schema = batch.eventSchemaId;
  prefix.scope = batch.scope;
  prefix.batch_flags = batch.flags;
  prefix.rows_bytes = static_cast<uint32_t>(rows.size());
  prefix.flex_bytes = static_cast<uint32_t>(flex.size());
  prefix.flex_offset = batch.flexDataOffset;
  if (batch.events == nullptr) prefix.flags |= kBatchRowsWereNull;
  if (batch.flexData == nullptr) prefix.flags |= kBatchFlexWasNull;
  std::span<const PointerRun> runs;
  Bytes extra;
  Bytes guard;
  if (map_.may_hold(domain, batch.eventSchemaId, PayloadMap::kPointers)) {
    const Status encoded = encode_batch_pointers(domain, batch.eventSchemaId, rows, flex);
    if (!encoded.ok()) return encoded;
    rows = copy_;
    guard = kGuard;
    prefix.flags |= kBatchIsGuarded;
    runs = pointers_.runs();
    extra = pointers_.extra();
    prefix.run_count = static_cast<uint32_t>(runs.size());
    prefix.extra_bytes = static_cast<uint32_t>(extra.size());
  }
  const Bytes parts[] = {bytes_of(prefix), std::as_bytes(runs), rows, guard, flex, guard, extra};
  const ColumnWidths* columns = columns_of(domain, batch.eventSchemaId, rows);
  if (columns == nullptr) return write_data(FrameType::kEventBatch, parts);
  compact_.begin();
  compact_.words(bytes_of(prefix));
  compact_.words(std::as_bytes(runs));
  compact_.table(rows, *columns);
  compact_.words(guard);
  compact_.literal(flex);
  compact_.words(guard);
  compact_.literal(extra);
  return write_smaller(FrameType::kEventBatch, parts);
}

Bytes JournalWriter::without_pointers(uint32_t domain, uint64_t counter, Bytes samples,
                                      Status* status) {
  const uint64_t schema = map_.counter_schema(domain, counter);
  if (!map_.may_hold(domain, schema, PayloadMap::kPointers)) return samples;
  *status = encode_batch_pointers(domain, schema, samples, {});
  // A pointer into the samples themselves is not one that a counter can use.
  for (const PointerRun& run : pointers_.runs()) {
    for (size_t i = 0; i < run.count; ++i) {
      std::memset(copy_.data() + run.first + i * run.stride, 0, 8);
    }
  }
  return copy_;
}

Status JournalWriter::counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter,
                                     const void* data, size_t size) {
  if (size > kPayloadBytesMax) return too_large("a counter sample", size);
  Status status;
  const Bytes sample = without_pointers(domain_of(stream), counter, bytes_at(data, size), &status);
  if (!status.ok()) return status;
  const CounterSamplePrefix prefix = {stream, static_cast<uint32_t>(sample.size()), timestamp,
                                      counter};
  return write_data(FrameType::kCounterSample, {bytes_of(prefix), sample});
}

Status JournalWriter::counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) {
  if (batch.countersSize > kPayloadBytesMax || batch.timestampsSize > kPayloadBytesMax) {
    return too_large("a counter batch", batch.countersSize);
  }
  Status status;
  const uint32_t domain = domain_of(stream);
  const Bytes samples = without_pointers(domain, batch.counterId,
                                         bytes_at(batch.counters, batch.countersSize), &status);
  if (!status.ok()) return status;
  const Bytes timestamps = bytes_at(batch.timestamps, batch.timestampsSize);
  CounterBatchPrefix prefix = {};
  prefix.stream = stream;
  prefix.flags = batch.timestamps == nullptr ? kCounterTimestampsWereNull : 0;
  prefix.counter = batch.counterId;
  prefix.batch_flags = batch.flags;
  prefix.counters_bytes = static_cast<uint32_t>(samples.size());
  prefix.timestamps_bytes = static_cast<uint32_t>(timestamps.size());
  const Bytes parts[] = {bytes_of(prefix), samples, timestamps};
  const uint64_t schema = map_.counter_schema(domain, batch.counterId);
  const ColumnWidths* columns = columns_of(domain, schema, samples);
  const ColumnWidths* times = columns_of(domain, NVTX_PAYLOAD_ENTRY_TYPE_INT64, timestamps);
  if (columns == nullptr && times == nullptr) return write_data(FrameType::kCounterBatch, parts);
  compact_.begin();
  compact_.words(parts[0]);
  append(samples, columns);
  append(timestamps, times);
  return write_smaller(FrameType::kCounterBatch, parts);
}

// *is_second: whether `value` is the second of the two ways that the key knows.
Status read_choice(const std::string& key, const std::string& value, const char* first,
                   const char* second, bool* is_second) {
  if (value != first && value != second) {
    return Status(ResultCode::kInvalidArgument, "cannot begin a journal with " + key + "=" + value +
                                                    ": use " + key + "=" + first + " or " + key +
                                                    "=" + second);
  }
  *is_second = value == second;
  return Status();
}

}  // namespace

std::unique_ptr<nvtxw::SessionBackend> journal_into(std::unique_ptr<FrameSink> sink) {
  return std::make_unique<JournalWriter>(std::move(sink), Options());
}

namespace {

Result<std::unique_ptr<nvtxw::SessionBackend>> open_journal(const nvtxw::SessionConfig& config,
                                                            output::Finish finish) {
  Options options;
  for (const auto& [key, value] : config.other) {
    Status read;
    if (key == kFlushKey) read = read_choice(key, value, "buffer", "batch", &options.flush_each);
    if (key == kCodecKey) read = read_choice(key, value, "raw", "compact", &options.is_compact);
    if (!read.ok()) return read;
  }
  Result<std::unique_ptr<FrameWriter>> writer =
      FrameWriter::create(output::output_path(config.output, config.name, kExtension),
                          options.is_compact ? kMajorVersion : kMajorVersionPlain, finish);
  if (!writer.ok()) return writer.status().with_context("cannot begin a journal");
  const std::string path = writer.value()->path();
  auto session = std::make_unique<JournalWriter>(std::move(writer.value()), options);
  session->set_path(path);
  const Status begun = session->begin(config);
  if (!begun.ok()) return begun.with_context("cannot begin a journal");
  return std::unique_ptr<nvtxw::SessionBackend>(std::move(session));
}

}  // namespace

Result<std::unique_ptr<nvtxw::SessionBackend>> open_journal_session(
    const nvtxw::SessionConfig& config) {
  return open_journal(config, output::Finish::kInPlace);
}

Result<std::unique_ptr<nvtxw::SessionBackend>> open_private_journal(
    const nvtxw::SessionConfig& config) {
  return open_journal(config, output::Finish::kPrivate);
}

}  // namespace ringscribe::journal
