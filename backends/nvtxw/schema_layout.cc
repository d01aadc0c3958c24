// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/schema_layout.h"

#include <cstddef>
#include <string>
#include <utility>

namespace ringscribe::nvtxw {
namespace {

// MESSAGE is 1<<10 and TIMESTAMP 2<<10: numbers in one bit field.
constexpr uint64_t kMessageTimestampMask = 3 << 10;

Status entry_failure(ResultCode code, size_t index, const std::string& what) {
  return Status(code, "entry " + std::to_string(index) + " of the schema " + what);
}

Status bad_entry(size_t index, const std::string& what) {
  return entry_failure(ResultCode::kInvalidArgument, index, what);
}

// One value of an entry's type, before arrays, strings and pointers are looked at.
Status find_element(const nvtxPayloadSchemaEntry_t& entry, size_t index, const NestedTypes& known,
                    EntryRoom* element, NestedType* nested) {
  if (entry.type >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    const auto found = known.find(entry.type);
    if (found == known.end()) {
      return bad_entry(index, "has type " + std::to_string(entry.type) +
                                  ", which is no schema or enum of this domain: register that "
                                  "one first.");
    }
    *nested = found->second;
    *element = {nested->size, nested->alignment, nested->is_fixed};
    return {};
  }
  const TypeSize predefined = predefined_type_size(entry.type);
  if (predefined.size == 0) {
    const bool is_never_one = entry.type == NVTX_PAYLOAD_ENTRY_TYPE_INVALID ||
                              entry.type == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED ||
                              entry.type == NVTX_TYPE_PAYLOAD_SCHEMA_RAW;
    return entry_failure(is_never_one ? ResultCode::kInvalidArgument : ResultCode::kNotSupported,
                         index,
                         "has type " + std::to_string(entry.type) +
                             ", which is not an entry type of NVTX 3; see "
                             "NVTX_PAYLOAD_ENTRY_TYPE_*.");
  }
  *element = {predefined.size, predefined.alignment, true};
  return {};
}

// What a length or a selector is taken from.
Status check_sources(const nvtxPayloadSchemaAttr_t& attr, size_t index, EntryForm form,
                     const NestedType& nested) {
  const uint64_t source = attr.entries[index].arrayOrUnionDetail;
  if (form.array == EntryArray::kLengthIndex && source >= index) {
    return bad_entry(index, "takes its length from entry " + std::to_string(source) +
                                ", which is not before it: put the length first.");
  }
  if (!nested.needs_selector) return {};
  if (form.array != EntryArray::kScalar) {
    return bad_entry(index,
                     "is an array of a union with an external selector, which NVTX excludes: use "
                     "NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR.");
  }
  if (source >= attr.numEntries || source == index) {
    return bad_entry(index, "is a union whose member entry " + std::to_string(source) +
                                " selects, and there is no such entry: arrayOrUnionDetail is the "
                                "index of an integer in the same schema.");
  }
  return {};
}

Status check_form(const nvtxPayloadSchemaAttr_t& attr, size_t index, EntryForm form,
                  const EntryRoom& element, const NestedType& nested) {
  if (form.array == EntryArray::kUnknown) {
    return entry_failure(ResultCode::kNotSupported, index,
                         "has array flags that NVTX 3 does not have; see "
                         "NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_*.");
  }
  if (form.array != EntryArray::kScalar && !element.is_known) {
    return bad_entry(index, "is an array of a schema without fixed size, which NVTX excludes.");
  }
  const bool is_variable = form.place == EntryPlace::kInline &&
                           (!element.is_known || (form.array != EntryArray::kScalar &&
                                                  form.array != EntryArray::kFixed));
  if (is_variable && attr.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC) {
    return bad_entry(index,
                     "has a length that differs from payload to payload, in a schema that is not "
                     "dynamic: register it as NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC.");
  }
  return check_sources(attr, index, form, nested);
}

bool has_timestamp_flag(const nvtxPayloadSchemaEntry_t& entry) noexcept {
  return (entry.flags & kMessageTimestampMask) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
}

// A stated size counts, and must hold the entries.
Status settle_size(const nvtxPayloadSchemaAttr_t& attr, const PlacedEntries& placed,
                   SchemaLayout* layout) {
  layout->data_end = placed.data_end;
  layout->alignment = placed.alignment;
  layout->is_fixed = placed.all_known;
  layout->size = placed.size;
  const bool has_size =
      attr.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC && attr.payloadStaticSize != 0;
  if (!has_size && layout->is_fixed && layout->size == 0) {
    return Status(
        ResultCode::kInvalidArgument,
        "the entries of the schema take no bytes, and a payload of size 0 is ignored: give "
        "it an entry that takes some.");
  }
  if (!has_size) return {};
  layout->size = attr.payloadStaticSize;
  if (layout->size >= layout->data_end) return {};
  return Status(ResultCode::kInvalidArgument,
                "payloadStaticSize is " + std::to_string(attr.payloadStaticSize) +
                    ", and the entries reach to byte " + std::to_string(layout->data_end) +
                    ": correct the size, the offsets or packAlign.");
}

}  // namespace

Result<SchemaLayout> compute_schema_layout(const nvtxPayloadSchemaAttr_t& attr,
                                           const NestedTypes& known) {
  SchemaLayout layout;
  layout.needs_selector = attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION;
  std::vector<EntryRoom> rooms;
  rooms.reserve(attr.numEntries);
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& entry = attr.entries[i];
    const EntryForm form = entry_form(entry.flags, entry.type, entry.arrayOrUnionDetail);
    EntryRoom element;
    NestedType nested;
    Status status = find_element(entry, i, known, &element, &nested);
    if (status.ok()) status = check_form(attr, i, form, element, nested);
    if (!status.ok()) return status;
    layout.has_timestamp =
        layout.has_timestamp || nested.has_timestamp || has_timestamp_flag(entry);
    rooms.push_back(entry_room(form, entry.arrayOrUnionDetail, element));
  }
  PlacedEntries placed =
      place_entries(attr.type, attr.packAlign, {attr.entries, attr.numEntries}, rooms);
  for (size_t i = 0; i < placed.entries.size(); ++i) {
    const EntryLayout& at = placed.entries[i];
    if (at.offset < kFar && at.size < kFar - at.offset) continue;
    return bad_entry(i, "reaches beyond any payload: correct its offset " +
                            std::to_string(attr.entries[i].offset) + " or its length " +
                            std::to_string(attr.entries[i].arrayOrUnionDetail) + ".");
  }
  Status status = settle_size(attr, placed, &layout);
  if (!status.ok()) return status;
  layout.entries = std::move(placed.entries);
  return layout;
}

}  // namespace ringscribe::nvtxw
