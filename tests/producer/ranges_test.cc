// SPDX-License-Identifier: Apache-2.0
//
// Which begin and which end become one range, when they are on several streams or of several kinds.
#include <catch2/catch.hpp>

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
