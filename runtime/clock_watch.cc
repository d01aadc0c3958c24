// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/clock_watch.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace ringscribe::runtime {

namespace {

constexpr double kReadingsApartNs = 2e6;
constexpr double kDrift = 0.1;
// A rate from closer points is too rough to foretell anything.
constexpr int64_t kRateFromNs = 50'000'000;

__attribute__((format(printf, 2, 3))) void say(String& sentence, const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!sentence.empty()) sentence += "; ";
  sentence += text;
}

double seconds(double ns) { return ns / 1e9; }

}  // namespace

ClockWatch::Finding ClockWatch::look(const SyncPoint& now, int64_t suspended_ns) {
  Finding found = examine(now, suspended_ns);
  if (!has_last_ || found.is_irregular) first_ = now;
  last_ = now;
  // A pause between two readings looks like less sleep: it is not to look like more the next time.
  last_suspended_ns_ = has_last_ ? std::max(suspended_ns, last_suspended_ns_) : suspended_ns;
  has_last_ = true;
  return found;
}

ClockWatch::Finding ClockWatch::examine(const SyncPoint& now, int64_t suspended_ns) const {
  Finding found;
  if (!has_last_) return found;
  const auto elapsed = static_cast<double>(now.monotonic_ns - last_.monotonic_ns);
  const double tolerance = kReadingsApartNs + kDrift * elapsed;
  found.before = last_;

  const auto slept = static_cast<double>(std::max<int64_t>(0, suspended_ns - last_suspended_ns_));
  if (slept > tolerance) {
    found.is_irregular = true;
    say(found.sentence, "the machine slept for %.3f s, which are left out of the times",
        seconds(slept));
  }

  // How far the clock of live events is from where its rate so far would have it.
  const int64_t known_ns = last_.monotonic_ns - first_.monotonic_ns;
  const auto passed = static_cast<double>(now.ticks - last_.ticks);
  const char* const name = clock_kind_name(kind_);
  if (passed < 0) {
    found.is_irregular = true;
    say(found.sentence,
        "the clock of live events (%s) went back: until it has caught up, a thread's events follow "
        "each other by 1 ns; RINGSCRIBE_CLOCK=monotonic does not go back",
        name);
  } else if (known_ns >= kRateFromNs) {
    const double rate =
        static_cast<double>(last_.ticks - first_.ticks) / static_cast<double>(known_ns);
    const double off = passed / rate - elapsed;
    // A clock that counts on while the machine sleeps is none the worse for it.
    const bool is_sleep = std::fabs(off - slept) <= tolerance;
    if (std::fabs(off) > tolerance && !is_sleep) {
      found.is_irregular = true;
      say(found.sentence,
          "the clock of live events (%s) went %.3f s while CLOCK_MONOTONIC went %.3f s: times "
          "between are uncertain by as much",
          name, seconds(passed / rate), seconds(elapsed));
    }
  }

  const auto calendar = static_cast<double>((now.realtime_ns - last_.realtime_ns) -
                                            (now.monotonic_ns - last_.monotonic_ns)) -
                        slept;
  if (std::fabs(calendar) > tolerance) {
    found.is_irregular = true;
    say(found.sentence, "the calendar (CLOCK_REALTIME) was set %s by %.3f s",
        calendar < 0 ? "back" : "forward", seconds(std::fabs(calendar)));
  }

  return found;
}

int64_t read_suspended_ns() noexcept {
  timespec boot{}, monotonic{};
  // In this order a pause between the two looks like less sleep, not more.
  ::clock_gettime(CLOCK_BOOTTIME, &boot);
  ::clock_gettime(CLOCK_MONOTONIC, &monotonic);
  return (int64_t{boot.tv_sec} - monotonic.tv_sec) * 1'000'000'000 +
         (boot.tv_nsec - monotonic.tv_nsec);
}

}  // namespace ringscribe::runtime
