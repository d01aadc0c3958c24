// SPDX-License-Identifier: Apache-2.0
//
// Placement: where and when. Finds the track and the common time for what a stream says, and
// reports to the sink how the common time relates to the calendar.
//
//   StreamState& stream = ...;
//   uint32_t track;  ConvertedTime at;
//   Status status = placement.track_of(stream, scope, track);
//   status = placement.convert(placement.time_node(stream, 0), timestamp, at);
//
// Threads: one at a time. Lifetime: sink, definitions and problems have to outlive it.
#ifndef RINGSCRIBE_BACKENDS_MODEL_PLACEMENT_H_
#define RINGSCRIBE_BACKENDS_MODEL_PLACEMENT_H_

#include <cstdint>
#include <span>
#include <string>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/time_conversion.h"
#include "ringscribe/backends/model/tracks.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

// An open stream.
struct StreamState {
  std::string name;
  uint32_t domain = 0;
  uint32_t identity = 0;  // the same for a stream that is closed and opened again
  uint64_t scope = 0;
  uint64_t time_domain = 0;
  // The time domain and the scope asked for last: nearly always those of the next event too.
  uint64_t cached_time_domain = UINT64_MAX;
  uint32_t cached_time_node = 0;
  uint64_t cached_scope = UINT64_MAX;
  uint32_t cached_track = kNoTrack;
};

class Placement {
 public:
  Placement(EventSink& sink, const Definitions& definitions, Problems& problems,
            const ClockSnapshot& snapshot);

  Status add_scope(uint32_t domain, const nvtxScopeAttr_t& attr);
  void define_time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
    time_.define(domain, attr);
  }
  // Points that relate MONOTONIC and REALTIME are reported to the sink too.
  Status add_sync_points(uint32_t domain, uint64_t source, uint64_t destination,
                         std::span<const nvtxSyncPoint_t> points);
  Status add_factor(uint32_t domain, uint64_t source, uint64_t destination, double slope,
                    int64_t source_time, int64_t destination_time);

  // The track of a scope as seen from the stream's domain; that of the stream itself for no
  // scope, the root, a CURRENT_ scope and an unknown dynamic one (which is a problem).
  Status track_of(StreamState& stream, uint64_t scope, uint32_t& track);

  // Whether track_of() gives the same answer, and no problem, for all events of a batch.
  bool has_settled_track(const StreamState& stream, uint64_t scope) const {
    return scope == stream.cached_scope || tracks_.is_registered(stream.domain, scope);
  }

  // The track of a process or thread that the event itself names; see Tracks::for_thread().
  Status track_of_thread(const StreamState& stream, const Tracks::ThreadName& name,
                         uint32_t& track) {
    return tracks_.for_thread(stream.domain, stream.scope, name, track);
  }

  // The number of a time domain, 0 standing for the stream's.
  uint32_t time_node(StreamState& stream, uint64_t time_domain);
  // Reports the calendar first, if this is the first time that has a common clock.
  Status convert(uint32_t time_node, int64_t time, ConvertedTime& converted);
  // The same for many times, in place, of a time domain of which convert() was called since the
  // last call of any other function: there is nothing left to report.
  void convert_all(uint32_t time_node, std::span<int64_t> times) {
    time_.convert_all(time_node, times);
  }
  ConvertedTime latest(uint32_t time_node) const { return time_.latest(time_node); }

  // Reports our own snapshot as the relation to the calendar if nothing else was reported.
  Status ensure_clock_point();

 private:
  Status report_clock_point(int64_t monotonic, int64_t realtime);
  // 1: source is MONOTONIC and destination REALTIME; -1: the other way round; else 0.
  int calendar_direction(uint32_t domain, uint64_t source, uint64_t destination);

  EventSink& sink_;
  const Definitions& definitions_;
  Problems& problems_;
  ClockSnapshot snapshot_;
  TimeConversion time_;
  Tracks tracks_;
  bool has_clock_point_ = false;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_PLACEMENT_H_
