// SPDX-License-Identifier: Apache-2.0
//
// Threads by the thousand, threads that sleep, threads that hand their ranges on, and threads that
// go on while sessions end.
#include <ringscribe/ringscribe.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/tests/producer/decoded_session.h"
#include "ringscribe/tests/support/plain_backend.h"

namespace ringscribe {
namespace {

using testing::DecodedSession;

[[maybe_unused]] uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4096;
}

TEST_CASE("the end has what sleeping threads wrote, without their help") {
  constexpr int kThreads = 4;
  DecodedSession s;
  const Stream live = s.session.live_stream("live");
  std::mutex mutex;
  std::condition_variable wake;
  int asleep = 0;
  bool is_over = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      (void)live.push({.message = "pushed"});
      (void)live.pop();
      RINGSCRIBE_MARK(live, "last");
      std::unique_lock lock(mutex);
      ++asleep;
      wake.notify_all();
      wake.wait(lock, [&] { return is_over; });
    });
  {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return asleep == kThreads; });
  }
  const auto& events = s.events();
  CHECK(events.size() == 2 * kThreads);
  for (const auto& event : events) {
    CHECK_FALSE(event.event.begin_is_missing);
    CHECK_FALSE(event.event.end_is_missing);
  }
  {
    const std::lock_guard lock(mutex);
    is_over = true;
  }
  wake.notify_all();
  for (std::thread& thread : threads) thread.join();
}

#ifdef RINGSCRIBE_SANITIZED
constexpr uint64_t kLives = 2'000;
#else
constexpr uint64_t kLives = 20'000;
#endif

TEST_CASE("each of many short threads has its own name, though the system's numbers come again") {
  DecodedSession s;
  const Stream live = s.session.live_stream("live");
  for (uint64_t i = 0; i < kLives; ++i) {
    std::thread([&, i] {
      const std::string number = std::to_string(i);
      prepare_thread("w" + number);
      (void)live.mark({.message = std::string_view(number)});
    }).join();
    if (i % 500 == 0) REQUIRE(s.session.flush().ok());
  }
  const DecodedSession::Log& log = s.end();
  CHECK(log.events.size() == kLives);
  std::map<uint32_t, std::string> names;
  for (const auto& track : log.tracks) names[track.id] = track.name;
  uint64_t wrong = 0;
  for (const auto& event : log.events)
    wrong += names[event.event.track].find("w" + event.message) == std::string::npos;
  CHECK(wrong == 0);
}

TEST_CASE("short threads, one after the other, take no memory that stays") {
  runtime::Runtime runtime(runtime::Settings(), runtime::Runtime::Drive::kThread);
  auto session = Session::begin("threads", {.interface = testing::plain_interface()});
  REQUIRE(session.ok());
  const Stream live = session->live_stream("live");
  const auto live_once = [&] { RINGSCRIBE_MARK(live, "once"); };
  for (int i = 0; i < 1000; ++i) std::thread(live_once).join();
  [[maybe_unused]] const uint64_t before = resident_bytes();
  for (uint64_t i = 0; i < kLives; ++i) std::thread(live_once).join();
#ifndef RINGSCRIBE_SANITIZED  // sanitizers keep what they know of threads
  CHECK(resident_bytes() < before + (uint64_t{16} << 20));
#endif
  REQUIRE(session->flush().ok());
  CHECK(live.stats().recorded == 1000 + kLives);
}

TEST_CASE("ranges that are started here and ended there are whole, from eight threads at once") {
  constexpr uint64_t kThreads = 8, kRanges = kLives / 4;
  runtime::Settings settings;
  settings.overflow = runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  DecodedSession s(settings, runtime::Runtime::Drive::kThread);
  const Stream stream = s.session.create_stream("fibers");
  // Each thread starts a range in its slot, and ends the one that the next thread started.
  std::vector<std::atomic<uint64_t>> slots(kThreads);
  std::vector<std::thread> threads;
  std::atomic<uint64_t> ended{0};
  for (uint64_t number = 0; number < kThreads; ++number)
    threads.emplace_back([&, number] {
      std::atomic<uint64_t>& mine = slots[number];
      std::atomic<uint64_t>& others = slots[(number + 1) % kThreads];
      uint64_t started = 0;
      for (uint64_t done = 0; started < kRanges || done < kRanges;) {
        if (started < kRanges && mine.load() == 0) {
          ++started;
          const RangeId id = stream.write_start(static_cast<int64_t>(started), {.message = "r"});
          mine.store(id.value);
        }
        if (const uint64_t id = done < kRanges ? others.exchange(0) : 0; id != 0) {
          ++done;
          stream.write_end(static_cast<int64_t>(kRanges + 5), RangeId{id});
          ++ended;
        } else {
          std::this_thread::yield();
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  const auto& events = s.events();
  CHECK(ended == kThreads * kRanges);
  CHECK(events.size() == kThreads * kRanges);
  uint64_t halves = 0;
  for (const auto& event : events)
    halves += event.event.begin_is_missing || event.event.end_is_missing;
  CHECK(halves == 0);
}

TEST_CASE("threads that write on while their session ends and the next begins harm nothing") {
  runtime::Runtime runtime(runtime::Settings(), runtime::Runtime::Drive::kThread);
  runtime::set_log_level(runtime::LogLevel::kOff);
  constexpr int kThreads = 4;
#ifdef RINGSCRIBE_SANITIZED
  constexpr int kSessions = 50;
#else
  constexpr int kSessions = 300;
#endif
  for (int round = 0; round < kSessions; ++round) {
    auto session = Session::begin("restarted", {.interface = testing::plain_interface()});
    REQUIRE(session.ok());
    const Stream live = session->live_stream("live");
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> written{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        uint64_t count = 0;
        for (; !stop.load(std::memory_order_relaxed) || count < 100; ++count)
          RINGSCRIBE_MARK(live, "on and on");
        written += count;
      });
    while (live.stats().recorded == 0) std::this_thread::yield();
    CHECK(session->end().ok());
    stop = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(session->flush().ok());  // what came late is still in the rings
    const Counts counts = session->stats();
    CHECK(counts.recorded + counts.lost() == written);
  }
}

}  // namespace
}  // namespace ringscribe
