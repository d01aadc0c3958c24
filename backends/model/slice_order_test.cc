// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/slice_order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ringscribe::model {
namespace {

constexpr SliceKind kMark = SliceKind::kMark;
constexpr SliceKind kPush = SliceKind::kPushPop;
constexpr SliceKind kStart = SliceKind::kStartEnd;

// "(0 1! )0" for begin of 0, mark 1, end of 0; a lane other than main begins with its name.
std::string spell(const std::vector<Slice>& slices, LaneHistory& history) {
  std::string text;
  std::pair<LaneKind, uint32_t> lane{LaneKind::kMain, 0};
  for (const Edge& edge : order_slices(slices, history)) {
    if (std::pair(edge.lane_kind, edge.lane) != lane) {
      lane = {edge.lane_kind, edge.lane};
      text += lane.first == LaneKind::kAsync ? "async" : "overlap";
      text += std::to_string(lane.second) + ": ";
    }
    const std::string number = std::to_string(edge.slice);
    text += edge.kind == EdgeKind::kBegin ? "(" + number + " "
            : edge.kind == EdgeKind::kEnd ? ")" + number + " "
                                          : number + "! ";
  }
  return text;
}

std::string spell(const std::vector<Slice>& slices) {
  LaneHistory history;
  return spell(slices, history);
}

TEST_CASE("no slices give no edges") { CHECK(spell({}).empty()); }

TEST_CASE("a parent that arrives after its children is put around them") {
  CHECK(spell({{2, 3, kPush}, {4, 5, kPush}, {1, 9, kPush}}) == "(2 (0 )0 (1 )1 )2 ");
}

TEST_CASE("at a tie ends come before begins and the longer range begins first") {
  CHECK(spell({{0, 5, kPush}, {5, 9, kPush}}) == "(0 )0 (1 )1 ");
  CHECK(spell({{0, 5, kPush}, {0, 9, kPush}}) == "(1 (0 )0 )1 ");
  CHECK(spell({{4, 9, kPush}, {0, 9, kPush}}) == "(1 (0 )0 )1 ");
}

TEST_CASE("of equal ranges the later one is outside") {
  CHECK(spell({{1, 2, kPush}, {1, 2, kPush}, {1, 2, kPush}}) == "(2 (1 (0 )0 )1 )2 ");
  CHECK(spell({{1, 1, kPush}, {1, 1, kPush}}) == "(1 (0 )0 )1 ");
}

TEST_CASE("what has no length stays inside its parent") {
  // At the parent's begin, in the middle, and at its end, all complete before the parent.
  CHECK(spell({{0, 0, kMark}, {5, 5, kPush}, {9, 9, kMark}, {0, 9, kPush}}) ==
        "(3 0! (1 )1 2! )3 ");
  // Written after the range that ended at the same time: outside of it.
  CHECK(spell({{0, 9, kPush}, {9, 9, kMark}}) == "(0 )0 1! ");
  // Between two: inside the one that begins there.
  CHECK(spell({{0, 5, kPush}, {5, 5, kPush}, {5, 9, kPush}}) == "(0 )0 (2 (1 )1 )2 ");
  // In the inner of two that end together, and in the outer only.
  CHECK(spell({{9, 9, kMark}, {4, 9, kPush}, {9, 9, kMark}, {0, 9, kPush}}) ==
        "(3 (1 0! )1 2! )3 ");
  // Marks and ranges without length at one time.
  CHECK(spell({{1, 1, kMark}, {1, 1, kPush}, {1, 1, kMark}, {1, 1, kPush}, {1, 1, kMark}}) ==
        "(3 (1 0! )1 2! )3 4! ");
}

TEST_CASE("a push/pop range that cuts another goes to an overlap lane") {
  CHECK(spell({{0, 5, kPush}, {3, 8, kPush}}) == "(0 )0 overlap0: (1 )1 ");
  CHECK(spell({{0, 5, kPush}, {3, 8, kPush}, {4, 9, kPush}}) ==
        "(0 )0 overlap0: (1 )1 overlap1: (2 )2 ");
}

TEST_CASE("start/end ranges nest where they can and never displace a push/pop range") {
  CHECK(spell({{0, 5, kStart}, {1, 2, kPush}}) == "(0 (1 )1 )0 ");
  CHECK(spell({{0, 5, kStart}, {3, 8, kPush}}) == "(1 )1 async0: (0 )0 ");
  CHECK(spell({{0, 5, kPush}, {3, 8, kStart}}) == "(0 )0 async0: (1 )1 ");
  CHECK(spell({{0, 5, kStart}, {3, 8, kStart}, {8, 9, kStart}}) == "(0 )0 (2 )2 async0: (1 )1 ");
  CHECK(spell({{3, 8, kPush}, {3, 5, kStart}, {5, 8, kStart}}) == "(0 (1 )1 (2 )2 )0 ");
}

TEST_CASE("lanes are used again when they are free") {
  CHECK(
      spell({{0, 4, kStart}, {1, 5, kStart}, {2, 6, kStart}, {10, 14, kStart}, {11, 15, kStart}}) ==
      "(0 )0 (3 )3 async0: (1 )1 (4 )4 async1: (2 )2 ");
}

TEST_CASE("the extremes of time are ordinary times") {
  CHECK(spell({{INT64_MIN, INT64_MAX, kPush},
               {INT64_MIN, INT64_MIN, kMark},
               {INT64_MAX, INT64_MAX, kMark}}) == "(0 1! )0 2! ");
}

TEST_CASE("a range of a later lot stays off the lane that it would break") {
  LaneHistory history;
  CHECK(spell({{10, 20, kPush}, {30, 40, kPush}}, history) == "(0 )0 (1 )1 ");
  CHECK(history.spans() == 2);
  CHECK(spell({{5, 50, kPush}}, history) == "(0 )0 ");
  CHECK(history.spans() == 1);
  CHECK(spell({{15, 60, kPush}, {20, 70, kStart}}, history) == "overlap0: (0 )0 async0: (1 )1 ");
  // The lanes of the lot before are known, with what is on them.
  CHECK(spell({{16, 55, kPush}, {80, 90, kStart}, {85, 95, kStart}}, history) ==
        "(1 )1 overlap1: (0 )0 async0: (2 )2 ");
}

// What a viewer does: sort by time, keep the order of the file at ties, push and pop.
class Viewer {
 public:
  void read(const std::vector<Slice>& slices, const std::vector<Edge>& edges) {
    std::vector<int> seen(slices.size());
    for (const Edge& edge : edges) {
      const Slice& slice = slices[edge.slice];
      seen[edge.slice] += edge.kind == EdgeKind::kInstant ? 2 : 1;
      wrong_ += (edge.kind == EdgeKind::kInstant) != (slice.kind == SliceKind::kMark);
      const int64_t time = edge.kind == EdgeKind::kEnd ? slice.end : slice.begin;
      std::vector<Step>& steps = lanes_[{edge.lane_kind, edge.lane}];
      steps.push_back({time, steps.size(), base_ + edge.slice, edge.kind});
    }
    for (const int count : seen) wrong_ += count != 2;
    base_ += static_cast<uint32_t>(slices.size());
  }

