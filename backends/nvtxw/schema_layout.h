// SPDX-License-Identifier: Apache-2.0
//
// Where the entries of a payload schema lie, by NVTX's rules: explicit offsets as given (0 in a
// later entry means "computed"), natural alignment capped by packAlign, nested schemas and enums
// by the size that they were registered with.
//
//   NestedTypes known;                       // schemas and enums of the domain, by ID
//   Result<SchemaLayout> layout = compute_schema_layout(attributes, known);
//   if (layout.ok() && layout->is_fixed) stride = layout->size;
//
// A layout that cannot be right is a failure: an unknown nested ID, a variable length in a static
// schema, a length entry that comes later, sizes that overflow, entries beyond the size stated.
//
// Threads: no state.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_SCHEMA_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_NVTXW_SCHEMA_LAYOUT_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

struct TypeSize {
  uint32_t size = 0;       // in bytes; of one code unit for strings; 0: not known
  uint32_t alignment = 1;  // natural
};

// Of a predefined entry type on this machine; {0, 1} for anything else.
TypeSize predefined_type_size(uint64_t type) noexcept;
// NVTX_PAYLOAD_ENTRY_TYPE_CSTRING and its three relatives.
bool is_string_type(uint64_t type) noexcept;
// Integers and floating point numbers: what a counter may hold.
bool is_number_type(uint64_t type) noexcept;

// What other schemas and counters need to know of a registered schema or enum.
struct NestedType {
  uint64_t size = 0;      // in bytes with padding, if is_fixed
  uint64_t data_end = 0;  // in bytes without the padding at the end, if is_fixed
  uint32_t alignment = 1;
  bool is_enum = false;
  bool is_fixed = false;       // each payload has the same size, and it is known
  bool has_timestamp = false;  // an entry has the flag TIMESTAMP, also in a nested schema
};
using NestedTypes = std::unordered_map<uint64_t, NestedType>;

struct EntryLayout {
  uint64_t offset = 0;  // in bytes, if offset_known
  uint64_t size = 0;    // in bytes, if size_known
  bool offset_known = false;
  bool size_known = false;
};

struct SchemaLayout : NestedType {
  std::vector<EntryLayout> entries;
};

// `attr` has been checked: mandatory fields are set, fields that are not set are zero.
// Fails with kInvalidArgument, or kNotSupported for an entry type that we do not know, naming the
// entry by its index.
Result<SchemaLayout> compute_schema_layout(const nvtxPayloadSchemaAttr_t& attr,
                                           const NestedTypes& known);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_SCHEMA_LAYOUT_H_
