// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/time_conversion.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace ringscribe::model {
namespace {

constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kRealtime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;
constexpr uint64_t kMonotonicRaw = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW;
constexpr uint64_t kBoottime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_BOOTTIME;
constexpr int64_t kNsPerSecond = 1000000000;

int64_t read_clock(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * kNsPerSecond + now.tv_nsec;
}

bool is_predefined(uint64_t id) { return id < NVTX_TIME_DOMAIN_ID_STATIC_START; }

// Of predefined types that count ns.
int64_t predefined_resolution(uint64_t type) {
  switch (type) {
    case kMonotonic:
    case kRealtime:
    case kMonotonicRaw:
    case kBoottime:
      return kNsPerSecond;
    default:
      return 0;
  }
}

double default_slope(int64_t from_ticks_per_second, int64_t to_ticks_per_second) {
  if (from_ticks_per_second <= 0 || to_ticks_per_second <= 0) return 1.0;
  return static_cast<double>(to_ticks_per_second) / static_cast<double>(from_ticks_per_second);
}

}  // namespace

ClockSnapshot take_clock_snapshot() noexcept {
  ClockSnapshot result;
  const int64_t before = read_clock(CLOCK_MONOTONIC);
  result.realtime = read_clock(CLOCK_REALTIME);
  result.monotonic_raw = read_clock(CLOCK_MONOTONIC_RAW);
  result.boottime = read_clock(CLOCK_BOOTTIME);
  const int64_t after = read_clock(CLOCK_MONOTONIC);
  result.monotonic = before + (after - before) / 2;
  return result;
}

uint64_t same_clock(uint64_t timestamp_type) noexcept {
  switch (timestamp_type) {
    case NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_COARSE:
    case NVTX_TIMESTAMP_TYPE_CPP_STEADY_CLOCK:
    case NVTX_TIMESTAMP_TYPE_CPP_HIGH_RESOLUTION_CLOCK:
      return kMonotonic;
    case NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME_COARSE:
    case NVTX_TIMESTAMP_TYPE_CPP_SYSTEM_CLOCK:
      return kRealtime;
    default:
      return timestamp_type;
  }
}

TimeConversion::TimeConversion(const ClockSnapshot& snapshot) : snapshot_(snapshot) {
  monotonic_ = node(0, kMonotonic);
}

uint32_t TimeConversion::node(uint32_t domain, uint64_t id) {
  if (is_predefined(id)) {
    id = same_clock(id);
    domain = 0;
  }
  for (size_t i = 0; i < nodes_.size(); ++i) {  // a session has a handful
    if (nodes_[i].id == id && nodes_[i].domain == domain) return static_cast<uint32_t>(i);
  }
  Node added;
  added.domain = domain;
  added.id = id;
  if (is_predefined(id)) {
    added.type = id;
    added.ticks_per_second = predefined_resolution(id);
  }
  nodes_.push_back(std::move(added));
  return static_cast<uint32_t>(nodes_.size() - 1);
}

void TimeConversion::define(uint32_t domain, const nvtxTimeDomainAttr_t& attr) {
  Node& defined = nodes_[node(domain, attr.timeDomainId)];
  if (is_predefined(defined.id)) return;
  const bool is_known = is_predefined(attr.timestampTypeId) &&
                        attr.timestampTypeId > NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED;
  defined.type = is_known ? same_clock(attr.timestampTypeId) : 0;
  defined.ticks_per_second =
      attr.timerResolution > 0 ? attr.timerResolution : predefined_resolution(defined.type);
  defined.searched_relations = SIZE_MAX;
}

uint64_t TimeConversion::timestamp_type(uint32_t domain, uint64_t id) {
  return nodes_[node(domain, id)].type;
}

TimeConversion::Relation& TimeConversion::relation(uint32_t a, uint32_t b) {
  for (const std::unique_ptr<Relation>& existing : relations_) {
    if ((existing->a == a && existing->b == b) || (existing->a == b && existing->b == a)) {
      return *existing;
    }
  }
  relations_.push_back(std::make_unique<Relation>(Relation{a, b, {}, {}}));
  Relation& added = *relations_.back();
  const int64_t a_ticks = nodes_[a].ticks_per_second;
  const int64_t b_ticks = nodes_[b].ticks_per_second;
  added.a_to_b.set_default_slope(default_slope(a_ticks, b_ticks));
  added.b_to_a.set_default_slope(default_slope(b_ticks, a_ticks));
  return added;
}

void TimeConversion::add_sync_points(uint32_t domain, uint64_t source, uint64_t destination,
                                     std::span<const nvtxSyncPoint_t> points) {
  const uint32_t from = node(domain, source);
  const uint32_t to = node(domain, destination);
  if (from == to || points.empty()) return;
  Relation& edge = relation(from, to);
  for (const nvtxSyncPoint_t& point : points) {
    const bool is_forward = edge.a == from;
    const int64_t at_a = is_forward ? point.src : point.dst;
    const int64_t at_b = is_forward ? point.dst : point.src;
    edge.a_to_b.add_point(at_a, at_b);
    edge.b_to_a.add_point(at_b, at_a);
  }
}

