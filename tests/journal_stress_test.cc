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
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/runtime/runtime.h"

namespace rs = ringscribe;

namespace {

struct Probe {
  int64_t time;  // rises in each thread
  uint64_t writer;
  uint64_t sequence;  // rises by one in each thread
  uint64_t mix;       // of the two above: a torn row shows
};
RINGSCRIBE_SCHEMA(Probe, MARK(time), FIELD(writer), FIELD(sequence), FIELD(mix));

uint64_t mix(uint64_t writer, uint64_t sequence) {
  return (sequence + 1) * 0x9E3779B97F4A7C15ull ^ (writer << 56);
}

// Reads rows of Probe out of a journal and tallies what is wrong.
class Checker final : public rs::nvtxw::SessionBackend {
 public:
  struct Writer {
    uint64_t events = 0;
    uint64_t next_sequence = 0;
    int64_t last_time = INT64_MIN;
  };
  std::map<uint64_t, Writer> writers;
  uint64_t torn = 0, disordered = 0, gaps = 0, events = 0;

  rs::Status schema(uint32_t, const nvtxPayloadSchemaAttr_t& attr) override {
    if (std::string(attr.name) == "Probe") probe_schema_ = attr.schemaId;
    return {};
  }
  rs::Status event_batch(uint32_t, const nvtxEventBatch_t& batch) override {
    if (batch.eventSchemaId != probe_schema_) return {};
    const auto* rows = static_cast<const uint8_t*>(batch.events);
    for (size_t at = 0; at < batch.size; at += sizeof(Probe)) {
      Probe probe;
      std::memcpy(&probe, rows + at, sizeof probe);
      check(probe);
    }
    return {};
  }

  rs::Status domain(uint32_t, std::string_view) override { return {}; }
  rs::Status category(uint32_t, uint32_t, std::string_view) override { return {}; }
  rs::Status string(uint32_t, uint64_t, std::string_view) override { return {}; }
  rs::Status resource(uint32_t, const nvtxResourceAttributes_t&) override { return {}; }
  rs::Status scope(uint32_t, const nvtxScopeAttr_t&) override { return {}; }
  rs::Status enumeration(uint32_t, const nvtxPayloadEnumAttr_t&) override { return {}; }
  rs::Status counter(uint32_t, const nvtxCounterAttr_t&) override { return {}; }
  rs::Status time_domain(uint32_t, const nvtxTimeDomainAttr_t&) override { return {}; }
  rs::Status stream_open(uint32_t, uint32_t, const nvtxwStreamAttributes_t&) override { return {}; }
  rs::Status stream_close(uint32_t) override { return {}; }
  rs::Status event(uint32_t, std::span<const nvtxPayloadData_t>) override { return {}; }
  rs::Status counter_sample(uint32_t, int64_t, uint64_t, const void*, size_t) override {
    return {};
  }
  rs::Status counter_no_value(uint32_t, int64_t, uint64_t, uint8_t) override { return {}; }
  rs::Status counter_batch(uint32_t, const nvtxCounterBatch_t&) override { return {}; }
  rs::Status sync_points(uint32_t, uint64_t, uint64_t, std::span<const nvtxSyncPoint_t>) override {
    return {};
  }
  rs::Status conversion_factor(uint32_t, uint64_t, uint64_t, double, int64_t, int64_t) override {
    return {};
  }
  rs::Status end() override { return {}; }

 private:
  void check(const Probe& probe) {
    ++events;
    if (probe.mix != mix(probe.writer, probe.sequence)) {
      ++torn;
      return;
    }
    Writer& writer = writers[probe.writer];
    ++writer.events;
    if (probe.time <= writer.last_time || probe.sequence < writer.next_sequence) ++disordered;
    gaps += probe.sequence - writer.next_sequence;
    writer.last_time = probe.time;
    writer.next_sequence = probe.sequence + 1;
  }

  uint64_t probe_schema_ = 0;
};

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
  Checker checker;
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
