// SPDX-License-Identifier: Apache-2.0
//
// How a struct and an enum are described to a domain, without NVTX's headers; the numbers are
// NVTX's and are checked against them in registration.cc. RINGSCRIBE_SCHEMA makes such descriptions
// when the program is compiled; Domain::get_schema takes others at run time.
//
// Threads: plain values. Lifetime: what is pointed to must live during the call that takes it.
#ifndef RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_
#define RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/runtime/semantics.h"

namespace ringscribe {

// What an event of a schema is (nvtx.EventKind). The value is NVTX_PAYLOAD_SCHEMA_FLAG_* >> 3.
enum class EventKind : uint8_t {
  kNone = 0,           // no event of its own: a part of other schemas, a payload beside others
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
  kTimestamp = 2u << 10,  // of a counter group's sample
  kRangeBegin = 1u << 12,
  kRangeEnd = 2u << 12,
  kMark = 3u << 12,
  kCounter = 4u << 12,
};

// How the bytes of a schema are laid out (NVTX_PAYLOAD_SCHEMA_TYPE_*).
enum class SchemaType : uint8_t {
  kStatic = 1,   // as a C struct: each row has the same size
  kDynamic = 2,  // one field behind the other, some of variable length
  kUnion = 3,    // as a C union; a field beside it selects the member
  kUnionWithInternalSelector = 4,
};

namespace runtime {

struct EnumValue {
  const char* name;
  uint64_t value;  // as its bytes are, not sign-extended beyond the enum's size
  bool is_flag;
};

struct EnumDescription {
  const char* name;
  const EnumValue* values;
  size_t count;
  uint32_t size_bytes;     // 1, 2, 4 or 8
  uint64_t static_id = 0;  // 0: one of ours
};

struct SchemaDescription;

struct SchemaEntry {
  const char* name;
  uint64_t flags;  // a Role, and NVTX_PAYLOAD_ENTRY_FLAG_*
  // NVTX_PAYLOAD_ENTRY_TYPE_*, or the ID of a schema or enum; not used if one of the two pointers
  // at the end says what the type is.
  uint64_t type;
  uint64_t detail;  // NVTX's arrayOrUnionDetail; indexes count the entries of the description
  uint64_t offset;  // in bytes, or kComputedOffset
  const char* description = nullptr;
  const SchemaDescription* nested = nullptr;
  const EnumDescription* enumeration = nullptr;
  // The struct has a Text or an Array<T> there (flexible.h): 16 bytes, count first, then address.
  bool is_flexible = false;
  FieldSemantics semantics = {};
  bool is_nested = false;  // `nested` is set, for constant expressions
};
inline constexpr uint64_t kComputedOffset = ~uint64_t{0};

struct SchemaDescription {
  const char* name;
  const SchemaEntry* entries;
  size_t count;
  size_t row_bytes;  // 0: by NVTX's rules of layout
  SchemaType type = SchemaType::kStatic;
  size_t pack_align = 0;  // 0: natural alignment
  uint64_t static_id = 0;
};

}  // namespace runtime
}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_SCHEMA_ENTRY_H_
