// SPDX-License-Identifier: Apache-2.0
//
// A bare queue under the harness: what a recorder would cost that were nothing but this queue.
// Items of 16 bytes, a consumer that takes all there is and sleeps 50 us when there is nothing.
// Queues answer only what is asked of single calls: they write no file.
//
//   struct Queue { bool try_push(const bench::Item&); size_t consume_all(); };
#ifndef RINGSCRIBE_BENCH_PEERS_QUEUE_H_
#define RINGSCRIBE_BENCH_PEERS_QUEUE_H_

#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "ringscribe/bench/harness.h"

namespace bench {

struct Item {
  uint64_t header;
  uint64_t time;
};

template <typename Queue>
class QueueSystem final : public System {
 public:
  ~QueueSystem() override {
    stop_ = true;
    if (consumer_.joinable()) consumer_.join();
  }
  std::vector<Call> calls() override {
    consumer_ = std::thread([this] {
      while (!stop_) {
        const size_t taken = queue_.consume_all();
        consumed_.fetch_add(taken, std::memory_order_release);
        if (taken == 0) usleep(50);
      }
    });
    return {ask("live_mark", [this](size_t i) BENCH_INLINE { push({i, __rdtsc()}); }),
            ask("explicit_mark", [this](size_t i) BENCH_INLINE { push({i, i}); })};
  }
  void drain() override {
    while (consumed_.load(std::memory_order_acquire) != pushed_) usleep(20);
  }

 private:
  void push(const Item& item) {
    while (!queue_.try_push(item)) std::this_thread::yield();
    ++pushed_;
  }

  Queue queue_;
  uint64_t pushed_ = 0;  // the producer's
  alignas(64) std::atomic<uint64_t> consumed_{0};
  std::atomic<bool> stop_{false};
  std::thread consumer_;
};

}  // namespace bench

#endif  // RINGSCRIBE_BENCH_PEERS_QUEUE_H_
