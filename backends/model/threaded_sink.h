// SPDX-License-Identifier: Apache-2.0
//
// ThreadedSink: an EventSink that makes its calls of another sink on a thread of its own, in the
// same order: what a sink writes does not depend on whether one stands in front. For conversions
// (ringscribe convert): whoever decodes has one core, whoever writes the other one.
//
//   Model model(std::make_unique<ThreadedSink>(std::move(sink)), "session");
//
//   caller                                    the thread
//   ------                                    ----------
//   call -> current lot
//   lot full: -----> full, oldest first ----> takes one, makes its calls of the sink
//   takes a lot <--- free <------------------ gives it back, empty
//
// Invariants
//  I1 There are kLots lots, at any time each of them is one of: current, full, free, being written.
//     Memory is bounded by that: a caller that is faster than the sink waits for a free lot.
//  I2 A lot belongs to one thread at a time; it changes hands under the mutex.
//  I3 Full lots are written oldest first, by one thread: the sink sees the calls in their order.
//  I4 The caller touches the sink only while the thread has nothing to write (settle()), or after
//     it has ended: the sink is called by one thread at a time, as its contract asks.
//  I5 The thread ends when it is asked to and nothing is full: no call is lost.
//
// Threads: one caller at a time; makes one. Not to be used across a fork.
// Lifetime: the destructor finishes if finish() was not called.
// Errors: a failure of the sink is returned once, by a later call, which is made nevertheless; all
// calls are, whatever came before: the sink decides what a failure ends. The constructor throws
// std::system_error if no thread can be had.
#ifndef RINGSCRIBE_BACKENDS_MODEL_THREADED_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_THREADED_SINK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class ThreadedSink final : public EventSink {
 public:
  static constexpr size_t kLots = 4;

  explicit ThreadedSink(std::unique_ptr<EventSink> sink);
  ~ThreadedSink() override;
  ThreadedSink(const ThreadedSink&) = delete;
  ThreadedSink& operator=(const ThreadedSink&) = delete;

  Status session(std::string_view name) override;
  Status stream(const Stream& stream) override;
  Status category(std::string_view domain, uint32_t id, std::string_view name) override;
  Status track(const Track& track) override;
  Status counter_track(const CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const Event& event) override;
  Status events(const EventBlock& block) override;
  Status counter_sample(const CounterSample& sample) override;
  Status loss(const Loss& loss) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  // Waits for all calls, ends the thread and finishes the sink.
  Status finish() override;
  // Each waits until the sink has seen all calls so far.
  uint64_t bytes_written() const override;
  std::vector<std::string> paths() const override;

 private:
  class Pipe;

  std::unique_ptr<EventSink> sink_;
  std::unique_ptr<Pipe> pipe_;
  bool is_finished_ = false;
  Status result_;  // of finish()
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_THREADED_SINK_H_
