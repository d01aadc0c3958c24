// SPDX-License-Identifier: Apache-2.0
//
// What marks, pushes, pops, starts and ends do, whichever function of NVTX makes them. `read` gets
// a LiveEvent and returns what LiveEvent::read() does.
//
//   int level = push(domain, [&](LiveEvent& event) { return event.read(attributes); });
//
// Levels and range ids are given whether or not anything is recorded. An end whose begin was lost
// is counted as lost, too; one whose begin was filtered out is not.
//
// Threads: any.
#ifndef RINGSCRIBE_INJECT_LIVE_CALLS_H_
#define RINGSCRIBE_INJECT_LIVE_CALLS_H_

#include <cstdint>

#include "ringscribe/inject/live_event.h"
#include "ringscribe/inject/push_stack.h"
#include "ringscribe/inject/thread_state.h"
#include "ringscribe/inject/traced_domain.h"
#include "ringscribe/runtime/loss.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

// In range ids, above all that the recorder gives out.
inline constexpr uint64_t kFilteredRange = uint64_t{1} << 63;
inline constexpr uint64_t kLostRange = uint64_t{1} << 62;

template <typename Read>
[[gnu::always_inline]] inline void mark(TracedDomain& domain, Read read) {
  if (!domain.is_enabled()) return;
  LiveEvent event(domain, this_thread());
  if (read(event)) event.write<runtime::RecordKind::kMark>(EventKind::kMark);
}

template <typename Read>
[[gnu::always_inline]] inline int push(TracedDomain& domain, Read read) {
  ThreadState& thread = this_thread();
  Fate fate = Fate::kFiltered;
  if (domain.is_enabled()) [[likely]] {
    LiveEvent event(domain, thread);
    if (read(event))
      fate = event.write<runtime::RecordKind::kPush>(EventKind::kRangePush) ? Fate::kRecorded
                                                                            : Fate::kLost;
  }
  return thread.stack(domain.index()).push(fate);
}

// `write_end(missed)` writes the pop.
template <typename Write>
[[gnu::always_inline]] inline int pop_with(TracedDomain& domain, Write write_end) {
  PushStack& stack = this_thread().stack(domain.index());
  Fate fate = Fate::kFiltered;
  const int level = stack.pop(fate);
  if (fate == Fate::kRecorded) [[likely]] {
    const bool is_in_debt = stack.is_in_debt();
    const bool is_written = write_end(is_in_debt ? stack.debts(level) : runtime::MissedPops());
    if (!is_written) [[unlikely]]
      stack.owe(level);
    else if (is_in_debt) [[unlikely]]
      stack.pay(level);
  } else if (fate == Fate::kLost) {
    runtime::count_loss(domain.stream(), LossCause::kRingFull);
  }
  return level;
}

[[gnu::always_inline]] inline int pop(TracedDomain& domain) {
  return pop_with(domain, [&](const runtime::MissedPops& missed) {
    return runtime::write_live_end<runtime::RecordKind::kPop>(domain.stream(), 0, missed);
  });
}

template <typename Read>
inline nvtxRangeId_t start(TracedDomain& domain, Read read) {
  const uint64_t id = runtime::next_range_id();
  if (!domain.is_enabled()) return id | kFilteredRange;
  LiveEvent event(domain, this_thread());
  if (!read(event)) return id | kFilteredRange;
  return event.write<runtime::RecordKind::kStart>(EventKind::kRangeStart, id) ? id
                                                                              : id | kLostRange;
}

// Whether the range is one that was recorded; if it was lost, its end is counted as lost.
inline bool is_recorded(TracedDomain& domain, nvtxRangeId_t id) {
  if (id == 0 || !domain.is_enabled() || (id & kFilteredRange) != 0) return false;
  if ((id & kLostRange) == 0) return true;
  runtime::count_loss(domain.stream(), LossCause::kRingFull);
  return false;
}

inline void end(TracedDomain& domain, nvtxRangeId_t id) {
  if (is_recorded(domain, id))
    runtime::write_live_end<runtime::RecordKind::kEnd>(domain.stream(), id);
}

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_LIVE_CALLS_H_
