// SPDX-License-Identifier: Apache-2.0
//
// How what a call costs the recording thread grows:
//   threads N    live marks from 1 to 64 threads at once, nanoseconds of CPU time a call
//   streams N    explicit marks to 1 to 1,000 streams in turn
//   schemas N    40-byte events of 1 to 1,000 schemas in turn
//   bytes N      events of 8 to 4,096 bytes
// Each figure is the least of `--rounds` (5) rounds of bursts that fit the ring; the flusher
// empties it in between. Backend: null.
//
//   bazel run -c opt //bench:sweep -- [--rounds N]
#include <ringscribe/ringscribe.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/bench/harness.h"

namespace rs = ringscribe;

namespace {

struct Row {
  int64_t time;
  int64_t a, b, c, d;
};

// Time of this thread on a CPU: with more threads than CPUs, others' turns do not count.
uint64_t cpu_ns() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

class Sweep {
 public:
  Sweep(rs::Session& session, size_t rounds) : session_(session), rounds_(rounds) {}
  void threads(size_t count);
  void streams(size_t count);
  void schemas(size_t count);
  void bytes(size_t count);

 private:
  // The least time of a call, over the rounds; one round before them is not counted.
  double least(size_t calls, const std::function<void(size_t)>& burst);
  void print(const char* what, size_t count, double ns) const {
    std::printf("%-8s %6zu %8.2f ns\n", what, count, ns);
  }

  rs::Session& session_;
  const size_t rounds_;
  size_t names_ = 0;  // streams and schemas have names of their own
};

double Sweep::least(size_t calls, const std::function<void(size_t)>& burst) {
  double best = 1e30;
  for (size_t round = 0; round <= rounds_; ++round) {
    uint64_t spent = 0;
    constexpr size_t kBursts = 10;
    for (size_t i = 0; i < kBursts; ++i) {
      (void)session_.flush().print();
      const uint64_t before = bench::now_ns();
      burst(calls);
      spent += bench::now_ns() - before;
    }
    if (round != 0)
      best = std::min(best, static_cast<double>(spent) / static_cast<double>(calls * kBursts));
  }
  return best;
}

void Sweep::threads(size_t count) {
  const rs::Stream live = session_.live_stream("threads " + std::to_string(count));
  constexpr size_t kCalls = 10'000;
  double best = 1e30;
  for (size_t round = 0; round <= rounds_; ++round) {
    (void)session_.flush().print();
    std::atomic<uint64_t> spent{0};
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (size_t i = 0; i < count; ++i)
      threads.emplace_back([&] {
        rs::prepare_thread();
        while (!go) usleep(100);
        const uint64_t before = cpu_ns();
        for (size_t call = 0; call < kCalls; ++call) RINGSCRIBE_MARK(live, "mark");
        spent += cpu_ns() - before;
      });
    go = true;
    for (std::thread& thread : threads) thread.join();
    if (round != 0)
      best =
          std::min(best, static_cast<double>(spent.load()) / static_cast<double>(count * kCalls));
  }
  print("threads", count, best);
}

void Sweep::streams(size_t count) {
  std::vector<rs::Stream> streams;
  for (size_t i = 0; i < count; ++i)
    streams.push_back(session_.create_stream("stream " + std::to_string(++names_)));
  const rs::RegisteredString message = session_.get_domain().get_registered_string("mark");
  print("streams", count, least(10'000, [&](size_t calls) {
          size_t at = 0;
          for (size_t i = 0; i < calls; ++i) {
            streams[at].write_mark(static_cast<int64_t>(i), {.message = message});
            at = at + 1 == count ? 0 : at + 1;
          }
        }));
}

void Sweep::schemas(size_t count) {
  rs::Domain domain = session_.get_domain();
  std::vector<rs::AnySchema> schemas;
  for (size_t i = 0; i < count; ++i)
    schemas.push_back(domain.get_schema("schema " + std::to_string(++names_),
                                        {{"time", rs::EntryType::kInt64, rs::Role::kMark},
                                         {"a", rs::EntryType::kInt64},
                                         {"b", rs::EntryType::kInt64},
                                         {"c", rs::EntryType::kInt64},
                                         {"d", rs::EntryType::kInt64}},
                                        {.kind = rs::EventKind::kMark}));
  const rs::Stream stream = session_.create_stream("schemas " + std::to_string(count));
  print("schemas", count, least(10'000, [&](size_t calls) {
          size_t at = 0;
          for (size_t i = 0; i < calls; ++i) {
            const Row row{static_cast<int64_t>(i), 1, 2, 3, 4};
            stream.write_event(schemas[at], &row, sizeof(row));
            at = at + 1 == count ? 0 : at + 1;
          }
        }));
}

void Sweep::bytes(size_t count) {
  rs::Domain domain = session_.get_domain();
  const rs::AnySchema schema = domain.get_schema(
      "bytes " + std::to_string(count), {{"time", rs::EntryType::kInt64, rs::Role::kMark}},
      {.kind = rs::EventKind::kMark, .row_bytes = count});
  const rs::Stream stream = session_.create_stream("bytes " + std::to_string(count));
  std::vector<int64_t> row(count / 8);
  // 256 KiB a burst, whatever the size.
  print("bytes", count, least((size_t{256} << 10) / (count + 8), [&](size_t calls) {
          for (size_t i = 0; i < calls; ++i) {
            row[0] = static_cast<int64_t>(i);
            stream.write_event(schema, row.data(), count);
          }
        }));
}

}  // namespace

int main(int count, char** arguments) {
  size_t rounds = 5;
  if (count == 3 && std::string(arguments[1]) == "--rounds")
    rounds = std::max<size_t>(1, std::strtoull(arguments[2], nullptr, 10));
  auto session = rs::Session::begin("sweep", {.backend = "null"});
  if (!session.ok()) return session.status().print();
  Sweep sweep(*session, rounds);
  for (const size_t n : {1, 2, 4, 8, 16, 32, 64}) sweep.threads(n);
  for (const size_t n : {1, 10, 100, 1000}) sweep.streams(n);
  for (const size_t n : {1, 10, 100, 1000}) sweep.schemas(n);
  for (const size_t n : {8, 16, 40, 64, 128, 256, 1024, 4096}) sweep.bytes(n);
  std::printf("lost %llu\n", static_cast<unsigned long long>(session->stats().lost()));
  return session->end().print();
}
