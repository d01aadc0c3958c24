// SPDX-License-Identifier: Apache-2.0
//
// TimeShift: moves the times of one time domain to where Perfetto can have them.
//
// Perfetto's readers take times from 0 to INT64_MAX. A domain with negative times is shifted as a
// whole, by an amount that is fixed when its first lot is written; what is still out of reach
// after that is put at the nearest time and keeps the original as an annotation.
//
//   TimeShift shift;
//   shift.see(-5);              // every time of the first lot
//   shift.fix();                // shift.amount() == 5
//   shift.map(-9).time;         // 0, with exact == false
//
// Threads: one at a time. Lifetime: a value.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TIME_SHIFT_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TIME_SHIFT_H_

#include <cstdint>

namespace ringscribe::perfetto {

class TimeShift {
 public:
  struct Mapped {
    int64_t time;  // >= 0
    bool exact;    // false: the original plus amount() is out of reach
  };

  // Takes `time` into account; without effect once fixed.
  void see(int64_t time) noexcept {
    if (!fixed_ && time < smallest_) smallest_ = time;
  }

  // Fixes the amount, once. Returns true if it was fixed just now to something other than 0.
  bool fix() noexcept {
    if (fixed_) return false;
    fixed_ = true;
    return smallest_ < 0;
  }

  // What is added to each time: 0, or up to 2^63.
  // REQUIRES: fixed.
  uint64_t amount() const noexcept { return uint64_t{0} - static_cast<uint64_t>(smallest_); }

  // REQUIRES: fixed.
  Mapped map(int64_t time) const noexcept {
    if (time < smallest_) return {0, false};
    // In unsigned numbers nothing overflows, and the difference of two int64 always fits.
    const uint64_t moved = static_cast<uint64_t>(time) - static_cast<uint64_t>(smallest_);
    if (moved > static_cast<uint64_t>(INT64_MAX)) return {INT64_MAX, false};
    return {static_cast<int64_t>(moved), true};
  }

  // What is at `moved`, which map() gave.
  // REQUIRES: fixed.
  int64_t original(int64_t moved) const noexcept {
    return static_cast<int64_t>(static_cast<uint64_t>(moved) - amount());
  }

 private:
  int64_t smallest_ = 0;  // never above 0
  bool fixed_ = false;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TIME_SHIFT_H_
