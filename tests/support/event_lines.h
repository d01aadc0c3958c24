// SPDX-License-Identifier: Apache-2.0
//
// EventLines: a model::EventSink for tests that writes each event and sample as a line of text.
//
//   std::vector<std::string> lines;
//   model::Model model(std::make_unique<EventLines>(&lines), "session");
//   journal::replay(path, model);
//   CHECK(lines.front() == "mark gpu[0]/queue 100 'hello' category 7 color ff102030");
//
// What is zero or empty is left out. A range reads "push-pop TRACK BEGIN to END 'MESSAGE' …", a
// sample "sample TRACK/COUNTER TIME = VALUE", what could not be decoded "problem SENTENCE".
//
// Threads: one at a time. Lifetime: the lines have to outlive the sink.
#ifndef RINGSCRIBE_TESTS_SUPPORT_EVENT_LINES_H_
#define RINGSCRIBE_TESTS_SUPPORT_EVENT_LINES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::testing {

class EventLines final : public model::EventSink {
 public:
  explicit EventLines(std::vector<std::string>* lines) : lines_(lines) {}

  Status session(std::string_view) override { return {}; }
  Status track(const model::Track& track) override;
  Status counter_track(const model::CounterTrack& track) override;
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const model::Event& event) override;
  Status counter_sample(const model::CounterSample& sample) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override { return {}; }

 private:
  std::string path_below(uint32_t parent, std::string_view name) const;

  std::vector<std::string>* lines_;
  std::vector<std::string> tracks_;  // paths, by track
  std::vector<std::string> counters_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_EVENT_LINES_H_
