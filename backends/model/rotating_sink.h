// SPDX-License-Identifier: Apache-2.0
//
// RotatingSink: hands a session on to one sink after the other, each of which writes a file that
// can be read without the others: what an event needs (its tracks and those above them, its stream,
// counters, categories, the clock) is announced again in each part where it is used.
//
//   RotatingSink sink({.bytes = 512 << 20}, [](uint32_t part) { return open_part(part); });
//
// An event is in one part, the one that was being written when it came: a range in that of its end,
// whose time span may reach back into the part before. A part ends before the first event
//   - that comes when its sink has written `bytes` (which it passes by what the sink gathers), or
//   - whose end is `ns` or more after the end of the part's first event.
// A block of events is no exception: it is cut where a part ends, and its size is looked at after
// every 4,096 rows.
//
// Threads: one at a time. Lifetime: the destructor finishes the last part.
// Errors: a part that cannot be finished or begun is a failure that every later call returns.
#ifndef RINGSCRIBE_BACKENDS_MODEL_ROTATING_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_ROTATING_SINK_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

class RotatingSink final : public EventSink {
 public:
  struct Bounds {
    uint64_t bytes = 0;  // 0: none
    int64_t ns = 0;      // 0: none
  };
  // Opens the sink of a part; they count from 1.
  using OpenPart = std::function<Result<std::unique_ptr<EventSink>>(uint32_t part)>;

  // `first` is the sink of part 1.
  RotatingSink(const Bounds& bounds, std::unique_ptr<EventSink> first, OpenPart open_part);

  Status session(std::string_view name) override;
  Status stream(const Stream& stream) override;
  Status category(std::string_view domain, uint32_t id, std::string_view name) override;
  Status track(const Track& track) override;
  Status counter_track(const CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const Event& event) override;
  Status events(const EventBlock& block) override;
  Status counter_sample(const CounterSample& sample) override;
  Status loss(const Loss& loss) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override;
  uint64_t bytes_written() const override { return sink_->bytes_written(); }
  std::vector<std::string> paths() const override;

 private:
  static constexpr uint32_t kNotInPart = UINT32_MAX;
  // What was announced, and its number in the part that is being written.
  template <typename Announced>
  struct Kept {
    Announced what;  // its views refer to `texts`
    std::unique_ptr<std::string[]> texts;
    uint32_t in_part = kNotInPart;
  };

  bool is_too_late(int64_t time, bool synchronised) const noexcept;
  // Before an event whose last time is that: begins a new part if it is time.
  Status make_room(int64_t time, bool synchronised);
  Status begin_part();
  // Each finds the number in this part, and announces what is new to it.
  Status place_stream(uint32_t& stream);
  Status place_track(uint32_t& track);
  Status place_counter(uint32_t& counter_track);
  Status place(Event& event);
  Status keep(Status status);

  const Bounds bounds_;
  const OpenPart open_part_;
  std::unique_ptr<EventSink> sink_;
  std::vector<std::string> finished_paths_;  // of the parts before
  uint32_t part_ = 1;
  Status failure_;
  bool is_finished_ = false;

  std::string session_name_;
  std::vector<Kept<Stream>> streams_;
  std::vector<Kept<Track>> tracks_;
  std::vector<Kept<CounterTrack>> counters_;
  std::map<std::pair<std::string, uint32_t>, std::string> categories_;
  bool has_clock_point_ = false;
  std::pair<int64_t, int64_t> clock_point_;  // the last
  // Of this part.
  uint32_t streams_in_part_ = 0;
  uint32_t tracks_in_part_ = 0;
  uint32_t counters_in_part_ = 0;
  bool is_used_ = false;  // has an event or sample
  bool has_first_time_ = false;
  int64_t first_time_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_ROTATING_SINK_H_
