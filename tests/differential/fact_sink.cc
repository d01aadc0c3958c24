// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/differential/fact_sink.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>

namespace ringscribe::testing {

namespace {

// One line in the making.
class Line {
 public:
  explicit Line(const char* fact) : writer_(buffer_) {
    writer_.StartObject();
    add("fact", fact);
  }
  std::string finish() {
    writer_.EndObject();
    return std::string(buffer_.GetString(), buffer_.GetSize());
  }
  void key(const char* name) { writer_.Key(name); }
  void put(std::string_view text) {
    writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  }
  void put(const char* text) { put(std::string_view(text)); }
  void put(int64_t number) { writer_.Int64(number); }
  void put(uint64_t number) { writer_.Uint64(number); }
  void put(bool is_true) { writer_.Bool(is_true); }
  void put(double number) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    put(std::string_view(digits));
  }
  template <typename T>
  void add(const char* name, const T& value) {
    key(name);
    put(value);
  }
  void put(const model::Value& value);
  void put_fields(std::span<const model::Field> fields);

 private:
  template <typename T>
  void put_kind(const char* kind, const T& value) {
    writer_.StartObject();
    add(kind, value);
    writer_.EndObject();
  }

  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> writer_;
};

void Line::put(const model::Value& value) {
  switch (value.kind) {
    case model::ValueKind::kNone:
      writer_.Null();
      return;
    case model::ValueKind::kInt:
      return put_kind("i", value.int_value);
    case model::ValueKind::kUint:
      return put_kind("u", value.uint_value);
    case model::ValueKind::kAddress:
      return put_kind("address", value.uint_value);
    case model::ValueKind::kDouble:
      return put_kind("f", value.double_value);
    case model::ValueKind::kText:
      return put_kind("s", value.text);
    case model::ValueKind::kStruct:
      return put_fields(value.children);
    case model::ValueKind::kArray:
      writer_.StartArray();
      for (const model::Field& child : value.children) put(child.value);
      writer_.EndArray();
      return;
  }
}

// A list of [name, value], so that order and equal names are told, too.
void Line::put_fields(std::span<const model::Field> fields) {
  writer_.StartObject();
  key("fields");
  writer_.StartArray();
  for (const model::Field& field : fields) {
    writer_.StartArray();
    put(field.name);
    put(field.value);
    writer_.EndArray();
  }
  writer_.EndArray();
  writer_.EndObject();
}

int64_t number_or_none(uint32_t track) { return track == model::kNoTrack ? -1 : int64_t{track}; }

// Unlike other fields, kinds of tracks and events are told as words.
const char* word_of(model::TrackKind kind) {
  switch (kind) {
    case model::TrackKind::kProcess:
      return "process ";
    case model::TrackKind::kThread:
      return "thread ";
    case model::TrackKind::kScope:
      return "scope ";
    case model::TrackKind::kStream:
      return "stream ";
  }
  return "? ";
}

const char* word_of(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::kMark:
      return "mark";
    case model::EventKind::kRangePushPop:
      return "push-pop";
    case model::EventKind::kRangeStartEnd:
      return "start-end";
  }
  return "?";
}

}  // namespace

std::string FactSink::path_below(uint32_t parent, std::string_view name) const {
  const std::string above = parent == model::kNoTrack ? "" : tracks_.at(parent) + " / ";
  return above + std::string(name);
}

