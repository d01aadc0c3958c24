// SPDX-License-Identifier: Apache-2.0
//
// CallLot: calls of an EventSink, kept to be made later, with all that their arguments refer to.
//
//   CallLot lot;
//   lot.event(event);                      // a copy: the event may go
//   if (lot.is_full()) ...
//   Status first_failure = lot.replay(*sink);
//   lot.clear();                           // keeps memory for the next calls
//
// Threads: one at a time. Lifetime: what the sink gets is valid until clear().
#ifndef RINGSCRIBE_BACKENDS_MODEL_CALL_LOT_H_
#define RINGSCRIBE_BACKENDS_MODEL_CALL_LOT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class CallLot {
 public:
  // A lot is full when it has that many bytes; one call may go beyond it by its own size.
  static constexpr size_t kBytesMax = size_t{512} << 10;

  bool is_full() const noexcept { return bytes_ >= kBytesMax; }
  bool is_empty() const noexcept { return calls_.empty(); }

  void session(std::string_view name);
  void stream(const Stream& stream);
  void category(std::string_view domain, uint32_t id, std::string_view name);
  void track(const Track& track);
  void counter_track(const CounterTrack& track);
  void clock_point(int64_t monotonic_ns, int64_t realtime_ns);
  void event(const Event& event);
  void events(const EventBlock& block);
  void counter_sample(const CounterSample& sample);
  void loss(const Loss& loss);
  void problem(std::string_view sentence, uint64_t count);

  // Makes all calls in their order, whatever they return. Returns the first failure.
  Status replay(EventSink& sink) const;
  void clear();

 private:
  enum class Kind : uint8_t {
    kSession,
    kStream,
    kCategory,
    kTrack,
    kCounterTrack,
    kClockPoint,
    kEvent,
    kEvents,
    kCounterSample,
    kLoss,
    kProblem,
  };
  struct Call {
    Kind kind;
    const void* arguments;  // of the kind's type
  };
  // Arguments that have no struct of the sink's.
  struct Texts {
    std::string_view first, second;
    uint64_t number;
  };
  struct Times {
    int64_t monotonic_ns, realtime_ns;
  };
  struct Block {
    Event shared;
    std::span<const EventRow> rows;
    std::span<const Field> fields;
    size_t fields_per_row;
    uint32_t field_names;
  };

  template <typename T>
  static const T& as(const Call& call) {
    return *static_cast<const T*>(call.arguments);
  }
  static Status make(const Call& call, EventSink& sink);

  template <typename T>
  void add(Kind kind, const T& arguments);
  // Room for `count` values, not initialised.
  template <typename T>
  T* room(size_t count);
  std::string_view copy(std::string_view text);
  std::span<const Field> copy(std::span<const Field> fields);
  Value copy(const Value& value);
  void copy_views(Event& event);
  const EventLabel* copy(const EventLabel& label);

  std::vector<Call> calls_;
  Arena arena_;
  size_t bytes_ = 0;
  // Copies of labels by the lower bits of their numbers, so that one stands in a lot once.
  static constexpr size_t kLabelPlaces = 1024;
  std::array<const EventLabel*, kLabelPlaces> labels_ = {};
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_CALL_LOT_H_
