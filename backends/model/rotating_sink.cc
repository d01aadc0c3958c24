// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/rotating_sink.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ringscribe::model {
namespace {

std::unique_ptr<std::string[]> copy_texts(std::initializer_list<std::string_view*> views) {
  auto texts = std::make_unique<std::string[]>(views.size());
  size_t i = 0;
  for (std::string_view* view : views) {
    texts[i] = *view;
    *view = texts[i++];
  }
  return texts;
}

// After so many rows of a block the size is asked for again.
constexpr size_t kRowsMax = 4096;

// No overflow, however far the two are apart.
bool is_later_by(int64_t time, int64_t first, int64_t ns) {
  return time > first &&
         static_cast<uint64_t>(time) - static_cast<uint64_t>(first) >= static_cast<uint64_t>(ns);
}

}  // namespace

RotatingSink::RotatingSink(const Bounds& bounds, std::unique_ptr<EventSink> first,
                           OpenPart open_part)
    : bounds_(bounds), open_part_(std::move(open_part)), sink_(std::move(first)) {}

Status RotatingSink::keep(Status status) {
  if (failure_.ok()) failure_ = status;
  return status;
}

Status RotatingSink::session(std::string_view name) {
  session_name_ = name;
  return sink_->session(name);
}

Status RotatingSink::stream(const Stream& stream) {
  Kept<Stream> kept{stream, nullptr};
  kept.texts = copy_texts({&kept.what.name, &kept.what.domain});
  streams_.push_back(std::move(kept));
  return {};
}

Status RotatingSink::category(std::string_view domain, uint32_t id, std::string_view name) {
  categories_[{std::string(domain), id}] = name;
  return failure_.ok() ? sink_->category(domain, id, name) : failure_;
}

Status RotatingSink::track(const Track& track) {
  Kept<Track> kept{track, nullptr};
  kept.texts = copy_texts({&kept.what.name, &kept.what.domain});
  tracks_.push_back(std::move(kept));
  return {};
}

Status RotatingSink::counter_track(const CounterTrack& track) {
  Kept<CounterTrack> kept{track, nullptr};
  kept.texts =
      copy_texts({&kept.what.name, &kept.what.unit, &kept.what.description, &kept.what.domain});
  counters_.push_back(std::move(kept));
  return {};
}

Status RotatingSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  has_clock_point_ = true;
  clock_point_ = {monotonic_ns, realtime_ns};
  return failure_.ok() ? sink_->clock_point(monotonic_ns, realtime_ns) : failure_;
}

bool RotatingSink::is_too_late(int64_t time, bool synchronised) const noexcept {
  return bounds_.ns != 0 && synchronised && has_first_time_ &&
         is_later_by(time, first_time_, bounds_.ns);
}

Status RotatingSink::make_room(int64_t time, bool synchronised) {
  if (!failure_.ok()) return failure_;
  const bool is_large = bounds_.bytes != 0 && sink_->bytes_written() >= bounds_.bytes;
  const bool is_long = is_too_late(time, synchronised);
  // A part without an event would make one after the other, and none would help.
  if (is_used_ && (is_large || is_long)) {
    if (Status status = begin_part(); !status.ok()) return keep(status);
  }
  is_used_ = true;
  if (synchronised && !has_first_time_) {
    has_first_time_ = true;
    first_time_ = time;
  }
  return {};
}

Status RotatingSink::begin_part() {
  if (Status status = sink_->finish(); !status.ok()) return status;
  Result<std::unique_ptr<EventSink>> next = open_part_(part_ + 1);
  if (!next.ok()) return next.status();
  for (std::string& path : sink_->paths()) finished_paths_.push_back(std::move(path));
  ++part_;
  sink_ = std::move(*next);
  is_used_ = has_first_time_ = false;
  streams_in_part_ = tracks_in_part_ = counters_in_part_ = 0;
  for (auto& kept : streams_) kept.in_part = kNotInPart;
  for (auto& kept : tracks_) kept.in_part = kNotInPart;
  for (auto& kept : counters_) kept.in_part = kNotInPart;
  if (Status status = sink_->session(session_name_); !status.ok()) return status;
  for (const auto& [key, name] : categories_) {
    if (Status status = sink_->category(key.first, key.second, name); !status.ok()) return status;
  }
  return has_clock_point_ ? sink_->clock_point(clock_point_.first, clock_point_.second) : Status();
}

