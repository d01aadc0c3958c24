// SPDX-License-Identifier: Apache-2.0
//
// TimeConversion: brings the timestamps of all time domains to CLOCK_MONOTONIC, in ns.
//
// Time domains are the nodes of a graph, sync points and conversion factors its edges; a
// registered time domain is also joined to its predefined timestamp type. A timestamp takes the
// shortest way to CLOCK_MONOTONIC; the way that a time domain took first stays its way, so that
// what was converted once is never converted otherwise. What nothing joins keeps its ticks.
//
//   TimeConversion time(take_clock_snapshot());
//   time.add_sync_points(domain, NVTX_TIMESTAMP_TYPE_CPU_TSC,
//                        NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC, points);
//   const auto [time_ns, synchronised] = time.convert(time.node(domain, id), ticks);
//
// Alike are: MONOTONIC, its COARSE, steady_clock, high_resolution_clock; and REALTIME, its COARSE,
// system_clock. REALTIME, MONOTONIC_RAW and BOOTTIME without sync points take the snapshot.
//
// Threads: one at a time. Cost: a graph search at a domain's first timestamp, and again after
// new edges as long as there is no way; then a few multiplications a timestamp.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TIME_CONVERSION_H_
#define RINGSCRIBE_BACKENDS_MODEL_TIME_CONVERSION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ringscribe/backends/model/piecewise_linear.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

// The same instant on the clocks of this machine, in ns.
struct ClockSnapshot {
  int64_t monotonic = 0;
  int64_t realtime = 0;
  int64_t monotonic_raw = 0;
  int64_t boottime = 0;
};
ClockSnapshot take_clock_snapshot() noexcept;

struct ConvertedTime {
  int64_t time = 0;
  bool synchronised = false;
};

// What a predefined timestamp type is the same clock as; itself if there is none.
uint64_t same_clock(uint64_t timestamp_type) noexcept;

class TimeConversion {
 public:
  explicit TimeConversion(const ClockSnapshot& snapshot);

  // `domain` is the NVTX domain that registered the time domain.
  void define(uint32_t domain, const nvtxTimeDomainAttr_t& attr);
  void add_sync_points(uint32_t domain, uint64_t source, uint64_t destination,
                       std::span<const nvtxSyncPoint_t> points);
  // False if the slope is not a positive number: nothing was changed.
  bool add_factor(uint32_t domain, uint64_t source, uint64_t destination, double slope,
                  int64_t source_time, int64_t destination_time);

  // A number for the time domain `id` as seen from an NVTX domain; made if it is new.
  uint32_t node(uint32_t domain, uint64_t id);
  ConvertedTime convert(uint32_t node, int64_t time);
  // The same for each of them, in place. REQUIRES: convert() was called for that node before.
  void convert_all(uint32_t node, std::span<int64_t> times);
  // The latest time that convert() returned: of all synchronised ones if the node is, else of
  // this node. {0, false} if there is none.
  ConvertedTime latest(uint32_t node) const;
  // The predefined timestamp type of a time domain: of a registered one what it was defined with;
  // 0 if unknown.
  uint64_t timestamp_type(uint32_t domain, uint64_t id);

 private:
  struct Relation {
    uint32_t a, b;
    PiecewiseLinear a_to_b, b_to_a;
  };
  struct Hop {
    uint32_t to;
    PiecewiseLinear* function;  // null: the same clock
  };
  struct Node {
    uint32_t domain;  // 0 for predefined ones, which all domains share
    uint64_t id;
    uint64_t type = 0;             // predefined, or 0
    int64_t ticks_per_second = 0;  // 0: unknown
    bool has_path = false;
    std::vector<PiecewiseLinear*> path;
    size_t searched_relations = SIZE_MAX;  // how many there were at the last search in vain
    bool has_latest = false;
    int64_t latest = 0;
  };

  Relation& relation(uint32_t a, uint32_t b);
  void add_snapshot_relation(uint32_t node);
  bool search(uint32_t from);
  void neighbours(uint32_t from, std::vector<Hop>& hops);
  // Registered with a predefined type: the node of that type; else `node` itself.
  uint32_t twin(uint32_t node);

  ClockSnapshot snapshot_;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Relation>> relations_;
  uint32_t monotonic_ = 0;
  bool has_latest_ = false;
  int64_t latest_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TIME_CONVERSION_H_
