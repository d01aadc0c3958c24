// SPDX-License-Identifier: Apache-2.0
//
// moodycamel's ConcurrentQueue with a producer token, consumed in bulk, under the harness.
#include <concurrentqueue.h>

#include "ringscribe/bench/peers/queue.h"

namespace {

class Queue {
 public:
  bool try_push(const bench::Item& item) { return queue_.enqueue(token_, item); }
  size_t consume_all() {
    bench::Item items[64];
    size_t all = 0;
    while (const size_t taken = queue_.try_dequeue_bulk_from_producer(token_, items, 64))
      all += taken;
    return all;
  }

 private:
  moodycamel::ConcurrentQueue<bench::Item> queue_{65'536};
  moodycamel::ProducerToken token_{queue_};
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<bench::QueueSystem<Queue>>(); });
}
