// SPDX-License-Identifier: Apache-2.0
//
// Where the entries of a payload schema lie, by the rules of entry_rules.h, nested schemas and
// enums taken with the size that they were registered with.
//
//   NestedTypes known;                       // schemas and enums of the domain, by ID
//   Result<SchemaLayout> layout = compute_schema_layout(attributes, known);
//   if (layout.ok() && layout->is_fixed) stride = layout->size;
//
// A layout that cannot be right is a failure: an unknown nested ID, a variable length in a static
// schema or a union, a length entry that comes later, a union without a selector, sizes that
// overflow, entries beyond the size stated, entries that take no bytes at all.
//
// Threads: no state.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_SCHEMA_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_NVTXW_SCHEMA_LAYOUT_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/entry_rules.h"
#include "ringscribe/backends/nvtxw/entry_types.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

// What other schemas and counters need to know of a registered schema or enum.
struct NestedType {
  uint64_t size = 0;      // in bytes with padding, if is_fixed
  uint64_t data_end = 0;  // in bytes without the padding at the end, if is_fixed
  uint32_t alignment = 1;
  bool is_enum = false;
  bool is_fixed = false;        // each payload has the same size, and it is known
  bool has_timestamp = false;   // an entry has the flag TIMESTAMP, also in a nested schema
  bool needs_selector = false;  // a union whose selector is an entry of the schema around it
};
using NestedTypes = std::unordered_map<uint64_t, NestedType>;

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
