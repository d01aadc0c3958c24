// SPDX-License-Identifier: Apache-2.0
//
// How every recorder is measured: the same loops, the same clock, the same threads for all. A
// recorder is one subclass of System in one file; its main function calls run():
//
//   struct Mine : bench::System {
//     std::vector<bench::Call> calls() override { return {bench::ask("live_mark", [](size_t) { …
//     })}; } void drain() override { … }
//   };
//   int main(int count, char** arguments) {
//     return bench::run(count, arguments, [] { return std::make_unique<Mine>(); });
//   }
//
// The groups of questions (the first argument; harness.cc says how each is measured):
//   calls         what a call costs the recording thread, in bursts that fit the buffer
//   single        p50, p99, p99.9 and p99.99 of single live marks while the consumer runs
//   sustained_…   events a second into a file, all of them, and the bytes of each
//   first_event   the first event of a thread
//   thread_churn  10,000 threads of 10 events
//   idle          what the recorder's own threads use while nothing is recorded
// Each figure is a line on stdout: question, unit, value, events lost (tab separated).
//
// Threads: one program asks one group, from its main thread, unless the question has more. The main
// thread is pinned to the first CPU while it measures, all others to the second, if there are two.
#ifndef RINGSCRIBE_BENCH_HARNESS_H_
#define RINGSCRIBE_BENCH_HARNESS_H_

#include <x86intrin.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

// Keeps the compiler from dropping a value that nothing else uses.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

uint64_t now_ns();  // CLOCK_MONOTONIC

// Reads of the time stamp counter that nothing moves across.
inline uint64_t fenced_begin() {
  _mm_lfence();
  const uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
}
inline uint64_t fenced_end() {
  unsigned cpu;
  const uint64_t ticks = __rdtscp(&cpu);
  _mm_lfence();
  return ticks;
}

// For the lambdas given to ask(): used by two loops, they would become functions of their own, and
// calling those costs more than what some of them do.
#define BENCH_INLINE __attribute__((always_inline))

// One call, as loops that it is inlined into.
struct Call {
  std::string question;
  std::function<void(size_t)> burst;                    // makes so many calls
  std::function<void(std::span<uint32_t>)> one_by_one;  // fills in the ticks of each call
};
// `call` gets the number of the call.
template <typename F>
Call ask(std::string question, F call) {
  return {std::move(question),
          [call](size_t count) {
            for (size_t i = 0; i < count; ++i) call(i);
          },
          [call](std::span<uint32_t> ticks) {
            for (size_t i = 0; i < ticks.size(); ++i) {
              const uint64_t begin = fenced_begin();
              call(i);
              ticks[i] = static_cast<uint32_t>(fenced_end() - begin);
            }
          }};
}

// What came of a sustained recording.
struct Outcome {
  uint64_t bytes = 0;      // in the file
  uint64_t lost = 0;       // events
  uint64_t end_ns = 0;     // when all was in the file, if finish() returned later
  uint64_t decode_ns = 0;  // what reading all events back took, if the system can
};
struct Recording {
  std::function<void(size_t thread, size_t count)> produce;  // called on each producer's thread
  std::function<Outcome()> finish;                           // writes all out and closes the file
};

class System {
 public:
  virtual ~System() = default;
  // The questions about single calls that make sense here. The recording that they go to is open
  // until the object is destroyed. Of the same name everywhere: live_mark.
  virtual std::vector<Call> calls() = 0;
  // Waits until the buffers are empty.
  virtual void drain() {}
  // A recording into `folder` (empty, its own), or nothing if it makes no sense here. Questions:
  // sustained_live_1, sustained_live_2, sustained_explicit_1, sustained_range, and others of
  // one's own.
  virtual std::optional<Recording> sustain(std::string_view question, const std::string& folder) {
    (void)question, (void)folder;
    return std::nullopt;
  }
  // Gets the calling thread what it needs, where a recorder has such a call.
  virtual bool prepare_thread() { return false; }
  // Events of calls() that were lost.
  virtual uint64_t lost() { return 0; }
};

void report(std::string_view question, std::string_view unit, double value, uint64_t lost = 0);

// The program: GROUP [--events N] [--bursts N] [--rounds N] [--folder DIR] [--suffix TEXT].
int run(int count, char** arguments, const std::function<std::unique_ptr<System>()>& make);
// The program of a peer that cannot be built here.
int skip(const char* reason);

}  // namespace bench

#endif  // RINGSCRIBE_BENCH_HARNESS_H_
