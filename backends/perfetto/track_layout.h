// SPDX-License-Identifier: Apache-2.0
//
// TrackLayout: which tracks of the file the model's tracks become, and their unique numbers.
//
// A row is what one or more tracks of the model share: two scopes that name the same process are
// one row. A thread becomes a thread of the viewer once for each system id; as ids are reused, a
// second thread with the same id becomes a plain row of the process, "NAME (tid N)". The same
// thread in another domain becomes a plain row below the thread, named after the domain: ranges of
// different domains need not nest. The lanes of a row (slice_order.h) are tracks too, made when
// they are first needed.
//
//   TrackLayout layout(first_uuid);
//   Status status = layout.add(track, session_name, packets);  // writes the descriptor
//   uint32_t row = layout.row(track.id);
//   Sequence& sequence = layout.lane(row, edge.lane_kind, edge.lane, packets);
//   packets.end(sequence, time);
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACK_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACK_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/slice_order.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

class TrackLayout {
 public:
  // Numbers count up from `first_uuid`, which is not 0 and far from overflow.
  explicit TrackLayout(uint64_t first_uuid) noexcept : next_uuid_(first_uuid) {}

  // Fails with kInvalidArgument if IDs are not dense, or a parent was not added before.
  Status add(const model::Track& track, std::string_view session_name, TracePacketWriter& packets);
  Status add_counter(const model::CounterTrack& track, TracePacketWriter& packets);
  // A row of our own, below no other.
  uint32_t add_row(std::string_view name, TracePacketWriter& packets);

  bool has(uint32_t track) const noexcept { return track < rows_by_track_.size(); }
  bool has_counter(uint32_t counter) const noexcept { return counter < counters_.size(); }
  // REQUIRES: has(track).
  uint32_t row(uint32_t track) const noexcept { return rows_by_track_[track]; }
  // REQUIRES: has_counter(counter).
  Sequence& counter(uint32_t counter) noexcept { return counters_[counter].sequence; }
  const std::string& counter_name(uint32_t counter) const noexcept {
    return counters_[counter].name;
  }

  // What the lanes of a row hold already.
  model::LaneHistory& history(uint32_t row);
  // The sequence of a lane; writes its track's descriptor if it is new. Valid until the next call
  // of lane() or of a function that adds.
  Sequence& lane(uint32_t row, model::LaneKind kind, uint32_t lane, TracePacketWriter& packets);

  // Spans kept for all rows (covered_time.h), and a way to have about half of them.
  size_t spans() const noexcept;
  void forget_older_half();

 private:
  struct Lanes {
    model::LaneHistory history;
    std::vector<Sequence> overlap;  // by lane
    std::vector<Sequence> async;
  };
  struct Row {
    Sequence main;
    uint64_t parent_uuid;
    TrackType type;
    bool foreign;  // of a process that the viewer cannot have as one: all below it is plain
    std::string name;
    std::unique_ptr<Lanes> lanes;  // most rows of a run with many threads need none
  };
  struct Counter {
    Sequence sequence;
    std::string name;
  };
  struct KnownThread {
    int64_t number;
    uint32_t row;
  };

  uint32_t add_process(const model::Track& track, std::string_view session_name,
                       TracePacketWriter& packets);
  uint32_t add_thread(const model::Track& track, TracePacketWriter& packets);
  uint32_t add_plain(const model::Track& track, std::string name, uint64_t parent_uuid,
                     TracePacketWriter& packets);
  uint32_t write_row(TrackPacket packet, bool foreign, TracePacketWriter& packets);
  bool is_foreign(uint32_t parent) const noexcept;
  uint64_t parent_uuid(uint32_t parent) const noexcept;

  uint64_t next_uuid_;
  std::vector<uint32_t> rows_by_track_;
  std::vector<Row> rows_;
  std::vector<Counter> counters_;
  std::map<int64_t, uint32_t> processes_;                       // by process id
  std::map<std::pair<int64_t, int64_t>, KnownThread> threads_;  // by process and thread id
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACK_LAYOUT_H_
