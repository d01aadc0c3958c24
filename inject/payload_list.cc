// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/payload_list.h"

#include <cstring>

#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::inject {

namespace {

using runtime::PayloadBytes;

// Bytes up to and with the first code unit or element that is zero.
size_t terminated_bytes(const uint8_t* data, size_t element_bytes) noexcept {
  if (element_bytes == 1) return std::strlen(reinterpret_cast<const char*>(data)) + 1;
  for (size_t at = 0;; at += element_bytes) {
    bool is_zero = true;
    for (size_t i = 0; i < element_bytes; ++i) is_zero = is_zero && data[at + i] == 0;
    if (is_zero) return at + element_bytes;
  }
}

uint64_t unit_bytes(uint64_t type) noexcept {
  if (type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16) return 2;
  return type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32 ? 4 : 1;
}

// A length; a negative one is 0, as NVTX has it.
uint64_t load_count(const uint8_t* from, uint32_t bytes) noexcept {
  uint64_t count = 0;
  std::memcpy(&count, from, bytes);
  return (count >> (8 * bytes - 1) & 1) != 0 ? 0 : count;
}

}  // namespace

bool PayloadList::counts_payloads(const nvtxPayloadData_t* payloads, size_t count) const {
  for (size_t i = 0; i < count; ++i) {
    const SchemaUse* schema = domain_.find_schema(payloads[i].schemaId);
    if (schema != nullptr && schema->counts_payloads) return true;
  }
  return false;
}

bool PayloadList::add(const PayloadBytes& payload) noexcept {
  if (count_ + room_kept_ >= list_.size()) return false;
  list_[count_++] = payload;
  return true;
}

bool PayloadList::add(const nvtxPayloadData_t* payloads, size_t count) {
  std::array<const SchemaUse*, runtime::kMaxPayloads> schemas{};
  const size_t first = count_;
  bool are_right = true;
  for (size_t i = 0; i < count; ++i) {
    const nvtxPayloadData_t& from = payloads[i];
    size_t bytes = from.size;
    if (bytes == 0 || from.payload == nullptr) continue;
    const auto* data = static_cast<const uint8_t*>(from.payload);
    if (from.schemaId < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
      if (bytes == SIZE_MAX) {
        if (!nvtxw::is_string_type(from.schemaId)) continue;
        bytes = terminated_bytes(data, unit_bytes(from.schemaId));
      }
      constexpr uint32_t kWhole[] = {0};
      if (from.schemaId == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID)
        data = with_scopes(data, bytes, kWhole);
      const bool is_type = from.schemaId != NVTX_PAYLOAD_ENTRY_TYPE_INVALID;
      are_right &= is_type && add({0, static_cast<uint32_t>(from.schemaId), data, bytes});
      continue;
    }
    const SchemaUse* schema = domain_.find_schema(from.schemaId);
    if (schema == nullptr) {
      are_right = false;
      continue;
    }
    if (bytes == SIZE_MAX) {
      if (schema->row_bytes == 0) continue;  // nobody knows
      bytes = schema->row_bytes;
    }
    if (bytes < schema->row_bytes) {
      are_right = false;
      continue;
    }
    if (!schema->scopes.empty()) data = with_scopes(data, bytes, schema->scopes);
    if (!add({schema->number, 0, data, bytes})) {
      are_right = false;
      continue;
    }
    if (kind_ == EventKind::kNone) kind_ = schema->kind;
    schemas[count_ - 1] = schema;
  }
  // Behind all of them, so that indexes stay right.
  for (size_t i = first, last = count_; i < last; ++i)
    if (schemas[i] != nullptr)
      add_deep_copies(*schemas[i], static_cast<const uint8_t*>(list_[i].data), list_[i].bytes);
  return are_right;
}

const uint8_t* PayloadList::with_scopes(const uint8_t* row, size_t bytes,
                                        std::span<const uint32_t> places) {
  runtime::Vector<uint8_t>& copy = rows_with_scopes_.emplace_back(row, row + bytes);
  for (const uint32_t place : places) {
    uint64_t id;
    if (uint64_t{place} + sizeof id > bytes) continue;
    std::memcpy(&id, row + place, sizeof id);
    id = domain_.scope_id(id);
    if (id == TracedDomain::kUnknownId) id = NVTX_SCOPE_NONE;
    std::memcpy(copy.data() + place, &id, sizeof id);
  }
  return copy.data();
}

void PayloadList::add_deep_copies(const SchemaUse& schema, const uint8_t* row, size_t bytes) {
  for (const DeepCopy& copy : schema.copies) {
    if (uint64_t{copy.offset} + 8 > bytes || uint64_t{copy.count_offset} + copy.count_bytes > bytes)
      continue;
    uint64_t address;
    std::memcpy(&address, row + copy.offset, sizeof address);
    if (address == 0) continue;
    const auto* data = reinterpret_cast<const uint8_t*>(address);
    uint64_t size;
    if (copy.is_terminated) {
      size = terminated_bytes(data, copy.element_bytes);
    } else {
      const uint64_t elements = copy.count_bytes == 0
                                    ? copy.count
                                    : load_count(row + copy.count_offset, copy.count_bytes);
      // More than any record takes is refused by the recorder, and counted.
      size = elements > runtime::kMaxRecordBytes ? uint64_t{runtime::kMaxRecordBytes} + 1
                                                 : elements * copy.element_bytes;
    }
    if (size != 0) (void)add({0, NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, data, size});
  }
}

}  // namespace ringscribe::inject
