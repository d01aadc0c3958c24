// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/flight_session.h"

#include <charconv>
#include <ctime>
#include <map>
#include <utility>

#include "ringscribe/backends/journal/frame_history.h"
#include "ringscribe/backends/journal/frame_replayer.h"
#include "ringscribe/backends/journal/journal_writer.h"

namespace ringscribe::journal {
namespace {

using nvtxw::SessionBackend;

constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
// Of our own stream in a snapshot: numbers that no table gives.
constexpr uint64_t kMarkSchema = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START + 0xF117;
constexpr uint64_t kMarkText = uint64_t{1} << 62;

int64_t monotonic_ns() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// All that a snapshot needs once the session goes on.
struct Shot {
  FrameHistory::Snapshot frames;
  OpenTarget open_target;
  std::string path;
  std::string mark;
  int64_t time_ns = 0;
  uint32_t domains = 0;
  uint32_t streams = 0;
};

Status write_mark(const Shot& shot, SessionBackend& target) {
  nvtxPayloadSchemaEntry_t entries[2] = {};
  entries[0].name = "time";
  entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK;
  entries[0].type = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  entries[1].name = "message";
  entries[1].flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE;
  entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
  entries[1].offset = 8;
  nvtxPayloadSchemaAttr_t schema = {};
  schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  schema.name = "snapshot";
  schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  schema.flags = NVTX_PAYLOAD_SCHEMA_FLAG_MARK;
  schema.entries = entries;
  schema.numEntries = 2;
  schema.payloadStaticSize = 16;
  schema.schemaId = kMarkSchema;
  nvtxwStreamAttributes_t stream = {};
  stream.structSize = sizeof stream;
  stream.name = "flight recorder";
  stream.timeDomainId = kMonotonic;
  const uint64_t row[2] = {static_cast<uint64_t>(shot.time_ns), kMarkText};
  const nvtxPayloadData_t payload = {kMarkSchema, sizeof row, row};
  Status status = target.domain(shot.domains, "flight recorder");
  if (status.ok()) status = target.schema(shot.domains, schema);
  if (status.ok()) status = target.string(shot.domains, kMarkText, shot.mark);
  if (status.ok()) status = target.stream_open(shot.streams, shot.domains, stream);
  if (status.ok()) status = target.event(shot.streams, {&payload, 1});
  return status;
}

Status write_shot(const Shot& shot) {
  Result<std::unique_ptr<SessionBackend>> target = shot.open_target(shot.path);
  if (!target.ok()) return target.status();
  FrameReplayer replayer(**target);
  Status first;
  shot.frames.for_each([&](Frame& frame) {
    // Data of a stream that is closed by now may follow: the end closes all.
    if (frame.type == FrameType::kStreamClose) return;
    const FrameReplayer::Outcome outcome = replayer.replay(frame);
    if (first.ok() && outcome == FrameReplayer::Outcome::kDone) first = replayer.status();
    if (first.ok() && outcome == FrameReplayer::Outcome::kMalformed)
      first = Status(ResultCode::kFailed, "snapshot: " + replayer.problem());
  });
  if (Status status = write_mark(shot, **target); first.ok()) first = status;
  const Status ended = (*target)->end();
  return ended.ok() ? first : ended;
}

class FlightSession final : public SessionBackend {
 public:
  FlightSession(const FrameHistory::Limits& limits, OpenTarget open_target)
      : open_target_(std::move(open_target)) {
    auto history = std::make_unique<FrameHistory>(limits);
    history_ = history.get();
    journal_ = journal_into(std::move(history));
  }

