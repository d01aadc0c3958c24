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
#include "ringscribe/backends/model/sample_events.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

using model::Event;
using model::EventKind;
using model::expect;
using model::failures;
using model::Field;
using model::floating;
using model::kNoTrack;
using model::mark;
using model::nested;
using model::number;
using model::range;
using model::text;
using model::TrackKind;
using model::unsigned_number;
using model::Value;
using model::ValueKind;

inline std::unique_ptr<CtfSink> open(const std::string& path, const SinkOptions& options = {}) {
  auto folder = output::OutputFolder::create(path, ctf::folder_mark());
  return std::make_unique<CtfSink>(std::move(folder).value(), options);
}

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_SAMPLE_EVENTS_H_
