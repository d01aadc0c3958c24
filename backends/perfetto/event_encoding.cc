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

}  // namespace

void encode_event(const model::Event& event, Interners& ids, std::string& out) {
  EventBody body(out, ids);
  body.name(event.message.empty() ? std::string_view("(no message)") : event.message);
  body.category(category_of(event));
  for (const model::Field& field : event.fields) body.field(field);
  if (event.color_argb != 0) body.text("color", color_text(event.color_argb));
  if (event.category.empty() && event.category_id != 0) {
    body.unsigned_number("category_id", event.category_id);
  }
  if (event.range_id != 0) body.unsigned_number("range_id", event.range_id);
  if (event.end_is_missing) body.flag("end_is_missing");
  if (event.begin_is_missing) body.flag("begin_is_missing");
  if (event.end_before_begin) {
    body.flag("end_before_begin");
    body.number("written_end", event.written_end);
  }
  if (!event.synchronised) body.unsigned_number("time_domain", event.time_domain);
}

}  // namespace ringscribe::perfetto
