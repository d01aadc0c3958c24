// SPDX-License-Identifier: Apache-2.0
//
// FactSink: a model::EventSink that tells each event, sample and problem as one line of JSON, with
// all that the model knows of it, for normalise.py to compare.
//
//   std::vector<std::string> lines;
//   uint32_t stream = kNoStream;  // of the call under way, kept by whoever makes the calls
//   model::Model model(std::make_unique<FactSink>(&lines, &stream), "session");
//
// A line is {"fact": "event" | "sample" | "problem", ...}. Doubles are told as text, since JSON
// knows neither infinity nor "not a number", and a value with a letter for its kind: {"i": 5},
// {"s": "text"}. With Detail::kAll there is a line for each call of the sink, in its order, and
// events and samples have the numbers by which the sink was called.
//
// Threads: one at a time. Lifetime: `lines` and `stream` have to outlive the sink.
#ifndef RINGSCRIBE_TESTS_DIFFERENTIAL_FACT_SINK_H_
#define RINGSCRIBE_TESTS_DIFFERENTIAL_FACT_SINK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::testing {

inline constexpr uint32_t kNoStream = UINT32_MAX;

class FactSink final : public model::EventSink {
 public:
  // kEvents: what two recordings of the same calls have in common, however tracks are numbered.
  enum class Detail { kEvents, kAll };

  FactSink(std::vector<std::string>* lines, const uint32_t* stream, Detail detail = Detail::kEvents)
      : lines_(lines), stream_(stream), detail_(detail) {}

  Status session(std::string_view name) override;
  Status stream(const model::Stream& stream) override;
  Status category(std::string_view domain, uint32_t id, std::string_view name) override;
  Status track(const model::Track& track) override;
  Status counter_track(const model::CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const model::Event& event) override;
  Status counter_sample(const model::CounterSample& sample) override;
  Status loss(const model::Loss& loss) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override { return {}; }

 private:
  struct Counter {
    std::string path;
    std::string unit;
    std::string description;
    std::string domain;
  };
  std::string path_below(uint32_t parent, std::string_view name) const;

  std::vector<std::string>* lines_;
  const uint32_t* stream_;
  const Detail detail_;
  std::vector<std::string> tracks_;  // paths, by track
  std::vector<Counter> counters_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_DIFFERENTIAL_FACT_SINK_H_
