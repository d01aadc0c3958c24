// SPDX-License-Identifier: Apache-2.0
//
// Writes traces through the Perfetto sink, for trace_decode_test.py to read: FOLDER/NAME.pftrace
// for each NAME below. What each holds is said in the test.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/sample_events.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/perfetto_sink.h"

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
using perfetto::PerfettoSink;
using perfetto::SinkOptions;

PerfettoSink open(const std::string& folder, const char* name, const SinkOptions& options) {
  auto file = output::OutputFile::create(folder + "/" + name + ".pftrace", output::Finish::kRename);
  return PerfettoSink(std::move(file).value(), options);
}

void write_tracks(PerfettoSink& sink) {
  expect(sink.track({0, kNoTrack, TrackKind::kProcess, "engine", "", 4000, 0, 0}));
  expect(sink.track({1, 0, TrackKind::kThread, "worker", "", 4000, 4001, 1}));
  expect(sink.track({2, 0, TrackKind::kThread, "second", "", 4000, 4001, 2}));    // reused id
  expect(sink.track({3, 0, TrackKind::kThread, "worker", "io", 4000, 4001, 1}));  // other domain
  expect(sink.track({4, kNoTrack, TrackKind::kStream, "orders", "io", 0, 0, 0}));
  expect(sink.track({5, 4, TrackKind::kScope, "child", "", 0, 0, 0}));
  expect(sink.track({6, kNoTrack, TrackKind::kProcess, "engine", "io", 4000, 0, 0}));  // again
  expect(sink.track({7, 6, TrackKind::kThread, "third", "", 4000, 4007, 3}));
  expect(sink.track({8, kNoTrack, TrackKind::kProcess, "other", "", 4000, 0, 0}));  // other machine
  expect(sink.track({9, 8, TrackKind::kThread, "far", "", 4000, 4001, 1}));
  expect(sink.counter_track({0, 4, "depth", "orders", "how deep", "io", false}));
  expect(sink.counter_track({1, kNoTrack, "load", "", "", "", true}));
}

void write_values(PerfettoSink& sink) {
  const Field inner[] = {{"x", number(1)}, {"y", floating(0.5)}};
  const Field items[] = {{"", number(1)}, {"", nested(ValueKind::kStruct, inner)}};
  const Field fields[] = {
      {"int", number(INT64_MIN)},
      {"uint", unsigned_number(ValueKind::kUint, UINT64_MAX)},
      {"address", unsigned_number(ValueKind::kAddress, 0xDEADBEEF)},
      {"double", floating(-1.25)},
      {"text", text("h\u00e9llo")},
      {"struct", nested(ValueKind::kStruct, inner)},
      {"array", nested(ValueKind::kArray, items)},
      {"empty", nested(ValueKind::kArray, {})},
      {"", number(7)},
      {"none", Value{}},
  };
  Event event = range(4, 200, 500, "values");
  event.fields = fields;
  event.color_argb = 0xFF00FF7F;
  event.category = "hot";
  event.domain = "io";
  const uint64_t flows[] = {UINT64_MAX, 5};
  event.flows = flows;
  expect(sink.event(event));
  event.flows = {};
  event = mark(4, 300, "");
  event.color_argb = 0x8000FF7F;
  event.category_id = 9;
  event.domain = "io";
  expect(sink.event(event));
  event = range(4, 600, 700, "flags", EventKind::kRangeStartEnd);
  event.end_is_missing = true;
  event.begin_is_missing = true;
  event.end_before_begin = true;
  event.written_end = -3;
  event.range_id = 77;
  expect(sink.event(event));
  expect(sink.event(mark(4, 800, std::string(5000, 'n'))));
}

