// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/schema_compiler.h"

#include <algorithm>
#include <string>

#include "ringscribe/backends/nvtxw/entry_types.h"
#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/owned_semantics.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/registration.h"

namespace ringscribe::runtime {

namespace {

constexpr uint64_t kArrayMask = NVTX_PAYLOAD_ENTRY_FLAG_IS_ARRAY;
constexpr uint64_t kTimeRoles = NVTX_PAYLOAD_ENTRY_FLAG_MARK;  // BEGIN and END together
constexpr uint64_t kLowRoles =
    NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE | NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
constexpr uint64_t kEventRoles = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER | kTimeRoles;

uint64_t array_form(uint64_t flags) noexcept { return flags & kArrayMask; }

bool is_time(const SchemaDefinition::Entry& entry) noexcept {
  return (entry.flags & kTimeRoles) != 0 && (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_COUNTER) == 0;
}

bool is_time_type(uint64_t type) noexcept {
  return nvtxw::is_integer_type(type) && nvtxw::predefined_type_size(type).size == 8;
}

// How often each role occurs, to see whether a kind fits.
struct Roles {
  int begins = 0, ends = 0, marks = 0, timestamps = 0, counters = 0, range_ids = 0;
};

Roles count_roles(const SchemaDefinition& schema) {
  Roles roles;
  for (const SchemaDefinition::Entry& entry : schema.entries) {
    const uint64_t role = entry.flags & kEventRoles;
    roles.begins += role == NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN ? 1 : 0;
    roles.ends += role == NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END ? 1 : 0;
    roles.marks += role == NVTX_PAYLOAD_ENTRY_FLAG_MARK ? 1 : 0;
    roles.counters += role == NVTX_PAYLOAD_ENTRY_FLAG_COUNTER ? 1 : 0;
    const bool is_timestamp = (entry.flags & kLowRoles) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
    roles.timestamps += role == 0 && is_timestamp ? 1 : 0;
    roles.range_ids += entry.type == NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID ? 1 : 0;
  }
  return roles;
}

// nvtx.writer's rules for Domain.get_schema. "" if the roles fit.
std::string why_kind_does_not_fit(EventKind kind, const Roles& roles) {
  const bool needs_begin =
      kind != EventKind::kMark && kind != EventKind::kRangePop && kind != EventKind::kRangeEnd;
  const bool needs_end = kind == EventKind::kRangePushPop || kind == EventKind::kRangeStartEnd ||
                         kind == EventKind::kRangePop || kind == EventKind::kRangeEnd;
  const bool needs_id = kind == EventKind::kRangeStart || kind == EventKind::kRangeEnd;
  const auto wrong = [](const char* role, int found, bool needed) -> std::string {
    if (found == (needed ? 1 : 0)) return "";
    return std::string(needed ? "this kind of event needs exactly one field with "
                              : "this kind of event takes no field with ") +
           role + ", and " + std::to_string(found) + " are given";
  };
  if (std::string text = wrong("Role::kRangeBegin", roles.begins, needs_begin); !text.empty())
    return text;
  if (std::string text = wrong("Role::kRangeEnd", roles.ends, needs_end); !text.empty())
    return text;
  if (std::string text = wrong("Role::kMark", roles.marks, kind == EventKind::kMark); !text.empty())
    return text;
  if (roles.timestamps != 0) return "Role::kTimestamp is for counter groups, not for events";
  if (roles.counters != 0) return "Role::kCounter is for counter groups, not for events";
  return wrong("EntryType::kRangeId", roles.range_ids, needs_id);
}

}  // namespace

Status SchemaCompiler::error(std::string_view field, const std::string& what) const {
  std::string subject = "schema \"" + std::string(name_) + "\"";
  if (!field.empty()) subject += ", field \"" + std::string(field) + "\"";
  return Status(ResultCode::kInvalidArgument, subject + ": " + what);
}

namespace {
// Whether rewriting one of the words of a row would change another. Members of a union may be
// addresses at the same place.
bool words_overlap(const SchemaDefinition& schema, const Vector<FlexField>& flexible) {
  Vector<std::pair<uint64_t, uint64_t>> words;  // offset, bytes
  for (const uint32_t offset : schema.string_offsets) words.emplace_back(offset, 8);
  for (const FlexField& field : flexible) words.emplace_back(field.offset, 16);
  Vector<uint32_t> pointers = schema.pointer_offsets;
  std::sort(pointers.begin(), pointers.end());
  pointers.erase(std::unique(pointers.begin(), pointers.end()), pointers.end());
  for (const uint32_t offset : pointers) words.emplace_back(offset, 8);
  std::sort(words.begin(), words.end());
  for (size_t i = 1; i < words.size(); ++i)
    if (words[i - 1].first + words[i - 1].second > words[i].first) return true;
  return false;
}
}  // namespace

Status SchemaCompiler::compile(const SchemaDescription& description, EventKind kind,
                               uint64_t extra_flags, SchemaDefinition& to) {
  name_ = own_c_text(description.name);
  flexible_.clear();
  to.name = name_;
  to.type = description.type;
  to.event_kind = kind;
  to.flags = schema_flags(kind) | extra_flags;
  to.pack_align = description.pack_align;
  if (description.count == 0) return error("", "it has no fields: describe at least one");
  if (description.row_bytes > kMaxRecordBytes - 16)
    return error("", "a row of " + std::to_string(description.row_bytes) +
                         " bytes does not fit into a record (512 KiB)");
  to.declared_bytes = static_cast<uint32_t>(description.row_bytes);
  if (Status status = expand(description, to); !status.ok()) return status;
  if (kind != EventKind::kNone) {
    if (to.type == SchemaType::kUnion || to.type == SchemaType::kUnionWithInternalSelector)
      return error("", "a union is no event: nest it in a schema of type kStatic or kDynamic");
    if (const std::string why = why_kind_does_not_fit(kind, count_roles(to)); !why.empty())
      return error("", why);
  }
  const SchemaAttributes attributes(to);
  Result<nvtxw::SchemaLayout> layout = nvtxw::compute_schema_layout(attributes.attr, types_);
  if (!layout.ok()) return layout.status().with_context("schema \"" + std::string(name_) + "\"");
  if (layout->is_fixed && layout->size > kMaxRecordBytes - 16)
    return error("", "a row of " + std::to_string(layout->size) +
                         " bytes does not fit into a record (512 KiB)");
  const bool is_static = to.type == SchemaType::kStatic && layout->is_fixed;
  to.row_bytes = is_static ? static_cast<uint32_t>(layout->size) : 0;
  if (Status status = collect(to, *layout); !status.ok()) return status;
  if (words_overlap(to, flexible_))
    return error("",
                 "fields that hold a registered string, an address or data of variable length "
                 "lie over each other");
  if (!is_static && !flexible_.empty())
    return error("",
                 "Storage::kFlexible goes with SchemaType::kStatic only; a dynamic schema has "
                 "arrays of variable length of its own");
  to.flexible = intern_flex_layout(flexible_);
  return Status();
}

uint64_t SchemaCompiler::element_bytes(uint64_t type) const {
  const auto nested = types_.find(type);
  if (nested == types_.end()) return nvtxw::predefined_type_size(type).size;
  return nested->second.is_fixed ? nested->second.size : 0;
}

bool SchemaCompiler::is_flexible_as(const SchemaDefinition& schema,
                                    const SchemaDefinition::Entry& entry,
                                    const FlexField& field) const {
  const uint64_t form = array_form(entry.flags);
  if (field.is_text)
    return entry.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8 && field.element_bytes == 1 &&
           form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
  if (nvtxw::is_string_type(entry.type) || form != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX)
    return false;
  if (const auto known = known_.find(entry.type);
      known != known_.end() && known->second.has_words())
    return false;
  if (entry.detail >= schema.entries.size()) return false;
  const SchemaDefinition::Entry& count = schema.entries[entry.detail];
  return count.offset == field.offset && count.type == NVTX_PAYLOAD_ENTRY_TYPE_UINT64 &&
         count.flags == NVTX_PAYLOAD_ENTRY_FLAG_HIDE && field.element_bytes != 0 &&
         field.element_bytes == element_bytes(entry.type);
}

bool SchemaCompiler::could_have_made(const SchemaDefinition& read) {
  if (read.entries.empty()) return false;
  SchemaDefinition again;
  again.name = name_ = read.name;
  again.entries = read.entries;
  again.type = read.type;
  again.event_kind = read.event_kind;
  again.flags = read.flags;
  again.pack_align = read.pack_align;
  again.declared_bytes = read.declared_bytes;
  const SchemaAttributes attributes(again);
  Result<nvtxw::SchemaLayout> layout = nvtxw::compute_schema_layout(attributes.attr, types_);
  if (!layout.ok() || (layout->is_fixed && layout->size > kMaxRecordBytes - 16)) return false;
  const bool is_static = again.type == SchemaType::kStatic && layout->is_fixed;
  if (read.row_bytes != (is_static ? layout->size : 0)) return false;
  flexible_.clear();
  const Vector<FlexField> wanted =
      read.flexible == nullptr ? Vector<FlexField>() : read.flexible->fields;
  for (size_t i = 0; i < again.entries.size(); ++i) {
    const SchemaDefinition::Entry& entry = again.entries[i];
    const bool is_pointer = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0;
    // By itself such text would be an address, too.
    if (nvtxw::is_string_type(entry.type) && array_form(entry.flags) == 0 && entry.detail == 0 &&
        !is_pointer)
      return false;
    if (!is_pointer || !layout->entries[i].offset_known) continue;
    for (const FlexField& field : wanted) {
      if (uint64_t{field.offset} + 8 != layout->entries[i].offset) continue;
      if (!is_static || !is_flexible_as(again, entry, field)) return false;
      flexible_.push_back(field);
    }
  }
  return collect(again, *layout).ok() && !words_overlap(again, flexible_) && flexible_ == wanted &&
         again.time_offset == read.time_offset && again.has_timestamp == read.has_timestamp &&
         again.string_offsets == read.string_offsets &&
         again.pointer_offsets == read.pointer_offsets;
}

Status SchemaCompiler::expand(const SchemaDescription& description, SchemaDefinition& to) {
  Vector<size_t> index_of;  // of the description's entries in `to`
  for (size_t i = 0; i < description.count; ++i) {
    const SchemaEntry& from = description.entries[i];
    SchemaDefinition::Entry entry;
    entry.name = own_c_text(from.name);
    entry.description = own_c_text(from.description);
    entry.flags = from.flags;
    entry.type = from.type;
    entry.detail = from.detail;
    entry.offset = from.offset;
    entry.semantics = own(from.semantics);
    const bool is_plain_text =
        nvtxw::is_string_type(from.type) && array_form(from.flags) == 0 && from.detail == 0;
    if (is_plain_text && !from.is_flexible && (from.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) == 0)
      return error(entry.name,
                   "text needs its length (Field::length), ArrayForm::kZeroTerminated in a dynamic "
                   "schema, or Storage::kFlexible");
    if (from.is_flexible) {
      if (from.offset == kComputedOffset)
        return error(entry.name, "Storage::kFlexible needs Field::offset");
      if (array_form(from.flags) != 0)
        return error(entry.name,
                     "Storage::kFlexible is an array by itself: leave Field::array out");
      const bool is_text = nvtxw::is_string_type(from.type);
      if (!is_text) {
        SchemaDefinition::Entry count;
        count.name = entry.name + ".count";
        count.flags = NVTX_PAYLOAD_ENTRY_FLAG_HIDE;
        count.type = NVTX_PAYLOAD_ENTRY_TYPE_UINT64;
        count.offset = from.offset;
        entry.detail = to.entries.size();
        to.entries.push_back(std::move(count));
      }
      entry.flags |=
          NVTX_PAYLOAD_ENTRY_FLAG_POINTER | (is_text ? NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED
                                                     : NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX);
      entry.offset = from.offset + 8;
      if (is_text && from.type != NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8)
        return error(entry.name, "text with Storage::kFlexible is UTF-8: give EntryType::kUtf8");
      const uint64_t element = is_text ? 1 : element_bytes(from.type);
      if (const auto known = known_.find(from.type);
          known != known_.end() && known->second.has_words())
        return error(entry.name,
                     "elements of an array of variable length hold no registered "
                     "strings, pointers or fields of variable length");
      if (element == 0) return error(entry.name, "its element type has no fixed size");
      flexible_.push_back(
          {static_cast<uint32_t>(from.offset), static_cast<uint32_t>(element), is_text});
    }
    index_of.push_back(to.entries.size());
    to.entries.push_back(std::move(entry));
  }
  for (size_t i = 0; i < description.count; ++i) {
    SchemaDefinition::Entry& entry = to.entries[index_of[i]];
    const auto union_type = known_.find(entry.type);
    const bool by_field =
        array_form(description.entries[i].flags) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX;
    const bool by_selector =
        union_type != known_.end() && union_type->second.type == SchemaType::kUnion;
    if (!by_field && !by_selector) continue;
    const uint64_t wanted = description.entries[i].detail;
    if (wanted >= description.count)
      return error(entry.name, "it refers to field " + std::to_string(wanted) + " of " +
                                   std::to_string(description.count) + "; fields count from 0");
    entry.detail = index_of[wanted];
  }
  if (to.type != SchemaType::kStatic && to.type != SchemaType::kDynamic) return Status();
  // NVTX takes an offset of 0 for "computed" in all entries but the first: so that one goes first.
  const auto at_zero = std::find_if(to.entries.begin(), to.entries.end(),
                                    [](const auto& entry) { return entry.offset == 0; });
  if (at_zero == to.entries.end()) return Status();
  const auto second = std::find_if(at_zero + 1, to.entries.end(),
                                   [](const auto& entry) { return entry.offset == 0; });
  if (second != to.entries.end())
    return error(second->name, "two fields have the offset 0: nest one of them in a union");
  if (at_zero == to.entries.begin()) return Status();
  if (to.entries.front().offset == kComputedOffset)
    return error(at_zero->name, "its offset is 0, and so is that of the first field");
  const auto moved = static_cast<uint64_t>(at_zero - to.entries.begin());
  std::rotate(to.entries.begin(), at_zero, at_zero + 1);
  for (SchemaDefinition::Entry& entry : to.entries) {
    const auto union_type = known_.find(entry.type);
    const bool refers =
        array_form(entry.flags) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX ||
        (union_type != known_.end() && union_type->second.type == SchemaType::kUnion);
    if (refers && entry.detail <= moved)
      entry.detail = entry.detail == moved ? 0 : entry.detail + 1;
  }
  return Status();
}

Status SchemaCompiler::collect(SchemaDefinition& to, const nvtxw::SchemaLayout& layout) {
  bool has_time = false;
  for (size_t i = 0; i < to.entries.size(); ++i) {
    SchemaDefinition::Entry& entry = to.entries[i];
    const nvtxw::EntryLayout& place = layout.entries[i];
    if (place.offset_known) entry.place = place.offset;
    const bool is_counter_time = (entry.flags & kLowRoles) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP &&
                                 (entry.flags & kEventRoles) == 0;
    // Batches are sorted by the begin of ranges, wherever it stands.
    const bool is_begin = (entry.flags & kEventRoles) == NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN;
    if ((is_time(entry) || is_counter_time) && (!has_time || is_begin) && place.offset_known) {
      has_time = true;
      to.time_offset = static_cast<uint32_t>(place.offset);
    }
    if (is_counter_time) to.has_timestamp = true;
    if ((is_time(entry) || is_counter_time) && !is_time_type(entry.type))
      return error(entry.name,
                   "a timestamp takes an integer of 64 bits, such as EntryType::kInt64");
    if (place.offset_known &&
        (place.offset > kMaxRecordBytes || (place.size_known && place.size > kMaxRecordBytes)))
      return error(entry.name, "it lies beyond what a record takes (512 KiB)");
    const bool is_string = entry.type == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
    const bool is_pointer = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0;
    const auto nested = known_.find(entry.type);
    if (nested != known_.end()) {
      if (Status status = collect_nested(to, entry, place, nested->second); !status.ok())
        return status;
      continue;
    }
    if (!is_string && !is_pointer) continue;
    if (!place.offset_known)
      return error(entry.name,
                   "a registered string or pointer stands behind a field of variable length, where "
                   "it cannot be found when the event is written: put it before");
    const auto offset = static_cast<uint32_t>(place.offset);
    const bool is_flexible =
        std::any_of(flexible_.begin(), flexible_.end(),
                    [&](const auto& field) { return field.offset + 8 == offset; });
    if (is_pointer) {
      if (!is_flexible) to.pointer_offsets.push_back(offset);
      continue;
    }
    if (to.type == SchemaType::kUnion || to.type == SchemaType::kUnionWithInternalSelector)
      return error(entry.name, "a registered string cannot be a member of a union; use text");
    uint64_t count = 1;
    if (array_form(entry.flags) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE)
      count = entry.detail;
    else if (array_form(entry.flags) != 0 ||
             (entry.flags & (NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                             NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE)) != 0)
      return error(entry.name, "registered strings may be single or in arrays of fixed length");
    for (uint64_t n = 0; n < count; ++n)
      to.string_offsets.push_back(offset + static_cast<uint32_t>(8 * n));
  }
  std::sort(flexible_.begin(), flexible_.end(),
            [](const FlexField& a, const FlexField& b) { return a.offset < b.offset; });
  return Status();
}

Status SchemaCompiler::collect_nested(SchemaDefinition& to, const SchemaDefinition::Entry& entry,
                                      const nvtxw::EntryLayout& place, const Known& nested) {
  const bool has_words = nested.has_words();
  const bool is_pointer = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0;
  const bool is_own_flexible =
      is_pointer && std::any_of(flexible_.begin(), flexible_.end(), [&](const auto& field) {
        return place.offset_known && field.offset + 8 == place.offset;
      });
  if (is_pointer && !place.offset_known)
    return error(
        entry.name,
        "a pointer stands behind a field of variable length, where it cannot be found when "
        "the event is written: put it before");
  if (is_pointer && !is_own_flexible)
    to.pointer_offsets.push_back(static_cast<uint32_t>(place.offset));
  if (!has_words) return Status();
  if (to.type == SchemaType::kUnion || to.type == SchemaType::kUnionWithInternalSelector)
    return error(
        entry.name,
        "a member of a union cannot hold registered strings, pointers or fields of variable "
        "length: which member is there is not known when the event is written");
  const uint64_t form = array_form(entry.flags);
  if (is_pointer || !place.offset_known ||
      (form != 0 && form != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE))
    return error(entry.name,
                 "its schema has registered strings, pointers or fields of variable length; such a "
                 "schema can be nested in place only, at an offset that does not vary");
  const uint64_t count = form == 0 ? 1 : entry.detail;
  const uint64_t stride = types_.at(entry.type).size;
  for (uint64_t n = 0; n < count; ++n) {
    const auto base = static_cast<uint32_t>(place.offset + n * stride);
    for (const uint32_t offset : nested.string_offsets) to.string_offsets.push_back(base + offset);
    for (const uint32_t offset : nested.pointer_offsets)
      to.pointer_offsets.push_back(base + offset);
    for (FlexField field : nested.flexible) {
      field.offset += base;
      flexible_.push_back(field);
    }
  }
  return Status();
}

void SchemaCompiler::add(const SchemaDefinition& schema) {
  const SchemaAttributes attributes(schema);
  Result<nvtxw::SchemaLayout> layout = nvtxw::compute_schema_layout(attributes.attr, types_);
  if (!layout.ok()) return;  // was compiled before: cannot be
  types_[schema.static_id] = *layout;
  Known known;
  known.type = schema.type;
  known.string_offsets = schema.string_offsets;
  known.pointer_offsets = schema.pointer_offsets;
  if (schema.flexible != nullptr) known.flexible = schema.flexible->fields;
  known_[schema.static_id] = std::move(known);
}

void SchemaCompiler::add(const EnumDefinition& definition) {
  nvtxw::NestedType type;
  type.size = type.data_end = definition.size_bytes;
  type.alignment = definition.size_bytes;
  type.is_enum = true;
  type.is_fixed = true;
  types_[definition.static_id] = type;
}

}  // namespace ringscribe::runtime
