// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/event_body.h"

#include <utility>

#include "ringscribe/backends/ctf/bytes.h"

namespace ringscribe::ctf {
namespace {

using model::EventKind;

struct KindNames {
  const char* begin;
  const char* end;
  const char* pair_begin;
  const char* pair_end;
};

const KindNames& names_of(EventKind kind) noexcept {
  // A push/pop range that cuts another one has names of its own: whoever keeps a stack of pushes
  // and pops does not see it.
  static constexpr KindNames kMark = {"mark", "", "mark", ""};
  static constexpr KindNames kPushPop = {"push", "pop", "crossing_push", "crossing_pop"};
  static constexpr KindNames kStartEnd = {"start", "end", "start", "end"};
  return kind == EventKind::kMark ? kMark : kind == EventKind::kRangePushPop ? kPushPop : kStartEnd;
}

std::string in_domain(std::string_view domain, const char* name) {
  return domain.empty() ? name : std::string(domain) + ":" + name;
}

// A nibble a field; false for what has a layout of its own.
bool kinds_of(std::span<const model::Field> fields, uint64_t& kinds) noexcept {
  kinds = 0;
  if (fields.size() > 16) return false;
  for (const model::Field& field : fields) {
    const model::Value& value = field.value;
    if (value.kind >= model::ValueKind::kStruct) return false;
    if (value.kind == model::ValueKind::kText && value.uint_value != 0) return false;
    kinds = kinds << 4 | static_cast<uint64_t>(value.kind);
  }
  return true;
}

}  // namespace

uint16_t EventBody::extras_of(const model::Event& event) noexcept {
  unsigned extras = 0;
  if (!event.message.empty()) extras |= kMessage;
  if (!event.category.empty()) extras |= kCategory;
  if (event.color_argb != 0) extras |= kColor;
  if (event.category.empty() && event.category_id != 0) extras |= kCategoryId;
  if (event.range_id != 0) extras |= kRangeId;
  if (event.end_is_missing) extras |= kEndIsMissing;
  if (event.begin_is_missing) extras |= kBeginIsMissing;
  if (event.end_before_begin) extras |= kEndBeforeBegin;
  if (!event.synchronised) extras |= kTimeDomain;
  return static_cast<uint16_t>(extras);
}

uint32_t EventBody::end_class(EventKind kind, bool has_message, std::string_view domain) {
  std::string key;
  put(key, static_cast<uint8_t>(kind));
  put(key, static_cast<uint8_t>(has_message));
  key += domain;
  const auto [entry, is_new] = ends_.try_emplace(std::move(key), 0);
  if (is_new) {
    const KindNames& names = names_of(kind);
    entry->second = classes_.add({in_domain(domain, names.end), in_domain(domain, names.pair_end),
                                  has_message ? "text _message;\n" : "", ""});
  }
  return entry->second;
}

EventBody::Place EventBody::declare(const model::Event& event, uint16_t extras,
                                    const FieldLayout& layout) {
  FieldNames names = names_behind_front();
  std::string fields;
  for (const auto& [extra, name] : {std::pair{kMessage, "message"}, {kCategory, "category"}}) {
    const std::string identifier = names.add(name);
    if ((extras & extra) != 0) fields += "text " + identifier + ";\n";
  }
  const auto ours = [&](unsigned extra, const char* type, const char* name) {
    if ((extras & extra) != 0) fields += std::string(type) + " " + names.add(name) + ";\n";
  };
  ours(kAsText, "text", "domain");
  ours(kAsText, "text", "fields");
  if ((extras & kAsText) == 0) fields += layout.declare(names);
  ours(kColor, "x64", "color");
  ours(kCategoryId, "u32", "category_id");
  ours(kRangeId, "u64", "range_id");
  ours(kEndIsMissing, "u8", "end_is_missing");
  ours(kBeginIsMissing, "u8", "begin_is_missing");
  ours(kEndBeforeBegin, "u8", "end_before_begin");
  ours(kEndBeforeBegin, "i64", "written_end");
  ours(kTimeDomain, "u64", "time_domain");
  const KindNames& kind = names_of(event.kind);
  const std::string_view domain = (extras & kAsText) != 0 ? "" : event.domain;
  Place place{};
  place.begin_class = classes_.add(
      {in_domain(domain, kind.begin), in_domain(domain, kind.pair_begin), std::move(fields), ""});
  if (event.kind != EventKind::kMark) {
    place.end_class = end_class(event.kind, (extras & kMessage) != 0, domain);
  }
  return place;
}

EventBody::Class& EventBody::class_of(const model::Event& event, uint16_t& extras) {
  const auto make_key = [&] {
    key_.clear();
    put(key_, static_cast<uint8_t>(event.kind));
    put(key_, extras);
    if ((extras & kAsText) != 0) return;
    put(key_, static_cast<uint32_t>(event.domain.size()));
    key_ += event.domain;
    key_ += layout_key_.bytes();
  };
  layout_key_.read(event.fields);
  make_key();
  auto entry = known_.find(key_);
  if (entry == known_.end()) {
    if (classes_.is_full()) {
      extras |= kAsText;
      make_key();
    }
    entry = known_.try_emplace(key_).first;
  }
  Class& made = entry->second;
  if ((extras & kAsText) != 0) {
    if (made.layout == nullptr) {
      made.layout = std::make_unique<FieldLayout>(layout_key_.bytes(), true);
      made.place = declare(event, extras, *made.layout);
    }
    return made;
  }
  std::unique_ptr<FieldLayout> layout;  // unless the one before goes on
  if (made.layout == nullptr) layout = std::make_unique<FieldLayout>(layout_key_.bytes(), false);
  FieldLayout& used = layout != nullptr ? *layout : *made.layout;
  const FieldLayout::Seen seen = used.see(layout_key_.labels());
  if (seen == FieldLayout::Seen::kKnown && layout == nullptr) return made;
  if (seen == FieldLayout::Seen::kMustBePlain) {
    layout = std::make_unique<FieldLayout>(layout_key_.bytes(), true);
  }
  made.place = declare(event, extras, layout != nullptr ? *layout : used);
  if (layout != nullptr) made.layout = std::move(layout);
  return made;
}

EventBody::Place EventBody::append(const model::Event& event, const Class& made, uint16_t extras,
                                   std::string& out) {
  Place place = made.place;
  const size_t begin = out.size();
  if ((extras & kMessage) != 0) append_text(out, event.message);
  place.message_bytes = static_cast<uint32_t>(out.size() - begin);
  if ((extras & kCategory) != 0) append_text(out, event.category);
  if ((extras & kAsText) != 0) {
    append_text(out, event.domain);
    append_text(out, fields_text(event.fields));
  } else {
    made.layout->append(event.fields, out);
  }
  if ((extras & kColor) != 0) put(out, uint64_t{event.color_argb});
  if ((extras & kCategoryId) != 0) put(out, event.category_id);
  if ((extras & kRangeId) != 0) put(out, event.range_id);
  if ((extras & kEndIsMissing) != 0) put(out, uint8_t{1});
  if ((extras & kBeginIsMissing) != 0) put(out, uint8_t{1});
  if ((extras & kEndBeforeBegin) != 0) put(out, uint8_t{1});
  if ((extras & kEndBeforeBegin) != 0) put(out, event.written_end);
  if ((extras & kTimeDomain) != 0) put(out, event.time_domain);
  return place;
}

EventBody::Place EventBody::append(const model::Event& event, std::string& out) {
  uint16_t extras = extras_of(event);
  const Class& made = class_of(event, extras);
  return append(event, made, extras, out);
}

EventBody::Place EventBody::append(const model::EventBlock& block, size_t row, std::string& out) {
  const model::Event event = block.event(row);
  uint64_t kinds = 0;
  if (!kinds_of(event.fields, kinds)) return append(event, out);
  uint16_t extras = extras_of(event);
  const uint32_t field_names = event.fields.empty() ? 0 : block.field_names;
  const uint64_t mixed =
      (kinds * 31 + field_names * uint64_t{16} + extras) * 4 + static_cast<uint64_t>(event.kind);
  Known& recent = recent_[mixed * 0x9E3779B97F4A7C15U >> 58];
  if (recent.made == nullptr || recent.kinds != kinds || recent.field_names != field_names ||
      recent.extras != extras || recent.kind != event.kind || recent.domain != event.domain) {
    const uint16_t wanted = extras;
    const Class& made = class_of(event, extras);
    // What is a text only as there are too many classes is looked up each time.
    if (extras != wanted) return append(event, made, extras, out);
    recent = {&made, kinds, field_names, extras, event.kind, std::string(event.domain)};
  }
  return append(event, *recent.made, extras, out);
}

}  // namespace ringscribe::ctf
