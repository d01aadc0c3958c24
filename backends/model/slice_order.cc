// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/slice_order.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ringscribe::model {
namespace {

using Indices = std::vector<uint32_t>;

// Parents before children: see the ties in the header.
struct ParentFirst {
  std::span<const Slice> slices;

  bool operator()(uint32_t a, uint32_t b) const noexcept {
    if (slices[a].begin != slices[b].begin) return slices[a].begin < slices[b].begin;
    if (slices[a].end != slices[b].end) return slices[a].end > slices[b].end;
    return a > b;
  }
};

// The ends of the ranges that are open on one lane while it is walked, parents first.
class OpenEnds {
 public:
  void close_until(int64_t time) {
    while (!ends_.empty() && ends_.back() <= time) ends_.pop_back();
  }
  bool fits(int64_t end) const noexcept { return ends_.empty() || ends_.back() >= end; }
  void open(int64_t end) { ends_.push_back(end); }
  void close() { ends_.pop_back(); }
  bool empty() const noexcept { return ends_.empty(); }
  int64_t innermost() const noexcept { return ends_.back(); }

 private:
  std::vector<int64_t> ends_;
};

// The further lanes of one kind. Ranges are placed parents first; each takes the lane where it
// nests most tightly, else an idle one, else a new one.
class LanePool {
 public:
  explicit LanePool(std::vector<CoveredTime>& past) : past_(past), open_(past.size()) {
    for (uint32_t lane = 0; lane < past.size(); ++lane) idle_.insert(lane);
  }

  uint32_t place(const Slice& slice) {
    retire(slice.begin);
    for (auto it = busy_.lower_bound({slice.end, 0}); it != busy_.end(); ++it) {
      const uint32_t lane = it->second;
      if (past_[lane].blocks(slice.begin, slice.end)) continue;
      busy_.erase(it);
      return take(lane, slice.end);
    }
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
      const uint32_t lane = *it;
      if (past_[lane].blocks(slice.begin, slice.end)) continue;
      idle_.erase(it);
      return take(lane, slice.end);
    }
    past_.emplace_back();
    open_.emplace_back();
    return take(static_cast<uint32_t>(open_.size() - 1), slice.end);
  }

 private:
  uint32_t take(uint32_t lane, int64_t end) {
    open_[lane].open(end);
    busy_.insert({end, lane});
    return lane;
  }

  void retire(int64_t time) {
    while (!busy_.empty() && busy_.begin()->first <= time) {
      const uint32_t lane = busy_.begin()->second;
      busy_.erase(busy_.begin());
      open_[lane].close_until(time);
      if (open_[lane].empty()) {
        idle_.insert(lane);
      } else {
        busy_.insert({open_[lane].innermost(), lane});
      }
    }
  }

  std::vector<CoveredTime>& past_;
  std::vector<OpenEnds> open_;                   // by lane
  std::set<std::pair<int64_t, uint32_t>> busy_;  // innermost end and lane
  std::set<uint32_t> idle_;
};

// Who goes where, parents first on each lane.
struct Placement {
  Indices main;
  std::vector<Indices> overlap;
  std::vector<Indices> async;
};

void put(std::vector<Indices>& lanes, uint32_t lane, uint32_t slice) {
  if (lanes.size() <= lane) lanes.resize(lane + 1);
  lanes[lane].push_back(slice);
}

void place_push_pop(std::span<const Slice> slices, const Indices& ranges, LaneHistory& history,
                    Placement& placement) {
  OpenEnds open;
  LanePool pool(history.overlap);
  for (const uint32_t index : ranges) {
    const Slice& slice = slices[index];
    open.close_until(slice.begin);
    if (open.fits(slice.end) && !history.main.blocks(slice.begin, slice.end)) {
      open.open(slice.end);
      placement.main.push_back(index);
    } else {
      put(placement.overlap, pool.place(slice), index);
    }
  }
}

