// SPDX-License-Identifier: Apache-2.0
//
// What the two writers of traces for tests have in common: a sink for a path, events and values.
//
//   auto sink = open("a.ctf");
//   expect(sink->event(mark(0, 5, "here")));
//
// Threads: one. Lifetime: an event has the views that it is given.
#ifndef RINGSCRIBE_BACKENDS_CTF_SAMPLE_EVENTS_H_
#define RINGSCRIBE_BACKENDS_CTF_SAMPLE_EVENTS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "ringscribe/backends/ctf/ctf_sink.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

using model::Event;
using model::EventKind;
using model::Field;
using model::kNoTrack;
using model::TrackKind;
using model::Value;
using model::ValueKind;

// Statuses that were no success; each is printed.
inline int failures = 0;

inline void expect(const Status& status) { failures += status.print(); }

inline std::unique_ptr<CtfSink> open(const std::string& path, const SinkOptions& options = {}) {
  auto folder = output::OutputFolder::create(path, ctf::folder_mark());
  return std::make_unique<CtfSink>(std::move(folder).value(), options);
}

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

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_SAMPLE_EVENTS_H_
