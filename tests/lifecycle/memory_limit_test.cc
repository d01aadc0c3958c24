// SPDX-License-Identifier: Apache-2.0
//
// A thousand threads at once under a memory limit that has rings for some of them only.
#include <ringscribe/ringscribe.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <latch>
#include <thread>
#include <vector>

#include "ringscribe/runtime/runtime.h"

namespace ringscribe {
namespace {

TEST_CASE("a thousand threads keep to the memory limit, and the books balance") {
  constexpr uint64_t kThreads = 1000;
  constexpr uint64_t kEvents = 50;
  runtime::Settings settings;
  settings.ring_bytes = 256 << 10;
  settings.memory_limit_bytes = 8 << 20;
  settings.log_level = runtime::LogLevel::kOff;
  runtime::set_log_level(runtime::LogLevel::kOff);
  runtime::Runtime runtime(settings, runtime::Runtime::Drive::kThread);
  auto session = Session::begin("limit", {.backend = "null"});
  REQUIRE(session.ok());
  const Stream live = session->live_stream("live");
  std::latch ready(kThreads);
  std::atomic<uint64_t> most{0};
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      RINGSCRIBE_MARK(live, "first");
      // All are there at once, each with its ring, if it has one.
      ready.arrive_and_wait();
      for (uint64_t event = 1; event < kEvents; ++event) RINGSCRIBE_MARK(live, "next");
      const uint64_t now = runtime.threads().ring_memory_bytes();
      for (uint64_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(session->end().ok());
  const Counts counts = session->stats();
  CHECK(most <= settings.memory_limit_bytes);
  CHECK(most > settings.memory_limit_bytes / 2);
  CHECK(counts.recorded + counts.lost() == kThreads * kEvents);
  // A small ring that went from thread to thread faster than it was read may have been full.
  CHECK(counts.lost(LossCause::kMemoryLimit) + counts.lost(LossCause::kRingFull) == counts.lost());
  CHECK(counts.lost(LossCause::kMemoryLimit) != 0);
  // Near the limit rings are small, so that more than 32 threads have one.
  CHECK(counts.recorded > 40 * kEvents);
}

}  // namespace
}  // namespace ringscribe
