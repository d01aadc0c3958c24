// SPDX-License-Identifier: Apache-2.0
//
// TypeInfo: the predefined payload types of NVTX, and how their bytes become a number.
//
//   const TypeInfo type = type_info(NVTX_PAYLOAD_ENTRY_TYPE_INT32);   // {kInt, 4, 4}
//   Value value;
//   if (read_number(type, bytes, value)) ...                          // value.int_value
//
// Sizes are those of nvtxw/entry_types.h.
// Threads: pure functions.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TYPE_INFO_H_
#define RINGSCRIBE_BACKENDS_MODEL_TYPE_INFO_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

enum class TypeKind : uint8_t {
  kNone,  // not a predefined type, or one that cannot stand in an entry
  kInt,
  kUint,
  kFloat,       // IEEE 754 of 2, 4 or 8 bytes
  kBf16,        // the upper half of a float
  kLongDouble,  // of this machine
  kFloat128,    // IEEE 754 of 16 bytes
  kInt128,
  kUint128,
  kAddress,
  kChar,  // one character; an array of them is text
  kByte,  // raw; an array of them is hex text
  kText,  // `size` is that of a code unit
  kTextHandle,
  kRangeId,
  kCategory,
  kColor,
  kScopeId,
  kProcessId,
  kThreadId,
  kUnionSelector,
};

struct TypeInfo {
  TypeKind kind = TypeKind::kNone;
  uint8_t size = 0;   // in bytes; 0 for kNone
  uint8_t align = 1;  // natural alignment in bytes
};

// Of a predefined entry type; {kNone, 0, 1} for anything else.
TypeInfo type_info(uint64_t type) noexcept;

// Whether values of the type are whole numbers of at most 64 bits.
bool is_integer(TypeKind kind) noexcept;

// Reads the value at `data` (any alignment, `type.size` bytes) as kInt, kUint, kDouble or
// kAddress. False, and `value` unchanged, for text, 128-bit integers and kNone.
bool read_number(TypeInfo type, const std::byte* data, Value& value) noexcept;

// A 128-bit integer (16 bytes at `data`) in decimal.
std::string_view int128_text(const std::byte* data, bool is_signed, Arena& arena);
// The same as a double, for counters.
double int128_double(const std::byte* data, bool is_signed) noexcept;

// Any number as int64: what does not fit becomes the nearest that does; NaN becomes 0.
int64_t saturate_to_int64(const Value& value) noexcept;

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TYPE_INFO_H_
