// SPDX-License-Identifier: Apache-2.0
//
// Writes traces through the CTF sink, for babeltrace_test.py to read: FOLDER/NAME.ctf for each NAME
// below. What each holds is said in the test.
//
//   write_sample_traces FOLDER
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/ctf/sample_events.h"
#include "ringscribe/backends/model/sample_sessions.h"

namespace ringscribe::ctf {
namespace {

void write_tracks(CtfSink& sink) {
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
  expect(sink->session("odd \"\xE2\x80\xA8 \\ session\n\x01"));
  write_tracks(*sink);
  expect(sink->clock_point(2000, 6000));
  expect(sink->clock_point(3000, 7000));
  expect(sink->clock_point(INT64_MAX, INT64_MIN));
  expect(sink->stream({0, "live", "io"}));
  expect(sink->category("io", 7, "hot"));
  const std::string much(65537, '"');
  std::vector<std::string_view> names(std::begin(kNames), std::end(kNames));
  names.push_back(much);
  int64_t time = 0;
  for (const EventKind kind :
       {EventKind::kMark, EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
    for (const std::string_view name : names) {
      const Field fields[] = {{name, text(name)}, {name, number(time)}};
      Event event = range(4, time, kind == EventKind::kMark ? time : time + 1, name, kind);
      event.fields = fields;
      event.category = name;
      expect(sink->event(event));
      time += 10;
    }
  }
  for (const std::string_view name : names) {
    Event event = mark(4, time++, "in a domain");
    event.domain = name;
    expect(sink->event(event));
  }
  // A track that comes late.
  expect(sink->track({10, 0, TrackKind::kThread, "late", "", 4000, 4002, 3}));
  for (uint32_t track = 0; track <= 10; ++track) {
    expect(sink->event(range(track, 5020, 5030, "child")));
    expect(sink->event(range(track, 5010, 5040, "parent")));
  }
  expect(sink->problem("a payload could not be \"decoded\"", 3));
  expect(sink->finish());
}

Value enumerator(std::string_view name, uint64_t value) {
  Value result = text(name);
  result.uint_value = value;
  return result;
}

void write_values(const std::string& path) {
  auto sink = open(path);
  expect(sink->session("values"));
  write_tracks(*sink);
  const Field inner[] = {{"x", number(1)}, {"x", floating(0.5)}, {"", Value{}}};
  const Field items[] = {{"", number(1)}, {"", number(INT64_MIN)}, {"", number(INT64_MAX)}};
  const Field mixed[] = {{"", number(1)}, {"", nested(ValueKind::kStruct, inner)}};
  const Field structs[] = {{"", nested(ValueKind::kStruct, inner)},
                           {"", nested(ValueKind::kStruct, inner)}};
  const Field arrays[] = {{"", nested(ValueKind::kArray, items)},
                          {"", nested(ValueKind::kArray, items)}};
  Value deep = nested(ValueKind::kArray, {});
  std::vector<Field> levels(100);
  for (Field& level : levels) {
    level = {"deep", deep};
    deep = nested(ValueKind::kStruct, {&level, 1});
  }
  const Field fields[] = {
      {"min", number(INT64_MIN)},
      {"max", number(INT64_MAX)},
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
      {"int", nested(ValueKind::kArray, items)},
      {"mixed", nested(ValueKind::kArray, mixed)},
      {"structs", nested(ValueKind::kArray, structs)},
      {"arrays", nested(ValueKind::kArray, arrays)},
      {"empty", nested(ValueKind::kArray, {})},
      {"nothing", nested(ValueKind::kStruct, {})},
      {"none", Value{}},
      {"deep", deep},
      {"message", number(8)},
      {"color", number(7)},
      {"pair", number(9)},
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
  const auto state = [&](std::string_view name, uint64_t value) {
    const Field one[] = {{"state", enumerator(name, value)}};
    Event happened = mark(4, 8000, "state");
    happened.fields = one;
    expect(sink->event(happened));
  };
  state("RUN \"it\"", 1);
  state("STOP", UINT64_MAX);
  state("RUN \"it\"", 1);
  state("A second name", 1);
  state("STOP", UINT64_MAX);
  expect(sink->finish());
}

void write_counters(const std::string& path) {
  auto sink = open(path);
  expect(sink->session("counters"));
  write_tracks(*sink);
  int64_t time = 100;
  for (const double value :
       {0.25, -0.0, 5e-324, 1e308, std::nan(""), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    expect(sink->counter_sample({1, time, true, 0, true, 0, true, 0, value}));
    time += 10;
  }
  for (const int64_t value : {INT64_MAX, INT64_MIN, int64_t{0}}) {
    expect(sink->counter_sample({0, time, true, 0, true, 0, false, value, 0}));
  }
  expect(sink->counter_sample({0, time, false, 5, true, 0, false, -5, 0}));
  expect(sink->counter_sample({0, time, true, 0, false, 2, false, 0, 0}));
  expect(sink->finish());
}

// Two streams that lost events, one of them before it wrote any.
void write_losses(const std::string& path) {
  SinkOptions options;
  options.lot_events_max = 100;
  auto sink = open(path, options);
  expect(sink->session("losses"));
  expect(sink->stream({0, "busy", ""}));
  expect(sink->stream({1, "silent", ""}));
  expect(sink->track({0, kNoTrack, TrackKind::kStream, "busy", "", 0, 0, 0}));
  for (int64_t time = 1; time <= 1000; ++time) {
    expect(sink->event(mark(0, time, "one")));
    if (time % 250 == 0) expect(sink->loss({time, true, "busy", "ring full", 7}));
  }
  expect(sink->loss({500, true, "silent", "ring full", 5}));
  expect(sink->loss({1000, true, "busy", "ring full", 100}));
  expect(sink->finish());
}

// Every time is said in fields, too.
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
                                -(int64_t{1} << 60),
                                int64_t{1} << 62,
                                (int64_t{1} << 62) + 1,
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

}  // namespace
}  // namespace ringscribe::ctf

int main(int argc, char** argv) {
  namespace ctf = ringscribe::ctf;
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample_traces FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  ctf::write_odd(folder + "/odd.ctf");
  ctf::write_values(folder + "/values.ctf");
  ctf::write_counters(folder + "/counters.ctf");
  ctf::write_losses(folder + "/losses.ctf");
  ctf::write_times(folder + "/times.ctf");
  ctf::write_lots(folder + "/lots.ctf", 1 << 20);
  ctf::write_lots(folder + "/forgotten.ctf", 10);
  ctf::write_empty(folder + "/empty.ctf");
  return ctf::failures == 0 ? 0 : 1;
}
