// SPDX-License-Identifier: Apache-2.0
//
// RecordingSink: an EventSink for tests that keeps all it is told, and writes values as text.
//
//   RecordingSink::Log log;
//   Model model(std::make_unique<RecordingSink>(log), "session");
//   ...
//   CHECK(log.events.at(0).fields == "items=64 name='a'");
//
// Values: int 5, uint 5u, double 2.5, address @ff, text 'a', struct {x=1 y=2}, array [1 2].
//
// Threads: one at a time. Lifetime: the log has to outlive the sink.
#ifndef RINGSCRIBE_BACKENDS_MODEL_RECORDING_SINK_H_
#define RINGSCRIBE_BACKENDS_MODEL_RECORDING_SINK_H_

#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

inline std::string show(std::span<const Field> fields);

inline std::string show(const Value& value) {
  char number[64] = {};
  switch (value.kind) {
    case ValueKind::kNone:
      return "none";
    case ValueKind::kInt:
      return std::to_string(value.int_value);
    case ValueKind::kUint:
      return std::to_string(value.uint_value) + "u";
    case ValueKind::kDouble:
      std::snprintf(number, sizeof(number), "%.17g", value.double_value);
      return number;
    case ValueKind::kAddress:
      std::snprintf(number, sizeof(number), "@%llx",
                    static_cast<unsigned long long>(value.uint_value));
      return number;
    case ValueKind::kText:
      return "'" + std::string(value.text) + "'";
    case ValueKind::kStruct:
      return "{" + show(value.children) + "}";
    case ValueKind::kArray:
      return "[" + show(value.children) + "]";
  }
  return "?";
}

inline std::string show(std::span<const Field> fields) {
  std::string result;
  for (const Field& field : fields) {
    if (!result.empty()) result += " ";
    if (!field.name.empty()) result += std::string(field.name) + "=";
    result += show(field.value);
  }
  return result;
}

class RecordingSink final : public EventSink {
 public:
  // As the interface's structures, with text that is owned.
  struct RecordedTrack {
    uint32_t id, parent;
    TrackKind kind;
    std::string name, domain;
    int64_t pid, tid, thread_number;
  };
  struct RecordedCounterTrack {
    uint32_t id, parent;
    std::string name, unit, description, domain;
    bool is_floating;
    CounterTrack track;  // its views are dead; use the members above
  };
  struct RecordedEvent {
    Event event;  // its views are dead; use the members below
    std::string message, category, domain, fields;
    std::vector<uint64_t> flows;
  };
  struct Log {
    std::string session;
    std::vector<RecordedTrack> tracks;
    std::vector<RecordedCounterTrack> counter_tracks;
    std::vector<std::string> streams;     // "domain/name", by id
    std::vector<std::string> categories;  // "domain/id=name"
    std::vector<std::string> losses;      // "time stream: events cause"
    std::vector<std::pair<int64_t, int64_t>> clock_points;
    std::vector<RecordedEvent> events;
    std::vector<uint64_t> labels;  // of the events that came in blocks
    std::vector<CounterSample> samples;
    std::map<std::string, uint64_t> problems;
    int finished = 0;
    // What every further call returns; for tests of failing sinks.
    Status answer;
  };

  explicit RecordingSink(Log& log) : log_(log) {}

  Status session(std::string_view name) override {
    log_.session = name;
    return log_.answer;
  }
  Status stream(const Stream& s) override {
    log_.streams.resize(s.id + 1);
    log_.streams[s.id] = std::string(s.domain) + "/" + std::string(s.name);
    return log_.answer;
  }
  Status category(std::string_view domain, uint32_t id, std::string_view name) override {
    log_.categories.push_back(std::string(domain) + "/" + std::to_string(id) + "=" +
                              std::string(name));
    return log_.answer;
  }
  Status loss(const Loss& loss) override {
    log_.losses.push_back(std::to_string(loss.time) + " " + std::string(loss.stream) + ": " +
                          std::to_string(loss.events) + " " + std::string(loss.cause));
    return log_.answer;
  }
  Status track(const Track& t) override {
    log_.tracks.push_back({t.id, t.parent, t.kind, std::string(t.name), std::string(t.domain),
                           t.pid, t.tid, t.thread_number});
    return log_.answer;
  }
  Status counter_track(const CounterTrack& t) override {
    log_.counter_tracks.push_back({t.id, t.parent, std::string(t.name), std::string(t.unit),
                                   std::string(t.description), std::string(t.domain), t.is_floating,
                                   t});
    return log_.answer;
  }
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override {
    log_.clock_points.emplace_back(monotonic_ns, realtime_ns);
    return log_.answer;
  }
  Status event(const Event& e) override {
    log_.events.push_back({e, std::string(e.message), std::string(e.category),
                           std::string(e.domain), show(e.fields),
                           std::vector<uint64_t>(e.flows.begin(), e.flows.end())});
    return log_.answer;
  }
  Status events(const EventBlock& block) override {
    for (const EventRow& row : block.rows) log_.labels.push_back(row.label->number);
    return EventSink::events(block);
  }
  Status counter_sample(const CounterSample& sample) override {
    log_.samples.push_back(sample);
    return log_.answer;
  }
  Status problem(std::string_view sentence, uint64_t count) override {
    log_.problems[std::string(sentence)] += count;
    return log_.answer;
  }
  Status finish() override {
    ++log_.finished;
    return log_.answer;
  }

 private:
  Log& log_;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_RECORDING_SINK_H_
