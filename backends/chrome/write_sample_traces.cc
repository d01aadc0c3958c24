// SPDX-License-Identifier: Apache-2.0
//
// Writes traces through the Chrome sink, for trace_json_test.py to read: FOLDER/NAME.json for each
// NAME below. What each holds is said in the test.
//
//   write_sample_traces FOLDER             the traces
//   write_sample_traces --endless FILE     events until it is killed
//   write_sample_traces --ranges N FILE    N ranges in blocks; prints the user time it took
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ringscribe/backends/chrome/chrome_sink.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/sample_events.h"
#include "ringscribe/backends/model/sample_sessions.h"
#include "ringscribe/backends/output/output_file.h"

namespace ringscribe {
namespace {

using chrome::ChromeSink;
using chrome::SinkOptions;
using model::Event;
using model::EventKind;
using model::expect;
using model::failures;
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

std::unique_ptr<ChromeSink> open(const std::string& path, const SinkOptions& options = {}) {
  auto file = output::OutputFile::create(path, output::Finish::kInPlace);
  return std::make_unique<ChromeSink>(std::move(file).value(), options);
}

void write_tracks(ChromeSink& sink) {
  expect(sink.track({0, kNoTrack, TrackKind::kProcess, "engine", "", 4000, 0, 0}));
  expect(sink.track({1, 0, TrackKind::kThread, "worker", "", 4000, 4001, 1}));
  expect(sink.track({2, 0, TrackKind::kThread, "second", "", 4000, 4001, 2}));    // reused id
  expect(sink.track({3, 0, TrackKind::kThread, "worker", "io", 4000, 4001, 1}));  // other domain
  expect(sink.track({4, kNoTrack, TrackKind::kStream, "orders", "io", 0, 0, 0}));
  expect(sink.track({5, kNoTrack, TrackKind::kScope, "Node[0]", "", 0, 0, 0}));
  expect(sink.track({6, 5, TrackKind::kScope, "GPU[1]", "", 0, 0, 0}));
  expect(sink.track({7, kNoTrack, TrackKind::kProcess, "", "io", 4000, 0, 0}));  // again
  expect(sink.track({8, kNoTrack, TrackKind::kProcess, "other", "", 4000, 0, 0}));
  expect(sink.track({9, 8, TrackKind::kThread, "far", "", 4000, 4001, 1}));
  expect(sink.counter_track({0, 4, "depth", "orders", "how deep", "io", false}));
  expect(sink.counter_track({1, kNoTrack, "load", "", "", "", true}));
  expect(sink.counter_track({2, kNoTrack, "load", "", "", "", true}));
}

// Names that have broken such files.
const std::string_view kNames[] = {
    "",
    "operator\"\"_kg",
    "C:\\tmp\\x",
    std::string_view("a\0b\x01\x1f\x7f\r\n\t", 9),
    "\xff\xfe",
    "\xE2\x80\xA8 and \xE2\x80\xA9",
    "\xF0\x9F\x98\x80 h\xC3\xA9llo",
    "</script>",
    ",\"args\":{\"x\":1}}",
};

void write_odd(const std::string& path) {
  auto sink = open(path);
  expect(sink->session("odd \"\xE2\x80\xA8 session"));
  write_tracks(*sink);
  expect(sink->clock_point(2000, 6000));
  expect(sink->clock_point(3000, 7000));
  expect(sink->clock_point(INT64_MAX, INT64_MIN));
  const std::string much(65537, '"');
  int64_t time = 0;
  for (const EventKind kind :
       {EventKind::kMark, EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
    for (const std::string_view name : kNames) {
      const Field fields[] = {{name, text(name)}, {name, number(time)}};
      Event event = range(4, time, kind == EventKind::kMark ? time : time + 1, name, kind);
      event.fields = fields;
      event.category = name;
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
      {"exact", number(int64_t{1} << 53)},
      {"beyond", number((int64_t{1} << 53) + 1)},
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
      {"color", number(7)},
  };
  Event event = range(4, 5000, 6000, "values");
  event.fields = fields;
  event.color_argb = 0x8000FF7F;
  event.domain = "io";
  expect(sink->event(event));
  event = range(4, 6000, 7000, "flags", EventKind::kRangeStartEnd);
  event.end_is_missing = true;
  event.begin_is_missing = true;
  event.end_before_begin = true;
  event.written_end = INT64_MIN;
  event.range_id = UINT64_MAX;
  event.category_id = 9;
  event.synchronised = false;
  event.time_domain = UINT64_MAX;
  expect(sink->event(event));
  for (const double value :
       {0.25, -0.0, 5e-324, 1e308, std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    expect(sink->counter_sample({1, time, true, 0, true, 0, true, 0, value}));
    time += 10;
  }
  expect(sink->counter_sample({0, time, true, 0, true, 0, false, INT64_MAX, 0}));
  expect(sink->counter_sample({0, time, false, 5, true, 0, false, -5, 0}));
  expect(sink->counter_sample({0, time, true, 0, false, 2, false, 0, 0}));
  expect(sink->counter_sample({2, time, true, 0, true, 0, true, 0, 1}));
  for (uint32_t track : {0U, 1U, 2U, 3U, 5U, 6U, 7U, 9U}) {
    const int64_t shift = track == 7 ? 1000 : 0;
    expect(sink->event(range(track, shift + 20, shift + 30, "child")));
    expect(sink->event(range(track, shift + 10, shift + 40, "parent")));
  }
  // A track that comes late.
  expect(sink->track({10, 0, TrackKind::kThread, "late", "", 4000, 4002, 3}));
  expect(sink->event(mark(10, 1, "on the late one")));
  expect(sink->problem("a payload could not be \"decoded\"", 3));
  expect(sink->finish());
}

// Every time is said in args, too.
void write_times(const std::string& path) {
  constexpr int64_t kTimes[] = {0,
                                1,
                                999,
                                1000,
                                1001,
                                -1,
                                -999,
                                -1000,
                                -1001,
                                INT64_MAX,
                                INT64_MAX - 1,
                                INT64_MIN,
                                INT64_MIN + 1,
                                int64_t{1672924880617000123}};
  auto sink = open(path);
  model::write_times(*sink, kTimes);
  expect(sink->finish());
}

// In lots of 100 ranges.
void write_lots(const std::string& path, size_t spans_max) {
  SinkOptions options;
  options.lot_events_max = 100;
  options.spans_max = spans_max;
  auto sink = open(path, options);
  model::write_random_ranges(*sink);
  expect(sink->finish());
}

void write_empty(const std::string& path) {
  auto sink = open(path);
  expect(sink->session(""));
  expect(sink->finish());
}

int write_endless(const std::string& path) {
  SinkOptions options;
  options.flush_interval_ns = 1'000'000;
  auto sink = open(path, options);
  model::begin_one_track(*sink, "ranges");
  model::RangeBlocks blocks;
  Status status;
  while (status.ok()) status = blocks.write(*sink);
  return 1;
}

int write_ranges(size_t count, const std::string& path) {
  auto sink = open(path);
  model::write_timed_ranges(*sink, count);
  return failures;
}

}  // namespace
}  // namespace ringscribe

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 3 && first == "--endless") return ringscribe::write_endless(argv[2]);
  if (argc == 4 && first == "--ranges") {
    return ringscribe::write_ranges(std::strtoul(argv[2], nullptr, 10), argv[3]);
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample_traces FOLDER|--endless FILE|--ranges N FILE\n");
    return 2;
  }
  const std::string folder = argv[1];
  ringscribe::write_odd(folder + "/odd.json");
  ringscribe::write_times(folder + "/times.json");
  ringscribe::write_lots(folder + "/lots.json", 1 << 20);
  ringscribe::write_lots(folder + "/forgotten.json", 10);
  ringscribe::write_empty(folder + "/empty.json");
  return ringscribe::model::failures == 0 ? 0 : 1;
}
