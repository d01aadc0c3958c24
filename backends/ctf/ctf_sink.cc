// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/ctf_sink.h"

#include <time.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace ringscribe::ctf {
namespace {

// So many rows of a block are added between two looks at the clock.
constexpr size_t kLookEvents = 64;

int64_t coarse_now_ns() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Status not_announced(const char* what, uint32_t id) {
  return Status(ResultCode::kInvalidArgument, std::string("ctf: ") + what + " " +
                                                  std::to_string(id) +
                                                  " is not known: announce it before its use");
}

}  // namespace

output::FolderMark folder_mark() { return {Metadata::kFile, Metadata::kBegin, {"track_"}}; }

CtfSink::CtfSink(std::unique_ptr<output::OutputFolder> folder, const SinkOptions& options)
    : folder_(std::move(folder)), options_(options), flushed_ns_(coarse_now_ns()) {}

CtfSink::~CtfSink() {
  if (!finished_) static_cast<void>(finish());
}

template <typename Work>
Status CtfSink::guarded(const char* operation, Work work) {
  if (!failure_.ok()) return failure_;
  if (finished_) {
    return Status(ResultCode::kFailed, std::string("ctf: ") + operation +
                                           " after the trace was finished: nothing was written");
  }
  try {
    if (trace_ == nullptr) {
      if (Status status = begin(""); !status.ok()) return status;
    }
    return work();
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed, std::string("ctf: ") + operation + " failed: " +
                                           error.what() + "; this one is not in the trace");
  }
}

Status CtfSink::keep(Status failure) {
  failure_ = Status(failure.code(), failure.message() +
                                        "; the trace is not whole: what was written before stays "
                                        "there");
  return failure_;
}

Status CtfSink::begin(std::string_view session_name) {
  auto trace = std::make_unique<Trace>(*folder_, session_name);
  // The trace can be opened from now on.
  Status status = trace->metadata.flush(*folder_);
  if (!status.ok()) return keep(std::move(status));
  trace_ = std::move(trace);
  return status;
}

Status CtfSink::session(std::string_view name) {
  if (trace_ == nullptr && failure_.ok() && !finished_) {
    try {
      return begin(name);
    } catch (const std::exception& error) {
      return keep(Status(ResultCode::kFailed, std::string("ctf: session failed: ") + error.what()));
    }
  }
  return guarded("session", [] { return Status(); });
}

template <typename Append>
Status CtfSink::note(bool is_last, Append append) {
  const size_t begin = bodies_.size();
  notes_.reserve(notes_.size() + 1);
  const uint32_t class_number = append(trace_->records);
  notes_.push_back({class_number, {begin, bodies_.size() - begin}, is_last});
  ++lot_events_;
  return after_event(kLookEvents);
}

Status CtfSink::stream(const model::Stream& stream) {
  return guarded("stream", [&] {
    streams_.try_emplace(std::string(stream.name), stream.id);
    if (stream.id == stream_rows_.size()) stream_rows_.push_back(TrackLayout::kNotesRow);
    return note(false, [&](RecordBody& records) { return records.stream(stream, bodies_); });
  });
}

Status CtfSink::category(std::string_view domain, uint32_t id, std::string_view name) {
  return guarded("category", [&] {
    return note(false,
                [&](RecordBody& records) { return records.category(domain, id, name, bodies_); });
  });
}

Status CtfSink::track(const model::Track& track) {
  return guarded("track", [&] {
    Status status = trace_->layout.add(track);
    if (!status.ok()) return status;
    return note(false, [&](RecordBody& records) { return records.track(track, bodies_); });
  });
}

Status CtfSink::counter_track(const model::CounterTrack& track) {
  return guarded("counter track", [&] {
    Status status = trace_->layout.add_counter(track);
    if (!status.ok()) return status;
    counters_.push_back(RecordBody::counter_of(track));
    return note(false, [&](RecordBody& records) { return records.counter(track, bodies_); });
  });
}

Status CtfSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  return guarded("clock point", [&] {
    if (clock_.see(monotonic_ns, realtime_ns)) {
      trace_->metadata.set_clock(clock_);
      if (!has_latest_) noted_ = monotonic_ns;
    }
    return note(false, [&](RecordBody& records) {
      return records.clock_point(monotonic_ns, realtime_ns, bodies_);
    });
  });
}

Status CtfSink::problem(std::string_view sentence, uint64_t count) {
  return guarded("problem", [&] {
    return note(true,
                [&](RecordBody& records) { return records.problem(sentence, count, bodies_); });
  });
}

void CtfSink::see(int64_t time, bool synchronised) noexcept {
  // A clock's time goes before a number of ticks.
  const bool is_first = synchronised && !is_synchronised_;
  if (is_first) has_earliest_ = has_latest_ = false;
  is_synchronised_ = is_synchronised_ || synchronised;
  if (synchronised != is_synchronised_) return;
  earliest_ = has_earliest_ ? std::min(earliest_, time) : time;
  latest_ = has_latest_ ? std::max(latest_, time) : time;
  has_earliest_ = has_latest_ = true;
}

TrackLot& CtfSink::lot(uint32_t row, bool synchronised) {
  const size_t index = size_t{row} * 2 + (synchronised ? 0 : 1);
  if (index >= lots_.size()) lots_.resize(index + 1);
  std::unique_ptr<TrackLot>& lot = lots_[index];
  if (lot == nullptr) {
    const std::string name = TrackLayout::file_name(row) + (synchronised ? "" : ".ticks");
    lot = std::make_unique<TrackLot>(trace_->layout.row(row), name);
  }
  if (lot->is_empty()) used_lots_.push_back(static_cast<uint32_t>(index));
  return *lot;
}

