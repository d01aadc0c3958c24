// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/schema_layout.h"

#include <algorithm>
#include <cstddef>

namespace ringscribe::nvtxw {
namespace {

constexpr uint64_t kLocationFlags = NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                                    NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                                    NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;
// MESSAGE is 1<<10 and TIMESTAMP 2<<10: numbers in one bit field.
constexpr uint64_t kMessageTimestampMask = 3 << 10;

template <typename T>
constexpr TypeSize size_of() {
  return {sizeof(T), alignof(T)};
}

TypeSize integer_size(uint64_t type) noexcept {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_UCHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT8:
      return {1, 1};
    case NVTX_PAYLOAD_ENTRY_TYPE_SHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_USHORT:
      return size_of<short>();
    case NVTX_PAYLOAD_ENTRY_TYPE_INT:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT:
      return size_of<int>();
    case NVTX_PAYLOAD_ENTRY_TYPE_LONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONG:
      return size_of<long>();
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG:
      return size_of<long long>();
    case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT16:
      return {2, 2};
    case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT32:
      return {4, 4};
    case NVTX_PAYLOAD_ENTRY_TYPE_INT64:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT64:
      return {8, 8};
    case NVTX_PAYLOAD_ENTRY_TYPE_INT128:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT128:
      return {16, 16};
    case NVTX_PAYLOAD_ENTRY_TYPE_SIZE:
      return size_of<size_t>();
  }
  return {};
}

TypeSize floating_size(uint64_t type) noexcept {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT:
      return size_of<float>();
    case NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE:
      return size_of<double>();
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE:
      return size_of<long double>();
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_BF16:
      return {2, 2};
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_TF32:
      return {4, 4};
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64:
      return {8, 8};
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128:
      return {16, 16};
  }
  return {};
}

TypeSize other_size(uint64_t type) noexcept {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_BYTE:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR8:
    case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING:
    case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8:
      return {1, 1};
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR16:
    case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16:
      return {2, 2};
    case NVTX_PAYLOAD_ENTRY_TYPE_WCHAR:
      return size_of<wchar_t>();
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR32:
    case NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32:
    case NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY:
    case NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB:
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32:
      return {4, 4};
    case NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID:
    case NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID:
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64:
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64:
      return {8, 8};
    case NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS:
    case NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE:
      return size_of<void*>();
  }
  return {};
}

Status entry_failure(ResultCode code, size_t index, const std::string& what) {
  return Status(code, "entry " + std::to_string(index) + " of the schema " + what);
}

Status bad_entry(size_t index, const std::string& what) {
  return entry_failure(ResultCode::kInvalidArgument, index, what);
}

uint64_t array_kind(const nvtxPayloadSchemaEntry_t& entry) noexcept {
  return NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(entry.flags);
}

// One value of an entry's type, before arrays, strings and pointers are looked at.
struct ElementType {
  uint64_t size = 0;
  uint32_t alignment = 1;
  bool is_fixed = true;
  bool is_dynamic_schema = false;
  bool has_timestamp = false;
};

Status find_element(const nvtxPayloadSchemaEntry_t& entry, size_t index, const NestedTypes& known,
                    ElementType* element) {
  if (entry.type >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    const auto nested = known.find(entry.type);
    if (nested == known.end()) {
      return bad_entry(index, "has type " + std::to_string(entry.type) +
                                  ", which is no schema or enum of this domain: register that "
                                  "one first.");
    }
    const NestedType& type = nested->second;
    *element = {type.size, type.alignment, type.is_fixed, !type.is_fixed, type.has_timestamp};
    return {};
  }
  // The width of a selector is not defined by NVTX: what follows it has no computed offset.
  if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR) {
    element->is_fixed = false;
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
  *element = {predefined.size, predefined.alignment, true, false, false};
  return {};
}

// The length of an array may be told by an earlier entry only.
Status check_length_source(const nvtxPayloadSchemaEntry_t& entry, size_t index) {
  if (array_kind(entry) != NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX) return {};
  if (entry.arrayOrUnionDetail < index) return {};
  return bad_entry(index, "takes its length from entry " +
                              std::to_string(entry.arrayOrUnionDetail) +
                              ", which is not before it: put the length first.");
}

// Where the value itself is (embedded or elsewhere) and how much room it takes in the payload.
struct Room {
  uint64_t size = 0;
  uint32_t alignment = 1;
  bool is_fixed = true;
  bool is_variable = false;  // its size differs from payload to payload
};

Status find_room(const nvtxPayloadSchemaEntry_t& entry, size_t index, bool schema_is_static,
                 const ElementType& element, Room* room) {
  const uint64_t array = array_kind(entry);
  const bool is_string = is_string_type(entry.type);
  const bool is_fixed_string = is_string && entry.arrayOrUnionDetail != 0 &&
                               (array == 0 || array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE);
  const bool is_pointer =
      (entry.flags & kLocationFlags) != 0 ||
      (is_string && array == 0 && entry.arrayOrUnionDetail == 0 && schema_is_static);
  if (is_pointer) {
    *room = {sizeof(void*), alignof(void*), true, false};
    // The width of an offset is not defined by NVTX: 8 bytes are usual, not certain.
    room->is_fixed =
        (entry.flags & kLocationFlags & ~uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_POINTER}) == 0;
    return {};
  }
  *room = {element.size, element.alignment, element.is_fixed, element.is_dynamic_schema};
  if (is_fixed_string || array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE) {
    if (element.is_dynamic_schema) {
      return bad_entry(index, "is an array of a schema without fixed size, which NVTX excludes.");
    }
    if (__builtin_mul_overflow(element.size, entry.arrayOrUnionDetail, &room->size)) {
      return bad_entry(index, "has length " + std::to_string(entry.arrayOrUnionDetail) +
                                  ", whose size in bytes does not fit 64 bits.");
    }
  } else if (array != 0 || is_string) {
    room->is_fixed = false;
    room->is_variable = true;
  }
  return {};
}

