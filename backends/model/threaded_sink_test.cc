// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/threaded_sink.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/sample_events.h"

namespace ringscribe::model {
namespace {

using Log = RecordingSink::Log;

// Texts that are overwritten after each call, as a caller's may be.
class Texts {
 public:
  std::string_view operator()(const std::string& text) {
    kept_.push_back(std::make_unique<std::string>(text));
    return *kept_.back();
  }
  void spoil() {
    for (auto& text : kept_) text->assign(text->size(), '?');
    kept_.clear();
  }

 private:
  std::vector<std::unique_ptr<std::string>> kept_;
};

// One of each call that there is, with what depends on `i`.
void announce(EventSink& sink, Texts& texts) {
  REQUIRE(sink.session(texts("a session")).ok());
  REQUIRE(sink.stream({0, texts("stream"), texts("domain")}).ok());
  REQUIRE(sink.category(texts("domain"), 7, texts("category")).ok());
  REQUIRE(
      sink.track({0, kNoTrack, TrackKind::kStream, texts("track"), texts("domain"), 1, 2, 3}).ok());
  CounterTrack counter{0, 0, texts("depth"), texts("orders"), texts("how deep"), texts("d"), false};
  counter.has_maximum = true;
  counter.maximum = 5;
  REQUIRE(sink.counter_track(counter).ok());
  REQUIRE(sink.clock_point(10, 20).ok());
  texts.spoil();
}

void write_some(EventSink& sink, Texts& texts, int64_t i) {
  const std::string digits = std::to_string(i);
  Field inner[] = {{texts("x"), text(texts("deep " + digits))}, {texts("y"), floating(0.5)}};
  Field fields[] = {{texts("items"), number(i)},
                    {texts("name"), text(texts("n" + digits))},
                    {texts("both"), nested(ValueKind::kStruct, inner)}};
  const uint64_t flows[] = {5, static_cast<uint64_t>(i) + 100};
  Event event = range(0, i, i + 3, texts("message " + digits));
  event.category = texts("category");
  event.domain = texts("domain");
  event.fields = fields;
  event.flows = flows;
  REQUIRE(sink.event(event).ok());

  const EventLabel labels[] = {{static_cast<uint64_t>(i) / 10 + 1, 7, 0xFF, texts("one"), {}},
                               {1'000'000, 0, 0, texts("two"), texts("category")},
                               {0, 0, 0, texts("number " + digits), {}}};
  const EventRow rows[] = {{i, i + 1, 0, &labels[0]},
                           {i + 1, i, 9, &labels[1]},
                           {i, i, 0, &labels[2]},
                           {i, i, 0, &labels[0]}};
  const std::string_view name = texts("field");
  const Field of_rows[] = {{name, number(i)},
                           {name, text(texts(digits))},
                           {texts("field"), number(2)},
                           {name, number(3)}};
  Event shared = range(0, 0, 0, {}, EventKind::kRangeStartEnd);
  shared.domain = texts("domain");
  REQUIRE(sink.events({shared, rows, of_rows, 1, 4}).ok());
  REQUIRE(sink.events({shared, std::span(rows).first(2), {}, 0, 0}).ok());

  CounterSample sample;
  sample.time = i;
  sample.int_value = -i;
  REQUIRE(sink.counter_sample(sample).ok());
  if (i % 100 == 0) {
    REQUIRE(sink.loss({i, true, texts("stream"), texts("ring full"), 3}).ok());
    REQUIRE(sink.problem(texts("something"), 2).ok());
  }
  for (Field& field : fields) field = {};
  for (Field& field : inner) field = {};
  texts.spoil();
}

std::string shown(const RecordingSink::RecordedEvent& one) {
  const Event& e = one.event;
  std::string result = std::to_string(static_cast<int>(e.kind)) + " " + std::to_string(e.begin) +
                       " " + std::to_string(e.end) + " " + std::to_string(e.written_end) + " " +
                       std::to_string(e.range_id) + " " + std::to_string(e.category_id) + " " +
                       std::to_string(e.color_argb) + " " + one.message + "|" + one.category + "|" +
                       one.domain + "|" + one.fields;
  for (const uint64_t flow : one.flows) result += " flow " + std::to_string(flow);
  return result;
}

void check_equal(const Log& a, const Log& b) {
  CHECK(a.session == b.session);
  CHECK(a.streams == b.streams);
  CHECK(a.categories == b.categories);
  CHECK(a.losses == b.losses);
  CHECK(a.clock_points == b.clock_points);
  CHECK(a.labels == b.labels);
  CHECK(a.problems == b.problems);
  CHECK(a.finished == b.finished);
  REQUIRE(a.tracks.size() == b.tracks.size());
  REQUIRE(a.counter_tracks.size() == b.counter_tracks.size());
  for (size_t i = 0; i < a.tracks.size(); ++i) {
    CHECK(a.tracks[i].name == b.tracks[i].name);
    CHECK(a.tracks[i].domain == b.tracks[i].domain);
    CHECK(a.tracks[i].thread_number == b.tracks[i].thread_number);
  }
  for (size_t i = 0; i < a.counter_tracks.size(); ++i) {
    CHECK(a.counter_tracks[i].name == b.counter_tracks[i].name);
    CHECK(a.counter_tracks[i].unit == b.counter_tracks[i].unit);
    CHECK(a.counter_tracks[i].description == b.counter_tracks[i].description);
    CHECK(a.counter_tracks[i].track.maximum == b.counter_tracks[i].track.maximum);
  }
  REQUIRE(a.samples.size() == b.samples.size());
  for (size_t i = 0; i < a.samples.size(); ++i)
    REQUIRE(a.samples[i].int_value == b.samples[i].int_value);
  REQUIRE(a.events.size() == b.events.size());
  for (size_t i = 0; i < a.events.size(); ++i) REQUIRE(shown(a.events[i]) == shown(b.events[i]));
}

TEST_CASE("a sink sees the same calls in the same order, on whatever thread they are made") {
  constexpr int64_t kRounds = 4000;  // several times round all lots
  Log direct;
  Log aside;
  Texts texts;
  {
    RecordingSink sink(direct);
    announce(sink, texts);
    for (int64_t i = 0; i < kRounds; ++i) write_some(sink, texts, i);
    REQUIRE(sink.finish().ok());
  }
  ThreadedSink sink(std::make_unique<RecordingSink>(aside));
  announce(sink, texts);
  for (int64_t i = 0; i < kRounds; ++i) write_some(sink, texts, i);
  REQUIRE(sink.finish().ok());
  check_equal(direct, aside);
}

TEST_CASE("nothing at all, and a single call, are finished like anything else") {
  Log none;
  {
    const ThreadedSink sink(std::make_unique<RecordingSink>(none));
  }
  CHECK(none.finished == 1);
  Log one;
  {
    ThreadedSink sink(std::make_unique<RecordingSink>(one));
    CHECK(sink.event(mark(0, 5, "here")).ok());
    CHECK(sink.finish().ok());
    CHECK(sink.finish().ok());
    CHECK_FALSE(sink.event(mark(0, 6, "late")).ok());
  }
  CHECK(one.finished == 1);
  REQUIRE(one.events.size() == 1);
  CHECK(one.events[0].message == "here");
}

// Waits before its first event until it is let go; says how much it was given.
class Gate final : public EventSink {
 public:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_open = false;
    uint64_t events = 0;
    Status answer;
    bool throws = false;
  };
  explicit Gate(State& state) : state_(state) {}
  Status session(std::string_view) override { return {}; }
  Status track(const Track&) override { return {}; }
  Status counter_track(const CounterTrack&) override { return {}; }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const Event&) override {
    std::unique_lock lock(state_.mutex);
    state_.changed.wait(lock, [this] { return state_.is_open; });
    ++state_.events;
    if (state_.throws) throw std::runtime_error("as told");
    return state_.answer;
  }
  Status counter_sample(const CounterSample&) override { return {}; }
  Status problem(std::string_view, uint64_t) override { return {}; }
  Status finish() override { return {}; }
  uint64_t bytes_written() const override { return state_.events; }
  std::vector<std::string> paths() const override { return {std::to_string(state_.events)}; }

