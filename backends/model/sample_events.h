// SPDX-License-Identifier: Apache-2.0
//
// Events and values for the programs that write samples of each format for tests.
//
//   expect(sink.event(mark(0, 5, "here")));
//
// Threads: one. Lifetime: an event has the views that it is given.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SAMPLE_EVENTS_H_
#define RINGSCRIBE_BACKENDS_MODEL_SAMPLE_EVENTS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

inline Event range(uint32_t track, int64_t begin, int64_t end, std::string_view message,
                   EventKind kind = EventKind::kRangePushPop) {
  Event event;
  event.kind = kind;
  event.track = track;
  event.begin = begin;
  event.end = end;
  event.synchronised = true;
  event.message = message;
  return event;
}

inline Event mark(uint32_t track, int64_t time, std::string_view message) {
  return range(track, time, time, message, EventKind::kMark);
}

inline Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

inline Value unsigned_number(ValueKind kind, uint64_t value) {
  Value result;
  result.kind = kind;
  result.uint_value = value;
  return result;
}

inline Value floating(double value) {
  Value result;
  result.kind = ValueKind::kDouble;
  result.double_value = value;
  return result;
}

inline Value text(std::string_view value) {
  Value result;
  result.kind = ValueKind::kText;
  result.text = value;
  return result;
}

inline Value nested(ValueKind kind, std::span<const Field> children) {
  Value result;
  result.kind = kind;
  result.children = children;
  return result;
}

// Statuses that were no success; each is printed.
inline int failures = 0;

inline void expect(const Status& status) { failures += status.print(); }

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SAMPLE_EVENTS_H_
