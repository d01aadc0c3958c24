// SPDX-License-Identifier: Apache-2.0
//
// The predefined entry types of NVTX: how many bytes they have on this machine, as NVTX prescribes
// where the producer says nothing else, and which of them are text or numbers.
//
//   const TypeSize size = predefined_type_size(NVTX_PAYLOAD_ENTRY_TYPE_INT32);   // {4, 4}
//
// Threads: pure functions.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_ENTRY_TYPES_H_
#define RINGSCRIBE_BACKENDS_NVTXW_ENTRY_TYPES_H_

#include <cstdint>

namespace ringscribe::nvtxw {

struct TypeSize {
  uint32_t size = 0;       // in bytes; of one code unit for strings; 0: not known
  uint32_t alignment = 1;  // natural
};

// Of a predefined entry type; {0, 1} for anything else.
TypeSize predefined_type_size(uint64_t type) noexcept;
// NVTX_PAYLOAD_ENTRY_TYPE_CSTRING and its three relatives.
bool is_string_type(uint64_t type) noexcept;
bool is_integer_type(uint64_t type) noexcept;
// Integers and floating point numbers: what a counter may hold.
bool is_number_type(uint64_t type) noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_ENTRY_TYPES_H_
