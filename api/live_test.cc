// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/live.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <csignal>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/session.h"
#include "ringscribe/tests/support/recording_backend.h"

namespace ringscribe {
namespace {

using testing::RecordedEvent;
using testing::RecordingBackend;

struct Fixture {
  explicit Fixture(runtime::Settings settings = {},
                   runtime::Runtime::Drive drive = runtime::Runtime::Drive::kByHand)
      : runtime(settings, drive),
        session(*Session::begin("test", {.interface = backend.interface()})) {}
  RecordingBackend backend;
  runtime::Runtime runtime;
  Session session;
};

TEST_CASE("a range of the macro has its constants, and covers what lies inside it") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  {
    RINGSCRIBE_RANGE(stream, "outer", {.color = color::green, .category = "hot"});
    RINGSCRIBE_MARK(stream, "inside");
  }
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("live");
  REQUIRE(events.size() == 2);
  const RecordedEvent& mark = events[0];
  const RecordedEvent& range = events[1];
  CHECK(mark.message() == "inside");
  CHECK(range.message() == "outer");
  CHECK(range.number("color") == 0x008000);
  CHECK(range.number("category") == f.session.get_domain().get_category("hot").id);
  CHECK(range.number("begin") < mark.number("time"));
  CHECK(mark.number("time") < range.number("end"));
}

TEST_CASE("each thread's events carry a scope of its own, with number, system id and name") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  for (const char* name : {"alpha", "beta"})
    std::thread([&] {
      prepare_thread(name);
      RINGSCRIBE_MARK(stream, "here");
    }).join();
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("live");
  REQUIRE(events.size() == 2);
  CHECK(events[0].scope != events[1].scope);
  const std::string process = "Process[" + std::to_string(getpid()) + ":";
  const std::string first = f.backend.scope_path(events[0].scope);
  CHECK(first.find(process) == 0);
  CHECK(first.find("/Thread[1:") != std::string::npos);
  CHECK(first.find(":alpha]") != std::string::npos);
  CHECK(f.backend.scope_path(events[1].scope).find(":beta]") != std::string::npos);
}

TEST_CASE("a message made at run time may die before the range ends") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  {
    const ScopedRange range(stream, {.message = std::string("made ") + std::to_string(42)});
    RINGSCRIBE_MARK(stream, "between");
  }
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("live");
  REQUIRE(events.size() == 2);
  CHECK(events[1].message() == "made 42");
  CHECK(events[1].schema == "range");
}

TEST_CASE("a range that is open at flush time has its scope on both halves") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  {
    const ScopedRange range(stream, {.message = "long"});
    REQUIRE(f.session.flush().ok());
  }
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("live");
  REQUIRE(events.size() == 2);
  CHECK(events[0].schema == "push");
  CHECK(events[1].schema == "pop");
  CHECK(events[0].scope == events[1].scope);
  CHECK_FALSE(f.backend.scope_path(events[0].scope).empty());
}

TEST_CASE("a range over the stream's end, or begun before its begin, is no record and no error") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  {
    RINGSCRIBE_RANGE(stream, "cut off");
    REQUIRE(stream.close().ok());
  }
  {
    RINGSCRIBE_RANGE(stream, "too late");
  }
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.events("live").empty());
}

TEST_CASE("counter samples convert to the counter's type") {
  Fixture f;
  Domain domain = f.session.get_domain();
  Stream stream = f.session.live_stream("live");
  const Counter integer = domain.get_counter<int64_t>("integer");
  const Counter floating = domain.get_counter<double>("floating");
  RINGSCRIBE_SAMPLE(stream, integer, size_t{7});
  RINGSCRIBE_SAMPLE(stream, integer, -2.9);
  RINGSCRIBE_SAMPLE(stream, floating, 3);
  REQUIRE(f.session.flush().ok());
  const auto& samples = f.backend.samples("live");
  REQUIRE(samples.size() == 3);
  std::vector<int64_t> integers;
  for (const auto& sample : samples) {
    if (sample.counter == "integer") integers.push_back(sample.bits);
    if (sample.counter == "floating") CHECK(std::bit_cast<double>(sample.bits) == 3.0);
  }
  CHECK(integers == std::vector<int64_t>{7, -2});
}

