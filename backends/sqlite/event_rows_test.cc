// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/event_rows.h"

#include <catch2/catch.hpp>
#include <string>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

using model::Event;
using model::EventKind;
using model::EventLabel;
using model::EventRow;

constexpr const char* kAll =
    "SELECT kind, track_id, stream_id, begin_ns, end_ns, name_id, category_id, color, range_id, "
    "flags, written_end_ns, time_domain FROM event_data";

TEST_CASE("a block gives the rows that its events give one by one") {
  const EventLabel labels[] = {{1, 0, 0, "a", ""},
                               {2, 5, 0xFF00FF00, "b", "five"},
                               {1 + 4096, 0, 7, "a", "named"},  // the same place in the table
                               {3, 6, 0, "", ""}};
  EventRow rows[20];
  for (size_t i = 0; i < 20; ++i) {
    const auto time = static_cast<int64_t>(i) * 10;
    rows[i] = {time, i % 7 == 3 ? time - 5 : time + 5, i % 5 == 0 ? UINT64_MAX - i : i % 3,
               &labels[i * 7 % 4]};
  }
  const model::Value value;
  const std::vector<model::Field> fields(40, model::Field{"f", value});
  std::string results[2];
  for (const bool as_block : {false, true}) {
    auto database = fresh_database(as_block ? "block" : "single");
    {
      DomainTable domains;
      EventRows events(domains);
      REQUIRE(domains.open(*database).ok());
      REQUIRE(events.open(*database).ok());
      for (const EventKind kind :
           {EventKind::kMark, EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
        for (const bool synchronised : {true, false}) {
          Event shared;
          shared.kind = kind;
          shared.track = 3;
          shared.stream = 4;
          shared.synchronised = synchronised;
          shared.time_domain = UINT64_MAX;
          shared.end_is_missing = !synchronised;
          shared.begin_is_missing = kind == EventKind::kRangeStartEnd;
          const model::EventBlock block = {shared, rows, fields, 2, 1};
          if (as_block) {
            REQUIRE(events.add(block, 0, 5, synchronised).ok());
            REQUIRE(events.add(block, 5, 20, synchronised).ok());
          } else {
            for (size_t i = 0; i < 20; ++i) REQUIRE(events.add(block.event(i), synchronised).ok());
          }
        }
      }
    }
    results[as_block] = query(*database, kAll) + query(*database, "SELECT * FROM fields") +
                        query(*database, "SELECT * FROM categories");
  }
  CHECK(results[0].size() > 10'000);
  CHECK(results[0] == results[1]);
}

TEST_CASE("columns say what the event says") {
  auto database = fresh_database("columns");
  {
    DomainTable domains;
    EventRows events(domains);
    REQUIRE(domains.open(*database).ok());
    REQUIRE(events.open(*database).ok());
    Event event;
    event.track = 1;
    event.begin = 5;
    event.end = 5;
    event.synchronised = true;
    event.message = "m";
    REQUIRE(events.add(event, false).ok());
    event.kind = EventKind::kRangeStartEnd;
    event.end = 3;  // no event of the model: the end is not before the begin
    event.end_before_begin = true;
    event.written_end = 3;
    event.range_id = 9;
    event.synchronised = false;
    event.color_argb = 1;
    event.category_id = 2;
    REQUIRE(events.add(event, true).ok());
  }
  CHECK(query(*database, kAll) ==
        "0|1|NULL|5|NULL|1|NULL|NULL|NULL|NULL|NULL|NULL\n2|1|0|5|5|1|1|1|9|4|3|0");
  CHECK(query(*database, "SELECT number, name FROM categories") == "2|NULL");
}

}  // namespace
}  // namespace ringscribe::sqlite
