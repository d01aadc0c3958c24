// SPDX-License-Identifier: Apache-2.0
//
// order_slices: from the marks and complete ranges of one track, in any order, to the begins and
// ends that a viewer which nests by order can read.
//
// A viewer keeps a stack for each track: a begin pushes, an end pops. So on one lane each end must
// meet its own begin on top. Ranges that cannot nest with the others go to further lanes, which
// the sink makes tracks of their own:
//
//   main    marks, ranges without length, push/pop ranges, and start/end ranges that nest
//   overlap push/pop ranges that cut another one (bad input, but nothing of it is lost)
//   async   start/end ranges that cut another range
//
// Ties, in the order of writing at one time: ends before begins, inner ends first, longer ranges
// begin first. Of two equal ranges the one that arrived later is outside, because a parent is
// complete after its child. What has no length goes into the range that ends there if it arrived
// before it, else into the one that begins there.
//
//   LaneHistory history;  // one for each track, kept from lot to lot
//   for (const Edge& edge : order_slices(slices, history)) write(edge);
//
// Readers sort by time, and keep the order of the file among equal times. That is relied on from
// lot to lot only, and history keeps a range off a lane where it would not do.
//
// Threads: one at a time for one history. Cost: O(n log n), plus the search for a lane.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SLICE_ORDER_H_
#define RINGSCRIBE_BACKENDS_MODEL_SLICE_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ringscribe/backends/model/covered_time.h"

namespace ringscribe::model {

enum class SliceKind : uint8_t { kMark, kPushPop, kStartEnd };

// The position in the list is the order of arrival. A mark has end == begin.
struct Slice {
  int64_t begin;
  int64_t end;  // >= begin
  SliceKind kind;
};

enum class EdgeKind : uint8_t { kBegin, kEnd, kInstant };
enum class LaneKind : uint8_t { kMain, kOverlap, kAsync };

struct Edge {
  uint32_t slice;  // position in the list
  uint32_t lane;   // number within its kind, dense from 0; kMain has only 0
  LaneKind lane_kind;
  EdgeKind kind;
};

// What the lanes of one track hold from earlier lots.
struct LaneHistory {
  CoveredTime main;
  std::vector<CoveredTime> overlap;
  std::vector<CoveredTime> async;

  // Over all lanes.
  size_t spans() const noexcept;
  void forget_older_half();
};

// Memory that order_slices() uses again from call to call.
struct OrderBuffers {
  std::vector<Edge> edges;      // as many as there may be
  std::vector<Span> outermost;  // of the ranges
  std::vector<uint32_t> open;
};

// Returns one kInstant for each mark, one kBegin and one kEnd for each range, lane after lane, each
// lane in the order in which it is to be written. Adds the ranges to `history`.
std::vector<Edge> order_slices(std::span<const Slice> slices, LaneHistory& history);
// The same; what it returns is valid until `buffers` are used again.
std::span<const Edge> order_slices(std::span<const Slice> slices, LaneHistory& history,
                                   OrderBuffers& buffers);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SLICE_ORDER_H_
