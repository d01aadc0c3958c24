// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/perfetto_sink.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace ringscribe::perfetto {
namespace {

constexpr uint32_t kNoRow = UINT32_MAX;
// Indices of TimeShift: times that are final already, those of CLOCK_MONOTONIC, then others.
constexpr uint32_t kFinalTime = 0;
constexpr uint32_t kSynchronised = 1;

// As much as is worth a call of write(2), and fits the processor's cache.
constexpr size_t kWriteBytes = size_t{256} << 10;

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

model::SliceKind slice_kind(model::EventKind kind) noexcept {
  switch (kind) {
    case model::EventKind::kRangePushPop:
      return model::SliceKind::kPushPop;
    case model::EventKind::kRangeStartEnd:
      return model::SliceKind::kStartEnd;
    case model::EventKind::kMark:
      break;
  }
  return model::SliceKind::kMark;
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
      compressor_(options.compression_level),
      layout_(options.first_uuid != 0 ? options.first_uuid : random_uuid()),
      clocks_(options.read_clocks),
      shifts_(2),
      domain_ids_(2) {
  shifts_[kFinalTime].fix();
  packets_.begin();
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
    return status.ok() ? write_much() : status;
  });
}

Status PerfettoSink::counter_track(const model::CounterTrack& track) {
  return guarded("counter track", [&] {
    Status status = layout_.add_counter(track, packets_);
    return status.ok() ? write_much() : status;
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

bool PerfettoSink::is_lot_full() const noexcept {
  return lot_events_ + samples_.size() >= options_.lot_events_max ||
         bodies_.size() >= options_.lot_bytes_max;
}

Status PerfettoSink::make_room() {
  const bool names_full =
      encoder_.ids().full(options_.interned_entries_max, options_.interned_bytes_max);
  if (!names_full && !is_lot_full()) return {};
  Status status = write_lot();
  if (status.ok() && names_full) {
    encoder_.clear();
    packets_.forget();
  }
  return status;
}

Status PerfettoSink::event(const model::Event& event) {
  return guarded("event", [&] {
    if (!layout_.has(event.track)) return not_announced("track", event.track);
    Status status = make_room();
    if (status.ok()) add_event(event);
    return status;
  });
}

Status PerfettoSink::events(const model::EventBlock& block) {
  if (!EventEncoder::is_ordinary(block)) return EventSink::events(block);
  return guarded("event", [&] {
    const uint32_t track = block.shared.track;
    if (!layout_.has(track)) return not_announced("track", track);
    for (size_t done = 0; done < block.rows.size();) {
      if (Status status = make_room(); !status.ok()) return status;
      done += add_rows(block, done, block.rows.size() - done);
    }
    return Status();
  });
}

size_t PerfettoSink::add_rows(const model::EventBlock& block, size_t first, size_t most) {
  const model::SliceKind kind = slice_kind(block.shared.kind);
  const uint32_t time_domain = time_domain_index(true, block.shared.time_domain);
  RowLot& lot = row_lot(layout_.row(block.shared.track), most);
  // What is added counts also if a later one fails.
  struct Times {
    PerfettoSink& sink;
    uint32_t time_domain;
    int64_t earliest = INT64_MAX;
    int64_t latest = INT64_MIN;
    ~Times() {
      sink.shifts_[time_domain].see(earliest);
      sink.lot_earliest_ = std::min(sink.lot_earliest_, earliest);
      sink.lot_latest_ = std::max(sink.lot_latest_, latest);
    }
  } times{*this, time_domain};
  size_t row = first;
  do {
    const auto& [begin, end, range_id, label] = block.rows[row];
    const EncodedEvent encoded = encoder_.encode(block, row, bodies_);
    lot.slices.push_back({begin, end, kind});
    lot.events.push_back({encoded, time_domain});
    ++lot_events_;
    times.earliest = std::min(times.earliest, begin);
    times.latest = std::max(times.latest, end);
  } while (++row < first + most && !is_lot_full());
  return row - first;
}

void PerfettoSink::add_event(const model::Event& event) {
  LotEvent entry;
  entry.encoded = encoder_.encode(event, bodies_);
  entry.time_domain = time_domain_index(event.synchronised, event.time_domain);
  const model::SliceKind kind = slice_kind(event.kind);
  const int64_t end =
      kind == model::SliceKind::kMark ? event.begin : std::max(event.begin, event.end);
  add_slice(layout_.row(event.track), {event.begin, end, kind}, entry);
}

PerfettoSink::RowLot& PerfettoSink::row_lot(uint32_t row, size_t more) {
  if (row >= rows_.size()) rows_.resize(row + 1);
  RowLot& lot = rows_[row];
  if (const size_t size = lot.slices.size() + more; size > lot.events.capacity()) {
    lot.slices.reserve(std::max(size, 2 * lot.slices.size()));
    lot.events.reserve(lot.slices.capacity());
  }
  if (!lot.is_used) used_rows_.push_back(row);
  lot.is_used = true;
  return lot;
}

void PerfettoSink::add_slice(uint32_t row, const model::Slice& slice, const LotEvent& event) {
  RowLot& lot = row_lot(row, 1);
  lot.slices.push_back(slice);
  lot.events.push_back(event);
  ++lot_events_;
  shifts_[event.time_domain].see(slice.begin);
  lot_earliest_ = std::min(lot_earliest_, slice.begin);
  lot_latest_ = std::max(lot_latest_, slice.end);
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
    shifts_[time_domain].see(sample.time);
    lot_earliest_ = std::min(lot_earliest_, sample.time);
    lot_latest_ = std::max(lot_latest_, sample.time);
    samples_.push_back(entry);
    return Status();
  });
}

template <typename Fill>
void PerfettoSink::add_note(int64_t time, uint32_t time_domain, std::string_view name, Fill fill) {
  if (notes_row_ == kNoRow) notes_row_ = layout_.add_row(kNotes, packets_);
  EventBody body(bodies_, encoder_.ids());
  const size_t begin = bodies_.size();
  body.name(name);
  body.category("ringscribe");
  fill(body);
  const EncodedEvent encoded{body.head(), body.name_set(), static_cast<uint32_t>(begin),
                             static_cast<uint32_t>(bodies_.size() - begin)};
  add_slice(notes_row_, {time, time, model::SliceKind::kMark}, {encoded, time_domain});
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
  Status status;
  try {
    fix_shifts();
    map_times();
    write_clocks();
    for (const uint32_t row : used_rows_) {
      if (status.ok()) status = write_row(row, rows_[row]);
      rows_[row].slices.clear();
      rows_[row].events.clear();
      rows_[row].is_used = false;
    }
    used_rows_.clear();
    lot_events_ = 0;
    if (status.ok()) status = write_samples();
    samples_.clear();
    bodies_.clear();
    if (layout_.spans() > options_.spans_max) layout_.forget_older_half();
  } catch (const std::exception& error) {
    // A lot that is half written cannot be written again: an end could lack its begin.
    return keep(Status(ResultCode::kFailed, "perfetto: writing events to \"" + file_->path() +
                                                ".part\" failed: " + error.what()));
  }
  return status.ok() ? write_bytes() : status;
}

void PerfettoSink::fix_shifts() {
  for (uint32_t i = 0; i < shifts_.size(); ++i) {
    if (!shifts_[i].fix()) continue;
    is_shifted_ = true;
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

// A body that gets one more annotation moves to the end of the lot.
void PerfettoSink::annotate(EncodedEvent& encoded, const char* name, int64_t original) {
  const std::string copy = bodies_.substr(encoded.body, encoded.body_bytes);
  encoded.body = static_cast<uint32_t>(bodies_.size());
  bodies_ += copy;
  EventBody body(bodies_, encoder_.ids());
  body.number(name, original);
  encoded.body_bytes = static_cast<uint32_t>(bodies_.size()) - encoded.body;
  std::vector<uint32_t> names = body.annotations();
  if (encoded.name_set != 0) {
    const std::vector<uint32_t>& before = encoder_.ids().names_of(encoded.name_set);
    names.insert(names.end(), before.begin(), before.end());
  }
  encoded.name_set = encoder_.ids().name_set(names);
}

void PerfettoSink::map_times() {
  const bool all_stay = lot_earliest_ == 0 && !is_shifted_;
  lot_earliest_ = 0;
  const int64_t latest = std::exchange(lot_latest_, 0);
  if (all_stay) {
    latest_ = std::max(latest_, latest);
    return;
  }
  for (const uint32_t row : used_rows_) {
    for (size_t i = 0; i < rows_[row].slices.size(); ++i) {
      model::Slice& slice = rows_[row].slices[i];
      LotEvent& event = rows_[row].events[i];
      const TimeShift& shift = shifts_[event.time_domain];
      const TimeShift::Mapped begin = shift.map(slice.begin);
      const TimeShift::Mapped end = shift.map(slice.end);
      if (!begin.exact) annotate(event.encoded, "original_timestamp", slice.begin);
      if (!end.exact && slice.kind != model::SliceKind::kMark) {
        annotate(event.encoded, "original_end_timestamp", slice.end);
      }
      slice.begin = begin.time;
      slice.end = end.time;
      latest_ = std::max(latest_, end.time);
    }
  }
  for (LotSample& sample : samples_) {
    const TimeShift::Mapped time = shifts_[sample.time_domain].map(sample.time);
    if (!time.exact) annotate(sample.encoded, "original_timestamp", sample.time);
    sample.time = time.time;
    latest_ = std::max(latest_, time.time);
  }
}

void PerfettoSink::write_clocks() {
  for (ClockPacket& clocks : clocks_.take()) {
    const TimeShift& shift = shifts_[kSynchronised];
    const TimeShift::Mapped moved = shift.map(clocks.monotonic_ns);
    if (!moved.exact) {
      // Readers refuse the times of a clock that is in no snapshot: the first one has to be there.
      if (has_clocks_) continue;
      clocks = clocks_at(clocks, shift.original(moved.time));
    }
    clocks.monotonic_ns = moved.time;
    packets_.clocks(clocks);
    has_clocks_ = true;
  }
}

EventContent PerfettoSink::content(const EncodedEvent& encoded) const noexcept {
  return {encoded.head, encoded.name_set, {bodies_.data() + encoded.body, encoded.body_bytes}};
}

Status PerfettoSink::write_row(uint32_t row, const RowLot& lot) {
  Sequence* sequence = nullptr;
  model::Edge before = {};
  for (const model::Edge& edge : model::order_slices(lot.slices, layout_.history(row), order_)) {
    if (sequence == nullptr || edge.lane != before.lane || edge.lane_kind != before.lane_kind) {
      sequence = &layout_.lane(row, edge.lane_kind, edge.lane, packets_);
      before = edge;
    }
    const model::Slice& slice = lot.slices[edge.slice];
    if (edge.kind == model::EdgeKind::kEnd) {
      packets_.end(*sequence, slice.end);
    } else {
      const EventType type =
          edge.kind == model::EdgeKind::kBegin ? EventType::kBegin : EventType::kInstant;
      packets_.event(*sequence, type, slice.begin, content(lot.events[edge.slice].encoded),
                     encoder_.ids());
    }
    if (packets_.size() < kWriteBytes) continue;
    if (Status status = write_bytes(); !status.ok()) return status;
  }
  return {};
}

Status PerfettoSink::write_samples() {
  // Counter by counter, and by time in each: times are written as distances.
  std::stable_sort(samples_.begin(), samples_.end(), [](const LotSample& a, const LotSample& b) {
    return a.counter != b.counter ? a.counter < b.counter : a.time < b.time;
  });
  for (const LotSample& sample : samples_) {
    Sequence& sequence = layout_.counter(sample.counter);
    if (sample.is_floating) {
      packets_.counter(sequence, sample.time, sample.double_value, content(sample.encoded),
                       encoder_.ids());
    } else {
      packets_.counter(sequence, sample.time, sample.int_value, content(sample.encoded),
                       encoder_.ids());
    }
    if (Status status = write_much(); !status.ok()) return status;
  }
  return {};
}

Status PerfettoSink::write_much() {
  return packets_.size() < kWriteBytes ? Status() : write_bytes();
}

Status PerfettoSink::write_bytes() {
  std::string& bytes = packets_.bytes();
  Status status;
  if (options_.compression_level == 0) {
    status = file_->write(bytes.data(), bytes.size());
  } else {
    compressed_.clear();
    status = compressor_.compress(bytes, compressed_);
    if (status.ok()) status = file_->write(compressed_.data(), compressed_.size());
  }
  bytes.clear();
  return status.ok() ? status : keep(std::move(status));
}

}  // namespace ringscribe::perfetto