Status RotatingSink::place_stream(uint32_t& stream) {
  if (stream >= streams_.size()) return {};
  Kept<Stream>& kept = streams_[stream];
  if (kept.in_part == kNotInPart) {
    Stream here = kept.what;
    here.id = streams_in_part_;
    if (Status status = sink_->stream(here); !status.ok()) return status;
    kept.in_part = streams_in_part_++;
  }
  stream = kept.in_part;
  return {};
}

Status RotatingSink::place_track(uint32_t& track) {
  if (track >= tracks_.size()) return {};  // the sink says what it thinks of it
  Kept<Track>& kept = tracks_[track];
  if (kept.in_part == kNotInPart) {
    Track here = kept.what;
    // A parent was announced before: this goes up, and ends.
    if (here.parent != kNoTrack) {
      if (Status status = place_track(here.parent); !status.ok()) return status;
    }
    here.id = tracks_in_part_;
    if (Status status = sink_->track(here); !status.ok()) return status;
    kept.in_part = tracks_in_part_++;
  }
  track = kept.in_part;
  return {};
}

Status RotatingSink::place_counter(uint32_t& counter_track) {
  if (counter_track >= counters_.size()) return {};
  Kept<CounterTrack>& kept = counters_[counter_track];
  if (kept.in_part == kNotInPart) {
    CounterTrack here = kept.what;
    if (here.parent != kNoTrack) {
      if (Status status = place_track(here.parent); !status.ok()) return status;
    }
    here.id = counters_in_part_;
    if (Status status = sink_->counter_track(here); !status.ok()) return status;
    kept.in_part = counters_in_part_++;
  }
  counter_track = kept.in_part;
  return {};
}

Status RotatingSink::place(Event& event) {
  if (Status status = place_stream(event.stream); !status.ok()) return status;
  return place_track(event.track);
}

Status RotatingSink::event(const Event& event) {
  Event here = event;
  if (Status status = make_room(event.end, event.synchronised); !status.ok()) return status;
  if (Status status = place(here); !status.ok()) return status;
  return sink_->event(here);
}

Status RotatingSink::events(const EventBlock& block) {
  const auto end_of = [&](size_t row) {
    return std::max(block.rows[row].begin, block.rows[row].end);
  };
  for (size_t first = 0; first < block.rows.size();) {
    Event shared = block.shared;
    if (Status status = make_room(end_of(first), shared.synchronised); !status.ok()) return status;
    // As many as are of this part: a block may be longer than several parts.
    const size_t most = std::min(block.rows.size(), first + kRowsMax);
    size_t last = bounds_.ns == 0 ? most : first + 1;
    while (last < most && !is_too_late(end_of(last), shared.synchronised)) ++last;
    if (Status status = place(shared); !status.ok()) return status;
    const size_t count = last - first;
    const size_t fields = block.fields_per_row;
    const EventBlock piece{shared, block.rows.subspan(first, count),
                           block.fields.subspan(first * fields, count * fields), fields,
                           block.field_names};
    if (Status status = sink_->events(piece); !status.ok()) return status;
    first = last;
  }
  return {};
}

Status RotatingSink::counter_sample(const CounterSample& sample) {
  CounterSample here = sample;
  if (Status status = make_room(sample.time, sample.synchronised); !status.ok()) return status;
  if (Status status = place_stream(here.stream); !status.ok()) return status;
  if (Status status = place_counter(here.counter_track); !status.ok()) return status;
  return sink_->counter_sample(here);
}

Status RotatingSink::loss(const Loss& loss) { return failure_.ok() ? sink_->loss(loss) : failure_; }

Status RotatingSink::problem(std::string_view sentence, uint64_t count) {
  return failure_.ok() ? sink_->problem(sentence, count) : failure_;
}

std::vector<std::string> RotatingSink::paths() const {
  std::vector<std::string> all = finished_paths_;
  for (std::string& path : sink_->paths()) all.push_back(std::move(path));
  return all;
}

Status RotatingSink::finish() {
  if (std::exchange(is_finished_, true)) return failure_;
  const Status status = sink_->finish();
  return failure_.ok() ? keep(status) : failure_;
}

}  // namespace ringscribe::model