void CtfSink::add(const model::Event& shared, int64_t begin, int64_t end, TrackLot& lot,
                  const EventBody::Place& place, size_t bytes_begin) {
  const TrackLot::Bytes bytes = {bytes_begin, bodies_.size() - bytes_begin};
  if (shared.kind == model::EventKind::kMark) end = begin;
  end = std::max(begin, end);
  see(begin, shared.synchronised);
  see(end, shared.synchronised);
  if (shared.kind == model::EventKind::kRangeStartEnd) {
    lot.add_pair(trace_->out.next_pair++, begin, end, place, bytes);
  } else {
    lot.add(shared.kind, begin, end, place, bytes);
  }
  ++lot_events_;
}

Status CtfSink::event(const model::Event& event) {
  return guarded("event", [&] {
    if (!trace_->layout.has(event.track)) return not_announced("track", event.track);
    const uint32_t row = trace_->layout.row_of(event.track);
    if (event.stream < stream_rows_.size()) stream_rows_[event.stream] = row;
    const size_t begin = bodies_.size();
    const EventBody::Place place = trace_->events.append(event, bodies_);
    add(event, event.begin, event.end, lot(row, event.synchronised), place, begin);
    return after_event(kLookEvents);
  });
}

Status CtfSink::events(const model::EventBlock& block) {
  return guarded("event", [&] {
    const model::Event& shared = block.shared;
    if (!trace_->layout.has(shared.track)) return not_announced("track", shared.track);
    const uint32_t row = trace_->layout.row_of(shared.track);
    if (shared.stream < stream_rows_.size()) stream_rows_[shared.stream] = row;
    for (size_t i = 0; i < block.rows.size(); ++i) {
      const size_t begin = bodies_.size();
      const EventBody::Place place = trace_->events.append(block, i, bodies_);
      add(shared, block.rows[i].begin, block.rows[i].end, lot(row, shared.synchronised), place,
          begin);
      if (Status status = after_event(1); !status.ok()) return status;
    }
    return after_event(kLookEvents);
  });
}

Status CtfSink::counter_sample(const model::CounterSample& sample) {
  return guarded("counter sample", [&] {
    const uint32_t counter = sample.counter_track;
    if (!trace_->layout.has_counter(counter)) return not_announced("counter track", counter);
    const size_t begin = bodies_.size();
    const uint32_t class_number = trace_->records.sample(sample, counters_[counter], bodies_);
    see(sample.time, sample.synchronised);
    lot(trace_->layout.counter_row(counter), sample.synchronised)
        .add_record(sample.time, class_number, {begin, bodies_.size() - begin});
    ++lot_events_;
    return after_event(kLookEvents);
  });
}

Status CtfSink::loss(const model::Loss& loss) {
  return guarded("loss", [&] {
    if (loss.events == 0) return Status();
    const auto stream = streams_.find(loss.stream);
    const bool is_known = stream != streams_.end() && stream->second < stream_rows_.size();
    const uint32_t row = is_known ? stream_rows_[stream->second] : TrackLayout::kNotesRow;
    lot(row, loss.synchronised).lose(loss.events, loss.time);
    return after_event(kLookEvents);
  });
}

Status CtfSink::after_event(size_t count) {
  if (lot_events_ >= options_.lot_events_max || bodies_.size() >= options_.lot_bytes_max) {
    if (Status status = write_lots(); !status.ok()) return status;
  }
  events_since_look_ += count;
  if (events_since_look_ < kLookEvents) return {};
  events_since_look_ = 0;
  const int64_t now = coarse_now_ns();
  if (now - flushed_ns_ < options_.flush_interval_ns) return {};
  flushed_ns_ = now;
  return write_lots();
}

// Notes have no time of their own: they stand where the events of their lot begin, or end.
void CtfSink::add_notes() {
  if (notes_.empty()) return;
  TrackLot& notes = lot(TrackLayout::kNotesRow, true);
  const int64_t first = has_earliest_ ? earliest_ : has_latest_ ? latest_ : noted_;
  const int64_t last = has_latest_ ? latest_ : noted_;
  for (const Note& note : notes_) {
    notes.add_record(note.is_last ? last : first, note.class_number, note.bytes);
  }
  notes_.clear();
}

Status CtfSink::write_lots() {
  try {
    add_notes();
    Trace& trace = *trace_;
    Status status;
    size_t spans = 0;
    for (const uint32_t index : used_lots_) {
      if (status.ok()) status = lots_[index]->write(trace.out, bodies_);
    }
    if (!status.ok()) return keep(std::move(status));
    used_lots_.clear();
    bodies_.clear();
    lot_events_ = 0;
    has_earliest_ = false;
    for (const auto& lot : lots_) spans += lot == nullptr ? 0 : lot->spans();
    if (spans <= options_.spans_max) return {};
    for (const auto& lot : lots_) {
      if (lot != nullptr) lot->forget_older_half();
    }
  } catch (const std::exception& error) {
    // Some of a lot may be written already, and would be written twice.
    return keep(Status(ResultCode::kFailed, "ctf: writing events to \"" + folder_->path() +
                                                "\" failed: " + error.what()));
  }
  return {};
}

Status CtfSink::finish() {
  if (finished_) return failure_;
  Status status = guarded("finish", [&] { return write_lots(); });
  finished_ = true;
  if (failure_.ok()) failure_ = status;
  return status;
}

}  // namespace ringscribe::ctf
