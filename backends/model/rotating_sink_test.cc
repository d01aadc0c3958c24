// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/rotating_sink.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/model/recording_sink.h"

namespace ringscribe::model {
namespace {

// A sink that records, and whose file grows by 100 bytes an event.
class GrowingSink final : public EventSink {
 public:
  explicit GrowingSink(RecordingSink::Log& log) : log_(log), sink_(log) {}
  Status session(std::string_view name) override { return sink_.session(name); }
  Status stream(const Stream& stream) override { return sink_.stream(stream); }
  Status category(std::string_view domain, uint32_t id, std::string_view name) override {
    return sink_.category(domain, id, name);
  }
  Status track(const Track& track) override { return sink_.track(track); }
  Status counter_track(const CounterTrack& track) override { return sink_.counter_track(track); }
  Status clock_point(int64_t a, int64_t b) override { return sink_.clock_point(a, b); }
  Status event(const Event& event) override { return sink_.event(event); }
  Status events(const EventBlock& block) override { return sink_.events(block); }
  Status counter_sample(const CounterSample& sample) override {
    return sink_.counter_sample(sample);
  }
  Status loss(const Loss& loss) override { return sink_.loss(loss); }
  Status problem(std::string_view sentence, uint64_t count) override {
    return sink_.problem(sentence, count);
  }
  Status finish() override { return sink_.finish(); }
  uint64_t bytes_written() const override {
    return 100 * (log_.events.size() + log_.samples.size());
  }

 private:
  RecordingSink::Log& log_;
  RecordingSink sink_;
};

struct Parts {
  std::deque<RecordingSink::Log> logs;
  bool may_open = true;

