// SPDX-License-Identifier: Apache-2.0
//
// ProgramTimers: clocks of the program's own that it lets us read (nvtxTimerSource), so that their
// time domains can be converted: a sync point for each when it is added, beside deferred events
// from then on, and at exit.
//
//   timers.add({time_domain, read, data, is_safe_at_exit}, stream);
//   if (timers.are_due()) timers.read(stream);
//
// Threads: any.
#ifndef RINGSCRIBE_INJECT_PROGRAM_TIMERS_H_
#define RINGSCRIBE_INJECT_PROGRAM_TIMERS_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/stream_table.h"

namespace ringscribe::inject {

class ProgramTimers {
 public:
  using Read = int64_t (*)(void* data);
  struct Timer {
    uint64_t time_domain = 0;  // the backend's ID
    Read read = nullptr;
    void* data = nullptr;
    bool is_safe_at_exit = false;
  };

  void add(const Timer& timer, const runtime::StreamRef& stream);
  bool are_any() const noexcept {
    return next_read_ns_.load(std::memory_order_relaxed) != UINT64_MAX;
  }
  // Whether the last reading is so long ago that the caller is to read: one caller of several.
  bool are_due() noexcept;
  void read(const runtime::StreamRef& stream);
  // Those that may be read while the program ends. None is read after that.
  void read_at_exit(const runtime::StreamRef& stream);

 private:
  std::mutex mutex_;
  runtime::Vector<Timer> timers_;
  std::atomic<uint64_t> next_read_ns_{UINT64_MAX};  // relaxed: one point more or less
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_PROGRAM_TIMERS_H_
