// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/entry_types.h"

#include <cstddef>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::nvtxw {
namespace {

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
    // The headers say no width: see entry_rules.h.
    case NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR:
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

}  // namespace

TypeSize predefined_type_size(uint64_t type) noexcept {
  if (const TypeSize size = integer_size(type); size.size != 0) return size;
  if (const TypeSize size = floating_size(type); size.size != 0) return size;
  return other_size(type);
}

bool is_string_type(uint64_t type) noexcept {
  return type >= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING && type <= NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32;
}

bool is_integer_type(uint64_t type) noexcept { return integer_size(type).size != 0; }

bool is_number_type(uint64_t type) noexcept {
  return integer_size(type).size != 0 || floating_size(type).size != 0;
}

}  // namespace ringscribe::nvtxw
