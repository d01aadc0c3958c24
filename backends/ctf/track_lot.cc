// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/track_lot.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ringscribe/backends/ctf/bytes.h"

namespace ringscribe::ctf {
namespace {

constexpr size_t kWriteBytes = size_t{256} << 10;

}  // namespace

TrackLot::TrackLot(const StreamDescription& description, std::string name)
    : description_(description), name_(std::move(name)) {}

void TrackLot::add(model::EventKind kind, int64_t begin, int64_t end, const EventBody::Place& place,
                   Bytes bytes) {
  bodies_.push_back({place, bytes});
  try {
    const bool is_mark = kind == model::EventKind::kMark;
    slices_.push_back({begin, end, is_mark ? model::SliceKind::kMark : model::SliceKind::kPushPop});
  } catch (...) {
    bodies_.pop_back();
    throw;
  }
}

TrackLot::Record TrackLot::begin_of(int64_t time, uint64_t pair, const Body& body) {
  return {time, pair, body.place.begin_class, body.bytes};
}

TrackLot::Record TrackLot::end_of(int64_t time, uint64_t pair, const Body& body) {
  return {time, pair, body.place.end_class, {body.bytes.begin, body.place.message_bytes}};
}

void TrackLot::add_pair(uint64_t pair, int64_t begin, int64_t end, const EventBody::Place& place,
                        Bytes bytes) {
  const Body body = {place, bytes};
  records_.reserve(records_.size() + 2 > records_.capacity() ? records_.size() * 2 + 2 : 0);
  records_.push_back(begin_of(begin, pair, body));
  records_.push_back(end_of(end, pair, body));
}

void TrackLot::add_record(int64_t time, uint32_t class_number, Bytes bytes) {
  records_.push_back({time, 0, class_number, bytes});
}

void TrackLot::lose(uint64_t count, int64_t time) {
  lost_ += count;
  lost_time_ = time;
}

Status TrackLot::write(TraceOutput& out, std::string_view bodies) {
  const std::span<const model::Edge> edges = model::order_slices(slices_, history_, out.order);
  // What cannot nest in the track goes among the others by time.
  for (const model::Edge& edge : edges) {
    if (edge.lane_kind == model::LaneKind::kMain || edge.kind != model::EdgeKind::kBegin) continue;
    const model::Slice& slice = slices_[edge.slice];
    const Body& body = bodies_[edge.slice];
    const uint64_t pair = out.next_pair++;
    records_.push_back(begin_of(slice.begin, pair, body));
    records_.push_back(end_of(slice.end, pair, body));
  }
  std::stable_sort(records_.begin(), records_.end(),
                   [](const Record& a, const Record& b) { return a.time < b.time; });
  say_loss(out);
  Status status = write_in_order(out, edges, bodies);
  slices_.clear();
  bodies_.clear();
  records_.clear();
  return status.ok() ? flush_files(out) : status;
}

// At one time the nest goes first, so that what has a number lies inside of it or behind it.
Status TrackLot::write_in_order(TraceOutput& out, std::span<const model::Edge> edges,
                                std::string_view bodies) {
  size_t next = 0;
  const auto write_until = [&](int64_t time) {
    Status status;
    for (; next < records_.size() && records_[next].time < time && status.ok(); ++next) {
      status = write_record(out, records_[next], bodies);
    }
    return status;
  };
  for (const model::Edge& edge : edges) {
    if (edge.lane_kind != model::LaneKind::kMain) continue;
    const model::Slice& slice = slices_[edge.slice];
    const bool is_end = edge.kind == model::EdgeKind::kEnd;
    const int64_t time = is_end ? slice.end : slice.begin;
    Status status = write_until(time);
    if (!status.ok()) return status;
    const Body& body = bodies_[edge.slice];
    status = write_record(out, is_end ? end_of(time, 0, body) : begin_of(time, 0, body), bodies);
    if (!status.ok()) return status;
  }
  Status status;
  for (; next < records_.size() && status.ok(); ++next) {
    status = write_record(out, records_[next], bodies);
  }
  return status;
}

StreamFile& TrackLot::file_for(TraceOutput& out, uint64_t cycles) {
  for (StreamFile& file : files_) {
    if (file.takes(cycles)) return file;
  }
  std::string name = name_;
  if (!files_.empty()) name += ".late." + std::to_string(files_.size());
  return files_.emplace_back(description_, std::move(name), out.next_file++,
                             StreamFile::Form::kPages);
}

StreamFile& TrackLot::large_file(TraceOutput& out) {
  if (!large_.empty()) return large_.front();
  return large_.emplace_back(description_, name_ + ".large." + std::to_string(++large_count_),
                             out.next_large_file++, StreamFile::Form::kWhole);
}

bool TrackLot::is_for_large(uint64_t cycles, size_t bytes) {
  if (StreamFile::has_room(description_, bytes)) {
    return !large_times_.empty() && large_times_.contains(cycles);
  }
  large_times_.insert(cycles);
  return true;
}

// At a time that is forgotten, what comes later may stand in front of the large event.
void TrackLot::forget_older_half() {
  history_.forget_older_half();
  large_times_.erase(
      large_times_.begin(),
      std::next(large_times_.begin(), static_cast<std::ptrdiff_t>((large_times_.size() + 1) / 2)));
}

Status TrackLot::write_record(TraceOutput& out, const Record& record, std::string_view bodies) {
  bool is_exact = true;
  const uint64_t cycles = TraceClock::cycles(record.time, &is_exact);
  char numbers[2 * sizeof(uint64_t)];
  size_t size = 0;
  unsigned form = 0;
  if (!is_exact) {
    form |= kExactTime;
    std::memcpy(numbers, &record.time, sizeof(record.time));
    size += sizeof(record.time);
  }
  if (record.pair != 0) {
    form |= kPair;
    std::memcpy(numbers + size, &record.pair, sizeof(record.pair));
    size += sizeof(record.pair);
  }
  const std::string_view front(numbers, size);
  const std::string_view body = bodies.substr(record.bytes.begin, record.bytes.size);
  const uint32_t id = out.classes.id(record.class_number, form);
  if (is_for_large(cycles, front.size() + body.size())) {
    large_file(out).add(cycles, id, front, body);
    return {};
  }
  StreamFile& file = file_for(out, cycles);
  file.add(cycles, id, front, body);
  if (file.bytes_waiting() < kWriteBytes) return {};
  Status status = out.metadata.flush(out.folder);
  return status.ok() ? file.flush(out.folder) : status;
}

// In front of the lot: a file that is new begins with a packet from which the loss is counted.
void TrackLot::say_loss(TraceOutput& out) {
  if (lost_ == 0) return;
  int64_t time = lost_time_;
  if (!records_.empty()) time = std::min(time, records_.front().time);
  for (const model::Slice& slice : slices_) time = std::min(time, slice.begin);
  bool is_exact = true;
  const uint64_t cycles = TraceClock::cycles(time, &is_exact);
  if (files_.empty()) file_for(out, cycles);
  files_.front().lose(lost_, cycles);
  lost_ = 0;
}

Status TrackLot::flush_files(TraceOutput& out) {
  Status status = out.metadata.flush(out.folder);
  for (StreamFile& file : files_) {
    if (status.ok()) status = file.flush(out.folder);
  }
  for (StreamFile& file : large_) {
    if (status.ok()) status = file.flush(out.folder);
  }
  large_.clear();
  return status;
}

}  // namespace ringscribe::ctf
