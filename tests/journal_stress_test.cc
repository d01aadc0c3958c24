// SPDX-License-Identifier: Apache-2.0
//
// Threads write self-checking events into a journal, which is then read back: with policy block
// none is lost, torn, repeated or out of its thread's order; with drop and a small ring, recorded
// and lost add up to the event.
//
//   journal_stress [THREADS [EVENTS]]   // of each thread
#include <ringscribe/ringscribe.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/probes.h"

namespace rs = ringscribe;

namespace {

using rs::testing::mix;
using rs::testing::Probe;
using rs::testing::ProbeChecker;

int g_failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++g_failures;
  std::printf("FAILED: %s\n", what);
}

// One recording and its check.
void record(const char* name, const rs::runtime::Settings& settings, unsigned threads,
            uint64_t events, bool may_lose) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/" + name + ".rsj";
  rs::Counts counts;
  {
    rs::runtime::Runtime runtime(settings, rs::runtime::Runtime::Drive::kThread);
    auto session = rs::Session::begin(name, {.output = path});
    if (!session.ok()) {
      expect(session.status().print() == 0, "the session begins");
      return;
    }
    rs::Domain domain = session->get_domain("stress");
    const rs::Stream stream = session->create_stream("probes", {.domain = domain});
    const rs::Schema<Probe> schema = domain.get_schema<Probe>(rs::EventKind::kMark);
    std::vector<std::thread> writers;
    for (uint64_t writer = 0; writer < threads; ++writer)
      writers.emplace_back([&, writer] {
        for (uint64_t i = 0; i < events; ++i)
          stream.write_event(schema, Probe{static_cast<int64_t>(i), writer, i, mix(writer, i)});
      });
    for (std::thread& writer : writers) writer.join();
    expect(session->end().ok(), "the session ends without a failure");
    counts = session->stats();
  }
  ProbeChecker checker;
  auto summary = rs::journal::replay(path, checker);
  expect(summary.ok(), "the journal can be read");
  if (!summary.ok()) return;
  std::remove(path.c_str());
  const uint64_t written = uint64_t{threads} * events;
  std::printf("%s: %llu written, %llu recorded, %llu lost, %llu in the journal of %llu bytes\n",
              name, static_cast<unsigned long long>(written),
              static_cast<unsigned long long>(counts.recorded),
              static_cast<unsigned long long>(counts.lost()),
              static_cast<unsigned long long>(checker.events),
              static_cast<unsigned long long>(summary->bytes));
  expect(summary->finished && !summary->truncated && !summary->damaged, "the journal is finished");
  expect(counts.recorded + counts.lost() == written, "recorded + lost = written");
  expect(checker.events == counts.recorded, "the journal has what was recorded");
  expect(checker.torn == 0, "no event is torn");
  expect(checker.disordered == 0, "no event is repeated or out of its thread's order");
  if (!may_lose) {
    expect(counts.lost() == 0 && checker.gaps == 0, "no event is lost");
    for (const auto& [number, writer] : checker.writers)
      expect(writer.events == events, "every thread's events are all there");
    expect(checker.writers.size() == threads, "every thread is there");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const auto threads =
      static_cast<unsigned>(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 8);
#ifdef RINGSCRIBE_SANITIZED
  const uint64_t few = 10'000;
#else
  const uint64_t few = 100'000;
#endif
  const uint64_t events = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : few;
  rs::runtime::Settings block;
  block.overflow = rs::runtime::Overflow::kBlock;
  block.block_timeout_ns = 0;
  record("block", block, threads, events, false);
  rs::runtime::Settings drop;
  drop.ring_bytes = rs::runtime::kSmallRingBytes;
  record("drop", drop, threads, events, true);
  return g_failures == 0 ? 0 : 1;
}
