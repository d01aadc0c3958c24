// SPDX-License-Identifier: Apache-2.0
//
// Clocks that do what they should not, while live events are recorded: no range has a negative
// duration, no event is outside its session, and what happened is said. The clocks are simulated:
// this program's clock_gettime() takes the place of the system's.
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

#include "ringscribe/tests/producer/decoded_session.h"

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

constexpr int64_t kSecond = 1'000'000'000;
std::atomic<int64_t> g_offset[16];

int64_t read_clock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}
int64_t monotonic() { return read_clock(CLOCK_MONOTONIC); }

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  if (::syscall(SYS_clock_gettime, clock, time) != 0) return -1;
  if (clock < 0 || clock >= 16) return 0;
  const int64_t ns = time->tv_sec * kSecond + time->tv_nsec + g_offset[clock];
  time->tv_sec = ns / kSecond;
  time->tv_nsec = ns % kSecond;
  return 0;
}

namespace {

class Clocks {
 public:
  ~Clocks() {
    for (auto& offset : g_offset) offset = 0;
  }
  static void jump(clockid_t clock, int64_t ns) { g_offset[clock] += ns; }
  static void pass(int64_t ns) {
    for (auto& offset : g_offset) offset += ns;
  }
};

runtime::Settings with_clock(runtime::ClockChoice clock) {
  runtime::Settings settings;
  settings.clock = clock;
  return settings;
}

// A range over all that `happens`, one on each side of it, and a thread that is new after it.
struct Recording {
  explicit Recording(runtime::ClockChoice clock)
      : begun(monotonic()), s(with_clock(clock)), live(s.session.live_stream("live")) {}

  template <typename Happens>
  void record(Happens happens) {
    for (int i = 0; i < 3; ++i) {
      RINGSCRIBE_MARK(live, "first");
      flush();
    }
    {
      RINGSCRIBE_RANGE(live, "across");
      {
        RINGSCRIBE_RANGE(live, "before");
      }
      happens();
      {
        RINGSCRIBE_RANGE(live, "after");
      }
    }
    flush();
    settled = monotonic();
    {
      RINGSCRIBE_RANGE(live, "settled");
    }
    std::thread([this] { RINGSCRIBE_MARK(live, "of a new thread"); }).join();
    const DecodedSession::Log& log = s.end();
    const int64_t ended = monotonic();
    CHECK(log.events.size() == 8);
    for (const auto& event : log.events) {
      INFO(event.message);
      CHECK(event.event.begin >= begun);
      CHECK(event.event.end >= event.event.begin);
      CHECK(event.event.end <= ended);
      CHECK_FALSE(event.event.end_before_begin);
      begins[event.message] = event.event.begin;
    }
    CHECK(log.problems.empty());
  }
  // Time passes, and the clocks are looked at.
  void flush() {
    Clocks::pass(100'000'000);
    CHECK(s.session.flush().ok());
  }
  // What the session's own stream says of the clocks.
  std::string said() const {
    std::string all;
    for (const std::string& message : s.own_messages())
      if (message.starts_with("clock: ")) all += message + "\n";
    return all;
  }
  static bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  }

  Clocks clocks;
  int64_t begun;
  DecodedSession s;
  Stream live;
  int64_t settled = 0;
  std::map<std::string, int64_t> begins;
};

TEST_CASE("clocks that do as they should are not spoken of") {
  Recording recording(runtime::ClockChoice::kMonotonicRaw);
  recording.record([] {});
  CHECK(recording.said().empty());
}

TEST_CASE("the clock of live events goes back by five seconds") {
  Recording recording(runtime::ClockChoice::kMonotonicRaw);
  recording.record([] { Clocks::jump(CLOCK_MONOTONIC_RAW, -5 * kSecond); });
  CHECK(Recording::has(recording.said(), "(monotonic_raw) went back"));
  CHECK(recording.begins["after"] > recording.begins["before"]);
  CHECK(recording.begins["settled"] > recording.begins["after"]);
}

TEST_CASE("the clock of live events goes back before a session of which a thread is new") {
  const int64_t begun = monotonic();
  DecodedSession s(with_clock(runtime::ClockChoice::kMonotonicRaw));
  const Clocks clocks;
  Clocks::jump(CLOCK_MONOTONIC_RAW, -3600 * kSecond);
  const Stream live = s.session.live_stream("live");
  RINGSCRIBE_MARK(live, "of a new thread");
  const auto& events = s.events();
  REQUIRE(events.size() == 1);
  CHECK(events[0].event.begin >= begun);
}

TEST_CASE(
    "the clock of live events jumps ahead by five seconds: what comes later is in its place") {
  Recording recording(runtime::ClockChoice::kMonotonicRaw);
  recording.record([] { Clocks::jump(CLOCK_MONOTONIC_RAW, 5 * kSecond); });
  CHECK(Recording::has(recording.said(), "(monotonic_raw) went 5.1"));
  CHECK(recording.begins["settled"] >= recording.settled - 2'000'000);
  CHECK(recording.begins["of a new thread"] >= recording.settled - 2'000'000);
}

TEST_CASE(
    "the calendar is set back by an hour: the events stay where they are, and the output says so") {
  Recording recording(runtime::ClockChoice::kMonotonicRaw);
  recording.record([] { Clocks::jump(CLOCK_REALTIME, -3600 * kSecond); });
  CHECK(recording.said() == "clock: the calendar (CLOCK_REALTIME) was set back by 3600.000 s\n");
  CHECK(recording.begins["settled"] >= recording.settled - 2'000'000);
}

TEST_CASE("the calendar is set back by an hour where it is the clock of live events") {
  Recording recording(runtime::ClockChoice::kRealtime);
  recording.record([] { Clocks::jump(CLOCK_REALTIME, -3600 * kSecond); });
  CHECK(Recording::has(recording.said(), "(realtime) went back"));
  CHECK(Recording::has(recording.said(), "set back by 3600.000 s"));
  CHECK(recording.begins["after"] > recording.begins["before"]);
}

TEST_CASE("the machine sleeps for a minute: clocks that slept, too, and one that did not") {
  {
    Recording recording(runtime::ClockChoice::kMonotonicRaw);
    recording.record([] {
      Clocks::jump(CLOCK_BOOTTIME, 60 * kSecond);
      Clocks::jump(CLOCK_REALTIME, 60 * kSecond);
    });
    CHECK(recording.said() ==
          "clock: the machine slept for 60.000 s, which are left out of the times\n");
  }
  Recording recording(runtime::ClockChoice::kMonotonicRaw);
  recording.record([] {
    Clocks::jump(CLOCK_BOOTTIME, 60 * kSecond);
    Clocks::jump(CLOCK_REALTIME, 60 * kSecond);
    Clocks::jump(CLOCK_MONOTONIC_RAW, 60 * kSecond);
  });
  CHECK(recording.said() ==
        "clock: the machine slept for 60.000 s, which are left out of the times\n");
  CHECK(recording.begins["settled"] >= recording.settled - 2'000'000);
}

}  // namespace
