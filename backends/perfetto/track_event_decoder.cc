// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/track_event_decoder.h"

#include <algorithm>
#include <charconv>
#include <protozero/pbf_reader.hpp>

#include "ringscribe/backends/model/text.h"
#include "ringscribe/backends/perfetto/trace_fields.h"

namespace ringscribe::perfetto {
namespace {

using Message = protozero::pbf_reader;

constexpr int kDepthMax = 40;
constexpr std::string_view kNoMessage = "(no message)";
constexpr std::string_view kUnnamed = "(unnamed)";

std::string_view view(protozero::data_view data) { return {data.data(), data.size()}; }

// Valid and in the arena.
std::string_view keep(std::string_view text, model::Arena& arena) {
  const std::string_view valid = model::valid_utf8(text, arena);
  return valid.data() == text.data() ? arena.copy(valid) : valid;
}

std::string_view find(const InternedTexts::Table& table, uint64_t number) {
  const auto entry = table.find(number);
  return entry == table.end() ? std::string_view() : std::string_view(entry->second);
}

void add_entry(Message entry, InternedTexts::Table& table) {
  uint64_t number = 0;
  std::string_view text;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case protozero::tag_and_type(entry::kIid, protozero::pbf_wire_type::varint):
        number = entry.get_uint64();
        break;
      case protozero::tag_and_type(entry::kName, protozero::pbf_wire_type::length_delimited):
        text = view(entry.get_view());
        break;
      default:
        entry.skip();
    }
  }
  table.insert_or_assign(number, std::string(text));
}

// Annotations, and members of a struct or an array.
class AnnotationReader {
 public:
  AnnotationReader(const InternedTexts& texts, model::Arena& arena)
      : texts_(texts), arena_(arena) {}

  model::Field read(Message annotation, int depth) {
    model::Field field;
    std::vector<Message> members;
    model::Value& value = field.value;
    const auto text = [&](std::string_view content) {
      value.kind = model::ValueKind::kText;
      value.text = keep(content, arena_);
    };
    while (annotation.next()) {
      switch (annotation.tag()) {
        case annotation::kNameIid:
          field.name = keep(find(texts_.annotation_names, annotation.get_uint64()), arena_);
          break;
        case annotation::kName:
          field.name = keep(view(annotation.get_view()), arena_);
          break;
        case annotation::kBoolValue:
          value.kind = model::ValueKind::kUint;
          value.uint_value = annotation.get_bool() ? 1 : 0;
          break;
        case annotation::kUintValue:
          value.kind = model::ValueKind::kUint;
          value.uint_value = annotation.get_uint64();
          break;
        case annotation::kIntValue:
          value.kind = model::ValueKind::kInt;
          value.int_value = annotation.get_int64();
          break;
        case annotation::kDoubleValue:
          value.kind = model::ValueKind::kDouble;
          value.double_value = annotation.get_double();
          break;
        case annotation::kPointerValue:
          value.kind = model::ValueKind::kAddress;
          value.uint_value = annotation.get_uint64();
          break;
        case annotation::kStringValue:
          text(view(annotation.get_view()));
          break;
        case annotation::kStringValueIid:
          text(find(texts_.strings, annotation.get_uint64()));
          break;
        case annotation::kDictEntries:
          value.kind = model::ValueKind::kStruct;
          members.push_back(annotation.get_message());
          break;
        case annotation::kArrayValues:
          value.kind = model::ValueKind::kArray;
          members.push_back(annotation.get_message());
          break;
        default:
          annotation.skip();
      }
    }
    if (field.name == kUnnamed) field.name = {};
    if (!members.empty() && depth == kDepthMax) {
      text("(nested too deep to show)");
    } else if (!members.empty()) {
      value.children = read_all(members, depth + 1);
    }
    return field;
  }

  std::span<model::Field> read_all(const std::vector<Message>& messages, int depth) {
    const std::span<model::Field> fields = arena_.array<model::Field>(messages.size());
    for (size_t i = 0; i < messages.size(); ++i) fields[i] = read(messages[i], depth);
    return fields;
  }

 private:
  const InternedTexts& texts_;
  model::Arena& arena_;
};

// The last field, taken off, if it is that one.
const model::Value* take_last(std::span<const model::Field>& fields, std::string_view name,
                              model::ValueKind kind) {
  if (fields.empty() || fields.back().name != name || fields.back().value.kind != kind)
    return nullptr;
  const model::Value* value = &fields.back().value;
  fields = fields.first(fields.size() - 1);
  return value;
}

bool read_color(std::string_view text, uint32_t& argb) {
  if (!text.starts_with('#') || (text.size() != 7 && text.size() != 9)) return false;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data() + 1, end, argb, 16).ptr != end) return false;
  if (text.size() == 7) argb |= 0xFF000000U;
  return true;
}

