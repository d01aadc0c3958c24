// SPDX-License-Identifier: Apache-2.0
//
// Signal handlers that make a thread's and a place's first record, while the thread is in malloc,
// in the runtime's own heap, or in the registration of something else.
#include <pthread.h>
#include <ringscribe/ringscribe.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "ringscribe/runtime/no_reentry.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/plain_backend.h"

namespace ringscribe {
namespace {

const Stream* g_stream = nullptr;
std::atomic<uint64_t> g_written{0};

// Each has a call site of its own.
template <size_t kNumber>
void record() {
  RINGSCRIBE_MARK(*g_stream, "in a handler");
  g_written.fetch_add(1, std::memory_order_relaxed);
}
constexpr size_t kPlaces = 256;
template <size_t... kNumbers>
constexpr auto make_places(std::index_sequence<kNumbers...>) {
  return std::array<void (*)(), kPlaces>{record<kNumbers>...};
}
constexpr auto kRecord = make_places(std::make_index_sequence<kPlaces>());
size_t g_place = 0;  // written while no thread of the test runs

void handle(int) { kRecord[g_place](); }

// Interrupts `work` at 20 places, on a thread of its own that has recorded nothing.
template <typename Work>
void interrupt(Work work) {
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> done{0};
  std::thread thread([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      work();
      done.fetch_add(1, std::memory_order_relaxed);
    }
  });
  static std::minstd_rand random;
  for (int kills = 0; kills < 20; ++kills) {
    // Signals that come without a pause find it where it was.
    const uint64_t written = g_written, before = done;
    while (done.load(std::memory_order_relaxed) == before) std::this_thread::yield();
    for (auto pause = random() % 2000; pause > 0; --pause) asm volatile("");
    pthread_kill(thread.native_handle(), SIGUSR1);
    while (g_written == written) std::this_thread::yield();
  }
  stop = true;
  thread.join();
}

// All that was written is recorded or counted.
template <typename Work>
void check_interrupted(size_t places, Work make_work) {
  runtime::Settings settings;
  settings.ring_bytes = 64 * 1024;
  runtime::Runtime runtime(settings, runtime::Runtime::Drive::kThread);
  auto session = Session::begin("signals", {.interface = testing::plain_interface()});
  REQUIRE(session.ok());
  Domain domain = session->get_domain("domain");
  const Stream stream = session->live_stream("live", domain);
  g_stream = &stream;
  g_written = 0;
  g_place = 0;
  handle(0);
  auto* const before = std::signal(SIGUSR1, handle);
  for (size_t round = 0; round < kPlaces; ++round) {
    g_place = round % places;
    interrupt(make_work(*session, domain));
  }
  std::signal(SIGUSR1, before);
  REQUIRE(session->flush().ok());
  const Counts counts = stream.stats();
  CHECK(counts.recorded + counts.lost() == g_written);
  CHECK(counts.recorded > kPlaces);
  g_stream = nullptr;
}

TEST_CASE("a thread's first record may be made in a handler that interrupts malloc") {
  check_interrupted(1, [](Session&, Domain&) {
    return [size = size_t{1}]() mutable {
      size = size * 7 % 100'003;
      std::free(std::malloc(size));
    };
  });
}

TEST_CASE("a place that is new where nothing may be entered twice loses its event, counted") {
  runtime::Runtime runtime(runtime::Settings(), runtime::Runtime::Drive::kByHand);
  auto session = Session::begin("signals", {.interface = testing::plain_interface()});
  REQUIRE(session.ok());
  const Stream stream = session->live_stream("live");
  const auto record_here = [&] { RINGSCRIBE_MARK(stream, "of a new place"); };
  {
    // As if a handler came while this thread is in the runtime's heap or registers something.
    const runtime::NoReentry mark;
    record_here();
  }
  record_here();
  REQUIRE(session->flush().ok());
  CHECK(stream.stats().lost(LossCause::kNested) == 1);
  CHECK(stream.stats().recorded == 1);
}

#ifndef RINGSCRIBE_SANITIZED  // there the runtime's heap is malloc
TEST_CASE("a place's first record may be made in a handler, whatever it interrupts") {
  check_interrupted(kPlaces, [](Session& session, Domain& domain) {
    return [&session, &domain, number = 0]() mutable {
      std::free(std::malloc(static_cast<size_t>(++number)));
      for (int i = 0; i < 20; ++i)
        (void)domain.get_registered_string("text " + std::to_string(number) + std::to_string(i));
      (void)session.create_stream("mine", {.domain = domain}).close();
    };
  });
}
#endif

}  // namespace
}  // namespace ringscribe
