// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/place_rows.h"

#include <catch2/catch.hpp>
#include <string>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

using model::kNoTrack;
using model::TrackKind;

TEST_CASE("tracks have their paths, and what fits no track is refused") {
  auto database = fresh_database("places");
  {
    DomainTable domains;
    REQUIRE(domains.open(*database).ok());
    PlaceRows places(domains);
    REQUIRE(places.open(*database).ok());
    CHECK(places.add({0, kNoTrack, TrackKind::kProcess, "p", "", 7, 1, 1}).ok());
    CHECK(places.add({1, 0, TrackKind::kThread, "t", "io", 7, 8, 1}).ok());
    CHECK(places.add({2, 1, TrackKind::kScope, "", "io", 9, 9, 9}).ok());
    CHECK(places.add({4, 0, TrackKind::kScope, "x", "", 0, 0, 0}).code() ==
          ResultCode::kInvalidArgument);
    CHECK(places.add({3, 3, TrackKind::kScope, "x", "", 0, 0, 0}).code() ==
          ResultCode::kInvalidArgument);
    CHECK(places.has_track(2));
    CHECK_FALSE(places.has_track(3));
    CHECK(places.add(model::CounterTrack{0, 2, "c", "B", "", "", true}).ok());
    CHECK_FALSE(places.add(model::CounterTrack{0, 2, "c", "B", "", "", true}).ok());
    CHECK_FALSE(places.add(model::CounterTrack{1, 3, "c", "B", "", "", true}).ok());
    CHECK(places.has_counter(0));
    CHECK_FALSE(places.has_counter(1));
    CHECK(places.add(model::Stream{5, "s", "io"}).ok());
    CHECK(places.add(model::Stream{5, "again", ""}).ok());
    CHECK(places.has_stream(5));
    CHECK_FALSE(places.has_stream(4));
    CHECK_FALSE(places.has_stream(6));
    CHECK_FALSE(places.add(model::Stream{UINT32_MAX, "s", ""}).ok());
  }
  CHECK(query(*database, "SELECT id, parent_id, kind, path, pid, tid, thread_number FROM tracks") ==
        "0|NULL|process|p|7|NULL|NULL\n1|0|thread|p/t|7|8|1\n2|1|scope|p/t/|NULL|NULL|NULL");
  CHECK(query(*database, "SELECT track_id, name, unit, is_floating, value_type FROM counters") ==
        "2|c|B|1|NULL");
  CHECK(query(*database,
              "SELECT s.id, s.name, d.name FROM streams s JOIN domains d "
              "ON d.id = domain_id") == "5|s|io");
}

TEST_CASE("a path that grows without end begins anew") {
  auto database = fresh_database("paths");
  {
    DomainTable domains;
    REQUIRE(domains.open(*database).ok());
    PlaceRows places(domains);
    REQUIRE(places.open(*database).ok());
    REQUIRE(database->begin().ok());
    const std::string name(100, 'x');
    for (uint32_t i = 0; i < 100; ++i) {
      REQUIRE(
          places.add({i, i == 0 ? kNoTrack : i - 1, TrackKind::kScope, name, "", 0, 0, 0}).ok());
    }
  }
  CHECK(query(*database,
              "SELECT max(length(path)) BETWEEN 4096 AND 4300, "
              "sum(path LIKE '.../%') > 10 FROM tracks") == "1|1");
}

}  // namespace
}  // namespace ringscribe::sqlite
