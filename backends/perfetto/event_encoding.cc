// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/event_encoding.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

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

}  // namespace

EncodedEvent EventEncoder::encode(const model::Event& event, std::string& bodies) {
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
  for (const uint64_t flow : event.flows) body.flow(flow);
  return {body.head(), body.name_set(), static_cast<uint32_t>(begin),
          static_cast<uint32_t>(bodies.size() - begin)};
}

bool EventEncoder::is_ordinary(const model::EventBlock& block) noexcept {
  const model::Event& shared = block.shared;
  if (!shared.synchronised || shared.kind == model::EventKind::kRangeStartEnd) return false;
  if (shared.end_is_missing || shared.begin_is_missing) return false;
  return std::all_of(block.rows.begin(), block.rows.end(),
                     [](const model::EventRow& row) { return row.end >= row.begin; });
}

void EventEncoder::fill(Label& label, uint64_t number, const model::Event& event) {
  label = Label();
  EventBody body(label.extra, ids_);
  encode_label(event, body);
  encode_label_annotations(event, body);
  label.head = body.head();
  label.name_set = body.name_set();
  label.number = number;
}

const std::vector<uint32_t>& EventEncoder::names_of(uint32_t field_names,
                                                    std::span<const model::Field> fields) {
  if (field_names_.size() <= field_names) field_names_.resize(field_names + 1);
  if (field_names_[field_names].empty()) {
    std::vector<uint32_t> names;
    for (const model::Field& field : fields) {
      names.push_back(ids_.annotation_names.id(field_name(field)));
    }
    field_names_[field_names] = std::move(names);
  }
  return field_names_[field_names];
}

EncodedEvent EventEncoder::encode_fields(const model::EventBlock& block, size_t row,
                                         std::string& bodies) {
  Label& label = label_of(block, row);
  EncodedEvent encoded{label.head, label.name_set, static_cast<uint32_t>(bodies.size()), 0};
  if (block.fields_per_row != 0) {
    const auto fields = block.fields.subspan(row * block.fields_per_row, block.fields_per_row);
    const std::vector<uint32_t>& names = names_of(block.field_names, fields);
    if (label.field_names != block.field_names) {
      std::vector<uint32_t> all = names;
      if (label.name_set != 0) {
        const std::vector<uint32_t>& extra = ids_.names_of(label.name_set);
        all.insert(all.end(), extra.begin(), extra.end());
      }
      label.fields_name_set = ids_.name_set(all);
      label.field_names = block.field_names;
    }
    encoded.name_set = label.fields_name_set;
    add_annotations(names, fields, bodies);
  }
  bodies += label.extra;
  encoded.body_bytes = static_cast<uint32_t>(bodies.size()) - encoded.body;
  return encoded;
}

void EventEncoder::clear() {
  ids_.clear();
  labels_.assign(kLabels, {});
  field_names_.clear();
}

}  // namespace ringscribe::perfetto