  // The number of rules broken.
  int verdict() {
    for (auto& [lane, steps] : lanes_) {
      std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return a.time != b.time ? a.time < b.time : a.position < b.position;
      });
      std::vector<uint32_t> stack;
      for (const Step& step : steps) {
        if (step.kind == EdgeKind::kBegin) stack.push_back(step.slice);
        if (step.kind != EdgeKind::kEnd) continue;
        if (stack.empty() || stack.back() != step.slice) {
          ++wrong_;
          continue;
        }
        stack.pop_back();
      }
      wrong_ += static_cast<int>(stack.size());
    }
    return wrong_;
  }

 private:
  struct Step {
    int64_t time;
    size_t position;  // in the file
    uint32_t slice;
    EdgeKind kind;
  };
  std::map<std::pair<LaneKind, uint32_t>, std::vector<Step>> lanes_;
  uint32_t base_ = 0;
  int wrong_ = 0;
};

std::vector<Slice> random_slices(std::mt19937& random, int64_t time_range) {
  std::vector<Slice> slices(random() % 40);
  for (Slice& slice : slices) {
    const int64_t a = static_cast<int64_t>(random() % static_cast<uint32_t>(time_range));
    const int64_t b = static_cast<int64_t>(random() % static_cast<uint32_t>(time_range));
    slice = {std::min(a, b), std::max(a, b), static_cast<SliceKind>(random() % 3)};
    if (slice.kind == SliceKind::kMark) slice.end = slice.begin;
  }
  return slices;
}

