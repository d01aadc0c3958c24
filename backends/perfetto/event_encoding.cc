// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/event_encoding.h"

#include <cstdint>
#include <string_view>

namespace ringscribe::perfetto {
namespace {

// "#RRGGBB", or "#AARRGGBB" if it is translucent. An alpha of 0 means opaque, too: Python's nvtx
// names its colours without one.
std::string color_text(uint32_t argb) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const uint32_t alpha = argb >> 24U;
  const int digits = alpha == 0xFFU || alpha == 0 ? 6 : 8;
  std::string text = "#";
  for (int digit = digits - 1; digit >= 0; --digit) {
    text += kDigits[argb >> (4U * static_cast<uint32_t>(digit)) & 0xFU];
  }
  return text;
}

// Perfetto wants a category on each event: the domain is the next best thing.
std::string_view category_of(const model::Event& event) noexcept {
  if (!event.category.empty()) return event.category;
  return event.domain.empty() ? std::string_view("default") : event.domain;
}

void encode_label(const model::Event& event, EventBody& body) {
  body.name(event.message.empty() ? std::string_view("(no message)") : event.message);
  body.category(category_of(event));
}

// What follows the fields and is the same for all events of a label.
void encode_label_annotations(const model::Event& event, EventBody& body) {
  if (event.color_argb != 0) body.text("color", color_text(event.color_argb));
  if (event.category.empty() && event.category_id != 0) {
    body.unsigned_number("category_id", event.category_id);
  }
}

// Whether the label and the fields say all about an event.
bool is_ordinary(const model::Event& event) noexcept {
  const bool has_known_fields = event.fields.empty() || event.field_names != 0;
  return event.label != 0 && has_known_fields && event.range_id == 0 && !event.end_is_missing &&
         !event.begin_is_missing && !event.end_before_begin && event.synchronised;
}

}  // namespace

EncodedEvent EventEncoder::encode(const model::Event& event, std::string& bodies) {
  if (!is_ordinary(event)) return encode_unknown(event, bodies);
  Label& label = label_of(event);
  EncodedEvent encoded{label.head, label.name_set, static_cast<uint32_t>(bodies.size()), 0};
  if (!event.fields.empty()) append_fields(event, label, bodies, encoded);
  bodies += label.extra;
  encoded.body_bytes = static_cast<uint32_t>(bodies.size()) - encoded.body;
  return encoded;
}

EncodedEvent EventEncoder::encode_unknown(const model::Event& event, std::string& bodies) {
  const size_t begin = bodies.size();
  EventBody body(bodies, ids_);
  encode_label(event, body);
  for (const model::Field& field : event.fields) body.field(field);
  encode_label_annotations(event, body);
  if (event.range_id != 0) body.unsigned_number("range_id", event.range_id);
  if (event.end_is_missing) body.flag("end_is_missing");
  if (event.begin_is_missing) body.flag("begin_is_missing");
  if (event.end_before_begin) {
    body.flag("end_before_begin");
    body.number("written_end", event.written_end);
  }
  if (!event.synchronised) body.unsigned_number("time_domain", event.time_domain);
  return {body.head(), body.name_set(), static_cast<uint32_t>(begin),
          static_cast<uint32_t>(bodies.size() - begin)};
}

EventEncoder::Label& EventEncoder::label_of(const model::Event& event) {
  Label& label = labels_[event.label % kLabels];
  if (label.number == event.label) return label;
  label = Label();
  EventBody body(label.extra, ids_);
  encode_label(event, body);
  encode_label_annotations(event, body);
  label.head = body.head();
  label.name_set = body.name_set();
  label.number = event.label;
  return label;
}

const std::vector<uint32_t>& EventEncoder::names_of(const model::Event& event) {
  if (field_names_.size() <= event.field_names) field_names_.resize(event.field_names + 1);
  std::vector<uint32_t>& names = field_names_[event.field_names];
  if (names.empty()) {
    for (const model::Field& field : event.fields) {
      names.push_back(ids_.annotation_names.id(field_name(field)));
    }
  }
  return names;
}

void EventEncoder::append_fields(const model::Event& event, Label& label, std::string& bodies,
                                 EncodedEvent& encoded) {
  const std::vector<uint32_t>& names = names_of(event);
  if (label.field_names != event.field_names) {
    std::vector<uint32_t> all = names;
    if (label.name_set != 0) {
      const std::vector<uint32_t>& extra = ids_.names_of(label.name_set);
      all.insert(all.end(), extra.begin(), extra.end());
    }
    label.fields_name_set = ids_.name_set(all);
    label.field_names = event.field_names;
  }
  encoded.name_set = label.fields_name_set;
  for (size_t i = 0; i < names.size(); ++i) add_annotation(names[i], event.fields[i].value, bodies);
}

void EventEncoder::clear() {
  ids_.clear();
  labels_.assign(kLabels, {});
  field_names_.clear();
}

}  // namespace ringscribe::perfetto