uint64_t align_up(uint64_t value, uint64_t alignment) noexcept {
  const uint64_t over = alignment <= 1 ? 0 : value % alignment;
  return over == 0 ? value : value + (alignment - over);
}

class Placer {
 public:
  Placer(const nvtxPayloadSchemaAttr_t& attr, const NestedTypes& known)
      : attr_(attr),
        known_(known),
        is_static_(attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_STATIC),
        is_union_(attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION ||
                  attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR) {}

  Result<SchemaLayout> run() {
    layout_.entries.reserve(attr_.numEntries);
    for (size_t i = 0; i < attr_.numEntries; ++i) {
      Status status = place(attr_.entries[i], i);
      if (!status.ok()) return status;
    }
    Status status = finish();
    if (!status.ok()) return status;
    return std::move(layout_);
  }

 private:
  Status place(const nvtxPayloadSchemaEntry_t& entry, size_t index) {
    ElementType element;
    Room room;
    Status status = find_element(entry, index, known_, &element);
    if (status.ok()) status = check_length_source(entry, index);
    if (status.ok()) status = find_room(entry, index, is_static_, element, &room);
    if (!status.ok()) return status;
    if (is_static_ && room.is_variable) {
      return bad_entry(index,
                       "has a length that differs from payload to payload, in a static schema: "
                       "register it as NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC.");
    }
    if ((entry.flags & kMessageTimestampMask) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP ||
        element.has_timestamp) {
      layout_.has_timestamp = true;
    }
    return put(entry, index, room);
  }

  Status put(const nvtxPayloadSchemaEntry_t& entry, size_t index, const Room& room) {
    const uint64_t cap = attr_.packAlign == 0 ? room.alignment : attr_.packAlign;
    const auto alignment = static_cast<uint32_t>(std::min<uint64_t>(room.alignment, cap));
    layout_.alignment = std::max(layout_.alignment, alignment);

    EntryLayout placed;
    placed.size = room.size;
    placed.size_known = room.is_fixed;
    const bool is_explicit = index == 0 || entry.offset != 0;
    placed.offset_known = is_explicit || is_union_ || cursor_known_;
    if (is_explicit) {
      placed.offset = entry.offset;
    } else if (!is_union_) {
      placed.offset = align_up(cursor_, alignment);
    }
    if (__builtin_add_overflow(placed.offset, placed.size, &cursor_) || placed.offset > kFarAway) {
      return bad_entry(index,
                       "lies at offset " + std::to_string(placed.offset) + ", beyond any payload.");
    }
    cursor_known_ = placed.offset_known && placed.size_known;
    all_known_ = all_known_ && cursor_known_;
    is_variable_ = is_variable_ || room.is_variable;
    if (cursor_known_) layout_.data_end = std::max(layout_.data_end, cursor_);
    layout_.entries.push_back(placed);
    return {};
  }

  // A stated size counts, and must hold the entries as far as their place is certain.
  Status finish() {
    if (attr_.type == NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC) {
      layout_.is_fixed = all_known_;
      layout_.size = align_up(layout_.data_end, layout_.alignment);
      return {};
    }
    layout_.is_fixed = attr_.payloadStaticSize != 0 || (all_known_ && !is_variable_);
    layout_.size = attr_.payloadStaticSize;
    if (layout_.size == 0) layout_.size = align_up(layout_.data_end, layout_.alignment);
    if (layout_.size >= layout_.data_end) return {};
    return Status(ResultCode::kInvalidArgument,
                  "payloadStaticSize is " + std::to_string(attr_.payloadStaticSize) +
                      ", and the entries reach to byte " + std::to_string(layout_.data_end) +
                      ": correct the size, the offsets or packAlign.");
  }

  static constexpr uint64_t kFarAway = uint64_t{1} << 62;

  const nvtxPayloadSchemaAttr_t& attr_;
  const NestedTypes& known_;
  const bool is_static_;
  const bool is_union_;
  SchemaLayout layout_;
  uint64_t cursor_ = 0;  // end of the entry before
  bool cursor_known_ = true;
  bool all_known_ = true;
  bool is_variable_ = false;
};

}  // namespace

TypeSize predefined_type_size(uint64_t type) noexcept {
  if (const TypeSize size = integer_size(type); size.size != 0) return size;
  if (const TypeSize size = floating_size(type); size.size != 0) return size;
  return other_size(type);
}

bool is_string_type(uint64_t type) noexcept {
  return type >= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING && type <= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;
}

bool is_number_type(uint64_t type) noexcept {
  return integer_size(type).size != 0 || floating_size(type).size != 0;
}

Result<SchemaLayout> compute_schema_layout(const nvtxPayloadSchemaAttr_t& attr,
                                           const NestedTypes& known) {
  return Placer(attr, known).run();
}

}  // namespace ringscribe::nvtxw
