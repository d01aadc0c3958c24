// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/contract_rows.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ringscribe::testing {

namespace {

constexpr int kDepthMax = 8;

uint64_t load_unsigned(const uint8_t* from, uint64_t bytes) {
  uint64_t value = 0;  // this machine is little-endian, as NVTX's Linux targets are
  std::memcpy(&value, from, std::min<uint64_t>(bytes, sizeof value));
  return value;
}

bool is_signed(uint64_t type) {
  constexpr uint64_t kTypes[] = {NVTX_PAYLOAD_ENTRY_TYPE_CHAR,  NVTX_PAYLOAD_ENTRY_TYPE_SHORT,
                                 NVTX_PAYLOAD_ENTRY_TYPE_INT,   NVTX_PAYLOAD_ENTRY_TYPE_LONG,
                                 NVTX_PAYLOAD_ENTRY_TYPE_INT8,  NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG,
                                 NVTX_PAYLOAD_ENTRY_TYPE_INT16, NVTX_PAYLOAD_ENTRY_TYPE_INT32,
                                 NVTX_PAYLOAD_ENTRY_TYPE_INT64};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

// Of an array whose length another entry of the row tells; a negative one counts as 0.
uint64_t length_of(const ContractSchema& schema, const ContractEntry& entry, const uint8_t* row) {
  const ContractEntry& length = schema.entries[entry.detail];
  const uint64_t value = load_unsigned(row + length.offset, length.element_bytes);
  if (length.element_bytes == 0 || length.element_bytes > 8) return value;
  const bool has_sign = (value >> (8 * length.element_bytes - 1) & 1) != 0;
  return has_sign && is_signed(length.type) ? 0 : value;
}

}  // namespace

bool is_predefined_scope_id(uint64_t scope) noexcept {
  return scope <= NVTX_SCOPE_CURRENT_HW_CPU_LOGICAL || scope == NVTX_SCOPE_CURRENT_HW_INNERMOST ||
         (scope >= NVTX_SCOPE_CURRENT_HYPERVISOR && scope <= NVTX_SCOPE_CURRENT_SW_THREAD) ||
         scope == NVTX_SCOPE_CURRENT_SW_INNERMOST;
}

void RowChecker::check(const ContractSchema& schema, const uint8_t* row, int depth) {
  if (!schema.is_fixed || depth > kDepthMax) return;
  for (const ContractEntry& entry : schema.entries) {
    if (entry.elements == 0)
      check_elsewhere(schema, entry, row, depth);
    else
      check_inside(entry, row + entry.offset, depth);
  }
}

void RowChecker::check_inside(const ContractEntry& entry, const uint8_t* at, int depth) {
  if (is_text_type(entry.type))
    return check_text(entry, at, entry.elements * entry.element_bytes, false);
  for (uint64_t i = 0; i < entry.elements; ++i, at += entry.element_bytes) {
    if (entry.type >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
      const ContractSchema& nested = names_.types->at(entry.type);
      if (!nested.is_enum) check(nested, at, depth + 1);
    } else if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE) {
      const uint64_t handle = load_unsigned(at, 8);
      report_.expect(handle == 0 || names_.strings->contains(handle),
                     "entry '" + entry.name + "' has a string handle that is not registered");
    } else if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID) {
      const uint64_t scope = load_unsigned(at, 8);
      report_.expect(is_predefined_scope_id(scope) || names_.scopes->contains(scope),
                     "entry '" + entry.name + "' has scope " + std::to_string(scope) +
                         ", which is not registered");
    } else {
      return;  // numbers: any will do
    }
  }
}

void RowChecker::check_elsewhere(const ContractSchema& schema, const ContractEntry& entry,
                                 const uint8_t* row, int depth) {
  const uint64_t value = load_unsigned(row + entry.offset, 8);
  const uint8_t* target = reinterpret_cast<const uint8_t*>(value);
  if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE) != 0)
    target = (base_ == nullptr ? row : base_) + value;
  else if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE) != 0)
    target = row + entry.offset + sizeof value + value;  // from the entry's end
  else if (value == 0)
    return;  // no value
  if (array_kind(entry) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX &&
      length_of(schema, entry, row) == 0)
    return;  // nothing is read there
  const uint64_t room = room_at(target);
  if (!report_.expect(room != 0,
                      "entry '" + entry.name + "' leads outside of what was handed over with it"))
    return;
  const uint64_t array = array_kind(entry);
  if (is_text_type(entry.type) &&
      (array == 0 || array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED))
    return check_text(entry, target, entry.detail == 0 || array != 0 ? room : entry.detail,
                      array != 0 || entry.detail == 0);
  check_array(schema, entry, row, target, room, depth);
}

void RowChecker::check_array(const ContractSchema& schema, const ContractEntry& entry,
                             const uint8_t* row, const uint8_t* target, uint64_t room, int depth) {
  const uint64_t array = array_kind(entry);
  uint64_t elements = 1;
  if (array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE) {
    elements = entry.detail;
  } else if (array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX) {
    elements = length_of(schema, entry, row);
  } else if (array != 0) {
    return;  // zero-terminated numbers, and lengths in another payload
  }
  if (!report_.expect(
          entry.element_bytes == 0 || elements <= room / entry.element_bytes,
          "entry '" + entry.name + "' has " + std::to_string(elements) +
              " elements where there is room for " +
              std::to_string(entry.element_bytes == 0 ? 0 : room / entry.element_bytes)))
    return;
  if (is_text_type(entry.type))
    return check_text(entry, target, elements * entry.element_bytes, false);
  ContractEntry inside = entry;
  inside.elements = elements;
  check_inside(inside, target, depth);
}

void RowChecker::check_text(const ContractEntry& entry, const uint8_t* text, uint64_t room,
                            bool has_to_end) {
  if (entry.element_bytes != 1) return;
  const uint8_t* end = std::find(text, text + room, uint8_t{0});
  report_.expect(!has_to_end || end != text + room,
                 "the text of entry '" + entry.name + "' does not end inside its memory");
  const std::string_view view(reinterpret_cast<const char*>(text), static_cast<size_t>(end - text));
  if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8)
    report_.expect(nvtxw::is_valid_utf8(view),
                   "the text of entry '" + entry.name + "' is not UTF-8");
}

uint64_t RowChecker::room_at(const uint8_t* target) const {
  for (const MemoryArea& area : areas_)
    if (target >= area.begin && target < area.begin + area.size)
      return static_cast<uint64_t>(area.begin + area.size - target);
  return 0;
}

}  // namespace ringscribe::testing
