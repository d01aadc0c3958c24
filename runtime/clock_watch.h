// SPDX-License-Identifier: Apache-2.0
//
// ClockWatch: compares the clocks of a process as it runs, and says in a sentence which of them did
// what a clock should not: the clock of live events went back, jumped or stood still (a TSC that is
// none, sockets that are not in step), the calendar was set, the machine slept.
//
//   ClockWatch watch("tsc");
//   if (watch.examine(point, slept).is_irregular) read them again: it may have been a pause;
//   const ClockWatch::Finding found = watch.look(take_sync_point(), read_suspended_ns());
//   if (found.is_irregular) { write(found.before); write(now); log(found.sentence); }
//
// Between two looks the clocks may drift against each other by 10 % (a calendar that is being
// slewed), and readings be 2 ms apart: less is no finding. Threads: one at a time.
#ifndef RINGSCRIBE_RUNTIME_CLOCK_WATCH_H_
#define RINGSCRIBE_RUNTIME_CLOCK_WATCH_H_

#include <cstdint>

#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

class ClockWatch {
 public:
  struct Finding {
    // The clock of live events and CLOCK_MONOTONIC, or that and CLOCK_REALTIME, are no longer
    // related as they were: points from just before and just after belong into the output.
    bool is_irregular = false;
    SyncPoint before = {};  // the look before
    String sentence;        // "" if there is nothing to say
  };

  explicit ClockWatch(ClockKind kind) noexcept : kind_(kind) {}

  // What look() would find.
  Finding examine(const SyncPoint& now, int64_t suspended_ns) const;
  // `suspended_ns`: how long the machine has slept, all in all.
  Finding look(const SyncPoint& now, int64_t suspended_ns);

 private:
  ClockKind kind_;
  bool has_last_ = false;
  SyncPoint first_ = {};  // since the last irregularity: the rate is known from it
  SyncPoint last_ = {};
  int64_t last_suspended_ns_ = 0;
};

// CLOCK_BOOTTIME less CLOCK_MONOTONIC.
int64_t read_suspended_ns() noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CLOCK_WATCH_H_