// For each start/end range of `ranges`, in their order: does a range of `main` begin inside it and
// end after it? Both lists are parents first, `main` nests.
std::vector<bool> cut_at_end(std::span<const Slice> slices, const Indices& main,
                             const Indices& ranges) {
  std::vector<size_t> by_end(ranges.size());
  for (size_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::sort(by_end.begin(), by_end.end(),
            [&](size_t a, size_t b) { return slices[ranges[a]].end < slices[ranges[b]].end; });
  std::vector<bool> cut(ranges.size());
  Indices open;
  size_t next = 0;
  for (const size_t i : by_end) {
    const Slice& range = slices[ranges[i]];
    for (; next < main.size() && slices[main[next]].begin < range.end; ++next) {
      while (!open.empty() && slices[open.back()].end <= slices[main[next]].begin) open.pop_back();
      open.push_back(main[next]);
    }
    while (!open.empty() && slices[open.back()].end <= range.end) open.pop_back();
    // The innermost has the latest begin: if it began before the range, all did.
    cut[i] = !open.empty() && slices[open.back()].begin > range.begin;
  }
  return cut;
}

void place_start_end(std::span<const Slice> slices, const Indices& ranges, LaneHistory& history,
                     Placement& placement) {
  if (ranges.empty()) return;
  const std::vector<bool> cut = cut_at_end(slices, placement.main, ranges);
  const ParentFirst parent_first{slices};
  Indices merged;
  OpenEnds open;
  LanePool pool(history.async);
  size_t next = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const Slice& slice = slices[ranges[i]];
    for (; next < placement.main.size() && parent_first(placement.main[next], ranges[i]); ++next) {
      open.close_until(slices[placement.main[next]].begin);
      open.open(slices[placement.main[next]].end);
      merged.push_back(placement.main[next]);
    }
    open.close_until(slice.begin);
    if (!cut[i] && open.fits(slice.end) && !history.main.blocks(slice.begin, slice.end)) {
      open.open(slice.end);
      merged.push_back(ranges[i]);
    } else {
      put(placement.async, pool.place(slice), ranges[i]);
    }
  }
  merged.insert(merged.end(), placement.main.begin() + static_cast<ptrdiff_t>(next),
                placement.main.end());
  placement.main = std::move(merged);
}

// Walks one lane and writes its edges.
class LaneWalk {
 public:
  LaneWalk(std::span<const Slice> slices, LaneKind kind, uint32_t lane, std::vector<Edge>& edges)
      : slices_(slices), kind_(kind), lane_(lane), edges_(edges) {}

  // `ranges`: parents first, nesting. `points`: what has no length, by time, then by arrival.
  // Returns the outermost ranges.
  std::vector<Span> walk(const Indices& ranges, const Indices& points) {
    size_t range = 0;
    size_t point = 0;
    while (range < ranges.size() || point < points.size()) {
      const int64_t time = range == ranges.size()   ? slices_[points[point]].begin
                           : point == points.size() ? slices_[ranges[range]].begin
                                                    : std::min(slices_[ranges[range]].begin,
                                                               slices_[points[point]].begin);
      size_t points_end = point;
      while (points_end < points.size() && slices_[points[points_end]].begin == time) ++points_end;
      std::span<const uint32_t> here(points.data() + point, points_end - point);
      point = points_end;
      close(time, here);
      for (; range < ranges.size() && slices_[ranges[range]].begin == time; ++range) {
        open(ranges[range]);
      }
      write_points(here);
    }
    while (!open_.empty()) close_one();
    return std::move(outermost_);
  }

 private:
  void emit(uint32_t slice, EdgeKind edge) { edges_.push_back({slice, lane_, kind_, edge}); }

  void open(uint32_t slice) {
    if (open_.empty()) outermost_.push_back({slices_[slice].begin, slices_[slice].end});
    open_.push_back(slice);
    emit(slice, EdgeKind::kBegin);
  }

  void close_one() {
    emit(open_.back(), EdgeKind::kEnd);
    open_.pop_back();
  }

