// SPDX-License-Identifier: Apache-2.0
//
// boost::lockfree::spsc_queue with room for 65,536 items, under the harness.
#include "ringscribe/bench/peers/queue.h"

#ifdef RINGSCRIBE_BENCH_SKIPPED
int main() { return bench::skip(RINGSCRIBE_BENCH_SKIPPED); }
#else

#include <boost/lockfree/spsc_queue.hpp>

namespace {

class Queue {
 public:
  bool try_push(const bench::Item& item) { return queue_.push(item); }
  size_t consume_all() {
    return queue_.consume_all([](const bench::Item& item) { bench::keep(item); });
  }

 private:
  boost::lockfree::spsc_queue<bench::Item> queue_{65'536};
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments,
                    [] { return std::make_unique<bench::QueueSystem<Queue> >(); });
}
#endif
