// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/type_info.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::model {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <typename T>
T load(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

TypeKind integer_kind(uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_SHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT:
    case NVTX_PAYLOAD_ENTRY_TYPE_LONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT64:
      return TypeKind::kInt;
    case NVTX_PAYLOAD_ENTRY_TYPE_UCHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_USHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT:
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT8:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT64:
    case NVTX_PAYLOAD_ENTRY_TYPE_SIZE:
      return TypeKind::kUint;
    case NVTX_PAYLOAD_ENTRY_TYPE_INT128:
      return TypeKind::kInt128;
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT128:
      return TypeKind::kUint128;
    default:
      return TypeKind::kNone;
  }
}

TypeKind floating_kind(uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT:
    case NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE:
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64:
    // A TF32 number is a float whose last mantissa bits say nothing.
    case NVTX_PAYLOAD_ENTRY_TYPE_TF32:
      return TypeKind::kFloat;
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE:
      return TypeKind::kLongDouble;
    case NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128:
      return TypeKind::kFloat128;
    case NVTX_PAYLOAD_ENTRY_TYPE_BF16:
      return TypeKind::kBf16;
    default:
      return TypeKind::kNone;
  }
}

TypeKind other_kind(uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS:
      return TypeKind::kAddress;
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_WCHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR8:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR16:
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR32:
      return TypeKind::kChar;
    case NVTX_PAYLOAD_ENTRY_TYPE_BYTE:
      return TypeKind::kByte;
    case NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID:
      return TypeKind::kRangeId;
    case NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY:
      return TypeKind::kCategory;
    case NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB:
      return TypeKind::kColor;
    case NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID:
      return TypeKind::kScopeId;
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64:
      return TypeKind::kProcessId;
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64:
      return TypeKind::kThreadId;
    case NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE:
      return TypeKind::kTextHandle;
    case NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR:
      return TypeKind::kUnionSelector;
    default:
      return nvtxw::is_string_type(type) ? TypeKind::kText : TypeKind::kNone;
  }
}

TypeKind kind_of(uint64_t type) {
  if (const TypeKind kind = integer_kind(type); kind != TypeKind::kNone) return kind;
  if (const TypeKind kind = floating_kind(type); kind != TypeKind::kNone) return kind;
  return other_kind(type);
}

double half_to_double(uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else if (exponent == 31) {
    value = mantissa == 0 ? HUGE_VAL : NAN;
  } else {
    value = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

double float_from_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return static_cast<double>(value);
}

// Written out because not every compiler has a type of that format.
double quad_to_double(const std::byte* data) {
  const auto low = load<uint64_t>(data);
  const auto high = load<uint64_t>(data + 8);
  const int exponent = static_cast<int>((high >> 48) & 0x7FFF);
  const uint64_t upper = high & 0xFFFFFFFFFFFFu;
  double value = 0;
  if (exponent == 0x7FFF) {
    value = (upper | low) == 0 ? HUGE_VAL : NAN;
  } else if (exponent != 0) {  // its subnormal numbers are zero as a double
    const double fraction = 1.0 + std::ldexp(static_cast<double>(upper), -48) +
                            std::ldexp(static_cast<double>(low), -112);
    value = std::ldexp(fraction, exponent - 16383);
  }
  return (high >> 63) != 0 ? -value : value;
}

int64_t load_signed(const std::byte* data, uint8_t size) {
  switch (size) {
    case 1:
      return load<int8_t>(data);
    case 2:
      return load<int16_t>(data);
    case 4:
      return load<int32_t>(data);
    default:
      return load<int64_t>(data);
  }
}

uint64_t load_unsigned(const std::byte* data, uint8_t size) {
  switch (size) {
    case 1:
      return load<uint8_t>(data);
    case 2:
      return load<uint16_t>(data);
    case 4:
      return load<uint32_t>(data);
    default:
      return load<uint64_t>(data);
  }
}

}  // namespace

TypeInfo type_info(uint64_t type) noexcept {
  const nvtxw::TypeSize size = nvtxw::predefined_type_size(type);
  return {kind_of(type), static_cast<uint8_t>(size.size), static_cast<uint8_t>(size.alignment)};
}

bool is_integer(TypeKind kind) noexcept {
  switch (kind) {
    case TypeKind::kInt:
    case TypeKind::kUint:
    case TypeKind::kAddress:
    case TypeKind::kChar:
    case TypeKind::kByte:
    case TypeKind::kRangeId:
    case TypeKind::kCategory:
    case TypeKind::kColor:
    case TypeKind::kScopeId:
    case TypeKind::kProcessId:
    case TypeKind::kThreadId:
    case TypeKind::kTextHandle:
    case TypeKind::kUnionSelector:
      return true;
    default:
      return false;
  }
}

bool read_number(TypeInfo type, const std::byte* data, Value& value) noexcept {
  if (type.kind == TypeKind::kInt) {
    value.kind = ValueKind::kInt;
    value.int_value = load_signed(data, type.size);
    return true;
  }
  if (is_integer(type.kind)) {
    value.kind = type.kind == TypeKind::kAddress ? ValueKind::kAddress : ValueKind::kUint;
    value.uint_value = load_unsigned(data, type.size);
    return true;
  }
  double number = 0;
  switch (type.kind) {
    case TypeKind::kFloat:
      number = type.size == 2   ? half_to_double(load<uint16_t>(data))
               : type.size == 4 ? static_cast<double>(load<float>(data))
                                : load<double>(data);
      break;
    case TypeKind::kBf16:
      number = float_from_bits(static_cast<uint32_t>(load<uint16_t>(data)) << 16);
      break;
    case TypeKind::kLongDouble:
      number = static_cast<double>(load<long double>(data));
      break;
    case TypeKind::kFloat128:
      number = quad_to_double(data);
      break;
    default:
      return false;
  }
  value.kind = ValueKind::kDouble;
  value.double_value = number;
  return true;
}

std::string_view int128_text(const std::byte* data, bool is_signed, Arena& arena) {
  const auto bits = load<Uint128>(data);
  const bool negative = is_signed && static_cast<Int128>(bits) < 0;
  Uint128 rest = negative ? ~bits + 1 : bits;
  constexpr size_t kDigitsMax = 40;  // 39 digits and a sign
  char* to = arena.bytes(kDigitsMax);
  size_t at = kDigitsMax;
  do {
    to[--at] = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) to[--at] = '-';
  return {to + at, kDigitsMax - at};
}

double int128_double(const std::byte* data, bool is_signed) noexcept {
  const auto bits = load<Uint128>(data);
  return is_signed ? static_cast<double>(static_cast<Int128>(bits)) : static_cast<double>(bits);
}

int64_t saturate_to_int64(const Value& value) noexcept {
  switch (value.kind) {
    case ValueKind::kInt:
      return value.int_value;
    case ValueKind::kUint:
    case ValueKind::kAddress:
      return static_cast<int64_t>(std::min(value.uint_value, static_cast<uint64_t>(INT64_MAX)));
    case ValueKind::kDouble:
      if (!(value.double_value > -9223372036854775808.0)) {
        return std::isnan(value.double_value) ? 0 : INT64_MIN;
      }
      if (value.double_value >= 9223372036854775808.0) return INT64_MAX;
      return std::llround(value.double_value);
    default:
      return 0;
  }
}

}  // namespace ringscribe::model
