// SPDX-License-Identifier: Apache-2.0
//
// A process that records with all its might until it dies; for crash_recovery_test.
//
//   crash_writer BACKEND OUTPUT COUNTS load            # until it is killed
//   crash_writer BACKEND OUTPUT COUNTS segv|abort|exit|end|stay
//
// COUNTS is a file of 64-bit numbers: how many probes of each writer have returned as written.
#include <fcntl.h>
#include <ringscribe/ringscribe.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "ringscribe/tests/support/probes.h"

namespace rs = ringscribe;

namespace {

constexpr uint64_t kWriters = 3;

std::atomic<uint64_t>* map_counts(const char* path) {
  const int fd = ::open(path, O_RDWR);
  void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  ::close(fd);
  return memory == MAP_FAILED ? nullptr : static_cast<std::atomic<uint64_t>*>(memory);
}

void write_probes(rs::Domain domain, rs::Stream stream, rs::Stream live, uint64_t writer,
                  std::atomic<uint64_t>& count) {
  const auto schema = domain.get_schema<rs::testing::Probe>(rs::EventKind::kMark);
  for (uint64_t i = 0;;) {
    const rs::testing::Probe probe{static_cast<int64_t>(i), writer, i, rs::testing::mix(writer, i)};
    if (!stream.write_event(schema, probe)) continue;
    count.store(++i, std::memory_order_release);
    if (i % 64 == 0) RINGSCRIBE_MARK(live, "every 64th");
    if (i % 4096 == 0) {
      // Definitions that are in nobody's hands yet, and threads that come and go.
      const std::string name = "writer " + std::to_string(writer) + " at " + std::to_string(i);
      stream.write_mark(static_cast<int64_t>(i), {.message = domain.get_registered_string(name)});
      std::thread([&live] { RINGSCRIBE_RANGE(live, "short thread"); }).join();
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  const std::string_view how = arguments[4];
  std::atomic<uint64_t>* counts = map_counts(arguments[3]);
  if (counts == nullptr) return 2;
  auto session = rs::Session::begin("doomed", {.backend = arguments[1], .output = arguments[2]});
  if (!session.ok()) return session.status().print();
  rs::Domain domain = session->get_domain("crash");
  const rs::Stream live = session->live_stream("live", domain);
  const rs::Stream stream = session->create_stream("probes", {.domain = domain});
  if (how == "load") {
    std::vector<std::thread> writers;
    for (uint64_t writer = 0; writer < kWriters; ++writer)
      writers.emplace_back(write_probes, domain, stream, live, writer, std::ref(counts[writer]));
    for (std::thread& writer : writers) writer.join();
  }
  const auto schema = domain.get_schema<rs::testing::Probe>(rs::EventKind::kMark);
  for (uint64_t i = 0; i < 100; ++i) {
    if (i == 50) (void)session->flush();  // half of them with the backend, half in the ring
    stream.write_event(schema, {static_cast<int64_t>(i), 0, i, rs::testing::mix(0, i)});
  }
  (void)live.push({.message = "open when it died"});
  counts[0] = 100;
  {
    RINGSCRIBE_RANGE(live, "scoped range that ended");
  }
  RINGSCRIBE_RANGE(live, "scoped range when it died");
  RINGSCRIBE_RANGE(live, "scoped range in it");
  // Not a null pointer, which UBSan would see before the signal comes.
  if (how == "segv") {
    void* nothing = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *static_cast<volatile int*>(nothing) = 1;
  }
  if (how == "abort") std::abort();
  if (how == "exit") ::_exit(3);
  if (how == "stay") ::pause();
  return 0;
}
