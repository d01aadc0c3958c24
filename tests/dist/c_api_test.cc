// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "api/c_api_calls.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/tests/support/event_lines.h"

namespace ringscribe {
namespace {

// What the C program writes, in any order. T: the time of a live call.
const std::vector<std::string> kExpected = {
    "mark card 1505000 'in ticks of the card'",
    "mark gpu[0]/queue 100 'mark' category seven category 7 color ff102030",
    "mark gpu[0]/queue 101",
    "mark c_api_test/c thread T 'inner'",
    "mark c_api_test/c thread T 'rejected'",
    "mark rows 2300 value=[3 -4]",
    "push-pop c_api_test/c thread T to T 'match' category hot category 1073741824 color ff008000",
    "push-pop c_api_test/c thread T to T 'outer'",
    "push-pop gpu[0]/queue 200 to 500 'pushpop' category hot category 1073741825 color ff102030",
    "push-pop gpu[0]/queue 800 to 900 'push' category cold category 1073741824 color ff102030",
    "sample order book/live both.a T = 19",
    "sample order book/live both.b T = 20",
    "sample order book/live depth T = 17",
    "sample order book/live depth T = none, reason 0",
    "sample order book/live load T = 0.25",
    "sample order book/live size T = 18",
    "sample samples/bytes 11 = 4096",
    "sample samples/bytes 13 = 8192",
    "sample samples/depth in orders 10 = -3",
    "sample samples/depth in orders 14 = none, reason 2",
    "sample samples/depth in orders 20 = 1",
    "sample samples/depth in orders 25 = 2",
    "sample samples/depth in orders 30 = 3",
    "sample samples/depth in orders 40 = 1",
    "sample samples/depth in orders 50 = 2",
    "sample samples/depth in orders 60 = 3",
    "sample samples/depth in orders 70 = 1",
    "sample samples/depth in orders 80 = 2",
    "sample samples/depth in orders 90 = 3",
    "sample samples/load 12 = 0.5",
    "sample samples/memory.free 95 = 6",
    "sample samples/memory.used in orders 95 = 5",
    "sample samples/timed.free 100 = 8",
    "sample samples/timed.free 110 = 10",
    "sample samples/timed.used in orders 100 = 7",
    "sample samples/timed.used in orders 110 = 9",
    "start-end gpu[0]/queue 1000 to 1100 'start' category cold category 1073741824 color ff102030",
    "start-end gpu[0]/queue 300 to 700 'registered' category cold category 1073741824 color "
    "ff102030",
    "start-end shelf 2000 to 2050 'first' registered='registered' point=[x=3 y=-4] side='sell'",
    "start-end shelf 2100 to 2150 'second' registered='registered' point=[x=3 y=-4] side='sell'",
    "start-end shelf 2200 to 2250 'third, longer' registered='registered' point=[x=3 y=-4] "
    "side='sell'",
};

std::string in_test_folder(const char* name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : ".") + "/" + name;
}

// The events and samples of a journal but those of our own stream, sorted.
std::vector<std::string> events_of(const std::string& path) {
  std::vector<std::string> lines, result;
  model::Model model(std::make_unique<testing::EventLines>(&lines), "c_api_test");
  const auto summary = journal::replay(path, model);
  REQUIRE(summary.ok());
  const std::regex live_time("[0-9]{12,}");
  for (const std::string& line : lines) {
    const bool is_own =
        line.starts_with("mark ringscribe ") || line.starts_with("sample ringscribe/");
    if (!is_own) result.push_back(std::regex_replace(line, live_time, "T"));
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST_CASE("what a C99 program records with every function is what the journal has") {
  const std::string path = in_test_folder("c_api_test.rsj");
  REQUIRE(c_api_calls_record(path.c_str()) == 0);
  std::vector<std::string> expected = kExpected;
  std::sort(expected.begin(), expected.end());
  CHECK(events_of(path) == expected);
}

TEST_CASE("a C program loads a backend library, and closing it ends the session") {
  const std::string path = in_test_folder("c_api_load_test.rsj");
  REQUIRE(c_api_calls_load("backends/libringscribe_backend.so", path.c_str()) == 0);
  CHECK(events_of(path) == std::vector<std::string>{"mark s 1 in time domain 0"});
}

}  // namespace
}  // namespace ringscribe