// What the sink wrote behind the fields goes back to where it came from; returns what stays.
std::span<const model::Field> take_roles(std::span<model::Field> all, model::Event& event) {
  using enum model::ValueKind;
  std::span<const model::Field> fields = all;
  // What a time was before it was moved stays a field, for a trace does not say of all times how
  // far they were moved.
  for (const char* name : {"original_end_timestamp", "original_timestamp"})
    static_cast<void>(take_last(fields, name, kInt));
  const std::span<model::Field> moved = all.subspan(fields.size());
  if (const auto* domain = take_last(fields, "time_domain", kUint)) {
    event.time_domain = domain->uint_value;
    event.synchronised = false;
  }
  if (const auto* written = take_last(fields, "written_end", kInt)) {
    event.written_end = written->int_value;
    event.end_before_begin = take_last(fields, "end_before_begin", kUint) != nullptr;
  }
  event.begin_is_missing = take_last(fields, "begin_is_missing", kUint) != nullptr;
  event.end_is_missing = take_last(fields, "end_is_missing", kUint) != nullptr;
  if (const auto* id = take_last(fields, "range_id", kUint)) event.range_id = id->uint_value;
  if (const auto* id = take_last(fields, "category_id", kUint))
    event.category_id = static_cast<uint32_t>(id->uint_value);
  if (!fields.empty() && fields.back().value.kind == kText &&
      read_color(fields.back().value.text, event.color_argb))
    static_cast<void>(take_last(fields, "color", kText));
  std::copy(moved.begin(), moved.end(), all.begin() + static_cast<ptrdiff_t>(fields.size()));
  return all.first(fields.size() + moved.size());
}

}  // namespace

void InternedTexts::clear() {
  categories.clear();
  names.clear();
  annotation_names.clear();
  strings.clear();
}

void add_interned(std::string_view interned_data, InternedTexts& texts) {
  Message data(interned_data.data(), interned_data.size());
  while (data.next()) {
    switch (data.tag()) {
      case interned_data::kEventCategories:
        add_entry(data.get_message(), texts.categories);
        break;
      case interned_data::kEventNames:
        add_entry(data.get_message(), texts.names);
        break;
      case interned_data::kDebugAnnotationNames:
        add_entry(data.get_message(), texts.annotation_names);
        break;
      case interned_data::kDebugAnnotationStringValues:
        add_entry(data.get_message(), texts.strings);
        break;
      default:
        data.skip();
    }
  }
}

TrackEventHead read_head(std::string_view track_event) {
  TrackEventHead head;
  Message message(track_event.data(), track_event.size());
  while (message.next()) {
    switch (message.tag()) {
      case track_event::kType: {
        const int32_t type = message.get_int32();
        if (type >= 1 && type <= 4) head.type = static_cast<EventType>(type);
        break;
      }
      case track_event::kTrackUuid:
        head.has_track = true;
        head.track_uuid = message.get_uint64();
        break;
      default:
        message.skip();
    }
  }
  return head;
}

void decode_track_event(std::string_view track_event, const InternedTexts& texts,
                        DecodedTrackEvent& decoded) {
  decoded.arena.reset();
  decoded.event = {};
  decoded.event.synchronised = true;
  decoded.flows.clear();
  decoded.has_value = false;
  model::Event& event = decoded.event;
  std::vector<Message> annotations;
  const auto category = [&](std::string_view text) {
    if (event.category.empty()) event.category = keep(text, decoded.arena);
  };
  Message message(track_event.data(), track_event.size());
  while (message.next()) {
    switch (message.tag()) {
      case track_event::kCategoryIids:
        if (message.wire_type() == protozero::pbf_wire_type::varint) {
          category(find(texts.categories, message.get_uint64()));
        } else {
          for (const uint64_t number : message.get_packed_uint64())
            category(find(texts.categories, number));
        }
        break;
      case track_event::kCategories:
        category(view(message.get_view()));
        break;
      case track_event::kNameIid:
        event.message = keep(find(texts.names, message.get_uint64()), decoded.arena);
        break;
      case track_event::kName:
        event.message = keep(view(message.get_view()), decoded.arena);
        break;
      case track_event::kDebugAnnotations:
        annotations.push_back(message.get_message());
        break;
      case track_event::kFlowIds:
        if (message.wire_type() == protozero::pbf_wire_type::fixed64) {
          decoded.flows.push_back(message.get_fixed64());
        } else {
          for (const uint64_t flow : message.get_packed_fixed64()) decoded.flows.push_back(flow);
        }
        break;
      case track_event::kCounterValue:
        decoded.has_value = true;
        decoded.is_floating = false;
        decoded.int_value = message.get_int64();
        break;
      case track_event::kDoubleCounterValue:
        decoded.has_value = true;
        decoded.is_floating = true;
        decoded.double_value = message.get_double();
        break;
      default:
        message.skip();
    }
  }
  if (event.message == kNoMessage) event.message = {};
  event.fields = take_roles(AnnotationReader(texts, decoded.arena).read_all(annotations, 0), event);
  event.flows = decoded.flows;
}

}  // namespace ringscribe::perfetto
