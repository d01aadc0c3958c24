// SPDX-License-Identifier: Apache-2.0
//
// TallySink: hands everything on to another sink, and counts what the producer wrote and lost.
// What lies in our own domain, "ringscribe", is not the producer's.
//
//   TallySink tally(*sink);
//   ... tally.event(), ...
//   std::printf("%llu events\n", tally.events());
//
// Threads: one at a time. Lifetime: keeps a reference to the sink.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TALLY_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_TALLY_SINK_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

class TallySink final : public EventSink {
 public:
  explicit TallySink(EventSink& sink) : sink_(sink) {}

  uint64_t events() const noexcept { return events_; }  // marks, ranges and samples
  uint64_t lost() const noexcept { return lost_; }

  Status session(std::string_view name) override { return sink_.session(name); }
  Status stream(const Stream& stream) override { return sink_.stream(stream); }
  Status category(std::string_view domain, uint32_t id, std::string_view name) override {
    return sink_.category(domain, id, name);
  }
  Status track(const Track& track) override { return sink_.track(track); }
  Status counter_track(const CounterTrack& track) override { return sink_.counter_track(track); }
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override {
    return sink_.clock_point(monotonic_ns, realtime_ns);
  }
  Status event(const Event& event) override {
    if (event.domain != kOurs) ++events_;
    return sink_.event(event);
  }
  Status events(const EventBlock& block) override {
    if (block.shared.domain != kOurs) events_ += block.rows.size();
    return sink_.events(block);
  }
  Status counter_sample(const CounterSample& sample) override {
    ++events_;
    return sink_.counter_sample(sample);
  }
  Status loss(const Loss& loss) override {
    lost_ += loss.events;
    return sink_.loss(loss);
  }
  Status problem(std::string_view sentence, uint64_t count) override {
    return sink_.problem(sentence, count);
  }
  Status finish() override { return sink_.finish(); }
  uint64_t bytes_written() const override { return sink_.bytes_written(); }
  std::vector<std::string> paths() const override { return sink_.paths(); }

 private:
  static constexpr std::string_view kOurs = "ringscribe";

  EventSink& sink_;
  uint64_t events_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TALLY_SINK_H_
