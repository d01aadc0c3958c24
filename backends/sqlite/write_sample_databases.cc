// SPDX-License-Identifier: Apache-2.0
//
// Writes databases through the SQLite sink, for tests/sqlite to query: FOLDER/NAME.sqlite for each
// NAME below. What each holds is said in the test.
//
//   write_sample_databases FOLDER
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/sample_events.h"
#include "ringscribe/backends/model/sample_sessions.h"
#include "ringscribe/backends/sqlite/sqlite_sink.h"

namespace ringscribe {
namespace {

using model::Event;
using model::EventKind;
using model::expect;
using model::Field;
using model::floating;
using model::kNoTrack;
using model::mark;
using model::nested;
using model::number;
using model::range;
using model::text;
using model::TrackKind;
using model::unsigned_number;
using model::Value;
using model::ValueKind;
using sqlite::SinkOptions;
using sqlite::SqliteSink;

std::unique_ptr<SqliteSink> open(const std::string& path, const SinkOptions& options = {}) {
  return SqliteSink::create(path, options).value();
}

void write_tracks(SqliteSink& sink) {
  expect(sink.stream({0, "orders", "io"}));
  expect(sink.stream({1, "ticks", ""}));
  expect(sink.stream({0, "orders", "io"}));  // opened again
  expect(sink.category("io", 9, ""));
  expect(sink.category("io", 9, "late name"));
  expect(sink.category("", 1, "never used"));
  expect(sink.track({0, kNoTrack, TrackKind::kProcess, "engine", "", 4000, 0, 0}));
  expect(sink.track({1, 0, TrackKind::kThread, "worker", "", 4000, 4001, 1}));
  expect(sink.track({2, 0, TrackKind::kThread, "second", "", 4000, 4001, 2}));    // reused id
  expect(sink.track({3, 0, TrackKind::kThread, "worker", "io", 4000, 4001, 1}));  // other domain
  expect(sink.track({4, kNoTrack, TrackKind::kStream, "orders", "io", 0, 0, 0}));
  expect(sink.track({5, kNoTrack, TrackKind::kScope, "Node[0]", "", 0, 0, 0}));
  expect(sink.track({6, 5, TrackKind::kScope, "GPU[1]", "", 0, 0, 0}));
  expect(sink.counter_track({0, 4, "depth", "orders", "how deep", "io", false}));
  model::CounterTrack load = {1, kNoTrack, "load", "", "", "", true};
  load.value_type = model::CounterValueType::kAbsolute;
  load.interpolation = model::CounterInterpolation::kLinear;
  load.has_maximum = true;
  load.maximum = 1;
  expect(sink.counter_track(load));
}

// Names that have broken such files.
const std::string_view kNames[] = {
    "",
    "operator\"\"_kg",
    "'; DROP TABLE event_data; --",
    std::string_view("a\0b\x01\x1f\x7f\r\n\t", 9),
    "\xff\xfe",
    "\xE2\x80\xA8 and \xE2\x80\xA9",
    "\xF0\x9F\x98\x80 h\xC3\xA9llo",
    "%s ?1 :a",
};

void write_odd(const std::string& path) {
  auto sink = open(path);
  expect(sink->session("odd \"\xE2\x80\xA8 session"));
  write_tracks(*sink);
  expect(sink->clock_point(2000, 1'672'924'880'617'002'000));
  expect(sink->clock_point(3000, 1'672'924'880'617'003'500));
  const std::string much(65537, '"');
  int64_t time = 0;
  for (const EventKind kind :
       {EventKind::kMark, EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
    for (const std::string_view name : kNames) {
      const Field fields[] = {{name, text(name)}, {name, number(time)}};
      Event event = range(4, time, kind == EventKind::kMark ? time : time + 1, name, kind);
      event.fields = fields;
      event.category = name;
      event.domain = "io";
      expect(sink->event(event));
      time += 10;
    }
    expect(sink->event(range(4, time, kind == EventKind::kMark ? time : time + 1, much, kind)));
    time += 10;
  }
  const Field inner[] = {{"x", number(1)}, {"x", floating(0.5)}, {"", Value{}}};
  const Field items[] = {{"", number(1)}, {"", nested(ValueKind::kStruct, inner)}};
  const Field fields[] = {
      {"min", number(INT64_MIN)},
      {"max", number(INT64_MAX)},
      {"beyond", number((int64_t{1} << 53) + 1)},
      {"small", unsigned_number(ValueKind::kUint, INT64_MAX)},
      {"uint", unsigned_number(ValueKind::kUint, UINT64_MAX)},
      {"address", unsigned_number(ValueKind::kAddress, 0xDEADBEEF)},
      {"one", floating(1)},
      {"minus zero", floating(-0.0)},
      {"subnormal", floating(5e-324)},
      {"huge", floating(1.7976931348623157e308)},
      {"third", floating(1.0 / 3)},
      {"nan", floating(std::nan(""))},
      {"inf", floating(std::numeric_limits<double>::infinity())},
      {"minus inf", floating(-std::numeric_limits<double>::infinity())},
      {"struct", nested(ValueKind::kStruct, inner)},
      {"array", nested(ValueKind::kArray, items)},
      {"empty", nested(ValueKind::kArray, {})},
      {"nothing", nested(ValueKind::kStruct, {})},
      {"number text", text("7")},
  };
  Event event = range(4, 5000, 6000, "values");
  event.fields = fields;
  event.color_argb = 0x8000FF7F;
  event.domain = "io";
  event.category = "late name";
  event.category_id = 9;
  expect(sink->event(event));
  event = range(4, 6000, 7000, "flags", EventKind::kRangeStartEnd);
  event.end_is_missing = true;
  event.begin_is_missing = true;
  event.end_before_begin = true;
  event.written_end = INT64_MIN;
  event.range_id = UINT64_MAX;
  event.category_id = 10;
  event.synchronised = false;
  event.time_domain = UINT64_MAX;
  event.stream = 1;
  expect(sink->event(event));
  for (const double value :
       {0.25, -0.0, 5e-324, 1e308, std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    expect(sink->counter_sample({1, time, true, 0, true, 0, true, 0, value}));
    time += 10;
  }
  expect(sink->counter_sample({0, time, true, 0, true, 0, false, INT64_MAX, 0, 1}));
  expect(sink->counter_sample({0, time, false, 5, true, 0, false, -5, 0}));
  expect(sink->counter_sample({0, time, true, 0, false, 2, false, 0, 0}));
  expect(sink->track({7, 0, TrackKind::kThread, "late", "", 4000, 4002, 3}));
  expect(sink->event(mark(7, 1, "on the late one")));
  Event elsewhere = mark(7, 2, "of a stream that nobody announced");
  elsewhere.stream = 77;
  expect(sink->event(elsewhere));
  expect(sink->loss({50, true, "orders", "ring full", 12}));
  expect(sink->loss({60, false, "orders", "ring full", UINT64_MAX}));
  expect(sink->problem("a payload could not be \"decoded\"", 3));
  expect(sink->finish());
}

// Every time is said in fields, too.
void write_times(const std::string& path) {
  constexpr int64_t kTimes[] = {0,
                                1,
                                999,
                                -1,
                                -1001,
                                INT64_MAX,
                                INT64_MAX - 1,
                                INT64_MIN,
                                INT64_MIN + 1,
                                int64_t{1672924880617000123}};
  auto sink = open(path);
  model::write_times(*sink, kTimes);
  // Rows of a block, one of which ends before it begins.
  const model::EventLabel label = {1, 3, 0xFF0000FF, "row", ""};
  const model::EventRow rows[] = {{10, 20, 0, &label}, {20, 5, 0, &label}, {30, 40, 0, &label}};
  const Field fields[] = {{"n", number(1)}, {"n", floating(2.5)}, {"n", number(3)}};
  expect(sink->events({range(0, 0, 0, ""), rows, fields, 1, 1}));
  expect(sink->finish());
}

// Threads that nest at random, zero lengths among them. The depth is a field.
void write_nested(const std::string& path) {
  SinkOptions options;
  options.commit_rows_max = 1000;
  auto sink = open(path, options);
  expect(sink->session("nested"));
  std::mt19937 random(1);
  for (uint32_t track = 0; track < 3; ++track) {
    expect(sink->track({track, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0}));
    struct Open {
      int64_t begin;
      int64_t children_ns;
    };
    std::vector<Open> open_ranges;
    int64_t now = 0;
    const auto close = [&] {
      const auto [begin, children_ns] = open_ranges.back();
      open_ranges.pop_back();
      const Field fields[] = {{"depth", number(static_cast<int64_t>(open_ranges.size()))},
                              {"self", number(now - begin - children_ns)}};
      const std::string name = "level " + std::to_string(open_ranges.size());
      Event event = range(track, begin, now, name);
      event.fields = fields;
      expect(sink->event(event));
      if (!open_ranges.empty()) open_ranges.back().children_ns += now - begin;
    };
    for (int step = 0; step < 4000; ++step) {
      now += 1 + static_cast<int64_t>(random() % 3);
      if (random() % 2 == 0 && open_ranges.size() < 20) {
        open_ranges.push_back({now, 0});
        if (random() % 8 == 0) close();  // of no length, and strictly inside
      } else if (!open_ranges.empty()) {
        close();
      }
    }
    for (++now; !open_ranges.empty(); ++now) close();
  }
  expect(sink->finish());
}

void write_many(const std::string& path) {
  auto sink = open(path);
  expect(sink->session("many"));
  for (uint32_t i = 0; i < 20'000; ++i) {
    const std::string name = "track " + std::to_string(i);
    // A chain: the deepest path there can be.
    expect(sink->track({i, i == 0 ? kNoTrack : i - 1, TrackKind::kScope, name, "", 0, 0, 0}));
    expect(sink->event(mark(i, i, "m")));
  }
  for (uint32_t i = 0; i < 5000; ++i) {
    const std::string name = "counter " + std::to_string(i);
    expect(sink->counter_track({i, i, name, "", "", "", false}));
    for (int64_t k = 0; k < 3; ++k) {
      expect(sink->counter_sample({i, k, true, 0, true, 0, false, k * i, 0}));
    }
  }
  expect(sink->finish());
}

void write_empty(const std::string& path) {
  auto sink = open(path);
  expect(sink->session(""));
  expect(sink->finish());
}

}  // namespace
}  // namespace ringscribe

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample_databases FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  ringscribe::write_odd(folder + "/odd.sqlite");
  ringscribe::write_times(folder + "/times.sqlite");
  ringscribe::write_nested(folder + "/nested.sqlite");
  ringscribe::write_many(folder + "/many.sqlite");
  ringscribe::write_empty(folder + "/empty.sqlite");
  return ringscribe::model::failures == 0 ? 0 : 1;
}
