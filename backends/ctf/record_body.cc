// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/record_body.h"

#include "ringscribe/backends/ctf/bytes.h"
#include "ringscribe/backends/ctf/tsdl_text.h"

namespace ringscribe::ctf {
namespace {

const char* kind_name(model::TrackKind kind) noexcept {
  switch (kind) {
    case model::TrackKind::kProcess:
      return "process";
    case model::TrackKind::kThread:
      return "thread";
    case model::TrackKind::kScope:
      return "scope";
    case model::TrackKind::kStream:
      return "stream";
  }
  return "";
}

const char* value_type_name(model::CounterValueType type) noexcept {
  switch (type) {
    case model::CounterValueType::kUnspecified:
      return "";
    case model::CounterValueType::kAbsolute:
      return "absolute";
    case model::CounterValueType::kDelta:
      return "delta";
    case model::CounterValueType::kDeltaSinceStart:
      return "delta since start";
  }
  return "";
}

const char* interpolation_name(model::CounterInterpolation interpolation) noexcept {
  switch (interpolation) {
    case model::CounterInterpolation::kUnspecified:
      return "";
    case model::CounterInterpolation::kPoint:
      return "point";
    case model::CounterInterpolation::kSinceLast:
      return "since last";
    case model::CounterInterpolation::kUntilNext:
      return "until next";
    case model::CounterInterpolation::kLinear:
      return "linear";
  }
  return "";
}

// kNoTrack is -1.
int64_t parent_number(uint32_t parent) noexcept {
  return parent == model::kNoTrack ? -1 : int64_t{parent};
}

}  // namespace

RecordBody::Counter RecordBody::counter_of(const model::CounterTrack& track) {
  std::string name(track.domain);
  if (!name.empty()) name += ':';
  name.append("counter:").append(track.name);
  std::string remark;
  if (!track.unit.empty()) remark += comment("unit " + std::string(track.unit));
  if (!track.description.empty()) remark += comment(track.description);
  return {std::move(name), std::move(remark)};
}

uint32_t RecordBody::sample(const model::CounterSample& sample, const Counter& counter,
                            std::string& out) {
  const bool is_floating = sample.is_floating;
  const unsigned form =
      (sample.has_value ? 1U : 0U) | (is_floating ? 2U : 0U) | (sample.synchronised ? 4U : 0U);
  uint64_t key = uint64_t{sample.counter_track} * 16 + form;
  auto entry = samples_.find(key);
  const bool is_named = entry == samples_.end() && classes_.is_full();
  // All counters of the rest share a class, in which the counter is named.
  if (is_named) key = UINT64_MAX - form;
  if (is_named) entry = samples_.find(key);
  if (entry == samples_.end()) {
    std::string fields = is_named ? "text _counter;\n" : "";
    fields += !sample.has_value ? "u8 _no_value_reason;\n"
              : is_floating     ? "f64 _value;\n"
                                : "i64 _value;\n";
    if (!sample.synchronised) fields += "u64 _time_domain;\n";
    const std::string name = is_named ? "ringscribe:sample" : counter.name;
    const uint32_t made =
        classes_.add({name, name, std::move(fields), is_named ? "" : counter.remark});
    entry = samples_.emplace(key, made).first;
  }
  if (is_named) append_text(out, counter.name);
  if (!sample.has_value) {
    put(out, sample.no_value_reason);
  } else if (is_floating) {
    put(out, sample.double_value);
  } else {
    put(out, sample.int_value);
  }
  if (!sample.synchronised) put(out, sample.time_domain);
  return entry->second;
}

uint32_t RecordBody::note(const char* name, const char* fields) {
  const auto known = notes_.find(name);
  if (known != notes_.end()) return known->second;
  const uint32_t made = classes_.add({name, name, fields, ""});
  notes_.emplace(name, made);
  return made;
}

uint32_t RecordBody::track(const model::Track& track, std::string& out) {
  put(out, track.id);
  put(out, parent_number(track.parent));
  append_text(out, kind_name(track.kind));
  append_text(out, track.name);
  append_text(out, track.domain);
  put(out, track.pid);
  put(out, track.tid);
  put(out, track.thread_number);
  return note("ringscribe:track",
              "u32 _track;\ni64 _parent;\ntext _kind;\ntext _name;\ntext _domain;\ni64 _pid;\n"
              "i64 _tid;\ni64 _thread_number;\n");
}

uint32_t RecordBody::counter(const model::CounterTrack& track, std::string& out) {
  put(out, track.id);
  put(out, parent_number(track.parent));
  for (const std::string_view text : {track.name, track.unit, track.description, track.domain}) {
    append_text(out, text);
  }
  append_text(out, value_type_name(track.value_type));
  append_text(out, interpolation_name(track.interpolation));
  put(out, static_cast<uint8_t>(track.has_minimum));
  put(out, track.minimum);
  put(out, static_cast<uint8_t>(track.has_maximum));
  put(out, track.maximum);
  return note("ringscribe:counter",
              "u32 _counter;\ni64 _parent;\ntext _name;\ntext _unit;\ntext _description;\n"
              "text _domain;\ntext _value_type;\ntext _interpolation;\nu8 _has_minimum;\n"
              "f64 _minimum;\nu8 _has_maximum;\nf64 _maximum;\n");
}

uint32_t RecordBody::stream(const model::Stream& stream, std::string& out) {
  put(out, stream.id);
  append_text(out, stream.name);
  append_text(out, stream.domain);
  return note("ringscribe:stream", "u32 _stream;\ntext _name;\ntext _domain;\n");
}

uint32_t RecordBody::category(std::string_view domain, uint32_t id, std::string_view name,
                              std::string& out) {
  put(out, id);
  append_text(out, name);
  append_text(out, domain);
  return note("ringscribe:category", "u32 _category_id;\ntext _name;\ntext _domain;\n");
}

uint32_t RecordBody::clock_point(int64_t monotonic_ns, int64_t realtime_ns, std::string& out) {
  put(out, monotonic_ns);
  put(out, realtime_ns);
  return note("ringscribe:clock_point", "i64 _monotonic_ns;\ni64 _realtime_ns;\n");
}

uint32_t RecordBody::problem(std::string_view sentence, uint64_t count, std::string& out) {
  append_text(out, sentence);
  put(out, count);
  return note("ringscribe:problem", "text _message;\nu64 _count;\n");
}

}  // namespace ringscribe::ctf
