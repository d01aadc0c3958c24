// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_reader.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <protozero/exception.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/loss_mark.h"
#include "ringscribe/backends/model/text.h"
#include "ringscribe/backends/perfetto/packet_file.h"
#include "ringscribe/backends/perfetto/packet_parts.h"
#include "ringscribe/backends/perfetto/trace_fields.h"
#include "ringscribe/backends/perfetto/trace_tracks.h"
#include "ringscribe/backends/perfetto/track_event_decoder.h"

namespace ringscribe::perfetto {
namespace {

// How many packets are looked at for the session's name.
constexpr int kNamePacketsMax = 1000;
// How many packets are read between two calls of progress.
constexpr uint64_t kProgressPackets = 4096;
constexpr std::string_view kNoCategory = "default";

// Sums of what a file says do not overflow: they wrap, as the times are wrong anyway.
int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
int64_t times(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// A packet sequence: what its packets leave out.
struct SequenceState {
  struct Clock {
    ClockReading reading;   // where it stood
    int64_t monotonic = 0;  // at that instant
    int64_t last = 0;       // of an incremental clock: its latest time
  };
  PacketDefaults defaults;
  InternedTexts texts;
  std::map<uint32_t, Clock> clocks;  // numbers from clock::kOfSequence up

  void clear() {
    texts.clear();
    defaults = {};
  }
};

// The sink writes the domain where there is no category, and "default" where there is neither.
void read_category(model::Event& event) {
  if (event.category == kNoCategory) {
    event.category = event.domain = {};
  } else if (event.category == event.domain || event.category_id != 0) {
    event.domain = std::exchange(event.category, {});
  }
}

class Reader {
 public:
  Reader(model::EventSink& sink, const std::string& session_name)
      : sink_(sink), tracks_(sink, session_name) {}

  // Failures of the sink; protozero's exceptions for what is no protobuf.
  Status packet(std::string_view bytes, TraceSummary& summary);
  Status finish();

 private:
  using Pointer = std::unique_ptr<DecodedTrackEvent>;

  Status clocks(std::string_view snapshot, SequenceState& sequence);
  int64_t time_of(const PacketParts& parts, SequenceState& sequence) const;
  Status event(const PacketParts& parts, SequenceState& sequence);
  Status begin(Pointer decoded, uint64_t uuid, int64_t time);
  Status end(uint64_t uuid, int64_t time);
  Status mark(DecodedTrackEvent& decoded, uint64_t uuid, int64_t time);
  Status sample(const DecodedTrackEvent& decoded, uint64_t uuid, int64_t time);
  Status emit(DecodedTrackEvent& decoded, uint64_t uuid, bool is_range);
  Pointer spare();
  void give_back(Pointer decoded) { spares_.push_back(std::move(decoded)); }

  model::EventSink& sink_;
  TraceTracks tracks_;
  std::unordered_map<uint32_t, SequenceState> sequences_;
  std::unordered_map<uint64_t, std::vector<Pointer>> open_;  // by track, the innermost last
  std::vector<Pointer> spares_;
  std::map<std::string, uint64_t> problems_;
  // What CLOCK_MONOTONIC is behind the other two, as soon as a snapshot has said so.
  int64_t boottime_offset_ = 0;
  int64_t realtime_offset_ = 0;
  bool has_offsets_ = false;
  int64_t latest_ = 0;
};

Reader::Pointer Reader::spare() {
  if (spares_.empty()) return std::make_unique<DecodedTrackEvent>();
  Pointer decoded = std::move(spares_.back());
  spares_.pop_back();
  return decoded;
}

Status Reader::clocks(std::string_view snapshot, SequenceState& sequence) {
  const std::vector<ClockReading> readings = read_clocks(snapshot);
  const auto find = [&](uint32_t id) {
    return std::find_if(readings.begin(), readings.end(),
                        [id](const ClockReading& reading) { return reading.id == id; });
  };
  const auto monotonic = find(clock::kMonotonic);
  const auto boottime = find(clock::kBoottime);
  const auto realtime = find(clock::kRealtime);
  int64_t now = 0;
  if (monotonic != readings.end()) {
    now = monotonic->time;
  } else if (boottime != readings.end()) {
    now = minus(boottime->time, boottime_offset_);
  } else {
    return {};
  }
  for (const ClockReading& reading : readings) {
    if (reading.id >= clock::kOfSequence)
      sequence.clocks[reading.id] = {reading, now, reading.time};
  }
  if (realtime == readings.end()) return {};
  if (!has_offsets_) {
    if (boottime != readings.end()) boottime_offset_ = minus(boottime->time, now);
    realtime_offset_ = minus(realtime->time, now);
    has_offsets_ = true;
  }
  return sink_.clock_point(now, realtime->time);
}

int64_t Reader::time_of(const PacketParts& parts, SequenceState& sequence) const {
  const auto time = static_cast<int64_t>(parts.timestamp);
  uint32_t id = parts.clock != 0 ? parts.clock : sequence.defaults.clock;
  if (id == 0) id = clock::kBoottime;
  if (id == clock::kBoottime) return minus(time, boottime_offset_);
  if (id == clock::kRealtime) return minus(time, realtime_offset_);
  if (id < clock::kOfSequence) return time;
  const auto found = sequence.clocks.find(id);
  if (found == sequence.clocks.end()) return time;
  auto& [reading, monotonic, last] = found->second;
  last = reading.is_incremental ? add(last, time) : time;
  return add(monotonic, times(minus(last, reading.time), reading.unit_ns));
}

Status Reader::emit(DecodedTrackEvent& decoded, uint64_t uuid, bool is_range) {
  TraceTracks::Place place;
  if (Status status = tracks_.place(uuid, place); !status.ok()) return status;
  model::Event& event = decoded.event;
  event.track = place.track;
  event.stream = place.stream;
  event.domain = place.domain;
  const bool is_start_end = place.is_async || event.range_id != 0;
  event.kind = !is_range      ? model::EventKind::kMark
               : is_start_end ? model::EventKind::kRangeStartEnd
                              : model::EventKind::kRangePushPop;
  read_category(event);
  if (event.end < event.begin) event.end = event.begin;
  latest_ = std::max(latest_, event.end);
  // What a sink of ours has to say about the trace as a whole.
  const bool is_problem = place.is_notes && event.fields.size() == 1 &&
                          event.fields[0].name == "count" &&
                          event.fields[0].value.kind == model::ValueKind::kUint;
  if (is_problem) {
    problems_[std::string(event.message)] += event.fields[0].value.uint_value;
    return {};
  }
  model::Loss loss;
  if (model::read_loss_mark(event, loss)) {
    if (Status status = sink_.loss(loss); !status.ok()) return status;
  }
  return sink_.event(event);
}

Status Reader::begin(Pointer decoded, uint64_t uuid, int64_t time) {
  decoded->event.begin = time;
  latest_ = std::max(latest_, time);
  open_[uuid].push_back(std::move(decoded));
  return {};
}

Status Reader::end(uint64_t uuid, int64_t time) {
  const auto found = open_.find(uuid);
  if (found == open_.end() || found->second.empty()) {
    ++problems_["ends of a slice that no begin was read of are left out"];
    return {};
  }
  Pointer decoded = std::move(found->second.back());
  found->second.pop_back();
  decoded->event.end = time;
  Status status = emit(*decoded, uuid, true);
  give_back(std::move(decoded));
  return status;
}

Status Reader::mark(DecodedTrackEvent& decoded, uint64_t uuid, int64_t time) {
  decoded.event.begin = decoded.event.end = time;
  return emit(decoded, uuid, false);
}

Status Reader::sample(const DecodedTrackEvent& decoded, uint64_t uuid, int64_t time) {
  if (!decoded.has_value) {
    ++problems_["samples of a counter without a value are left out"];
    return {};
  }
  TraceTracks::CounterPlace place;
  if (Status status = tracks_.counter(uuid, decoded.is_floating, place); !status.ok())
    return status;
  model::CounterSample sample;
  sample.counter_track = place.counter;
  sample.stream = place.stream;
  sample.time = time;
  sample.synchronised = true;
  sample.is_floating = decoded.is_floating;
  sample.int_value = decoded.int_value;
  sample.double_value = decoded.double_value;
  latest_ = std::max(latest_, sample.time);
  return sink_.counter_sample(sample);
}

Status Reader::event(const PacketParts& parts, SequenceState& sequence) {
  const TrackEventHead head = read_head(parts.track_event);
  const uint64_t uuid = head.has_track ? head.track_uuid : sequence.defaults.track_uuid;
  const int64_t time = time_of(parts, sequence);
  if (head.type == EventType::kEnd) return end(uuid, time);
  if (head.type == EventType{}) {
    ++problems_["track events of other types than begin, end, instant and counter are left out"];
    return {};
  }
  Pointer decoded = spare();
  decode_track_event(parts.track_event, sequence.texts, *decoded);
  if (head.type == EventType::kBegin) return begin(std::move(decoded), uuid, time);
  Status status =
      head.type == EventType::kInstant ? mark(*decoded, uuid, time) : sample(*decoded, uuid, time);
  give_back(std::move(decoded));
  return status;
}

Status Reader::packet(std::string_view bytes, TraceSummary& summary) {
  const PacketParts parts = read_parts(bytes);
  if (parts.is_other()) {
    ++summary.other_packets;
    return {};
  }
  SequenceState& sequence = sequences_[parts.sequence];
  if ((parts.flags & packet::kIncrementalStateCleared) != 0) sequence.clear();
  if (parts.defaults.data() != nullptr) sequence.defaults = read_defaults(parts.defaults);
  if (parts.clock_snapshot.data() != nullptr) {
    if (Status status = clocks(parts.clock_snapshot, sequence); !status.ok()) return status;
  }
  if (parts.interned_data.data() != nullptr) add_interned(parts.interned_data, sequence.texts);
  if (parts.track_descriptor.data() != nullptr)
    tracks_.describe(read_descriptor(parts.track_descriptor));
  return parts.track_event.data() != nullptr ? event(parts, sequence) : Status();
}

Status Reader::finish() {
  for (auto& [uuid, ranges] : open_) {
    for (; !ranges.empty(); ranges.pop_back()) {
      ranges.back()->event.end = latest_;
      ranges.back()->event.end_is_missing = true;
      if (Status status = emit(*ranges.back(), uuid, true); !status.ok()) return status;
    }
  }
  for (const auto& [sentence, count] : problems_) {
    if (Status status = sink_.problem(sentence, count); !status.ok()) return status;
  }
  return {};
}

// Reads packets until there are no more; what is wrong with the file goes to the summary.
Status read_packets(PacketFile& file, Reader& reader, const ReadTraceOptions& options,
                    TraceSummary& summary) {
  std::string_view packet;
  while (true) {
    // Relaxed: it says nothing of other memory.
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      summary.stopped = true;
      return {};
    }
    const PacketFile::Next next = file.next(packet);
    summary.truncated = next == PacketFile::Next::kTruncated;
    summary.damaged = next == PacketFile::Next::kDamaged;
    summary.damage = file.damage();
    if (next != PacketFile::Next::kPacket) return {};
    try {
      if (Status status = reader.packet(packet, summary); !status.ok()) return status;
    } catch (const protozero::exception& error) {
      summary.damaged = true;
      summary.damage = "the trace is damaged before byte " + std::to_string(file.bytes()) +
                       ": a packet is no message (" + error.what() + ")";
      return {};
    }
    summary.bytes = file.bytes();
    if (++summary.packets % kProgressPackets == 0 && options.progress)
      options.progress(summary.bytes);
  }
}

}  // namespace

Result<std::string> trace_session_name(const std::string& path) {
  Result<std::unique_ptr<PacketFile>> file = PacketFile::open(path);
  if (!file.ok()) return file.status();
  std::string_view packet;
  for (int i = 0; i < kNamePacketsMax; ++i) {
    if ((*file)->next(packet) != PacketFile::Next::kPacket) break;
    try {
      const PacketParts parts = read_parts(packet);
      if (parts.track_descriptor.data() == nullptr) continue;
      const TrackPacket track = read_descriptor(parts.track_descriptor);
      if (!track.process_label.empty()) return model::valid_utf8_copy(track.process_label);
    } catch (const protozero::exception&) {
      break;  // read_trace() says where
    }
  }
  return model::valid_utf8_copy(std::filesystem::path(path).stem().string());
}

Result<TraceSummary> read_trace(const std::string& path, model::EventSink& sink,
                                const ReadTraceOptions& options) try {
  Result<std::string> name = trace_session_name(path);
  if (!name.ok()) return name.status();
  Result<std::unique_ptr<PacketFile>> file = PacketFile::open(path);
  if (!file.ok()) return file.status();
  TraceSummary summary;
  summary.session_name = *name;
  if (Status status = sink.session(summary.session_name); !status.ok()) return status;
  Reader reader(sink, summary.session_name);
  Status status = read_packets(**file, reader, options, summary);
  if (status.ok()) status = reader.finish();
  const Status finished = sink.finish();
  if (!status.ok()) return status;
  if (!finished.ok()) return finished;
  return summary;
} catch (const std::exception& error) {
  return Status(ResultCode::kFailed, "cannot read \"" + path + "\": " + error.what());
}

}  // namespace ringscribe::perfetto