 private:
  State& state_;
};

TEST_CASE("a caller that is faster than the sink waits: memory is bounded") {
  Gate::State gate;
  ThreadedSink sink(std::make_unique<Gate>(gate));
  constexpr uint64_t kEvents = 200'000;  // more than all lots hold
  std::atomic<uint64_t> put = 0;
  std::thread caller([&] {
    for (uint64_t i = 0; i < kEvents; ++i) {
      static_cast<void>(sink.event(mark(0, 1, "a message of some bytes")));
      put.store(i + 1, std::memory_order_relaxed);  // looked at only to see whether it stands still
    }
  });
  // It stands still once all lots are full.
  for (uint64_t before = 0, now = 1; before != now || now == 0;) {
    before = put.load(std::memory_order_relaxed);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    now = put.load(std::memory_order_relaxed);
  }
  CHECK(put.load(std::memory_order_relaxed) < kEvents);
  {
    const std::lock_guard lock(gate.mutex);
    gate.is_open = true;
  }
  gate.changed.notify_all();
  caller.join();
  CHECK(sink.bytes_written() == kEvents);
  CHECK(sink.paths() == std::vector<std::string>{std::to_string(kEvents)});
  CHECK(sink.finish().ok());
  CHECK(gate.events == kEvents);
}

TEST_CASE("a failure is told once, late, and ends nothing") {
  Gate::State gate;
  gate.is_open = true;
  gate.answer = Status(ResultCode::kFailed, "disk full");
  SECTION("returned") {}
  SECTION("thrown") {
    gate.answer = {};
    gate.throws = true;
  }
  ThreadedSink sink(std::make_unique<Gate>(gate));
  constexpr uint64_t kEvents = 100'000;
  uint64_t failures = 0;
  for (uint64_t i = 0; i < kEvents; ++i)
    if (!sink.event(mark(0, 1, "a message of some bytes")).ok()) ++failures;
  const Status finished = sink.finish();
  CHECK(failures > 0);
  CHECK(failures < 1000);
  CHECK_FALSE(finished.ok());
  CHECK(finished.message().find(gate.throws ? "as told" : "disk full") != std::string::npos);
  CHECK(gate.events == kEvents);
}

}  // namespace
}  // namespace ringscribe::model
