// SPDX-License-Identifier: Apache-2.0
//
// TraceTracks: the tracks of a Perfetto trace that is read, as tracks, counters and streams of an
// EventSink; what track_layout.h does, backwards. A lane is the row again that it is a lane of.
//
// A trace has no streams: what stands on a plain track below no other is of a stream of its name,
// all else of one that is named as the session.
//
//   TraceTracks tracks(sink, "session");
//   tracks.describe({.uuid = 7, .name = "orders"});
//   TraceTracks::Place place;
//   Status status = tracks.place(7, place);       // announced to the sink, if it was not yet
//
// Threads: one at a time. Lifetime: the sink has to outlive this object; texts of a place live as
// long as this.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_TRACKS_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_TRACKS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

class TraceTracks {
 public:
  TraceTracks(model::EventSink& sink, std::string session_name)
      : sink_(sink), session_name_(std::move(session_name)) {}

  // A later description of a track that was announced counts for nothing.
  void describe(const TrackPacket& packet);

  struct Place {
    uint32_t track = model::kNoTrack;
    uint32_t stream = 0;
    bool is_async = false;  // a lane of start/end ranges
    bool is_notes = false;  // where sinks of ours write what they have to say
    std::string_view domain;
  };
  // One that nobody described is a row "track NUMBER".
  Status place(uint64_t uuid, Place& place);

  struct CounterPlace {
    uint32_t counter = 0;
    uint32_t stream = 0;
  };
  // `is_floating`: its first sample.
  Status counter(uint64_t uuid, bool is_floating, CounterPlace& place);

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Known {
    TrackType type = TrackType::kPlain;
    uint64_t parent = 0;
    uint64_t merge_key = 0;
    std::string name, description, unit, domain;
    int64_t pid = 0;
    int64_t tid = 0;
    uint32_t number = kNone;   // the sink's, once announced
    uint32_t counter = kNone;  // the same as a counter
    uint32_t stream = 0;
  };

  Known& known(uint64_t uuid);
  // The row that a lane is of; itself for any other track.
  uint64_t row_of(uint64_t uuid);
  Status announce(uint64_t uuid, int depth);
  // Announces the track that `track` lies on, if any.
  Status announce_parent(const Known& track, int depth, uint32_t& parent, uint32_t& stream);
  Status stream(std::string_view name, std::string_view domain, uint32_t& number);

  model::EventSink& sink_;
  std::string session_name_;
  std::unordered_map<uint64_t, Known> tracks_;
  std::unordered_map<int64_t, uint64_t> processes_;  // uuid by process id
  std::unordered_map<std::string, uint32_t> streams_;
  uint64_t made_up_ = 0;  // uuids of processes that nobody described, counted down
  uint32_t next_track_ = 0;
  uint32_t next_counter_ = 0;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_TRACKS_H_
