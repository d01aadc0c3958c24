// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/event_lines.h"

#include <cstdio>

namespace ringscribe::testing {

namespace {

std::string text_of(const model::Value& value) {
  char number[64];
  switch (value.kind) {
    case model::ValueKind::kInt:
      return std::to_string(value.int_value);
    case model::ValueKind::kUint:
    case model::ValueKind::kAddress:
      return std::to_string(value.uint_value);
    case model::ValueKind::kDouble:
      std::snprintf(number, sizeof number, "%.17g", value.double_value);
      return number;
    case model::ValueKind::kText:
      return "'" + std::string(value.text) + "'";
    case model::ValueKind::kNone:
      return "none";
    case model::ValueKind::kStruct:
    case model::ValueKind::kArray:
      break;
  }
  std::string result = "[";
  for (const model::Field& field : value.children) {
    if (result.size() > 1) result += " ";
    if (!field.name.empty()) result += std::string(field.name) + "=";
    result += text_of(field.value);
  }
  return result + "]";
}

const char* word_of(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::kMark:
      return "mark ";
    case model::EventKind::kRangePushPop:
      return "push-pop ";
    case model::EventKind::kRangeStartEnd:
      return "start-end ";
  }
  return "? ";
}

std::string hex(uint32_t number) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "%08x", number);
  return digits;
}

}  // namespace

std::string EventLines::path_below(uint32_t parent, std::string_view name) const {
  const std::string above = parent == model::kNoTrack ? "" : tracks_.at(parent) + "/";
  return above + std::string(name);
}

Status EventLines::track(const model::Track& track) {
  tracks_.push_back(path_below(track.parent, track.name));
  return {};
}

Status EventLines::counter_track(const model::CounterTrack& track) {
  const std::string unit = track.unit.empty() ? "" : " in " + std::string(track.unit);
  counters_.push_back(path_below(track.parent, track.name) + unit);
  return {};
}

Status EventLines::event(const model::Event& event) {
  std::string line = word_of(event.kind) + tracks_.at(event.track) + " ";
  line += std::to_string(event.begin);
  if (event.kind != model::EventKind::kMark) line += " to " + std::to_string(event.end);
  if (!event.message.empty()) line += " '" + std::string(event.message) + "'";
  if (!event.category.empty()) line += " category " + std::string(event.category);
  if (event.category_id != 0) line += " category " + std::to_string(event.category_id);
  if (event.color_argb != 0) line += " color " + hex(event.color_argb);
  if (event.range_id != 0) line += " id " + std::to_string(event.range_id);
  if (!event.synchronised) line += " in time domain " + std::to_string(event.time_domain);
  if (event.begin_is_missing) line += " without begin";
  if (event.end_is_missing) line += " without end";
  for (const model::Field& field : event.fields)
    line += " " + std::string(field.name) + "=" + text_of(field.value);
  lines_->push_back(line);
  return {};
}

Status EventLines::counter_sample(const model::CounterSample& sample) {
  std::string line = "sample " + counters_.at(sample.counter_track) + " ";
  line += std::to_string(sample.time) + " = ";
  if (!sample.has_value) {
    line += "none, reason " + std::to_string(sample.no_value_reason);
  } else if (sample.is_floating) {
    char number[64];
    std::snprintf(number, sizeof number, "%.17g", sample.double_value);
    line += number;
  } else {
    line += std::to_string(sample.int_value);
  }
  if (!sample.synchronised) line += " in time domain " + std::to_string(sample.time_domain);
  lines_->push_back(line);
  return {};
}

Status EventLines::problem(std::string_view sentence, uint64_t count) {
  lines_->push_back("problem " + std::string(sentence) + " x" + std::to_string(count));
  return {};
}

}  // namespace ringscribe::testing
