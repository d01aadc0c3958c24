// SPDX-License-Identifier: Apache-2.0
//
// CheckingSink: an EventSink for fuzzers that holds what it is told against the promises of
// event_sink.h, and ends the program where one is broken.
//
//   Model model(std::make_unique<CheckingSink>(), "fuzzed");
//
// Threads: one at a time.
#ifndef RINGSCRIBE_BACKENDS_MODEL_CHECKING_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_CHECKING_SINK_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"
#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::model {

class CheckingSink final : public EventSink {
 public:
  Status session(std::string_view) override { return {}; }
  Status track(const Track& track) override {
    fuzz_require(track.id == tracks_, "tracks are numbered without gaps");
    fuzz_require(track.parent == kNoTrack || track.parent < tracks_, "parents come first");
    ++tracks_;
    check(track.name);
    check(track.domain);
    return {};
  }
  Status counter_track(const CounterTrack& track) override {
    fuzz_require(track.id == counter_tracks_, "counter tracks are numbered without gaps");
    fuzz_require(track.parent == kNoTrack || track.parent < tracks_, "parents come first");
    ++counter_tracks_;
    check(track.name);
    check(track.unit);
    check(track.description);
    return {};
  }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const Event& event) override {
    fuzz_require(event.track < tracks_, "an event's track was announced");
    fuzz_require(event.end >= event.begin, "no event ends before it begins");
    check(event.message);
    check(event.category);
    check(event.fields);
    return {};
  }
  Status counter_sample(const CounterSample& sample) override {
    fuzz_require(sample.counter_track < counter_tracks_, "a sample's track was announced");
    return {};
  }
  Status problem(std::string_view sentence, uint64_t count) override {
    fuzz_require(count > 0, "a problem happened");
    check(sentence);
    return {};
  }
  Status finish() override {
    fuzz_require(!is_finished_, "a sink is finished once");
    is_finished_ = true;
    return {};
  }

 private:
  static void check(std::string_view text) {
    fuzz_require(nvtxw::is_valid_utf8(text), "text for a sink is UTF-8");
  }
  static void check(std::span<const Field> fields) {
    for (const Field& field : fields) {
      check(field.name);
      if (field.value.kind == ValueKind::kText) check(field.value.text);
      check(field.value.children);
    }
  }

  uint32_t tracks_ = 0;
  uint32_t counter_tracks_ = 0;
  bool is_finished_ = false;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_CHECKING_SINK_H_
