// SPDX-License-Identifier: Apache-2.0
//
// SchemaEntry: one field of a user's struct, as NVTX's nvtxPayloadSchemaEntry_t has it, without
// NVTX's headers; the numbers are NVTX's and are checked against them where they are used.
#ifndef RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_
#define RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_

#include <cstdint>

namespace ringscribe {

// What an event of a schema is (nvtx.EventKind). The value is NVTX_PAYLOAD_SCHEMA_FLAG_* >> 3.
enum class EventKind : uint8_t {
  kRangePushPop = 2,   // a range, complete, nested as push and pop would be
  kRangeStartEnd = 3,  // a range, complete, that may overlap others
  kMark = 4,
  kRangePush = 5,
  kRangePop = 6,
  kRangeStart = 7,  // has a range id
  kRangeEnd = 8,    // has a range id
};

// What a field means for the event (nvtx.EntryKind). The value is the entry flag of NVTX.
enum class Role : uint64_t {
  kField = 0,
  kMessage = 1u << 10,
  kRangeBegin = 1u << 12,
  kRangeEnd = 2u << 12,
  kMark = 3u << 12,
};

namespace runtime {

struct SchemaEntry {
  const char* name;
  uint64_t flags;  // a Role, and NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE for arrays
  uint64_t type;   // NVTX_PAYLOAD_ENTRY_TYPE_*
  uint64_t array_length;
  uint64_t offset;
};

}  // namespace runtime
}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_
