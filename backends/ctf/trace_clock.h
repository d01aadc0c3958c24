// SPDX-License-Identifier: Apache-2.0
//
// TraceClock: where the times of events lie on the one clock of a CTF trace.
//
// A clock of CTF counts up from 0, and readers keep both its count and the time it means in int64.
// So it begins at kFirst, 36 years before the zero of CLOCK_MONOTONIC, and reaches to kLast, 146
// years after it: whatever clock point may come, all of that is in a reader's reach. A time further
// away is put at the nearest end and keeps its number in a field.
//
//   TraceClock clock;
//   clock.see(monotonic_ns, realtime_ns);
//   clock.cycles(5, &is_exact);       // 2^60 + 5
//   clock.offset_s(), clock.offset()  // what count 0 means
//
// Threads: one at a time. Lifetime: a value.
#ifndef RINGSCRIBE_BACKENDS_CTF_TRACE_CLOCK_H_
#define RINGSCRIBE_BACKENDS_CTF_TRACE_CLOCK_H_

#include <algorithm>
#include <cstdint>

namespace ringscribe::ctf {

class TraceClock {
 public:
  static constexpr int64_t kFirst = -(int64_t{1} << 60);
  static constexpr int64_t kLast = int64_t{1} << 62;

  // The first point says what the clock is to UTC. Returns whether it was this one: later ones, and
  // one that is more than 146 years off, change nothing.
  bool see(int64_t monotonic_ns, int64_t realtime_ns) noexcept {
    int64_t difference = 0;
    if (is_known_ || __builtin_sub_overflow(realtime_ns, monotonic_ns, &difference)) return false;
    if (difference >= kLast || difference <= -kLast) return false;
    difference_ = difference;
    is_known_ = true;
    return true;
  }
  // Whether times are UTC.
  bool is_known() const noexcept { return is_known_; }

  static uint64_t cycles(int64_t time, bool* is_exact) noexcept {
    const int64_t nearest = std::clamp(time, kFirst, kLast);
    *is_exact = nearest == time;
    return static_cast<uint64_t>(nearest - kFirst);
  }

  int64_t offset_s() const noexcept {
    const int64_t zero = kFirst + difference_;
    return zero / kSecond - (zero % kSecond < 0 ? 1 : 0);
  }
  // From 0 to 999'999'999 ns.
  int64_t offset() const noexcept { return kFirst + difference_ - offset_s() * kSecond; }

 private:
  static constexpr int64_t kSecond = 1'000'000'000;

  int64_t difference_ = 0;  // UTC - CLOCK_MONOTONIC
  bool is_known_ = false;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_TRACE_CLOCK_H_
