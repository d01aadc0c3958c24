// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/perfetto_sink.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "ringscribe/backends/perfetto/event_encoding.h"

namespace ringscribe::perfetto {
namespace {

constexpr uint32_t kNoRow = UINT32_MAX;
// Indices of TimeShift: times that are final already, those of CLOCK_MONOTONIC, then others.
constexpr uint32_t kFinalTime = 0;
constexpr uint32_t kSynchronised = 1;

constexpr std::string_view kNotes = "ringscribe.notes";

// Spread over 49 bits, so that a number takes 7 bytes and those of two sessions hardly ever meet.
uint64_t random_uuid() noexcept {
  const ClockPacket now = read_system_clocks();
  uint64_t salt = 0;
  if (getrandom(&salt, sizeof(salt), GRND_NONBLOCK) != sizeof(salt)) salt = 0;
  salt ^= static_cast<uint64_t>(now.realtime_ns) ^ static_cast<uint64_t>(now.monotonic_ns) << 20U;
  salt ^= static_cast<uint64_t>(getpid()) << 40U;
  salt *= 0x9E3779B97F4A7C15U;  // odd: no two salts become one
  return (salt >> 15U) | 1U;
}

SliceKind slice_kind(model::EventKind kind) noexcept {
  switch (kind) {
    case model::EventKind::kRangePushPop:
      return SliceKind::kPushPop;
    case model::EventKind::kRangeStartEnd:
      return SliceKind::kStartEnd;
    case model::EventKind::kMark:
      break;
  }
  return SliceKind::kMark;
}

Status not_announced(const char* what, uint32_t id) {
  return Status(ResultCode::kInvalidArgument, std::string("perfetto: ") + what + " " +
                                                  std::to_string(id) +
                                                  " is not known: announce it before its use");
}

}  // namespace

PerfettoSink::PerfettoSink(std::unique_ptr<output::OutputFile> file, const SinkOptions& options)
    : file_(std::move(file)),
      options_(options),
      layout_(options.first_uuid != 0 ? options.first_uuid : random_uuid()),
      clocks_(options.read_clocks),
      shifts_(2),
      domain_ids_(2) {
  shifts_[kFinalTime].fix();
  packets_.begin_sequence();
}

PerfettoSink::~PerfettoSink() {
  if (!finished_) static_cast<void>(finish());
}

template <typename Work>
Status PerfettoSink::guarded(const char* operation, Work work) {
  if (!failure_.ok()) return failure_;
  if (finished_) {
    return Status(ResultCode::kFailed, std::string("perfetto: ") + operation +
                                           " after the trace was finished: nothing was written");
  }
  try {
    return work();
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed, std::string("perfetto: ") + operation + " failed: " +
                                           error.what() + "; this one is not in the trace");
  }
}

Status PerfettoSink::keep(Status failure) {
  failure_ = Status(failure.code(), failure.message() +
                                        "; the trace is not whole: what was written before stays "
                                        "there, and is not renamed");
  return failure_;
}

Status PerfettoSink::session(std::string_view name) {
  return guarded("session", [&] {
    session_name_ = name;
    return Status();
  });
}

Status PerfettoSink::track(const model::Track& track) {
  return guarded("track", [&] {
    Status status = layout_.add(track, session_name_, packets_);
    return status.ok() ? write_bytes() : status;
  });
}

Status PerfettoSink::counter_track(const model::CounterTrack& track) {
  return guarded("counter track", [&] {
    Status status = layout_.add_counter(track, packets_);
    return status.ok() ? write_bytes() : status;
  });
}

Status PerfettoSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  return guarded("clock point", [&] {
    if (!clocks_.point(monotonic_ns, realtime_ns)) ++bad_clock_points_;
    return Status();
  });
}

uint32_t PerfettoSink::time_domain_index(bool synchronised, uint64_t time_domain) {
  if (synchronised) return kSynchronised;
  const auto [entry, added] =
      domain_index_.try_emplace(time_domain, static_cast<uint32_t>(shifts_.size()));
  if (added) {
    shifts_.emplace_back();
    domain_ids_.push_back(time_domain);
  }
  return entry->second;
}

Status PerfettoSink::make_room() {
  const bool names_full = ids_.full(options_.interned_entries_max, options_.interned_bytes_max);
  if (!names_full && events_.size() + samples_.size() < options_.lot_events_max &&
      bodies_.size() < options_.lot_bytes_max) {
    return Status();
  }
  Status status = write_lot();
  if (status.ok() && names_full) {
    ids_.clear();
    packets_.begin_sequence();
  }
  return status;
}

