// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/program_timers.h"

#include <utility>

#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/recorder.h"
#include "ringscribe/runtime/wake_up.h"

namespace ringscribe::inject {

namespace {

// Between two readings.
constexpr uint64_t kReadNs = 100'000'000;

void write_point(const ProgramTimers::Timer& timer, const runtime::StreamRef& stream) {
  // In between two readings of ours.
  const int64_t before = runtime::now_ticks();
  const int64_t theirs = timer.read(timer.data);
  const int64_t ours = before + (runtime::now_ticks() - before) / 2;
  const int64_t point[] = {theirs, ours};
  runtime::write_sync_points(stream, timer.time_domain,
                             runtime::clock_time_domain(runtime::clock_kind()), point, 1);
}

}  // namespace

void ProgramTimers::add(const Timer& timer, const runtime::StreamRef& stream) {
  write_point(timer, stream);
  const std::lock_guard lock(mutex_);
  timers_.push_back(timer);
  next_read_ns_.store(runtime::monotonic_now_ns() + kReadNs, std::memory_order_relaxed);
}

bool ProgramTimers::are_due() noexcept {
  uint64_t due = next_read_ns_.load(std::memory_order_relaxed);
  if (due == UINT64_MAX) [[likely]]
    return false;
  const uint64_t now = runtime::monotonic_now_ns();
  return now >= due &&
         next_read_ns_.compare_exchange_strong(due, now + kReadNs, std::memory_order_relaxed);
}

void ProgramTimers::read(const runtime::StreamRef& stream) {
  runtime::Vector<Timer> timers;
  {
    const std::lock_guard lock(mutex_);
    timers = timers_;
  }
  for (const Timer& timer : timers) write_point(timer, stream);
}

void ProgramTimers::read_at_exit(const runtime::StreamRef& stream) {
  // A thread that died with the lock must not hold the exit.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const runtime::Vector<Timer> timers = std::exchange(timers_, {});
  lock.unlock();
  for (const Timer& timer : timers)
    if (timer.is_safe_at_exit) write_point(timer, stream);
}

}  // namespace ringscribe::inject