TEST_CASE("a signal handler that records while its thread records loses its own event only") {
  Fixture f;
  static Stream stream;
  static Counter counter;
  stream = f.session.live_stream("live");
  counter = f.session.get_domain().get_counter<int64_t>("c");
  runtime::SpscRing* ring = runtime::adopt_ring();
  REQUIRE(ring != nullptr);
  runtime::SpscRing::Claim claim;
  REQUIRE(ring->claim(16, claim));  // in the middle of a record …
  auto* before = std::signal(SIGUSR1, [](int) { stream.sample(counter, 1); });
  std::raise(SIGUSR1);
  std::signal(SIGUSR1, before);
  runtime::store_word(claim.data, runtime::make_header(runtime::RecordKind::kFiller, 0, 0, 16));
  ring->commit(claim, 16);
  CHECK(stream.sample(counter, 2));
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.samples("live").size() == 1);
  CHECK(stream.stats().lost(LossCause::kNested) == 1);
  stream = Stream();
}

TEST_CASE("with policy drop and a full ring, recorded and lost add up to what was written") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  Fixture f(settings);
  Stream stream = f.session.live_stream("live");
  for (int i = 0; i < 5000; ++i) RINGSCRIBE_MARK(stream, "many");
  REQUIRE(f.session.flush().ok());
  const Counts counts = stream.stats();
  CHECK(counts.recorded == f.backend.events("live").size());
  CHECK(counts.lost(LossCause::kRingFull) > 0);
  CHECK(counts.recorded + counts.lost() == 5000);
  bool has_gap = false;
  for (const RecordedEvent& event : f.backend.events("ringscribe"))
    has_gap =
        has_gap || event.message() == "gap: events of stream \"live\" were lost here (ring full)";
  CHECK(has_gap);
  REQUIRE(f.backend.samples("ringscribe").size() == 1);
  CHECK(f.backend.samples("ringscribe")[0].bits == static_cast<int64_t>(counts.lost()));
}

TEST_CASE("with policy block and a flusher, nothing is lost however small the ring") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  Fixture f(settings, runtime::Runtime::Drive::kThread);
  Stream stream = f.session.live_stream("live");
  for (int i = 0; i < 5000; ++i) RINGSCRIBE_MARK(stream, "many");
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().lost() == 0);
  CHECK(f.backend.events("live").size() == 5000);
}

TEST_CASE("a stream may block where the process drops, and drop where it blocks") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.block_timeout_ns = 0;
  {
    settings.overflow = runtime::Overflow::kDrop;
    Fixture f(settings, runtime::Runtime::Drive::kThread);
    Stream stream = f.session.live_stream("live");
    stream.set_overflow(StreamOverflow::kBlock);
    for (int i = 0; i < 5000; ++i) RINGSCRIBE_MARK(stream, "many");
    REQUIRE(f.session.flush().ok());
    CHECK(stream.stats().lost() == 0);
  }
  settings.overflow = runtime::Overflow::kBlock;
  Fixture f(settings, runtime::Runtime::Drive::kThread);
  Stream stream = f.session.live_stream("live");
  stream.set_overflow(StreamOverflow::kDrop);
  f.backend.stall();  // who waited would wait for ever
  for (int i = 0; i < 5000; ++i) RINGSCRIBE_MARK(stream, "many");
  f.backend.go_on();
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().lost(LossCause::kRingFull) > 0);
  CHECK(stream.stats().recorded + stream.stats().lost() == 5000);
}

TEST_CASE("block gives up after its timeout while the backend is stuck, and counts") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 1'000'000;
  Fixture f(settings, runtime::Runtime::Drive::kThread);
  Stream stream = f.session.live_stream("live");
  f.backend.stall();
  for (int i = 0; i < 2200; ++i) RINGSCRIBE_MARK(stream, "many");
  f.backend.go_on();
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().lost(LossCause::kRingFull) > 0);
  CHECK(stream.stats().recorded + stream.stats().lost() == 2200);
}

