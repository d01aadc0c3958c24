// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/event_text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "ringscribe/backends/chrome/object_keys.h"

namespace ringscribe::chrome {
namespace {

constexpr int kDepthMax = 64;

std::string color_text(uint32_t argb) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text = "#";
  for (unsigned shift = 32; shift > 0; shift -= 4) text += kDigits[argb >> (shift - 4) & 0xFU];
  return text;
}

std::string address_text(uint64_t address) {
  char digits[2 + 16] = {'0', 'x'};
  char* const end = std::to_chars(digits + 2, digits + sizeof(digits), address, 16).ptr;
  return std::string(static_cast<const char*>(digits), static_cast<size_t>(end - digits));
}

// Async events need a category: the domain is the next best thing.
std::string_view category_of(const model::Event& event) noexcept {
  if (!event.category.empty()) return event.category;
  return event.domain.empty() ? std::string_view("default") : event.domain;
}

std::string head_of(const model::Event& event) {
  return "\"name\":" + quoted(event.message) + ",\"cat\":" + quoted(category_of(event));
}

void write_value(JsonText& json, const model::Value& value, int depth) {
  switch (value.kind) {
    case model::ValueKind::kNone:
      return json.null();
    case model::ValueKind::kInt:
      return json.integer(value.int_value);
    case model::ValueKind::kUint:
      return json.integer(value.uint_value);
    case model::ValueKind::kDouble:
      return json.real(value.double_value);
    case model::ValueKind::kText:
      return json.text(value.text);
    case model::ValueKind::kAddress:
      return json.text(address_text(value.uint_value));
    case model::ValueKind::kStruct:
    case model::ValueKind::kArray:
      break;
  }
  if (depth == kDepthMax) return json.text("(nested too deep to show)");
  if (value.kind == model::ValueKind::kArray) {
    json.open_array();
    for (const model::Field& child : value.children) write_value(json, child.value, depth + 1);
    json.close_array();
    return;
  }
  ObjectKeys keys;
  json.open_object();
  for (const model::Field& child : value.children) {
    json.key(keys.add(child.name));
    write_value(json, child.value, depth + 1);
  }
  json.close_object();
}

}  // namespace

void EventText::append(const model::Event& event, std::string& out) {
  out += head_of(event);
  ObjectKeys keys;
  json_.clear();
  json_.open_object();
  const auto key = [&](std::string_view name) { json_.key(keys.add(name)); };
  for (const model::Field& field : event.fields) {
    key(field.name);
    write_value(json_, field.value, 0);
  }
  if (event.color_argb != 0) {
    key("color");
    json_.text(color_text(event.color_argb));
  }
  if (event.category.empty() && event.category_id != 0) {
    key("category_id");
    json_.integer(uint64_t{event.category_id});
  }
  if (event.range_id != 0) {
    key("range_id");
    json_.text(std::to_string(event.range_id));
  }
  const auto flag = [&](const char* name) {
    key(name);
    json_.yes();
  };
  if (event.end_is_missing) flag("end_is_missing");
  if (event.begin_is_missing) flag("begin_is_missing");
  if (event.end_before_begin) {
    flag("end_before_begin");
    key("written_end");
    json_.integer(event.written_end);
  }
  if (!event.synchronised) {
    key("time_domain");
    json_.text(std::to_string(event.time_domain));
  }
  json_.close_object();
  const std::string_view args = json_.bytes();
  if (args != "{}") out.append(",\"args\":").append(args);
  // An object has room for one.
  if (!event.flows.empty() && event.kind != model::EventKind::kMark) {
    char bind[80];
    std::snprintf(bind, sizeof bind, ",\"bind_id\":\"0x%llx\",\"flow_in\":true,\"flow_out\":true",
                  static_cast<unsigned long long>(event.flows[0]));
    out += bind;
  }
}

bool EventText::is_ordinary(const model::EventBlock& block) noexcept {
  const model::Event& shared = block.shared;
  if (!shared.synchronised || shared.kind == model::EventKind::kRangeStartEnd) return false;
  if (shared.end_is_missing || shared.begin_is_missing) return false;
  return std::all_of(block.rows.begin(), block.rows.end(),
                     [](const model::EventRow& row) { return row.end >= row.begin; });
}

const EventText::Label& EventText::label_of(const model::EventBlock& block, size_t row) {
  const uint64_t number = block.rows[row].label->number;
  Label& place = labels_[number % kLabels];
  if (place.number == number) return place;
  const model::Event event = block.event(row);
  Label label;
  label.head = head_of(event);
  if (event.color_argb != 0) label.color = quoted(color_text(event.color_argb));
  if (event.category.empty()) label.category_id = event.category_id;
  if (label.head.size() > kLabelBytesMax) {
    long_label_ = std::move(label);
    return long_label_;
  }
  label.number = number;
  place = std::move(label);
  return place;
}

const EventText::Keys& EventText::keys_of(const model::EventBlock& block) {
  const size_t number = block.fields_per_row == 0 ? 0 : block.field_names;
  if (keys_.size() <= number) keys_.resize(number + 1);
  Keys& known = keys_[number];
  if (known.color.empty()) {
    ObjectKeys keys;
    Keys made;
    for (const model::Field& field : block.fields.first(block.fields_per_row)) {
      made.fields.push_back(quoted(keys.add(field.name)));
    }
    // Each event may have either or both: neither may take a field's name, and they differ.
    made.category_id = quoted(keys.add("category_id"));
    made.color = quoted(keys.add("color"));
    known = std::move(made);
  }
  return known;
}

void EventText::append(const model::EventBlock& block, size_t row, std::string& out) {
  const Label& label = label_of(block, row);
  out += label.head;
  if (block.fields_per_row == 0 && label.color.empty() && label.category_id == 0) return;
  const Keys& keys = keys_of(block);
  json_.clear();
  json_.open_object();
  const auto fields = block.fields.subspan(row * block.fields_per_row, block.fields_per_row);
  for (size_t i = 0; i < fields.size(); ++i) {
    json_.quoted(keys.fields[i]);
    write_value(json_, fields[i].value, 0);
  }
  if (!label.color.empty()) {
    json_.quoted(keys.color);
    json_.quoted(label.color);
  }
  if (label.category_id != 0) {
    json_.quoted(keys.category_id);
    json_.integer(uint64_t{label.category_id});
  }
  json_.close_object();
  out.append(",\"args\":").append(json_.bytes());
}

}  // namespace ringscribe::chrome
