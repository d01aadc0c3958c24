// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/track_lot.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

using model::EventKind;

// A lot, all of whose events are one byte.
struct Lot {
  std::string path = scratch("lot");
  std::unique_ptr<output::OutputFolder> folder = open_folder(path);
  Metadata metadata{"s"};
  ClassTable classes{metadata};
  TraceOutput out{*folder, metadata, classes, 0, 1, {}};
  StreamDescription description = {{}, 1, 2, "p", "t"};
  TrackLot lot{description, "track_0"};
  std::string bodies = std::string(100'000, 'x');
  // push, pop, mark
  uint32_t numbers[3] = {classes.add({"push", "crossing_push", "", ""}),
                         classes.add({"pop", "crossing_pop", "", ""}),
                         classes.add({"mark", "mark", "", ""})};

  void range(int64_t begin, int64_t end) {
    lot.add(EventKind::kRangePushPop, begin, end, {numbers[0], numbers[1], 1}, {0, 1});
  }
  void mark(int64_t time, size_t size = 1) {
    lot.add(EventKind::kMark, time, time, {numbers[2], 0, 1}, {0, size});
  }
  void write() { REQUIRE(lot.write(out, bodies).ok()); }
  // The names of a file's events, with times that count from TraceClock::kFirst + 2^60.
  std::string show(const std::string& name) const {
    std::string text;
    for (const Packet& packet : packets_of(content(path + "/" + name))) {
      uint64_t time = packet.begin;
      for (size_t at = 4; at < packet.events.size();) {
        uint16_t id = 0;
        uint32_t low = 0;
        std::memcpy(&id, packet.events.data() + at, sizeof(id));
        std::memcpy(&low, packet.events.data() + at + 2, sizeof(low));
        time = (time & ~uint64_t{UINT32_MAX}) | low;
        const std::string declaration = content(path + "/metadata");
        const size_t line = declaration.find("\n  id = " + std::to_string(id) + ";\n  stream_id");
        const size_t begin = declaration.rfind("name = \"", line) + 8;
        const std::string event = declaration.substr(begin, declaration.find('"', begin) - begin);
        text += event + "@" + std::to_string(static_cast<int64_t>(time) + TraceClock::kFirst) + " ";
        at += 6 + 8 + 1 + (event.starts_with("crossing") ? 8 : 0);
      }
    }
    return text;
  }
};

TEST_CASE("a lot is written in order of time, and nests") {
  Lot lot;
  lot.range(20, 30);
  lot.mark(25);
  lot.range(10, 40);
  lot.mark(5);
  lot.write();
  CHECK(lot.lot.is_empty());
  CHECK(lot.show("track_0") == "mark@5 push@10 push@20 mark@25 pop@30 pop@40 ");
}

TEST_CASE("a range that cuts another has names and a pair of its own") {
  Lot lot;
  lot.range(10, 30);
  lot.range(20, 40);
  lot.write();
  CHECK(lot.show("track_0") == "push@10 crossing_push@20 pop@30 crossing_pop@40 ");
}

TEST_CASE("what is late goes to siblings, each of them in order") {
  Lot lot;
  for (const int64_t time : {100, 90, 80, 95}) {
    lot.mark(time);
    lot.write();
  }
  CHECK(lot.show("track_0") == "mark@100 ");
  CHECK(lot.show("track_0.late.1") == "mark@90 mark@95 ");
  CHECK(lot.show("track_0.late.2") == "mark@80 ");
}

TEST_CASE("the begin of a range around what is written is late, its end is not") {
  Lot lot;
  lot.range(20, 30);
  lot.write();
  lot.range(10, 40);
  lot.write();
  CHECK(lot.show("track_0") == "push@20 pop@30 pop@40 ");
  CHECK(lot.show("track_0.late.1") == "push@10 ");
}

TEST_CASE("what has no room on a page goes into a file of the lot") {
  Lot lot;
  for (int i = 0; i < 2; ++i) {
    lot.mark(1);
    lot.mark(2, 50'000);
    lot.mark(3, 50'000);
    lot.write();
  }
  CHECK(lot.show("track_0") == "mark@1 mark@1 ");
  for (const char* name : {"/track_0.large.1", "/track_0.large.2"}) {
    const auto packets = packets_of(content(lot.path + name));
    REQUIRE(packets.size() == 1);
    CHECK(packets[0].content_bytes > 100'000);
  }
}

TEST_CASE(
    "what comes behind a large event of its time goes to a large file, whose number is higher") {
  Lot lot;
  const auto large = [&](int64_t begin, int64_t end) {
    lot.lot.add(EventKind::kRangePushPop, begin, end, {lot.numbers[0], lot.numbers[1], 1},
                {0, 50'000});
  };
  lot.range(20, 30);
  large(20, 40);
  lot.mark(10);
  lot.write();
  lot.mark(15);
  lot.mark(20);
  lot.mark(21);
  lot.write();
  CHECK(lot.show("track_0") == "mark@10 pop@30 pop@40 ");
  CHECK(lot.show("track_0.late.1") == "mark@15 mark@21 ");
  const auto number = [&](const std::string& name) {
    return packets_of(content(lot.path + "/" + name)).at(0).file;
  };
  CHECK(number("track_0.large.1") > number("track_0.late.1"));
  CHECK(number("track_0.large.2") > number("track_0.large.1"));
  CHECK(lot.show("track_0.large.2") == "mark@20 ");
}

TEST_CASE("the classes are on disk before the events") {
  Lot lot;
  lot.mark(1);
  lot.write();
  CHECK(content(lot.path + "/metadata").find("\"mark\"") != std::string::npos);
  CHECK(content(lot.path + "/metadata").find("\"push\"") == std::string::npos);
}

TEST_CASE("a loss is in the packets of the lot, or in one without events") {
  Lot lot;
  lot.mark(5);
  lot.lot.lose(3, 9);
  lot.write();
  lot.lot.lose(4, 10);
  CHECK_FALSE(lot.lot.is_empty());
  lot.write();
  std::vector<uint64_t> discarded;
  for (const Packet& packet : packets_of(content(lot.path + "/track_0"))) {
    discarded.push_back(packet.discarded);
  }
  CHECK(discarded == std::vector<uint64_t>{0, 3, 7});
  CHECK(lot.show("track_0") == "mark@5 ");
}

}  // namespace
}  // namespace ringscribe::ctf
