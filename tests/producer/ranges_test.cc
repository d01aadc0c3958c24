// SPDX-License-Identifier: Apache-2.0
//
// Which begin and which end become one range, when they are on several streams or of several kinds.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "ringscribe/tests/producer/decoded_session.h"

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

TEST_CASE("a start and its end on two streams are one range, whichever stream came first") {
  for (const bool is_flushed_between : {false, true}) {
    DecodedSession s;
    Domain domain = s.session.get_domain("d");
    Stream a = s.session.create_stream("a", {.domain = domain});
    Stream b = s.session.create_stream("b", {.domain = domain});
    b.write_mark(0);  // b is first in the ring
    a.write_start(1, {.message = "crossing"}, RangeId{9});
    if (is_flushed_between) REQUIRE(s.session.flush().ok());
    b.write_end(5, RangeId{9});
    const auto& events = s.events();
    REQUIRE(events.size() == 2);
    CHECK(events[1].message == "crossing");
    CHECK(events[1].event.begin == 1);
    CHECK(events[1].event.end == 5);
    CHECK_FALSE(events[1].event.begin_is_missing);
  }
}

TEST_CASE("a range that ends on another thread is whole, whichever thread's ring is read first") {
  DecodedSession s;
  Stream stream = s.session.create_stream("s");
  prepare_thread();  // this thread's ring is read first
  RangeId ids[3];
  std::thread([&] {
    ids[0] = stream.write_start(1, {.message = "crossing"});
    ids[1] = stream.write_start(2, {.message = "too"});
  }).join();
  CHECK(stream.write_end(5, ids[0]));
  REQUIRE(s.session.flush().ok());
  std::thread([&] { ids[2] = stream.write_start(6, {.message = "from a third thread"}); }).join();
  CHECK(stream.write_end(7, ids[1]));
  CHECK(stream.write_end(8, ids[2]));
  const auto& events = s.events();
  REQUIRE(events.size() == 3);
  std::map<std::string, int64_t> lengths;
  for (const auto& event : events) {
    CHECK_FALSE(event.event.begin_is_missing);
    CHECK_FALSE(event.event.end_is_missing);
    lengths[event.message] = event.event.end - event.event.begin;
  }
  CHECK(lengths ==
        std::map<std::string, int64_t>{{"crossing", 4}, {"too", 5}, {"from a third thread", 2}});
}

TEST_CASE("a live stream with a scope has one track, whatever thread writes") {
  DecodedSession s;
  Domain domain = s.session.get_domain("d");
  Stream fiber = s.session.live_stream("fiber 7", domain, domain.get_scope("fibers/7"));
  Stream threads = s.session.live_stream("threads", domain);
  for (int i = 0; i < 3; ++i)
    std::thread([&] {
      {
        RINGSCRIBE_RANGE(fiber, "resumed");
        RINGSCRIBE_MARK(fiber, "step");
      }
      RINGSCRIBE_MARK(threads, "thread");
    }).join();
  const DecodedSession::Log& log = s.end();
  std::map<std::string, std::set<uint32_t>> tracks;
  std::map<uint32_t, std::string> names;
  for (const auto& track : log.tracks) names[track.id] = track.name;
  for (const auto& event : log.events) tracks[event.message].insert(event.event.track);
  CHECK(log.events.size() == 9);
  REQUIRE(tracks["resumed"].size() == 1);
  CHECK(tracks["step"] == tracks["resumed"]);
  CHECK(names[*tracks["step"].begin()] == "7");
  CHECK(tracks["thread"].size() == 3);
}

TEST_CASE("an id that was used again ends the range that was started last") {
  for (const bool is_flushed_between : {false, true}) {
    DecodedSession s;
    Stream stream = s.session.create_stream("s");
    stream.write_start(1, {.message = "first"}, RangeId{9});
    stream.write_start(2, {.message = "second"}, RangeId{9});
    if (is_flushed_between) REQUIRE(s.session.flush().ok());
    stream.write_end(3, RangeId{9});
    const auto& events = s.events();
    REQUIRE(events.size() == 2);
    CHECK(events[0].message == "second");
    CHECK(events[0].event.end == 3);
    CHECK(events[1].event.end_is_missing);
  }
}

}  // namespace