bool TimeConversion::add_factor(uint32_t domain, uint64_t source, uint64_t destination,
                                double slope, int64_t source_time, int64_t destination_time) {
  if (!(slope > 0) || !std::isfinite(slope)) return false;
  const uint32_t from = node(domain, source);
  const uint32_t to = node(domain, destination);
  if (from == to) return true;
  Relation& edge = relation(from, to);
  const bool is_forward = edge.a == from;
  PiecewiseLinear& forward = is_forward ? edge.a_to_b : edge.b_to_a;
  PiecewiseLinear& backward = is_forward ? edge.b_to_a : edge.a_to_b;
  forward.set_line(source_time, destination_time, slope);
  backward.set_line(destination_time, source_time, 1.0 / slope);
  return true;
}

uint32_t TimeConversion::twin(uint32_t node_index) {
  const Node& one = nodes_[node_index];
  return is_predefined(one.id) || one.type == 0 ? node_index : node(0, one.type);
}

void TimeConversion::neighbours(uint32_t from, std::vector<Hop>& hops) {
  hops.clear();
  for (const std::unique_ptr<Relation>& edge : relations_) {
    if (edge->a == from) hops.push_back({edge->b, &edge->a_to_b});
    if (edge->b == from) hops.push_back({edge->a, &edge->b_to_a});
  }
  // Towards the predefined type, and from it to what was registered with it.
  const uint32_t own_twin = twin(from);
  if (own_twin != from) hops.push_back({own_twin, nullptr});
  // A clock that is not known is no clock in common.
  const bool is_known = nodes_[from].id > NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED;
  if (!is_predefined(nodes_[from].id) || !is_known) return;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const bool is_registered = !is_predefined(nodes_[i].id);
    if (is_registered && nodes_[i].type == nodes_[from].id) hops.push_back({i, nullptr});
  }
}

// Breadth first, so that the shortest way is found, older relations first among equal ones.
bool TimeConversion::search(uint32_t from) {
  struct Visit {
    uint32_t node;
    size_t before;
    PiecewiseLinear* function;
  };
  std::vector<Visit> visits = {{from, SIZE_MAX, nullptr}};
  std::vector<Hop> hops;
  for (size_t i = 0; i < visits.size(); ++i) {
    if (visits[i].node == monotonic_) {
      std::vector<PiecewiseLinear*> path;
      for (size_t at = i; at != SIZE_MAX; at = visits[at].before) {
        if (visits[at].function != nullptr) path.push_back(visits[at].function);
      }
      std::reverse(path.begin(), path.end());
      nodes_[from].path = std::move(path);
      nodes_[from].has_path = true;
      return true;
    }
    neighbours(visits[i].node, hops);
    for (const Hop& hop : hops) {
      const auto is_same = [&hop](const Visit& visit) { return visit.node == hop.to; };
      if (std::any_of(visits.begin(), visits.end(), is_same)) continue;
      visits.push_back({hop.to, i, hop.function});
    }
  }
  // No way. One of our own clocks on the way out has the snapshot as its last resort.
  for (const Visit& visit : visits) {
    const uint64_t id = nodes_[visit.node].id;
    if (id != kRealtime && id != kMonotonicRaw && id != kBoottime) continue;
    add_snapshot_relation(visit.node);
    return search(from);
  }
  return false;
}

void TimeConversion::add_snapshot_relation(uint32_t node_index) {
  const uint64_t id = nodes_[node_index].id;
  const int64_t there = id == kRealtime       ? snapshot_.realtime
                        : id == kMonotonicRaw ? snapshot_.monotonic_raw
                                              : snapshot_.boottime;
  Relation& edge = relation(node_index, monotonic_);
  edge.a_to_b.add_point(there, snapshot_.monotonic);
  edge.b_to_a.add_point(snapshot_.monotonic, there);
}

ConvertedTime TimeConversion::convert(uint32_t node_index, int64_t time) {
  if (!nodes_[node_index].has_path && nodes_[node_index].searched_relations != relations_.size()) {
    if (!search(node_index)) nodes_[node_index].searched_relations = relations_.size();
  }
  Node& from = nodes_[node_index];
  if (!from.has_path) {
    from.latest = from.has_latest ? std::max(from.latest, time) : time;
    from.has_latest = true;
    return {time, false};
  }
  for (PiecewiseLinear* function : from.path) time = function->convert(time);
  latest_ = has_latest_ ? std::max(latest_, time) : time;
  has_latest_ = true;
  return {time, true};
}

void TimeConversion::convert_all(uint32_t node_index, std::span<int64_t> times) {
  if (times.empty()) return;
  Node& from = nodes_[node_index];
  for (PiecewiseLinear* function : from.path) function->convert_all(times);
  int64_t& latest = from.has_path ? latest_ : from.latest;
  for (const int64_t time : times) latest = std::max(latest, time);
}

ConvertedTime TimeConversion::latest(uint32_t node_index) const {
  const Node& from = nodes_[node_index];
  return from.has_path ? ConvertedTime{latest_, true} : ConvertedTime{from.latest, false};
}

}  // namespace ringscribe::model