Status PerfettoSink::event(const model::Event& event) {
  return guarded("event", [&] {
    if (!layout_.has(event.track)) return not_announced("track", event.track);
    if (Status status = make_room(); !status.ok()) return status;
    LotEvent entry{};
    entry.begin = event.begin;
    entry.kind = slice_kind(event.kind);
    entry.end = entry.kind == SliceKind::kMark ? event.begin : std::max(event.begin, event.end);
    entry.row = layout_.row(event.track);
    entry.time_domain = time_domain_index(event.synchronised, event.time_domain);
    entry.body = bodies_.size();
    encode_event(event, ids_, bodies_);
    entry.body_bytes = bodies_.size() - entry.body;
    events_.push_back(entry);
    return Status();
  });
}

Status PerfettoSink::counter_sample(const model::CounterSample& sample) {
  return guarded("counter sample", [&] {
    const uint32_t counter = sample.counter_track;
    if (!layout_.has_counter(counter)) return not_announced("counter track", counter);
    if (Status status = make_room(); !status.ok()) return status;
    const uint32_t time_domain = time_domain_index(sample.synchronised, sample.time_domain);
    if (!sample.has_value) {
      add_note(sample.time, time_domain, "counter without value", [&](EventBody& body) {
        body.text("counter", layout_.counter_name(counter));
        body.unsigned_number("reason", sample.no_value_reason);
      });
      return Status();
    }
    LotSample entry{};
    entry.time = sample.time;
    entry.counter = counter;
    entry.time_domain = time_domain;
    entry.is_floating = sample.is_floating;
    if (sample.is_floating) {
      entry.double_value = sample.double_value;
    } else {
      entry.int_value = sample.int_value;
    }
    samples_.push_back(entry);
    return Status();
  });
}

template <typename Fill>
void PerfettoSink::add_note(int64_t time, uint32_t time_domain, std::string_view name, Fill fill) {
  if (notes_row_ == kNoRow) notes_row_ = layout_.add_row(kNotes, packets_);
  LotEvent entry{};
  entry.begin = time;
  entry.end = time;
  entry.kind = SliceKind::kMark;
  entry.row = notes_row_;
  entry.time_domain = time_domain;
  entry.body = bodies_.size();
  EventBody body(bodies_, ids_);
  body.name(name);
  body.category("ringscribe");
  fill(body);
  entry.body_bytes = bodies_.size() - entry.body;
  events_.push_back(entry);
}

Status PerfettoSink::problem(std::string_view sentence, uint64_t count) {
  return guarded("problem", [&] {
    // At the end of what there is, so that the note does not make the trace longer.
    Status status = write_lot();
    if (!status.ok()) return status;
    add_note(latest_, kFinalTime, sentence,
             [&](EventBody& body) { body.unsigned_number("count", count); });
    return Status();
  });
}

Status PerfettoSink::finish() {
  if (finished_) return failure_;
  Status status = guarded("finish", [&] {
    Status written = write_lot();
    if (written.ok() && bad_clock_points_ != 0) {
      add_note(latest_, kFinalTime, "clock points before time 0 were left out",
               [&](EventBody& body) { body.unsigned_number("count", bad_clock_points_); });
      written = write_lot();
    }
    if (written.ok()) written = file_->finish();
    return written.ok() || !failure_.ok() ? written : keep(written);
  });
  finished_ = true;
  if (failure_.ok()) failure_ = status;
  return status;
}

Status PerfettoSink::write_lot() {
  try {
    fix_shifts();
    map_times();
    write_clocks();
    packets_.interned(ids_);
    write_events();
    write_samples();
    events_.clear();
    samples_.clear();
    bodies_.clear();
    if (layout_.spans() > options_.spans_max) layout_.forget_older_half();
  } catch (const std::exception& error) {
    // A lot that is half written cannot be written again: an end could lack its begin.
    return keep(Status(ResultCode::kFailed, "perfetto: writing events to \"" + file_->path() +
                                                ".part\" failed: " + error.what()));
  }
  return write_bytes();
}

void PerfettoSink::fix_shifts() {
  for (const LotEvent& event : events_) shifts_[event.time_domain].see(event.begin);
  for (const LotSample& sample : samples_) shifts_[sample.time_domain].see(sample.time);
  for (uint32_t i = 0; i < shifts_.size(); ++i) {
    if (!shifts_[i].fix()) continue;
    add_note(0, kFinalTime, "time shift", [&](EventBody& body) {
      body.unsigned_number("ringscribe.time_shift", shifts_[i].amount());
      if (i == kSynchronised) {
        body.text("time_domain", "CLOCK_MONOTONIC");
      } else {
        body.unsigned_number("time_domain", domain_ids_[i]);
      }
    });
  }
}