// A thread that pushes, pops and marks as it likes; its ranges as they end, or as they begin.
std::vector<Slice> random_thread(std::mt19937& random, bool by_end) {
  std::vector<Slice> by_begin;
  std::vector<Slice> ended;
  std::vector<size_t> open;
  int64_t time = 0;
  const auto pop = [&] {
    by_begin[open.back()].end = time;
    ended.push_back(by_begin[open.back()]);
    open.pop_back();
  };
  for (int step = 0; step < 40; ++step) {
    time += static_cast<int64_t>(random() % 3);  // ties, too
    const auto what = static_cast<uint32_t>(random() % 5);
    if (what < 2) {
      open.push_back(by_begin.size());
      by_begin.push_back({time, time, kPush});
    } else if (what < 4 && !open.empty()) {
      pop();
    } else {
      by_begin.push_back({time, time, kMark});
      ended.push_back(by_begin.back());
    }
  }
  for (; !open.empty(); ++time) pop();
  return by_end ? ended : by_begin;
}

TEST_CASE("a thread's events are written in one order, sorted or not") {
  std::mt19937 random(3);
  int wrong = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<Slice> slices = random_thread(random, round % 2 == 0);
    const std::string as_they_came = spell(slices);
    // Only sorting can place a range without length.
    slices.push_back({1000, 1000, kPush});
    const std::string number = std::to_string(slices.size() - 1);
    wrong += spell(slices) != as_they_came + "(" + number + " )" + number + " ";
  }
  CHECK(wrong == 0);
}

TEST_CASE("random ranges in one lot keep the stack of each lane") {
  std::mt19937 random(1);
  int wrong = 0;
  for (int round = 0; round < 3000; ++round) {
    LaneHistory history;
    Viewer viewer;
    const std::vector<Slice> slices = random_slices(random, 1 + round % 60);
    viewer.read(slices, order_slices(slices, history));
    wrong += viewer.verdict();
  }
  CHECK(wrong == 0);
}

TEST_CASE("random ranges in many lots keep the stack of each lane") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int round = 0; round < 1000; ++round) {
    LaneHistory history;
    Viewer viewer;
    for (int lot = 0; lot < 6; ++lot) {
      const std::vector<Slice> slices = random_slices(random, 1 + round % 200);
      viewer.read(slices, order_slices(slices, history));
      if (round % 3 == 0) history.forget_older_half();
    }
    wrong += viewer.verdict();
  }
  CHECK(wrong == 0);
}

// A thread that pushes and pops, its ranges told when they are complete, ties included.
std::vector<Slice> nested_program(std::mt19937& random, int steps) {
  std::vector<Slice> slices;
  std::vector<int64_t> open;
  int64_t now = 0;
  for (int step = 0; step < steps; ++step) {
    now += random() % 2;
    switch (random() % 3) {
      case 0:
        open.push_back(now);
        break;
      case 1:
        slices.push_back({now, now, kMark});
        break;
      default:
        if (open.empty()) break;
        slices.push_back({open.back(), now, kPush});
        open.pop_back();
    }
  }
  for (; !open.empty(); open.pop_back()) slices.push_back({open.back(), now, kPush});
  return slices;
}

TEST_CASE("what a thread nested is never moved to another lane") {
  std::mt19937 random(3);
  int moved = 0;
  int wrong = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Slice> slices = nested_program(random, 60);
    LaneHistory history;
    Viewer viewer;
    const std::vector<Edge> edges = order_slices(slices, history);
    for (const Edge& edge : edges) moved += edge.lane_kind != LaneKind::kMain;
    viewer.read(slices, edges);
    wrong += viewer.verdict();
  }
  CHECK(moved == 0);
  CHECK(wrong == 0);
}

TEST_CASE("many ranges that all cut each other are placed without delay") {
  std::vector<Slice> slices;
  for (int64_t i = 0; i < 20000; ++i) slices.push_back({i, 20000 + i, kStart});
  LaneHistory history;
  CHECK(order_slices(slices, history).size() == 40000);
  CHECK(history.async.size() == 19999);
}

}  // namespace
}  // namespace ringscribe::model