void write_sample(const std::string& folder) {
  SinkOptions options;
  options.read_clocks = [] { return perfetto::ClockPacket{1000, 5000, 3000}; };
  PerfettoSink sink = open(folder, "sample", options);
  expect(sink.session("matching engine"));
  write_tracks(sink);
  expect(sink.clock_point(2000, 6000));
  expect(sink.clock_point(2500, 6500));  // nothing new
  expect(sink.clock_point(3000, 7001));  // the offset changed
  expect(sink.clock_point(2900, 9000));  // too late for a reader
  expect(sink.clock_point(-1, 0));       // for no reader
  write_values(sink);
  for (uint32_t thread : {1U, 2U, 3U, 7U, 9U}) {
    expect(sink.event(range(thread, 20, 30, "child")));
    expect(sink.event(range(thread, 10, 40, "parent")));
  }
  expect(sink.event(range(0, 1, 2, "on the process")));
  expect(sink.event(range(6, 3, 4, "on the process")));
  expect(sink.event(range(5, 0, 50, "a", EventKind::kRangeStartEnd)));
  expect(sink.event(range(5, 25, 75, "b", EventKind::kRangeStartEnd)));
  expect(sink.event(range(5, 60, 90, "c", EventKind::kRangeStartEnd)));
  expect(sink.event(range(1, 35, 45, "cuts")));
  expect(sink.event(range(5, 100, 110, "first")));
  expect(sink.event(range(5, 105, 115, "cuts")));
  expect(sink.counter_sample({0, 100, true, 0, true, 0, false, -5, 0}));
  expect(sink.counter_sample({0, 90, true, 0, true, 0, false, INT64_MAX, 0}));
  expect(sink.counter_sample({0, 110, true, 0, false, 2, false, 0, 0}));
  for (double value : {1.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    expect(sink.counter_sample({1, 100, true, 0, true, 0, true, 0, value}));
  }
  expect(sink.problem("a payload could not be decoded", 3));
  expect(sink.finish());
}

void write_shifted(const std::string& folder) {
  SinkOptions options;
  options.lot_events_max = 4;
  PerfettoSink sink = open(folder, "shifted", options);
  expect(sink.session(""));
  expect(sink.track({0, kNoTrack, TrackKind::kStream, "ticks", "", 0, 0, 0}));
  expect(sink.counter_track({0, kNoTrack, "count", "", "", "", false}));
  const auto in_domain = [](Event event, uint64_t time_domain) {
    event.synchronised = false;
    event.time_domain = time_domain;
    return event;
  };
  expect(sink.event(in_domain(range(0, -100, -50, "negative"), 5)));
  expect(sink.event(in_domain(range(0, INT64_MIN, INT64_MAX, "all of time"), 6)));
  expect(sink.event(in_domain(mark(0, 10, "positive"), 7)));
  expect(sink.counter_sample({0, -20, false, 5, true, 0, false, 1, 0}));
  // The next lot: its shifts are fixed.
  expect(sink.event(in_domain(range(0, -300, -90, "too early"), 5)));
  expect(sink.event(in_domain(mark(0, -7, "too early in 7"), 7)));
  expect(sink.counter_sample({0, -1000, false, 5, true, 0, false, 2, 0}));
  expect(sink.finish());
}

// A thread that nests at random, in lots of 100 events, with so few interned texts at once that the
// state is cleared many times. Each event's arguments say what it should be.
void write_lots(const std::string& folder, const char* name, int compression_level) {
  SinkOptions options;
  options.lot_events_max = 100;
  options.interned_entries_max = 50;
  options.compression_level = compression_level;
  options.first_uuid = 100;
  PerfettoSink sink = open(folder, name, options);
  expect(sink.session("lots"));
  expect(sink.track({0, kNoTrack, TrackKind::kProcess, "p", "", 7, 0, 0}));
  expect(sink.track({1, 0, TrackKind::kThread, "t", "", 7, 8, 1}));
  std::mt19937 random(1);
  std::vector<std::pair<int64_t, std::string>> open_ranges;
  int64_t now = 0;
  int64_t next = 0;
  const auto write = [&](Event event) {
    const Field fields[] = {{"begin", number(event.begin)},
                            {"end", number(event.end)},
                            {"depth", number(static_cast<int64_t>(open_ranges.size()))}};
    event.fields = fields;
    expect(sink.event(event));
  };
  const auto close = [&] {
    const auto [begin, message] = open_ranges.back();
    open_ranges.pop_back();
    write(range(1, begin, now, message));
  };
  for (int step = 0; step < 20000; ++step) {
    ++now;
    const uint32_t choice = static_cast<uint32_t>(random() % 5);
    if (choice < 2 && open_ranges.size() < 20) {
      open_ranges.emplace_back(now, "range " + std::to_string(next++ % 300));
    } else if (choice < 4 && open_ranges.size() > 1) {
      close();
    } else {
      write(mark(1, now, "mark"));
    }
  }
  for (++now; !open_ranges.empty(); ++now) close();
  expect(sink.finish());
}

void write_empty(const std::string& folder) {
  PerfettoSink sink = open(folder, "empty", {});
  expect(sink.session("nothing"));
  expect(sink.finish());
}

}  // namespace
}  // namespace ringscribe

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample_traces FOLDER\n");
    return 2;
  }
  const std::string folder = argv[1];
  ringscribe::write_sample(folder);
  ringscribe::write_shifted(folder);
  ringscribe::write_lots(folder, "lots", 0);
  ringscribe::write_lots(folder, "compressed", 6);
  ringscribe::write_empty(folder);
  return ringscribe::model::failures == 0 ? 0 : 1;
}
