// SPDX-License-Identifier: Apache-2.0
//
// Which tracks share a row, and that every track has a number of its own. How they are described in
// the file is read with the published protos, in tests/perfetto.
#include "ringscribe/backends/perfetto/track_layout.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>

namespace ringscribe::perfetto {
namespace {

using model::kNoTrack;
using model::TrackKind;

// A layout, and what it wrote since the last look.
struct Bench {
  TrackLayout layout{100};
  TracePacketWriter packets;
  uint32_t next = 0;

  uint32_t add(uint32_t parent, TrackKind kind, std::string_view name, int64_t pid = 0,
               int64_t tid = 0, int64_t number = 0, std::string_view domain = "") {
    REQUIRE(layout.add({next, parent, kind, name, domain, pid, tid, number}, "s", packets).ok());
    return next++;
  }
  bool wrote(std::string_view text) {
    const bool found = packets.bytes().find(text) != std::string::npos;
    packets.bytes().clear();
    return found;
  }
};

TEST_CASE("a process that is named twice is one row") {
  Bench bench;
  const uint32_t first = bench.add(kNoTrack, TrackKind::kProcess, "p", 7);
  CHECK(bench.wrote("p"));
  const uint32_t again = bench.add(kNoTrack, TrackKind::kProcess, "p", 7);
  const uint32_t unnamed = bench.add(kNoTrack, TrackKind::kProcess, "", 7);
  CHECK(bench.packets.bytes().empty());
  CHECK(bench.layout.row(again) == bench.layout.row(first));
  CHECK(bench.layout.row(unnamed) == bench.layout.row(first));
  const uint32_t other = bench.add(kNoTrack, TrackKind::kProcess, "q", 7);
  CHECK(bench.wrote("q (pid 7)"));
  CHECK(bench.layout.row(other) != bench.layout.row(first));
}

TEST_CASE("ids that the viewer cannot hold make plain rows") {
  Bench bench;
  const int64_t ids[] = {0, -1, int64_t{INT32_MAX} + 1};
  for (const int64_t id : ids) {
    bench.add(kNoTrack, TrackKind::kProcess, "p", id);
    CHECK(bench.wrote("p (pid " + std::to_string(id) + ")"));
  }
  bench.add(kNoTrack, TrackKind::kProcess, "p", INT32_MAX);
  CHECK_FALSE(bench.wrote("(pid"));
  for (const int64_t id : ids) {
    bench.add(3, TrackKind::kThread, "t", INT32_MAX, id, 1);
    CHECK(bench.wrote("t (tid " + std::to_string(id) + ")"));
  }
}

TEST_CASE("a system id that is used again gets a plain row, as often as that happens") {
  Bench bench;
  bench.add(kNoTrack, TrackKind::kProcess, "p", 7);
  const uint32_t first = bench.add(0, TrackKind::kThread, "a", 7, 8, 1);
  CHECK_FALSE(bench.wrote("(tid"));
  const uint32_t second = bench.add(0, TrackKind::kThread, "b", 7, 8, 2);
  CHECK(bench.wrote("b (tid 8)"));
  const uint32_t third = bench.add(0, TrackKind::kThread, "", 7, 8, 3);
  CHECK(bench.wrote("(tid 8)"));
  const std::set<uint32_t> rows = {bench.layout.row(first), bench.layout.row(second),
                                   bench.layout.row(third)};
  CHECK(rows.size() == 3);
}

TEST_CASE("a thread without a process above it keeps its system id") {
  Bench bench;
  bench.add(kNoTrack, TrackKind::kThread, "t", 7, 8, 1);
  CHECK_FALSE(bench.wrote("(tid"));
}

TEST_CASE("lanes are described once, with numbers that nothing else has") {
  Bench bench;
  bench.add(kNoTrack, TrackKind::kStream, "s");
  bench.packets.bytes().clear();
  TrackLayout& layout = bench.layout;
  std::set<uint64_t> numbers = {
      layout.lane(0, model::LaneKind::kMain, 0, bench.packets).track_uuid};
  CHECK(bench.packets.bytes().empty());
  numbers.insert(layout.lane(0, model::LaneKind::kAsync, 1, bench.packets).track_uuid);
  CHECK(bench.wrote("s (async)"));
  numbers.insert(layout.lane(0, model::LaneKind::kAsync, 0, bench.packets).track_uuid);
  CHECK(bench.packets.bytes().empty());
  numbers.insert(layout.lane(0, model::LaneKind::kOverlap, 0, bench.packets).track_uuid);
  CHECK_FALSE(bench.wrote("(async)"));
  REQUIRE(layout.add_counter({0, 0, "c", "", "", "", false}, bench.packets).ok());
  numbers.insert(layout.counter(0).track_uuid);
  CHECK(numbers.size() == 5);
  CHECK(numbers.count(0) == 0);
}

TEST_CASE("spans are counted over all rows and can be forgotten") {
  Bench bench;
  bench.add(kNoTrack, TrackKind::kStream, "a");
  bench.add(kNoTrack, TrackKind::kStream, "b");
  CHECK(bench.layout.spans() == 0);
  bench.layout.history(0).main.add({{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  bench.layout.history(1).main.add({{0, 1}, {2, 3}});
  CHECK(bench.layout.spans() == 6);
  bench.layout.forget_older_half();
  CHECK(bench.layout.spans() == 3);
}

}  // namespace
}  // namespace ringscribe::perfetto
