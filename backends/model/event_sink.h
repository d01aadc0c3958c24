// SPDX-License-Identifier: Apache-2.0
//
// EventSink: what a viewer's format is written from. The model (model.h) decodes a session's
// NVTXW calls, pairs push with pop and start with end, places events on tracks, converts time,
// and calls the sink; a sink knows nothing of schemas, handles or payload bytes.
//
// Order: a track, counter track or clock point is announced before its first use. Events arrive
// as the producer handed them over: a range after the ranges inside it, tracks mixed, times in
// any order. A sink that needs order within a track sorts (see perfetto/).
//
// Threads: one at a time. Lifetime: all views in arguments are valid during the call only.
#ifndef RINGSCRIBE_BACKENDS_MODEL_EVENT_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_EVENT_SINK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

inline constexpr uint32_t kNoTrack = UINT32_MAX;

enum class TrackKind : uint8_t {
  kProcess,  // scope node "Process[PID:NAME]"
  kThread,   // scope node "Thread[NUMBER:TID:NAME]" below a process
  kScope,    // any other scope node
  kStream,   // events of a stream without scope
};

// A producer's stream, whose events may lie on many tracks. One that is closed and opened again is
// the same.
struct Stream {
  uint32_t id = 0;  // dense from 0
  std::string_view name;
  std::string_view domain;  // "" for the default domain
};

struct Track {
  uint32_t id;      // dense from 0
  uint32_t parent;  // a track announced before, or kNoTrack
  TrackKind kind;
  std::string_view name;    // process, thread, scope node or stream name; valid UTF-8
  std::string_view domain;  // of the stream or scope; "" for the default domain
  int64_t pid;              // kProcess and kThread; else 0
  int64_t tid;              // kThread: the system's id, which may be reused; else 0
  int64_t thread_number;    // kThread: never reused in the process; else 0
};

// What a counter's semantics say of its samples (NVTX_COUNTER_FLAG_VALUETYPE_*, _INTERPOLATION_*).
// A sample of kDelta is the change since the one before it, of kDeltaSinceStart that since the
// first; the model hands values on as they were written, and does not add them up.
enum class CounterValueType : uint8_t { kUnspecified, kAbsolute, kDelta, kDeltaSinceStart };
enum class CounterInterpolation : uint8_t {
  kUnspecified,
  kPoint,
  kSinceLast,
  kUntilNext,
  kLinear,
};

struct CounterTrack {
  uint32_t id;            // dense from 0, a numbering of its own
  uint32_t parent;        // the track it belongs to, or kNoTrack
  std::string_view name;  // "group.entry" for a member of a counter group
  std::string_view unit;
  std::string_view description;
  std::string_view domain;
  bool is_floating;  // samples come as floating values; else as int64
  CounterValueType value_type = CounterValueType::kUnspecified;
  CounterInterpolation interpolation = CounterInterpolation::kUnspecified;
  // Where values are expected to lie, scaled as the samples are.
  bool has_minimum = false;
  bool has_maximum = false;
  double minimum = 0;
  double maximum = 0;
};

struct Field;

enum class ValueKind : uint8_t { kNone, kInt, kUint, kDouble, kText, kAddress, kStruct, kArray };

// A decoded value. kInt/kUint/kAddress/kDouble: the number. kText: valid UTF-8 (also enum names,
// with the number in `uint_value`; blobs and 128-bit integers as hex or decimal text).
// kStruct: named children. kArray: children without names.
struct Value {
  ValueKind kind = ValueKind::kNone;
  union {
    int64_t int_value = 0;
    uint64_t uint_value;
    double double_value;
  };
  std::string_view text;
  std::span<const Field> children;
};

struct Field {
  std::string_view name;  // valid UTF-8; "" in arrays
  Value value;
};

enum class EventKind : uint8_t { kMark, kRangePushPop, kRangeStartEnd };

// What many events of a domain say alike, under a number that is never used for anything else.
struct EventLabel {
  uint64_t number = 0;  // never 0 in use
  uint32_t category_id = 0;
  uint32_t color_argb = 0;
  std::string_view message;
  std::string_view category;
};