void PerfettoSink::map_times() {
  // A body that gets one more annotation moves to the end of the lot.
  const auto annotate = [&](size_t& body, size_t& body_bytes, const char* name, int64_t original) {
    const std::string copy = bodies_.substr(body, body_bytes);
    body = bodies_.size();
    bodies_ += copy;
    EventBody(bodies_, ids_).number(name, original);
    body_bytes = bodies_.size() - body;
  };
  for (LotEvent& event : events_) {
    const TimeShift& shift = shifts_[event.time_domain];
    const TimeShift::Mapped begin = shift.map(event.begin);
    const TimeShift::Mapped end = shift.map(event.end);
    if (!begin.exact) annotate(event.body, event.body_bytes, "original_timestamp", event.begin);
    if (!end.exact && event.kind != SliceKind::kMark) {
      annotate(event.body, event.body_bytes, "original_end_timestamp", event.end);
    }
    event.begin = begin.time;
    event.end = end.time;
    latest_ = std::max(latest_, end.time);
  }
  for (LotSample& sample : samples_) {
    const TimeShift::Mapped time = shifts_[sample.time_domain].map(sample.time);
    if (!time.exact) annotate(sample.body, sample.body_bytes, "original_timestamp", sample.time);
    sample.time = time.time;
    latest_ = std::max(latest_, time.time);
  }
}

void PerfettoSink::write_clocks() {
  for (ClockPacket& clocks : clocks_.take()) {
    const TimeShift::Mapped moved = shifts_[kSynchronised].map(clocks.monotonic_ns);
    if (!moved.exact) continue;
    clocks.monotonic_ns = moved.time;
    packets_.clocks(clocks);
  }
}

void PerfettoSink::write_events() {
  // Row and arrival in one number: sorted faster than positions that look their rows up.
  std::vector<uint64_t> order;
  order.reserve(events_.size());
  for (size_t i = 0; i < events_.size(); ++i) {
    order.push_back(uint64_t{events_[i].row} << 32U | i);
  }
  std::sort(order.begin(), order.end());
  std::vector<uint32_t> arrivals;
  for (size_t i = 0; i < order.size(); ++i) {
    arrivals.push_back(static_cast<uint32_t>(order[i] & UINT32_MAX));
    const uint64_t row = order[i] >> 32U;
    if (i + 1 < order.size() && order[i + 1] >> 32U == row) continue;
    write_row(static_cast<uint32_t>(row), arrivals);
    arrivals.clear();
  }
}

void PerfettoSink::write_row(uint32_t row, std::span<const uint32_t> arrivals) {
  std::vector<Slice> slices;
  slices.reserve(arrivals.size());
  for (const uint32_t index : arrivals) {
    slices.push_back({events_[index].begin, events_[index].end, events_[index].kind});
  }
  for (const Edge& edge : order_slices(slices, layout_.history(row))) {
    const uint64_t uuid = layout_.lane(row, edge.lane_kind, edge.lane, packets_);
    const LotEvent& event = events_[arrivals[edge.slice]];
    const std::string_view body(bodies_.data() + event.body, event.body_bytes);
    switch (edge.kind) {
      case EdgeKind::kBegin:
        packets_.event(EventType::kBegin, event.begin, uuid, body);
        break;
      case EdgeKind::kEnd:
        packets_.event(EventType::kEnd, event.end, uuid, {});
        break;
      case EdgeKind::kInstant:
        packets_.event(EventType::kInstant, event.begin, uuid, body);
        break;
    }
  }
}

void PerfettoSink::write_samples() {
  for (const LotSample& sample : samples_) {
    const uint64_t uuid = layout_.counter_uuid(sample.counter);
    const std::string_view body(bodies_.data() + sample.body, sample.body_bytes);
    if (sample.is_floating) {
      packets_.counter(sample.time, uuid, sample.double_value, body);
    } else {
      packets_.counter(sample.time, uuid, sample.int_value, body);
    }
  }
}

Status PerfettoSink::write_bytes() {
  std::string& bytes = packets_.bytes();
  Status status = file_->write(bytes.data(), bytes.size());
  bytes.clear();
  return status.ok() ? status : keep(std::move(status));
}

}  // namespace ringscribe::perfetto
