// SPDX-License-Identifier: Apache-2.0
//
// killed_writer FORMAT OUTPUT: records until it is killed, on two threads: in turn a range, a mark
// and a sample, whose value counts up from 0. Says "ready" when both record.
#include <ringscribe/ringscribe.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: killed_writer FORMAT OUTPUT\n");
    return 2;
  }
  auto session =
      ringscribe::Session::begin("killed", {.backend = arguments[1], .output = arguments[2]});
  if (!session.ok()) return session.status().print();
  ringscribe::Domain domain = session->get_domain("work");
  const ringscribe::Stream live = session->live_stream("live", domain);
  std::atomic<int> recording{0};
  std::vector<std::thread> threads;
  for (const char* name : {"count of one", "count of two"}) {
    threads.emplace_back([&, name] {
      const ringscribe::Counter counter = domain.get_counter<int64_t>(name);
      for (int64_t i = 0;; ++i) {
        {
          RINGSCRIBE_RANGE(live, "outer");
          RINGSCRIBE_RANGE(live, "inner");
          RINGSCRIBE_MARK(live, "mark");
        }
        (void)live.sample(counter, i);
        if (i == 0) ++recording;
        // As much as a reader in Python can check in a moment.
        if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
  }
  while (recording != 2) std::this_thread::yield();
  std::puts("ready");
  std::fflush(stdout);
  for (std::thread& thread : threads) thread.join();
}
