// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/threaded_sink.h"

#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "ringscribe/backends/model/call_lot.h"

namespace ringscribe::model {

// The lots, and who has them.
class ThreadedSink::Pipe {
 public:
  explicit Pipe(EventSink& sink) : sink_(sink), current_(&lots_[0]) {
    for (size_t i = 1; i < kLots; ++i) free_.push_back(&lots_[i]);
    thread_ = std::thread([this] { run(); });
  }
  ~Pipe() { static_cast<void>(close()); }

  // Puts a call into the current lot, and hands that on if it is full.
  template <typename Add>
  Status put(Add add) {
    if (!thread_.joinable()) return {ResultCode::kFailed, "writing after the output was finished"};
    try {
      add(*current_);
    } catch (const std::exception& error) {
      return {ResultCode::kFailed, std::string("keeping an event for the thread that writes: ") +
                                       error.what() + "; this one is not in the output"};
    }
    return current_->is_full() ? hand_over() : Status();
  }

  // Waits until the sink has seen all calls.
  void settle() {
    std::unique_lock lock(mutex_);
    if (!current_->is_empty()) {
      give(lock);
    }
    changed_.wait(lock, [this] { return full_.empty() && !is_writing_; });
  }

  // Ends the thread after the last call. Returns the failure that nobody was told of.
  Status close() {
    if (!thread_.joinable()) return {};
    settle();
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    thread_.join();
    return std::exchange(failure_, Status());
  }

 private:
  Status hand_over() {
    std::unique_lock lock(mutex_);
    give(lock);
    return std::exchange(failure_, Status());
  }

  // Makes the current lot a full one and takes a free one in its place (I1).
  void give(std::unique_lock<std::mutex>& lock) {
    full_.push_back(current_);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !free_.empty(); });
    current_ = free_.back();
    free_.pop_back();
  }

  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return !full_.empty() || is_closing_; });
      if (full_.empty()) return;  // I5
      CallLot* lot = full_.front();
      full_.pop_front();
      is_writing_ = true;
      lock.unlock();
      Status status = lot->replay(sink_);
      lot->clear();
      lock.lock();
      is_writing_ = false;
      if (failure_.ok() && !status.ok()) failure_ = std::move(status);
      free_.push_back(lot);
      changed_.notify_all();
    }
  }

  EventSink& sink_;
  std::array<CallLot, kLots> lots_;
  CallLot* current_;  // the caller's

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<CallLot*> full_;
  std::vector<CallLot*> free_;
  bool is_writing_ = false;
  bool is_closing_ = false;
  Status failure_;  // the first that nobody was told of

  std::thread thread_;
};

ThreadedSink::ThreadedSink(std::unique_ptr<EventSink> sink)
    : sink_(std::move(sink)), pipe_(std::make_unique<Pipe>(*sink_)) {}

ThreadedSink::~ThreadedSink() { static_cast<void>(finish()); }

Status ThreadedSink::session(std::string_view name) {
  return pipe_->put([&](CallLot& lot) { lot.session(name); });
}
Status ThreadedSink::stream(const Stream& stream) {
  return pipe_->put([&](CallLot& lot) { lot.stream(stream); });
}
Status ThreadedSink::category(std::string_view domain, uint32_t id, std::string_view name) {
  return pipe_->put([&](CallLot& lot) { lot.category(domain, id, name); });
}
Status ThreadedSink::track(const Track& track) {
  return pipe_->put([&](CallLot& lot) { lot.track(track); });
}
Status ThreadedSink::counter_track(const CounterTrack& track) {
  return pipe_->put([&](CallLot& lot) { lot.counter_track(track); });
}
Status ThreadedSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  return pipe_->put([&](CallLot& lot) { lot.clock_point(monotonic_ns, realtime_ns); });
}
Status ThreadedSink::event(const Event& event) {
  return pipe_->put([&](CallLot& lot) { lot.event(event); });
}
Status ThreadedSink::events(const EventBlock& block) {
  return pipe_->put([&](CallLot& lot) { lot.events(block); });
}
Status ThreadedSink::counter_sample(const CounterSample& sample) {
  return pipe_->put([&](CallLot& lot) { lot.counter_sample(sample); });
}
Status ThreadedSink::loss(const Loss& loss) {
  return pipe_->put([&](CallLot& lot) { lot.loss(loss); });
}
Status ThreadedSink::problem(std::string_view sentence, uint64_t count) {
  return pipe_->put([&](CallLot& lot) { lot.problem(sentence, count); });
}

Status ThreadedSink::finish() {
  if (std::exchange(is_finished_, true)) return result_;
  const Status before = pipe_->close();
  const Status status = sink_->finish();
  result_ = before.ok() ? status : before;
  return result_;
}

uint64_t ThreadedSink::bytes_written() const {
  if (!is_finished_) pipe_->settle();
  return sink_->bytes_written();
}

std::vector<std::string> ThreadedSink::paths() const {
  if (!is_finished_) pipe_->settle();
  return sink_->paths();
}

}  // namespace ringscribe::model