  Status domain(uint32_t domain, std::string_view name) override {
    domains_ = domain + 1;
    return journal_->domain(domain, name);
  }
  Status category(uint32_t domain, uint32_t category, std::string_view name) override {
    return journal_->category(domain, category, name);
  }
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override {
    return journal_->string(domain, handle, text);
  }
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override {
    return journal_->resource(domain, attr);
  }
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override {
    return journal_->scope(domain, attr);
  }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    if ((attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE) != 0)
      row_bytes_[{domain, attr.schemaId}] = attr.payloadStaticSize;
    return journal_->schema(domain, attr);
  }
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override {
    return journal_->enumeration(domain, attr);
  }
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override {
    counter_schemas_[{domain, attr.counterId}] = attr.schemaId;
    return journal_->counter(domain, attr);
  }
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override {
    return journal_->time_domain(domain, attr);
  }
  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    stream_domains_.push_back(domain);
    stream_names_.emplace_back(attr.name == nullptr ? "" : attr.name);
    return journal_->stream_open(stream, domain, attr);
  }
  Status stream_close(uint32_t stream) override { return journal_->stream_close(stream); }

  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override {
    history_->count_events(stream, 1);
    return journal_->event(stream, payloads);
  }
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override {
    history_->count_events(stream, rows(stream, batch.eventSchemaId, batch.size));
    return journal_->event_batch(stream, batch);
  }
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override {
    history_->count_events(stream, 1);
    return journal_->counter_sample(stream, timestamp, counter, data, size);
  }
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override {
    history_->count_events(stream, 1);
    return journal_->counter_no_value(stream, timestamp, counter, reason);
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override {
    const auto schema = counter_schemas_.find({stream_domains_[stream], batch.counterId});
    const uint64_t id = schema == counter_schemas_.end() ? 0 : schema->second;
    history_->count_events(stream, rows(stream, id, batch.countersSize));
    return journal_->counter_batch(stream, batch);
  }
  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override {
    return journal_->sync_points(stream, source, destination, points);
  }
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double slope,
                           int64_t source_timestamp, int64_t destination_timestamp) override {
    return journal_->conversion_factor(stream, source, destination, slope, source_timestamp,
                                       destination_timestamp);
  }

  Result<std::function<Status()>> snapshot(std::string_view path,
                                           std::string_view reason) override {
    auto shot = std::make_shared<Shot>();
    shot->frames = history_->take();
    shot->open_target = open_target_;
    shot->path = path;
    shot->time_ns = monotonic_ns();
    shot->domains = domains_;
    shot->streams = static_cast<uint32_t>(stream_domains_.size());
    shot->mark = "snapshot: " + std::string(reason);
    for (const auto& [stream, events] : history_->forgotten())
      shot->mark += "; before it " + std::to_string(events) + " events of stream \"" +
                    stream_names_[stream] + "\" were overwritten";
    return std::function<Status()>([shot] { return write_shot(*shot); });
  }

  Status end() override {
    Result<std::function<Status()>> last = snapshot("", "end of the session");
    return last.ok() ? (*last)() : last.status();
  }

 private:
  // Of a batch: rows of schemas without a size are not written in batches by our recorder.
  uint64_t rows(uint32_t stream, uint64_t schema, uint64_t bytes) const {
    const auto found = row_bytes_.find({stream_domains_[stream], schema});
    uint64_t row = found == row_bytes_.end() ? 0 : found->second;
    if (schema < NVTX_PAYLOAD_ENTRY_TYPE_INFO_ARRAY_SIZE) row = sizeof(uint64_t);
    return row == 0 ? 1 : bytes / row;
  }

  using Id = std::pair<uint32_t, uint64_t>;  // domain and ID
  OpenTarget open_target_;
  FrameHistory* history_;
  std::unique_ptr<SessionBackend> journal_;
  uint32_t domains_ = 0;
  std::vector<uint32_t> stream_domains_;
  std::vector<std::string> stream_names_;
  std::map<Id, uint64_t> row_bytes_;
  std::map<Id, uint64_t> counter_schemas_;
};

Status read_number(const nvtxw::SessionConfig& config, std::string_view key, uint64_t& value) {
  for (const auto& [name, text] : config.other) {
    if (name != key) continue;
    const char* const end = text.data() + text.size();
    if (const auto [read, error] = std::from_chars(text.data(), end, value);
        error != std::errc() || read != end)
      return Status(ResultCode::kInvalidArgument,
                    "the configuration's " + name + " is \"" + text + "\": give a whole number");
  }
  return Status();
}

}  // namespace

Result<std::unique_ptr<SessionBackend>> open_flight_session(const nvtxw::SessionConfig& config,
                                                            OpenTarget open_target) {
  FrameHistory::Limits limits;
  uint64_t age_ns = 0;
  Status status = read_number(config, kFlightMemoryKey, limits.data_bytes_max);
  if (status.ok()) status = read_number(config, kFlightTimeKey, age_ns);
  if (!status.ok()) return status;
  limits.age_ns_max = static_cast<int64_t>(std::min(age_ns, static_cast<uint64_t>(INT64_MAX)));
  return std::unique_ptr<SessionBackend>(
      std::make_unique<FlightSession>(limits, std::move(open_target)));
}

}  // namespace ringscribe::journal