  Result<std::unique_ptr<EventSink>> open(uint32_t part) {
    if (!may_open) return Status(ResultCode::kFailed, "no more parts");
    REQUIRE(part == logs.size() + 1);
    return std::unique_ptr<EventSink>(std::make_unique<GrowingSink>(logs.emplace_back()));
  }
  std::unique_ptr<RotatingSink> rotating(const RotatingSink::Bounds& bounds) {
    return std::make_unique<RotatingSink>(bounds, std::move(*open(1)),
                                          [this](uint32_t part) { return open(part); });
  }
};

Event mark(int64_t time, uint32_t track, uint32_t stream = 0) {
  Event event;
  event.begin = event.end = time;
  event.synchronised = true;
  event.track = track;
  event.stream = stream;
  return event;
}

void announce(RotatingSink& sink) {
  REQUIRE(sink.session("run").ok());
  REQUIRE(sink.stream({0, "a", "net"}).ok());
  REQUIRE(sink.stream({1, "b", "net"}).ok());
  REQUIRE(sink.track({0, kNoTrack, TrackKind::kProcess, "app", "net", 7, 0, 0}).ok());
  REQUIRE(sink.track({1, 0, TrackKind::kThread, "one", "net", 7, 8, 1}).ok());
  REQUIRE(sink.track({2, 0, TrackKind::kThread, "two", "net", 7, 9, 2}).ok());
  CounterTrack counter{};
  counter.parent = 2;
  counter.name = "load";
  REQUIRE(sink.counter_track(counter).ok());
  REQUIRE(sink.category("net", 3, "wire").ok());
  REQUIRE(sink.clock_point(1, 1001).ok());
}

TEST_CASE("a part has all that its events need, and nothing else") {
  Parts parts;
  auto sink = parts.rotating({.bytes = 200});
  announce(*sink);
  REQUIRE(sink->event(mark(1, 1)).ok());
  REQUIRE(sink->event(mark(2, 1)).ok());
  REQUIRE(sink->clock_point(2, 1002).ok());
  REQUIRE(sink->event(mark(3, 2, 1)).ok());  // the second part
  CounterSample sample;
  sample.stream = 1;
  REQUIRE(sink->counter_sample(sample).ok());
  REQUIRE(sink->event(mark(4, 1)).ok());  // the third
  REQUIRE(sink->problem("odd", 5).ok());
  REQUIRE(sink->finish().ok());
  REQUIRE(sink->finish().ok());

  REQUIRE(parts.logs.size() == 3);
  const auto& [first, second, third] = std::tie(parts.logs[0], parts.logs[1], parts.logs[2]);
  for (const RecordingSink::Log& log : parts.logs) {
    CHECK(log.session == "run");
    CHECK(log.finished == 1);
    CHECK(log.categories == std::vector<std::string>{"net/3=wire"});
  }
  CHECK(first.events.size() == 2);
  CHECK(first.streams == std::vector<std::string>{"net/a"});
  REQUIRE(first.tracks.size() == 2);
  CHECK(first.tracks[1].name == "one");
  CHECK(first.counter_tracks.empty());
  CHECK(first.clock_points.size() == 2);

  CHECK(second.streams == std::vector<std::string>{"net/b"});
  REQUIRE(second.tracks.size() == 2);
  CHECK(second.tracks[0].name == "app");
  CHECK(second.tracks[1].name == "two");
  CHECK(second.tracks[1].id == 1);
  CHECK(second.tracks[1].parent == 0);
  REQUIRE(second.events.size() == 1);
  CHECK(second.events[0].event.track == 1);
  CHECK(second.events[0].event.stream == 0);
  REQUIRE(second.counter_tracks.size() == 1);
  CHECK(second.counter_tracks[0].parent == 1);
  CHECK(second.samples.size() == 1);
  CHECK(second.clock_points == std::vector<std::pair<int64_t, int64_t>>{{2, 1002}});

  CHECK(third.events.size() == 1);
  CHECK(third.problems.at("odd") == 5);
}

TEST_CASE("time: a part ends before the event that is too late for it, also at the ends of int64") {
  Parts parts;
  auto sink = parts.rotating({.ns = 100});
  announce(*sink);
  Event unsynchronised = mark(INT64_MAX, 1);
  unsynchronised.synchronised = false;
  REQUIRE(sink->event(unsynchronised).ok());
  REQUIRE(sink->event(mark(INT64_MIN, 1)).ok());
  REQUIRE(sink->event(mark(INT64_MIN + 99, 1)).ok());
  CHECK(parts.logs.size() == 1);
  REQUIRE(sink->event(mark(INT64_MAX, 1)).ok());
  CHECK(parts.logs.size() == 2);
  REQUIRE(sink->event(mark(5, 1)).ok());  // late: where the others are
  CHECK(parts.logs.size() == 2);
  CHECK(parts.logs[1].events.size() == 2);
  REQUIRE(sink->finish().ok());
}

TEST_CASE("a block goes to one part whole, with its track there") {
  Parts parts;
  auto sink = parts.rotating({.bytes = 100});
  announce(*sink);
  EventLabel label;
  label.number = 1;
  label.message = "m";
  const std::vector<EventRow> rows = {{1, 1, 0, &label}, {2, 2, 0, &label}};
  const Event shared = mark(0, 2, 1);
  REQUIRE(sink->events({shared, rows, {}, 0, 0}).ok());
  REQUIRE(sink->events({shared, rows, {}, 0, 0}).ok());
  REQUIRE(sink->finish().ok());
  REQUIRE(parts.logs.size() == 2);
  for (const RecordingSink::Log& log : parts.logs) {
    REQUIRE(log.events.size() == 2);
    CHECK(log.events[1].message == "m");
    CHECK(log.events[1].event.track == 1);
    CHECK(log.tracks[1].name == "two");
  }
}

TEST_CASE("a block that is longer than a part is cut where the part ends") {
  Parts parts;
  auto sink = parts.rotating({.ns = 100});
  announce(*sink);
  EventLabel label;
  label.number = 1;
  label.message = "m";
  std::vector<EventRow> rows;
  std::vector<Field> fields;
  for (int64_t time = 0; time < 250; time += 10) {
    rows.push_back({time, time, 0, &label});
    Value value;
    value.kind = ValueKind::kInt;
    value.int_value = time;
    fields.push_back({"at", value});
  }
  rows[5].begin = -1000;  // a range is where it ends
  REQUIRE(sink->events({mark(0, 2, 1), rows, fields, 1, 1}).ok());
  REQUIRE(sink->finish().ok());
  REQUIRE(parts.logs.size() == 3);
  CHECK(parts.logs[0].events.size() == 10);
  REQUIRE(parts.logs[1].events.size() == 10);
  CHECK(parts.logs[1].events[0].fields == "at=100");
  CHECK(parts.logs[1].events[9].fields == "at=190");
  CHECK(parts.logs[1].tracks[1].name == "two");
  CHECK(parts.logs[2].events.size() == 5);
}

TEST_CASE("a block that is larger than a part is cut after some thousand rows") {
  Parts parts;
  auto sink = parts.rotating({.bytes = 100});
  announce(*sink);
  EventLabel label;
  label.number = 1;
  const std::vector<EventRow> rows(10'000, EventRow{1, 1, 0, &label});
  REQUIRE(sink->events({mark(0, 2, 1), rows, {}, 0, 0}).ok());
  REQUIRE(sink->finish().ok());
  REQUIRE(parts.logs.size() == 3);
  CHECK(parts.logs[0].events.size() == 4096);
  CHECK(parts.logs[2].events.size() == 10'000 - 2 * 4096);
}

TEST_CASE("a part that cannot be begun is told by each later call, and the last one is finished") {
  Parts parts;
  auto sink = parts.rotating({.bytes = 100});
  announce(*sink);
  REQUIRE(sink->event(mark(1, 1)).ok());
  parts.may_open = false;
  CHECK(sink->event(mark(2, 1)).message() == "no more parts");
  CHECK(sink->event(mark(3, 1)).message() == "no more parts");
  CHECK(sink->counter_sample({}).message() == "no more parts");
  CHECK(sink->problem("odd", 1).message() == "no more parts");
  CHECK(sink->finish().message() == "no more parts");
  CHECK(parts.logs.size() == 1);
  CHECK(parts.logs[0].events.size() == 1);
  CHECK(parts.logs[0].finished > 0);
}

}  // namespace
}  // namespace ringscribe::model
