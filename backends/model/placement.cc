// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/placement.h"

#include <string>
#include <string_view>

namespace ringscribe::model {

Placement::Placement(EventSink& sink, const Definitions& definitions, Problems& problems,
                     const ClockSnapshot& snapshot)
    : sink_(sink),
      definitions_(definitions),
      problems_(problems),
      snapshot_(snapshot),
      time_(snapshot),
      tracks_(sink) {}

Status Placement::add_scope(uint32_t domain, const nvtxScopeAttr_t& attr) {
  return tracks_.add_scope(domain, definitions_.domain_name(domain), attr);
}

int Placement::calendar_direction(uint32_t domain, uint64_t source, uint64_t destination) {
  constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
  constexpr uint64_t kRealtime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;
  const uint64_t from = time_.timestamp_type(domain, source);
  const uint64_t to = time_.timestamp_type(domain, destination);
  if (from == kMonotonic && to == kRealtime) return 1;
  return from == kRealtime && to == kMonotonic ? -1 : 0;
}

Status Placement::add_sync_points(uint32_t domain, uint64_t source, uint64_t destination,
                                  std::span<const nvtxSyncPoint_t> points) {
  time_.add_sync_points(domain, source, destination, points);
  const int direction = calendar_direction(domain, source, destination);
  if (direction == 0) return {};
  for (const nvtxSyncPoint_t& point : points) {
    Status status = direction > 0 ? report_clock_point(point.src, point.dst)
                                  : report_clock_point(point.dst, point.src);
    if (!status.ok()) return status;
  }
  return {};
}

Status Placement::add_factor(uint32_t domain, uint64_t source, uint64_t destination, double slope,
                             int64_t source_time, int64_t destination_time) {
  if (!time_.add_factor(domain, source, destination, slope, source_time, destination_time)) {
    return {ResultCode::kInvalidArgument,
            "Writing a conversion factor between time domains " + std::to_string(source) + " and " +
                std::to_string(destination) + ": the slope " + std::to_string(slope) +
                " is not a positive number; give one."};
  }
  const int direction = calendar_direction(domain, source, destination);
  if (direction == 0) return {};
  return direction > 0 ? report_clock_point(source_time, destination_time)
                       : report_clock_point(destination_time, source_time);
}

Status Placement::report_clock_point(int64_t monotonic, int64_t realtime) {
  has_clock_point_ = true;
  return sink_.clock_point(monotonic, realtime);
}

Status Placement::ensure_clock_point() {
  if (has_clock_point_) return {};
  return report_clock_point(snapshot_.monotonic, snapshot_.realtime);
}

Status Placement::track_of(StreamState& stream, uint64_t scope, uint32_t& track) {
  if (scope == stream.cached_scope) {
    track = stream.cached_track;
    return {};
  }
  const std::string_view domain_name = definitions_.domain_name(stream.domain);
  Status status = tracks_.for_scope(stream.domain, domain_name, scope, track);
  const bool is_registered = tracks_.is_registered(stream.domain, scope);
  if (!is_registered && track == kNoTrack) {
    problems_.add("Scope " + std::to_string(scope) + " is not registered in domain '" +
                  std::string(domain_name) + "'; its events are shown with their stream.");
  }
  if (status.ok() && track == kNoTrack) {
    status = tracks_.for_stream(domain_name, stream.name, track);
  }
  // An unknown scope may still be registered, and is counted each time.
  if (status.ok() && is_registered) {
    stream.cached_scope = scope;
    stream.cached_track = track;
  }
  return status;
}

uint32_t Placement::time_node(StreamState& stream, uint64_t time_domain) {
  if (time_domain == NVTX_TIME_DOMAIN_ID_NONE) time_domain = stream.time_domain;
  if (time_domain != stream.cached_time_domain) {
    stream.cached_time_domain = time_domain;
    stream.cached_time_node = time_.node(stream.domain, time_domain);
  }
  return stream.cached_time_node;
}

Status Placement::convert(uint32_t time_node, int64_t time, ConvertedTime& converted) {
  converted = time_.convert(time_node, time);
  return converted.synchronised ? ensure_clock_point() : Status();
}

}  // namespace ringscribe::model