Status FactSink::session(std::string_view name) {
  if (detail_ != Detail::kAll) return {};
  Line line("session");
  line.add("name", name);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::stream(const model::Stream& stream) {
  if (detail_ != Detail::kAll) return {};
  Line line("stream");
  line.add("id", uint64_t{stream.id});
  line.add("name", stream.name);
  line.add("domain", stream.domain);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::category(std::string_view domain, uint32_t id, std::string_view name) {
  if (detail_ != Detail::kAll) return {};
  Line line("category");
  line.add("domain", domain);
  line.add("id", uint64_t{id});
  line.add("name", name);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  if (detail_ != Detail::kAll) return {};
  Line line("clock point");
  line.add("monotonic", monotonic_ns);
  line.add("realtime", realtime_ns);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::loss(const model::Loss& loss) {
  if (detail_ != Detail::kAll) return {};
  Line line("loss");
  line.add("time", loss.time);
  line.add("synchronised", loss.synchronised);
  line.add("lost_stream", loss.stream);
  line.add("cause", loss.cause);
  line.add("events", loss.events);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::track(const model::Track& track) {
  if (detail_ == Detail::kAll) {
    Line line("track");
    line.add("id", uint64_t{track.id});
    line.add("parent", number_or_none(track.parent));
    line.add("kind", word_of(track.kind));
    line.add("name", track.name);
    line.add("domain", track.domain);
    line.add("pid", track.pid);
    line.add("tid", track.tid);
    line.add("thread_number", track.thread_number);
    lines_->push_back(line.finish());
  }
  tracks_.push_back(path_below(track.parent, word_of(track.kind) + std::string(track.name)));
  return {};
}

Status FactSink::counter_track(const model::CounterTrack& track) {
  if (detail_ == Detail::kAll) {
    Line line("counter");
    line.add("id", uint64_t{track.id});
    line.add("parent", number_or_none(track.parent));
    line.add("name", track.name);
    line.add("unit", track.unit);
    line.add("description", track.description);
    line.add("domain", track.domain);
    line.add("is_floating", track.is_floating);
    line.add("value_type", static_cast<uint64_t>(track.value_type));
    line.add("interpolation", static_cast<uint64_t>(track.interpolation));
    if (track.has_minimum) line.add("minimum", track.minimum);
    if (track.has_maximum) line.add("maximum", track.maximum);
    lines_->push_back(line.finish());
  }
  counters_.push_back({path_below(track.parent, track.name), std::string(track.unit),
                       std::string(track.description), std::string(track.domain)});
  return {};
}

Status FactSink::event(const model::Event& event) {
  Line line("event");
  line.add("stream", uint64_t{*stream_});
  line.add("kind", word_of(event.kind));
  line.add("track", event.track == model::kNoTrack ? std::string() : tracks_.at(event.track));
  line.add("begin", event.begin);
  line.add("end", event.end);
  line.add("synchronised", event.synchronised);
  line.add("time_domain", event.time_domain);
  line.add("end_is_missing", event.end_is_missing);
  line.add("begin_is_missing", event.begin_is_missing);
  line.add("end_before_begin", event.end_before_begin);
  line.add("written_end", event.written_end);
  line.add("range_id", event.range_id);
  line.add("message", event.message);
  line.add("category", event.category);
  line.add("category_id", uint64_t{event.category_id});
  line.add("color", uint64_t{event.color_argb});
  line.add("domain", event.domain);
  if (detail_ == Detail::kAll) {
    line.add("track_id", number_or_none(event.track));
    line.add("stream_id", uint64_t{event.stream});
  }
  line.key("fields");
  line.put_fields(event.fields);
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::counter_sample(const model::CounterSample& sample) {
  const Counter& counter = counters_.at(sample.counter_track);
  Line line("sample");
  line.add("stream", uint64_t{*stream_});
  line.add("counter", counter.path);
  line.add("unit", counter.unit);
  line.add("description", counter.description);
  line.add("domain", counter.domain);
  line.add("time", sample.time);
  line.add("synchronised", sample.synchronised);
  line.add("time_domain", sample.time_domain);
  line.add("has_value", sample.has_value);
  line.add("reason", uint64_t{sample.no_value_reason});
  if (detail_ == Detail::kAll) {
    line.add("counter_id", uint64_t{sample.counter_track});
    line.add("stream_id", uint64_t{sample.stream});
    line.add("is_floating", sample.is_floating);
  }
  line.key("value");
  if (!sample.has_value) {
    line.put("");
  } else if (sample.is_floating) {
    line.put(sample.double_value);
  } else {
    line.put(sample.int_value);
  }
  lines_->push_back(line.finish());
  return {};
}

Status FactSink::problem(std::string_view sentence, uint64_t count) {
  Line line("problem");
  line.add("sentence", sentence);
  line.add("count", count);
  lines_->push_back(line.finish());
  return {};
}

}  // namespace ringscribe::testing
