// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/track_layout.h"

namespace ringscribe::perfetto {
namespace {

// The descriptors hold process and thread ids as 32-bit numbers, and 0 is the idle task's.
bool is_system_id(int64_t id) noexcept { return id > 0 && id <= INT32_MAX; }

std::string_view or_no_name(std::string_view name) noexcept {
  return name.empty() ? std::string_view("(no name)") : name;
}

std::string with_number(std::string_view name, const char* what, int64_t number) {
  std::string text(name);
  if (!text.empty()) text += ' ';
  return text + "(" + what + " " + std::to_string(number) + ")";
}

std::string domain_text(std::string_view domain) {
  return domain.empty() ? std::string() : "domain: " + std::string(domain);
}

Status invalid(const std::string& what, uint32_t id, const std::string& rule) {
  return Status(ResultCode::kInvalidArgument,
                "perfetto: " + what + " " + std::to_string(id) + " " + rule);
}

}  // namespace

uint64_t TrackLayout::parent_uuid(uint32_t parent) const noexcept {
  return parent == model::kNoTrack ? 0 : rows_[rows_by_track_[parent]].main.track_uuid;
}

bool TrackLayout::is_foreign(uint32_t parent) const noexcept {
  return parent != model::kNoTrack && rows_[rows_by_track_[parent]].foreign;
}

uint32_t TrackLayout::write_row(TrackPacket packet, bool foreign, TracePacketWriter& packets) {
  packet.uuid = next_uuid_++;
  if (packet.type == TrackType::kPlain) packet.merge_key = packet.uuid;
  rows_.push_back({{.track_uuid = packet.uuid},
                   packet.parent_uuid,
                   packet.type,
                   foreign,
                   std::string(packet.name),
                   nullptr});
  packets.track(packet);
  return static_cast<uint32_t>(rows_.size() - 1);
}

uint32_t TrackLayout::add_row(std::string_view name, TracePacketWriter& packets) {
  TrackPacket packet;
  packet.name = name;
  return write_row(packet, false, packets);
}

Status TrackLayout::add(const model::Track& track, std::string_view session_name,
                        TracePacketWriter& packets) {
  if (track.id != rows_by_track_.size()) {
    return invalid("track", track.id,
                   "is out of turn: number tracks from 0 without a gap, the next is " +
                       std::to_string(rows_by_track_.size()));
  }
  if (track.parent != model::kNoTrack && !has(track.parent)) {
    return invalid("track", track.id,
                   "has a parent, track " + std::to_string(track.parent) +
                       ", that is not known: announce the parent first");
  }
  uint32_t row = 0;
  if (track.kind == model::TrackKind::kProcess) {
    row = add_process(track, session_name, packets);
  } else if (track.kind == model::TrackKind::kThread) {
    row = add_thread(track, packets);
  } else {
    row = add_plain(track, std::string(track.name), parent_uuid(track.parent), packets);
  }
  rows_by_track_.push_back(row);
  return Status();
}

uint32_t TrackLayout::add_plain(const model::Track& track, std::string name, uint64_t parent_uuid,
                                TracePacketWriter& packets) {
  const std::string description = domain_text(track.domain);
  TrackPacket packet;
  packet.parent_uuid = parent_uuid;
  packet.name = or_no_name(name);
  packet.description = description;
  return write_row(packet, is_foreign(track.parent), packets);
}

uint32_t TrackLayout::add_process(const model::Track& track, std::string_view session_name,
                                  TracePacketWriter& packets) {
  const auto known = processes_.find(track.pid);
  if (known != processes_.end()) {
    const std::string& name = rows_[known->second].name;
    if (track.name.empty() || name.empty() || name == track.name) return known->second;
  }
  // A second process of the same id but another name: of another machine or another day.
  if (known != processes_.end() || !is_system_id(track.pid)) {
    const uint32_t row = add_plain(track, with_number(track.name, "pid", track.pid),
                                   parent_uuid(track.parent), packets);
    rows_[row].foreign = true;
    return row;
  }
  TrackPacket packet;
  packet.type = TrackType::kProcess;
  packet.name = track.name;
  packet.pid = track.pid;
  packet.process_label = session_name;
  const uint32_t row = write_row(packet, false, packets);
  processes_.emplace(track.pid, row);
  return row;
}

uint32_t TrackLayout::add_thread(const model::Track& track, TracePacketWriter& packets) {
  const auto process = processes_.find(track.pid);
  const bool is_native = is_system_id(track.pid) && !is_foreign(track.parent);
  const uint64_t parent = is_native && process != processes_.end()
                              ? rows_[process->second].main.track_uuid
                              : parent_uuid(track.parent);
  const auto known = threads_.find({track.pid, track.tid});
  if (is_native && known != threads_.end() && known->second.number == track.thread_number) {
    return add_plain(track, std::string(track.domain.empty() ? track.name : track.domain),
                     rows_[known->second.row].main.track_uuid, packets);
  }
  if (!is_native || known != threads_.end() || !is_system_id(track.tid)) {
    return add_plain(track, with_number(track.name, "tid", track.tid), parent, packets);
  }
  const std::string description = domain_text(track.domain);
  TrackPacket packet;
  packet.type = TrackType::kThread;
  packet.parent_uuid = parent;
  packet.name = track.name;
  packet.description = description;
  packet.pid = track.pid;
  packet.tid = track.tid;
  const uint32_t row = write_row(packet, false, packets);
  threads_.emplace(std::pair(track.pid, track.tid), KnownThread{track.thread_number, row});
  return row;
}

Status TrackLayout::add_counter(const model::CounterTrack& track, TracePacketWriter& packets) {
  if (track.id != counters_.size()) {
    return invalid("counter track", track.id,
                   "is out of turn: number counter tracks from 0 without a gap, the next is " +
                       std::to_string(counters_.size()));
  }
  if (track.parent != model::kNoTrack && !has(track.parent)) {
    return invalid("counter track", track.id,
                   "has a parent, track " + std::to_string(track.parent) +
                       ", that is not known: announce the parent first");
  }
  std::string description(track.description);
  if (!track.domain.empty()) {
    if (!description.empty()) description += "; ";
    description += domain_text(track.domain);
  }
  TrackPacket packet;
  packet.type = TrackType::kCounter;
  packet.uuid = next_uuid_++;
  packet.parent_uuid = parent_uuid(track.parent);
  packet.name = or_no_name(track.name);
  packet.description = description;
  packet.unit = track.unit;
  counters_.push_back({{.track_uuid = packet.uuid}, std::string(packet.name)});
  packets.track(packet);
  return Status();
}

model::LaneHistory& TrackLayout::history(uint32_t row) {
  Row& entry = rows_[row];
  if (entry.lanes == nullptr) entry.lanes = std::make_unique<Lanes>();
  return entry.lanes->history;
}

Sequence& TrackLayout::lane(uint32_t row, model::LaneKind kind, uint32_t lane,
                            TracePacketWriter& packets) {
  Row& entry = rows_[row];
  if (kind == model::LaneKind::kMain) return entry.main;
  if (entry.lanes == nullptr) entry.lanes = std::make_unique<Lanes>();
  const bool async = kind == model::LaneKind::kAsync;
  std::vector<Sequence>& lanes = async ? entry.lanes->async : entry.lanes->overlap;
  while (lanes.size() <= lane) {
    const std::string name = async ? entry.name + " (async)" : entry.name;
    TrackPacket packet;
    packet.uuid = next_uuid_++;
    // A process or a thread has no siblings that are plain tracks: the lane goes below it.
    const bool sibling = !async && entry.type == TrackType::kPlain;
    packet.parent_uuid = sibling ? entry.parent_uuid : entry.main.track_uuid;
    packet.name = or_no_name(name);
    packet.merge_key = entry.main.track_uuid;
    lanes.push_back({.track_uuid = packet.uuid});
    packets.track(packet);
  }
  return lanes[lane];
}

size_t TrackLayout::spans() const noexcept {
  size_t count = 0;
  for (const Row& row : rows_) count += row.lanes == nullptr ? 0 : row.lanes->history.spans();
  return count;
}

void TrackLayout::forget_older_half() {
  for (Row& row : rows_) {
    if (row.lanes != nullptr) row.lanes->history.forget_older_half();
  }
}

}  // namespace ringscribe::perfetto
