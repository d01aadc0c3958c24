// SPDX-License-Identifier: Apache-2.0
//
// Probes: events that say themselves whether they are whole, and whether one is missing.
//
//   stream.write_event(schema, Probe{time, writer, i, mix(writer, i)});   // i: 0, 1, 2, ...
//   ...
//   ProbeChecker checker;
//   journal::replay("a.rsj", checker);
//   CHECK(checker.torn + checker.disordered + checker.gaps == 0);
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TESTS_SUPPORT_PROBES_H_
#define RINGSCRIBE_TESTS_SUPPORT_PROBES_H_

#include <ringscribe/ringscribe.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::testing {

struct Probe {
  int64_t time;  // rises in each thread
  uint64_t writer;
  uint64_t sequence;  // rises by one in each thread
  uint64_t mix;       // of the two above: a torn row shows
};
RINGSCRIBE_SCHEMA(Probe, MARK(time), FIELD(writer), FIELD(sequence), FIELD(mix));

inline uint64_t mix(uint64_t writer, uint64_t sequence) {
  return (sequence + 1) * 0x9E3779B97F4A7C15ull ^ (writer << 56);
}

// Reads rows of Probe out of a journal and tallies what is wrong.
class ProbeChecker : public nvtxw::SessionBackend {
 public:
  struct Writer {
    uint64_t events = 0;
    uint64_t next_sequence = 0;
    int64_t last_time = INT64_MIN;
  };
  std::map<uint64_t, Writer> writers;
  uint64_t torn = 0, disordered = 0, gaps = 0, events = 0;

  Status schema(uint32_t, const nvtxPayloadSchemaAttr_t& attr) override {
    if (std::string(attr.name) == "Probe") probe_schema_ = attr.schemaId;
    return {};
  }
  Status event_batch(uint32_t, const nvtxEventBatch_t& batch) override {
    if (batch.eventSchemaId != probe_schema_) return {};
    const auto* rows = static_cast<const uint8_t*>(batch.events);
    for (size_t at = 0; at < batch.size; at += sizeof(Probe)) {
      Probe probe;
      std::memcpy(&probe, rows + at, sizeof probe);
      check(probe);
    }
    return {};
  }

  Status domain(uint32_t, std::string_view) override { return {}; }
  Status category(uint32_t, uint32_t, std::string_view) override { return {}; }
  Status string(uint32_t, uint64_t, std::string_view) override { return {}; }
  Status resource(uint32_t, const nvtxResourceAttributes_t&) override { return {}; }
  Status scope(uint32_t, const nvtxScopeAttr_t&) override { return {}; }
  Status enumeration(uint32_t, const nvtxPayloadEnumAttr_t&) override { return {}; }
  Status counter(uint32_t, const nvtxCounterAttr_t&) override { return {}; }
  Status time_domain(uint32_t, const nvtxTimeDomainAttr_t&) override { return {}; }
  Status stream_open(uint32_t, uint32_t, const nvtxwStreamAttributes_t&) override { return {}; }
  Status stream_close(uint32_t) override { return {}; }
  Status event(uint32_t, std::span<const nvtxPayloadData_t>) override { return {}; }
  Status counter_sample(uint32_t, int64_t, uint64_t, const void*, size_t) override { return {}; }
  Status counter_no_value(uint32_t, int64_t, uint64_t, uint8_t) override { return {}; }
  Status counter_batch(uint32_t, const nvtxCounterBatch_t&) override { return {}; }
  Status sync_points(uint32_t, uint64_t, uint64_t, std::span<const nvtxSyncPoint_t>) override {
    return {};
  }
  Status conversion_factor(uint32_t, uint64_t, uint64_t, double, int64_t, int64_t) override {
    return {};
  }
  Status end() override { return {}; }

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

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_PROBES_H_
