// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/contract_schema.h"

#include <algorithm>

namespace ringscribe::testing {

namespace {

constexpr uint64_t kMessageOrTime = 3u << 10;  // numbers in one bit field
constexpr uint64_t kRole = 7u << 12;
constexpr uint64_t kElsewhere = NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                                NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                                NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;

uint64_t round_up(uint64_t value, uint64_t alignment) {
  return alignment < 2 ? value : (value + alignment - 1) / alignment * alignment;
}

// Fills in what the type says. False, and reported, if nothing is known of it.
bool read_type(ContractEntry& entry, const ContractTypes& known, uint64_t* alignment, bool* fixed,
               ContractReport& report) {
  if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR) {
    *fixed = false;
    return true;
  }
  if (entry.type < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    entry.element_bytes = *alignment = predefined_bytes(entry.type);
    return report.expect(entry.element_bytes != 0, "entry '" + entry.name + "' has type " +
                                                       std::to_string(entry.type) +
                                                       ", which is no entry type");
  }
  const auto nested = known.find(entry.type);
  if (!report.expect(nested != known.end(), "entry '" + entry.name + "' has type " +
                                                std::to_string(entry.type) +
                                                ", which is not registered"))
    return false;
  entry.element_bytes = nested->second.row_bytes;
  *alignment = nested->second.alignment;
  *fixed = nested->second.is_fixed;
  return true;
}

// How many elements stand in the row, and whether that can be told from the schema.
void read_place(ContractEntry& entry, bool is_static, uint64_t* alignment, bool* fixed) {
  const bool is_text = is_text_type(entry.type);
  const uint64_t array = array_kind(entry);
  const bool is_bare_text = is_text && array == 0 && entry.detail == 0;
  if ((entry.flags & kElsewhere) != 0 || (is_bare_text && is_static)) {
    if ((entry.flags & kElsewhere) == 0) entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    entry.elements = 0;
    *alignment = sizeof(void*);
    *fixed = true;
  } else if (array == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE || (is_text && array == 0)) {
    entry.elements = entry.detail;
    *fixed = *fixed && !is_bare_text;
  } else if (array != 0) {
    *fixed = false;
  }
}

}  // namespace

uint64_t predefined_bytes(uint64_t type) noexcept {
  // C types first, then those of a stated width, then NVTX's own.
  static const std::map<uint64_t, uint64_t> bytes = {
      {NVTX_PAYLOAD_ENTRY_TYPE_CHAR, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_UCHAR, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_SHORT, sizeof(short)},
      {NVTX_PAYLOAD_ENTRY_TYPE_USHORT, sizeof(short)},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT, sizeof(int)},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT, sizeof(int)},
      {NVTX_PAYLOAD_ENTRY_TYPE_LONG, sizeof(long)},
      {NVTX_PAYLOAD_ENTRY_TYPE_ULONG, sizeof(long)},
      {NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG, sizeof(long long)},
      {NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG, sizeof(long long)},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, sizeof(float)},
      {NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, sizeof(double)},
      {NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE, sizeof(long double)},
      {NVTX_PAYLOAD_ENTRY_TYPE_SIZE, sizeof(size_t)},
      {NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS, sizeof(void*)},
      {NVTX_PAYLOAD_ENTRY_TYPE_WCHAR, sizeof(wchar_t)},
      {NVTX_PAYLOAD_ENTRY_TYPE_CHAR8, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_CHAR16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_CHAR32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT8, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT8, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_BYTE, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_INT128, 16},
      {NVTX_PAYLOAD_ENTRY_TYPE_UINT128, 16},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128, 16},
      {NVTX_PAYLOAD_ENTRY_TYPE_BF16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_TF32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64, 8},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, 1},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, 2},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, 4},
      {NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, sizeof(void*)},
  };
  const auto at = bytes.find(type);
  return at == bytes.end() ? 0 : at->second;
}

bool is_text_type(uint64_t type) noexcept {
  return type >= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING && type <= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;
}

uint64_t array_kind(const ContractEntry& entry) noexcept {
  return NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(entry.flags);
}

std::optional<ContractSchema> read_schema(const nvtxPayloadSchemaAttr_t& attr,
                                          const ContractTypes& known, ContractReport& report) {
  ContractSchema schema;
  const bool is_static = attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  schema.is_fixed = true;
  uint64_t end_of_last = 0, end_of_all = 0;
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& given = attr.entries[i];
    ContractEntry entry;
    if (!report.text(given.name, "the name of entry " + std::to_string(i))) return std::nullopt;
    if (!report.text(given.description, "the description of entry " + std::to_string(i)))
      return std::nullopt;
    entry.name = given.name == nullptr ? std::to_string(i) : given.name;
    entry.flags = given.flags;
    entry.type = given.type;
    entry.detail = given.arrayOrUnionDetail;
    uint64_t alignment = 1;
    bool fixed = true;
    if (!read_type(entry, known, &alignment, &fixed, report)) return std::nullopt;
    read_place(entry, is_static, &alignment, &fixed);
    if (array_kind(entry) == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX)
      report.expect(entry.detail < i, "entry '" + entry.name + "' takes its length from entry " +
                                          std::to_string(entry.detail) +
                                          ", which is not before it");
    if ((attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT) != 0 && attr.packAlign != 0)
      alignment = std::min<uint64_t>(alignment, attr.packAlign);
    entry.offset = i == 0 || given.offset != 0 ? given.offset : round_up(end_of_last, alignment);
    end_of_last =
        entry.offset + (entry.elements == 0 ? sizeof(void*) : entry.elements * entry.element_bytes);
    end_of_all = std::max(end_of_all, end_of_last);
    schema.alignment = std::max(schema.alignment, alignment);
    schema.is_fixed = schema.is_fixed && fixed;
    if (const auto nested = known.find(entry.type); nested != known.end())
      schema.has_timestamp = schema.has_timestamp || nested->second.has_timestamp;
    schema.entries.push_back(entry);
  }
  schema.has_timestamp = schema.has_timestamp || first_time(schema) != nullptr;
  schema.row_bytes = round_up(end_of_all, schema.alignment);
  if (!is_static && attr.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC) schema.is_fixed = false;
  if (is_static && (attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE) != 0) {
    report.expect(attr.payloadStaticSize >= end_of_all,
                  "payloadStaticSize is " + std::to_string(attr.payloadStaticSize) +
                      " where the entries reach to byte " + std::to_string(end_of_all));
    schema.row_bytes = attr.payloadStaticSize;
  }
  report.expect(!is_static || schema.is_fixed, "a static schema has an entry of variable length");
  return schema;
}

const ContractEntry* first_time(const ContractSchema& schema) noexcept {
  for (const uint64_t role :
       {uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN}, uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_MARK},
        uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END}})
    for (const ContractEntry& entry : schema.entries)
      if ((entry.flags & kRole) == role) return &entry;
  for (const ContractEntry& entry : schema.entries)
    if ((entry.flags & kMessageOrTime) == NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP) return &entry;
  return nullptr;
}

}  // namespace ringscribe::testing