  // Ends what ends until `time`; each range that ends there takes the points with it that arrived
  // before it. Leaves the others in `points`.
  void close(int64_t time, std::span<const uint32_t>& points) {
    for (; !open_.empty() && slices_[open_.back()].end <= time; close_one()) {
      if (slices_[open_.back()].end < time) continue;
      size_t inside = 0;
      while (inside < points.size() && points[inside] < open_.back()) ++inside;
      write_points(points.first(inside));
      points = points.subspan(inside);
    }
  }

  // Points of one time, by arrival: a range without length holds what arrived before it.
  void write_points(std::span<const uint32_t> points) {
    for (auto it = points.rbegin(); it != points.rend(); ++it) {
      if (slices_[*it].kind != SliceKind::kMark) emit(*it, EdgeKind::kBegin);
    }
    for (const uint32_t point : points) {
      const bool mark = slices_[point].kind == SliceKind::kMark;
      emit(point, mark ? EdgeKind::kInstant : EdgeKind::kEnd);
    }
  }

  std::span<const Slice> slices_;
  LaneKind kind_;
  uint32_t lane_;
  std::vector<Edge>& edges_;
  Indices open_;
  std::vector<Span> outermost_;
};

// The usual tracks need one walk and no sorting: ranges nest and come by their begin, or by their
// end as a live stream has them, and no mark stands where a range begins or ends. Each of the two
// walks returns how many edges it wrote, or kNotSo: `buffers` count for nothing then.
constexpr size_t kNotSo = SIZE_MAX;

Edge main_edge(uint32_t slice, EdgeKind kind) noexcept { return {slice, 0, LaneKind::kMain, kind}; }

size_t walk_by_begin(std::span<const Slice> slices, OrderBuffers& buffers) {
  auto& [edges, outermost, open] = buffers;
  outermost.clear();
  open.clear();
  Edge* next = edges.data();
  int64_t last_begin = INT64_MIN;
  bool was_mark = false;
  for (uint32_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    const bool is_mark = slice.kind == SliceKind::kMark;
    if (!is_mark && slice.end <= slice.begin) return kNotSo;
    if (slice.begin <= last_begin) {
      const bool are_marks = is_mark && was_mark;
      if (!are_marks || slice.begin < last_begin) return kNotSo;
    }
    last_begin = slice.begin;
    was_mark = is_mark;
    for (; !open.empty() && slices[open.back()].end <= slice.begin; open.pop_back()) {
      if (is_mark && slices[open.back()].end == slice.begin) return kNotSo;
      *next++ = main_edge(open.back(), EdgeKind::kEnd);
    }
    if (is_mark) {
      *next++ = main_edge(i, EdgeKind::kInstant);
      continue;
    }
    if (open.empty()) {
      outermost.push_back({slice.begin, slice.end});
    } else if (slices[open.back()].end < slice.end) {
      return kNotSo;
    }
    *next++ = main_edge(i, EdgeKind::kBegin);
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_back()) *next++ = main_edge(open.back(), EdgeKind::kEnd);
  return static_cast<size_t>(next - edges.data());
}

