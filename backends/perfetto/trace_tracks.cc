// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_tracks.h"

#include "ringscribe/backends/model/text.h"

namespace ringscribe::perfetto {
namespace {

constexpr std::string_view kNotes = "ringscribe.notes";
constexpr std::string_view kOurs = "ringscribe";
constexpr std::string_view kDomain = "domain: ";
constexpr std::string_view kAsync = " (async)";
// A parent below itself, or more than any tool draws: what is above is left out.
constexpr int kDepthMax = 64;

}  // namespace

TraceTracks::Known& TraceTracks::known(uint64_t uuid) {
  const auto [entry, is_new] = tracks_.try_emplace(uuid);
  if (is_new) entry->second.name = uuid == 0 ? "(default track)" : "track " + std::to_string(uuid);
  return entry->second;
}

void TraceTracks::describe(const TrackPacket& packet) {
  Known& track = tracks_[packet.uuid];
  if (track.number != kNone) return;
  track.type = packet.type;
  track.parent = packet.parent_uuid;
  track.merge_key = packet.merge_key;
  track.name = model::valid_utf8_copy(packet.name);
  track.unit = model::valid_utf8_copy(packet.unit);
  track.pid = packet.pid;
  track.tid = packet.tid;
  track.description = model::valid_utf8_copy(packet.description);
  // What the sink wrote stands last.
  const size_t domain = track.description.rfind(kDomain);
  if (domain == 0 || (domain != std::string::npos && domain >= 2 &&
                      track.description.compare(domain - 2, 2, "; ") == 0)) {
    track.domain = track.description.substr(domain + kDomain.size());
    track.description.resize(domain == 0 ? 0 : domain - 2);
  }
  if (track.type == TrackType::kProcess) processes_.try_emplace(track.pid, packet.uuid);
  if (track.name == kNotes) track.domain = kOurs;
}

uint64_t TraceTracks::row_of(uint64_t uuid) {
  const Known& track = known(uuid);
  const bool is_lane = track.type == TrackType::kPlain && track.merge_key != 0 &&
                       track.merge_key != uuid && tracks_.contains(track.merge_key);
  return is_lane ? track.merge_key : uuid;
}

Status TraceTracks::stream(std::string_view name, std::string_view domain, uint32_t& number) {
  std::string key(domain);
  key.append(1, '\0').append(name);
  const auto [entry, is_new] =
      streams_.try_emplace(std::move(key), static_cast<uint32_t>(streams_.size()));
  number = entry->second;
  return is_new ? sink_.stream({number, name, domain}) : Status();
}

Status TraceTracks::announce_parent(const Known& track, int depth, uint32_t& parent,
                                    uint32_t& stream_number) {
  uint64_t uuid = track.parent;
  if (uuid == 0 && track.type == TrackType::kThread) {
    // A thread says its process by number.
    const auto [process, is_new] = processes_.try_emplace(track.pid, made_up_ - 1);
    if (is_new) {
      --made_up_;
      Known& made = tracks_[made_up_];
      made.type = TrackType::kProcess;
      made.pid = track.pid;
    }
    uuid = process->second;
  }
  parent = model::kNoTrack;
  if (uuid == 0 || depth == kDepthMax) {
    if (track.type == TrackType::kPlain) return stream(track.name, track.domain, stream_number);
    return stream(session_name_, {}, stream_number);
  }
  uuid = row_of(uuid);
  if (Status status = announce(uuid, depth + 1); !status.ok()) return status;
  const Known& above = tracks_.at(uuid);
  parent = above.number;
  stream_number = above.stream;
  return {};
}

Status TraceTracks::announce(uint64_t uuid, int depth) {
  Known& track = known(uuid);  // stays where it is when the table grows
  if (track.number != kNone) return {};
  model::Track row{};
  if (Status status = announce_parent(track, depth, row.parent, track.stream); !status.ok())
    return status;
  if (track.number != kNone) return {};  // it is below itself
  row.id = track.number = next_track_++;
  row.name = track.name;
  row.domain = track.domain;
  row.pid = track.pid;
  switch (track.type) {
    case TrackType::kProcess:
      row.kind = model::TrackKind::kProcess;
      break;
    case TrackType::kThread:
      row.kind = model::TrackKind::kThread;
      row.tid = row.thread_number = track.tid;
      break;
    case TrackType::kPlain:
    case TrackType::kCounter:
      row.kind =
          row.parent == model::kNoTrack ? model::TrackKind::kStream : model::TrackKind::kScope;
      break;
  }
  return sink_.track(row);
}

Status TraceTracks::place(uint64_t uuid, Place& place) {
  const uint64_t row = row_of(uuid);
  if (Status status = announce(row, 0); !status.ok()) return status;
  const Known& track = tracks_.at(row);
  place = {track.number, track.stream, row != uuid && tracks_.at(uuid).name.ends_with(kAsync),
           track.name == kNotes && track.parent == 0, track.domain};
  return {};
}

Status TraceTracks::counter(uint64_t uuid, bool is_floating, CounterPlace& place) {
  Known& track = known(uuid);
  if (track.counter == kNone) {
    model::CounterTrack counter{};
    if (Status status = announce_parent(track, 0, counter.parent, track.stream); !status.ok())
      return status;
    counter.id = track.counter = next_counter_++;
    counter.name = track.name;
    counter.unit = track.unit;
    counter.description = track.description;
    counter.domain = track.domain;
    counter.is_floating = is_floating;
    if (Status status = sink_.counter_track(counter); !status.ok()) return status;
  }
  place = {track.counter, track.stream};
  return {};
}

}  // namespace ringscribe::perfetto