TEST_CASE("a batch whose wait was in vain tries no later part, though there is room by then") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 1'000'000;
  Fixture f(settings, runtime::Runtime::Drive::kThread);
  Stream stream = f.session.create_stream("explicit");
  Counter counter = f.session.get_domain("").get_counter<int64_t>("c");
  REQUIRE(counter.ok());
  f.backend.stall();
  // The backend goes on as soon as the first loss is seen, long before 200 parts have waited.
  std::thread watcher([&] {
    while (stream.stats().lost() == 0) std::this_thread::yield();
    f.backend.go_on();
  });
  std::vector<int64_t> values(100'000);
  std::iota(values.begin(), values.end(), 0);
  const uint64_t written = stream.write_counter_batch(counter, values, values);
  watcher.join();
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().recorded == written);
  CHECK(stream.stats().lost(LossCause::kRingFull) == values.size() - written);
  const auto& samples = f.backend.samples("explicit");
  REQUIRE(samples.size() == written);
  CHECK(samples.back().time == static_cast<int64_t>(written) - 1);  // nothing behind the gap
}

TEST_CASE("block does not wait where no flusher runs") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  Fixture f(settings);
  Stream stream = f.session.live_stream("live");
  for (int i = 0; i < 5000; ++i) RINGSCRIBE_MARK(stream, "many");
  CHECK(stream.stats().lost(LossCause::kRingFull) > 0);
}

TEST_CASE("a thousand threads that end at once lose nothing, and their rings are reused") {
  Fixture f;
  Stream stream = f.session.live_stream("live");
  for (int i = 0; i < 1000; ++i) std::thread([&] { RINGSCRIBE_MARK(stream, "once"); }).join();
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.events("live").size() == 1000);
  CHECK(stream.stats().lost() == 0);
  CHECK(f.runtime.threads().ring_memory_bytes() <= 4 * f.runtime.settings().ring_bytes);
  std::vector<uint64_t> scopes;
  for (const RecordedEvent& event : f.backend.events("live")) scopes.push_back(event.scope);
  std::sort(scopes.begin(), scopes.end());
  CHECK(std::unique(scopes.begin(), scopes.end()) == scopes.end());
}

TEST_CASE("without memory for a ring a thread counts; others go on") {
  runtime::Settings settings;
  settings.ring_bytes = uint64_t{1} << 20;
  settings.memory_limit_bytes = uint64_t{1} << 20;
  Fixture f(settings);
  Stream stream = f.session.live_stream("live");
  RINGSCRIBE_MARK(stream, "has the only ring");
  std::thread([&] { RINGSCRIBE_MARK(stream, "has none"); }).join();
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.events("live").size() == 1);
  CHECK(stream.stats().lost(LossCause::kMemoryLimit) == 1);
}

TEST_CASE(
    "threads record while others flush, open, close and define: nothing overlaps or is lost") {
#ifdef RINGSCRIBE_SANITIZED
  constexpr int kEvents = 5'000;
#else
  constexpr int kEvents = 50'000;
#endif
  constexpr int kThreads = 4;
  runtime::Settings settings;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  settings.flush_interval_ns = 100'000;
  Fixture f(settings, runtime::Runtime::Drive::kThread);
  Stream stream = f.session.live_stream("live");
  Domain domain = f.session.get_domain();
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      Domain mine = domain;
      for (int i = 0; i < kEvents; ++i) {
        RINGSCRIBE_RANGE(stream, "work", {.category = "stress"});
        if (i % 1000 == 0)
          stream.sample(mine.get_counter<int64_t>("c" + std::to_string(t * 100 + i / 1000)), i);
        if (i % 1500 == 0) stream.mark({.message = "text", .category = "named"});
      }
    });
  for (int i = 0; i < 50; ++i) {
    Stream other = f.session.create_stream("other");
    other.write_mark(i, {.message = domain.get_registered_string("r" + std::to_string(i))});
    CHECK(other.close().ok());
    CHECK(f.session.flush().ok());
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(f.session.end().ok());
  CHECK(f.backend.violations().empty());
  CHECK(f.session.stats().lost() == 0);
  size_t ranges = 0;
  for (const RecordedEvent& event : f.backend.events("live"))
    ranges += event.schema == "range" ? 1 : 0;
  CHECK(ranges == size_t{kThreads} * kEvents);
  CHECK(f.backend.events("other").size() == 50);
}

}  // namespace
}  // namespace ringscribe
