// SPDX-License-Identifier: Apache-2.0
//
// print_events JOURNAL: the events and samples of a journal as the model decodes them, a line each,
// sorted, without our own stream: what two recordings have to have in common to be equal.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/model.h"

namespace {

using ringscribe::Status;
namespace model = ringscribe::model;

std::string text_of(const model::Value& value) {
  switch (value.kind) {
    case model::ValueKind::kInt:
      return std::to_string(value.int_value);
    case model::ValueKind::kUint:
    case model::ValueKind::kAddress:
      return std::to_string(value.uint_value);
    case model::ValueKind::kDouble:
      return std::to_string(value.double_value);
    case model::ValueKind::kText:
      return "\"" + std::string(value.text) + "\"";
    case model::ValueKind::kNone:
      return "none";
    case model::ValueKind::kStruct:
    case model::ValueKind::kArray:
      break;
  }
  std::string result = "[";
  for (const model::Field& field : value.children)
    result += std::string(field.name) + ":" + text_of(field.value) + " ";
  return result + "]";
}

class Printer final : public model::EventSink {
 public:
  explicit Printer(std::vector<std::string>* lines) : lines_(lines) {}

  Status session(std::string_view) override { return {}; }
  Status track(const model::Track& track) override {
    tracks_[track.id] = std::string(track.name);
    return {};
  }
  Status counter_track(const model::CounterTrack& track) override {
    counters_[track.id] = std::string(track.name) + " [" + std::string(track.unit) + "]";
    is_own_counter_[track.id] = track.domain == "ringscribe";
    return {};
  }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const model::Event& event) override {
    if (event.domain == "ringscribe") return {};
    std::string line =
        tracks_[event.track] + " | kind " + std::to_string(static_cast<int>(event.kind)) + " | " +
        std::to_string(event.begin) + " to " + std::to_string(event.end) + " | " +
        std::string(event.message) + " | category " + std::string(event.category) + " | color " +
        std::to_string(event.color_argb) + " | domain " + std::string(event.domain) + " |";
    for (const model::Field& field : event.fields)
      line += " " + std::string(field.name) + "=" + text_of(field.value);
    lines_->push_back(line);
    return {};
  }
  Status counter_sample(const model::CounterSample& sample) override {
    if (is_own_counter_[sample.counter_track]) return {};
    lines_->push_back("counter " + counters_[sample.counter_track] + " | " +
                      std::to_string(sample.time) + " = " +
                      (!sample.has_value    ? "none " + std::to_string(sample.no_value_reason)
                       : sample.is_floating ? std::to_string(sample.double_value)
                                            : std::to_string(sample.int_value)));
    return {};
  }
  Status problem(std::string_view sentence, uint64_t count) override {
    lines_->push_back("problem " + std::string(sentence) + " x" + std::to_string(count));
    return {};
  }
  Status finish() override { return {}; }

 private:
  std::vector<std::string>* lines_;
  std::map<uint32_t, std::string> tracks_, counters_;
  std::map<uint32_t, bool> is_own_counter_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: print_events JOURNAL\n");
    return 2;
  }
  std::vector<std::string> lines;
  model::Model events(std::make_unique<Printer>(&lines), "print");
  auto summary = ringscribe::journal::replay(arguments[1], events);
  if (!summary.ok()) return summary.status().print();
  if (!summary->finished) lines.push_back("problem: the journal is not finished");
  std::sort(lines.begin(), lines.end());
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  return 0;
}