// The mirror image: from the last slice to the first, and edges from the last to the first.
size_t walk_by_end(std::span<const Slice> slices, OrderBuffers& buffers) {
  auto& [edges, outermost, open] = buffers;
  outermost.clear();
  open.clear();
  Edge* const limit = edges.data() + edges.size();
  Edge* next = limit;
  int64_t last_end = INT64_MAX;
  bool was_mark = true;
  for (auto i = static_cast<uint32_t>(slices.size()); i-- > 0;) {
    const Slice& slice = slices[i];
    const bool is_mark = slice.kind == SliceKind::kMark;
    // A start/end range may lie across others of its kind and give way to them: see the sorting.
    if (!is_mark && (slice.end <= slice.begin || slice.kind == SliceKind::kStartEnd)) return kNotSo;
    if (slice.end >= last_end && (slice.end > last_end || is_mark != was_mark)) return kNotSo;
    last_end = slice.end;
    was_mark = is_mark;
    for (; !open.empty() && slices[open.back()].begin >= slice.end; open.pop_back()) {
      if (is_mark && slices[open.back()].begin == slice.end) return kNotSo;
      *--next = main_edge(open.back(), EdgeKind::kBegin);
    }
    if (is_mark) {
      *--next = main_edge(i, EdgeKind::kInstant);
      continue;
    }
    if (open.empty()) {
      outermost.push_back({slice.begin, slice.end});
    } else if (slices[open.back()].begin > slice.begin) {
      return kNotSo;
    }
    *--next = main_edge(i, EdgeKind::kEnd);
    open.push_back(i);
  }
  for (; !open.empty(); open.pop_back()) *--next = main_edge(open.back(), EdgeKind::kBegin);
  std::reverse(outermost.begin(), outermost.end());
  if (next != edges.data()) std::move(next, limit, edges.data());
  return static_cast<size_t>(limit - next);
}

}  // namespace

size_t LaneHistory::spans() const noexcept {
  size_t count = main.size();
  for (const CoveredTime& lane : overlap) count += lane.size();
  for (const CoveredTime& lane : async) count += lane.size();
  return count;
}

void LaneHistory::forget_older_half() {
  main.forget_older_half();
  for (CoveredTime& lane : overlap) lane.forget_older_half();
  for (CoveredTime& lane : async) lane.forget_older_half();
}

std::vector<Edge> order_slices(std::span<const Slice> slices, LaneHistory& history) {
  OrderBuffers buffers;
  const std::span<const Edge> edges = order_slices(slices, history, buffers);
  return {edges.begin(), edges.end()};
}

std::span<const Edge> order_slices(std::span<const Slice> slices, LaneHistory& history,
                                   OrderBuffers& buffers) {
  std::vector<Edge>& edges = buffers.edges;
  if (edges.size() < 2 * slices.size()) edges.resize(2 * slices.size());
  size_t count = walk_by_begin(slices, buffers);
  if (count == kNotSo) count = walk_by_end(slices, buffers);
  if (count != kNotSo) {
    const bool is_later =
        buffers.outermost.empty() || history.main.is_before(buffers.outermost.front().begin);
    if (is_later) {
      history.main.add(buffers.outermost);
      return {edges.data(), count};
    }
  }
  edges.clear();
  Indices push_pop;
  Indices start_end;
  Indices points;
  for (uint32_t i = 0; i < slices.size(); ++i) {
    const bool is_point = slices[i].kind == SliceKind::kMark || slices[i].end <= slices[i].begin;
    (is_point ? points : slices[i].kind == SliceKind::kPushPop ? push_pop : start_end).push_back(i);
  }
  std::sort(push_pop.begin(), push_pop.end(), ParentFirst{slices});
  std::sort(start_end.begin(), start_end.end(), ParentFirst{slices});
  std::sort(points.begin(), points.end(), [&](uint32_t a, uint32_t b) {
    return slices[a].begin != slices[b].begin ? slices[a].begin < slices[b].begin : a < b;
  });

  Placement placement;
  place_push_pop(slices, push_pop, history, placement);
  place_start_end(slices, start_end, history, placement);

  history.main.add(LaneWalk(slices, LaneKind::kMain, 0, edges).walk(placement.main, points));
  for (uint32_t lane = 0; lane < placement.overlap.size(); ++lane) {
    history.overlap[lane].add(
        LaneWalk(slices, LaneKind::kOverlap, lane, edges).walk(placement.overlap[lane], {}));
  }
  for (uint32_t lane = 0; lane < placement.async.size(); ++lane) {
    history.async[lane].add(
        LaneWalk(slices, LaneKind::kAsync, lane, edges).walk(placement.async[lane], {}));
  }
  return edges;
}

}  // namespace ringscribe::model