struct Event {
  EventKind kind = EventKind::kMark;
  uint32_t track = kNoTrack;
  // In ns of CLOCK_MONOTONIC if `synchronised`, else in ticks of a time domain that nothing
  // relates to a clock, unchanged. Marks: equal. Ranges: end >= begin, always.
  int64_t begin = 0;
  int64_t end = 0;
  bool synchronised = false;
  uint32_t stream = 0;  // the one it was written to (a range: begun on)
  uint64_t time_domain = 0;
  bool end_is_missing = false;    // a push or start that was open when the session ended
  bool begin_is_missing = false;  // a pop or end that matched nothing: begin == end
  bool end_before_begin = false;  // as written; `written_end` keeps what was written
  int64_t written_end = 0;
  uint64_t range_id = 0;      // start/end ranges that carried one
  std::string_view message;   // valid UTF-8
  std::string_view category;  // the registered name, or "" (then see category_id)
  uint32_t category_id = 0;   // 0: none
  uint32_t color_argb = 0;    // 0: none
  std::string_view domain;
  std::span<const Field> fields;  // what has no role, in schema order
  // Events of equal numbers belong together, in the order of their times, whatever their tracks and
  // domains: correlated fields of equal value (nvtxSemanticsCorrelation_t). None is 0, or twice.
  std::span<const uint64_t> flows = {};
};

// Events that differ in little: what is not in a row is the same for all of them.
struct EventRow {
  int64_t begin = 0;
  int64_t end = 0;        // of a mark `begin`; of a range as written: it may lie before `begin`
  uint64_t range_id = 0;  // kRangeStartEnd; else 0
  const EventLabel* label = nullptr;
};

struct EventBlock {
  const Event& shared;
  std::span<const EventRow> rows;
  std::span<const Field> fields;  // of all rows, in their order
  size_t fields_per_row = 0;
  // Blocks of one number have fields of the same names in the same order, none of which has
  // children. 0: no fields.
  uint32_t field_names = 0;

  // The event of a row, which looks like any other.
  Event event(size_t row) const {
    const auto& [begin, end, range_id, label] = rows[row];
    Event event = shared;
    event.begin = begin;
    event.end = end;
    if (end < begin) {
      event.end_before_begin = true;
      event.written_end = end;
      event.end = begin;
    }
    event.range_id = range_id;
    event.message = label->message;
    event.category = label->category;
    event.category_id = label->category_id;
    event.color_argb = label->color_argb;
    event.fields = fields.subspan(row * fields_per_row, fields_per_row);
    return event;
  }
};

struct CounterSample {
  uint32_t counter_track = 0;
  int64_t time = 0;
  bool synchronised = false;
  uint64_t time_domain = 0;
  bool has_value = true;
  uint8_t no_value_reason = 0;  // NVTX_COUNTER_SAMPLE_* when !has_value
  bool is_floating = false;
  int64_t int_value = 0;
  double double_value = 0;
  uint32_t stream = 0;
};

// What the producer says was written to one of its streams and is not in the recording, told when
// it was noticed: the events are missing somewhere between the stream's loss before and this one.
struct Loss {
  int64_t time = 0;  // as that of events
  bool synchronised = false;
  std::string_view stream;  // its name
  std::string_view cause;   // as docs/reliability.md names them
  uint64_t events = 0;      // since the stream's loss before, of this cause
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual Status session(std::string_view name) = 0;  // first call
  // Before the first event of it.
  virtual Status stream(const Stream&) { return {}; }
  // A name of a category, whether or not an event is in it.
  virtual Status category(std::string_view domain, uint32_t id, std::string_view name) {
    (void)domain, (void)id, (void)name;
    return {};
  }
  virtual Status track(const Track& track) = 0;
  virtual Status counter_track(const CounterTrack& track) = 0;
  // The same instant on both clocks, in ns. Called as known, possibly several times, possibly
  // never.
  virtual Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) = 0;
  virtual Status event(const Event& event) = 0;
  // The same as event() for one row after the other; the first failure ends it.
  virtual Status events(const EventBlock& block) {
    for (size_t row = 0; row < block.rows.size(); ++row) {
      if (Status status = event(block.event(row)); !status.ok()) return status;
    }
    return {};
  }
  virtual Status counter_sample(const CounterSample& sample) = 0;
  // Beside the mark that says it in words, which comes as an event.
  virtual Status loss(const Loss&) { return {}; }
  // Something that could not be decoded or placed, `count` times in all, told once at the end.
  virtual Status problem(std::string_view sentence, uint64_t count) = 0;
  virtual Status finish() = 0;  // last call
  // The size of its output so far, without what it has not written yet; 0 if it cannot say.
  virtual uint64_t bytes_written() const { return 0; }
  // Its files or folders, as they are named now; oldest first. Before finish() and after it.
  virtual std::vector<std::string> paths() const { return {}; }
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_EVENT_SINK_H_
