// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/type_info.h"

#include <catch2/catch.hpp>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

template <typename T>
Value read(uint64_t type, T number) {
  const TypeInfo info = type_info(type);
  REQUIRE(info.size == sizeof(T));
  std::byte bytes[sizeof(T) + 1];
  std::memcpy(bytes + 1, &number, sizeof(T));  // unaligned on purpose
  Value value;
  REQUIRE(read_number(info, bytes + 1, value));
  return value;
}

template <typename T>
void check_signed(uint64_t type) {
  INFO("type " << type);
  for (const T number : {std::numeric_limits<T>::min(), T{-1}, std::numeric_limits<T>::max()}) {
    const Value value = read(type, number);
    CHECK(value.kind == ValueKind::kInt);
    CHECK(value.int_value == int64_t{number});
  }
}

template <typename T>
void check_unsigned(uint64_t type) {
  INFO("type " << type);
  const Value value = read(type, std::numeric_limits<T>::max());
  CHECK(value.kind == ValueKind::kUint);
  CHECK(value.uint_value == std::numeric_limits<T>::max());
}

TEST_CASE("every integer type keeps its extremes and its sign") {
  check_signed<short>(NVTX_PAYLOAD_ENTRY_TYPE_SHORT);
  check_signed<int>(NVTX_PAYLOAD_ENTRY_TYPE_INT);
  check_signed<long>(NVTX_PAYLOAD_ENTRY_TYPE_LONG);
  check_signed<long long>(NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG);
  check_signed<int8_t>(NVTX_PAYLOAD_ENTRY_TYPE_INT8);
  check_signed<int16_t>(NVTX_PAYLOAD_ENTRY_TYPE_INT16);
  check_signed<int32_t>(NVTX_PAYLOAD_ENTRY_TYPE_INT32);
  check_signed<int64_t>(NVTX_PAYLOAD_ENTRY_TYPE_INT64);
  check_unsigned<unsigned char>(NVTX_PAYLOAD_ENTRY_TYPE_UCHAR);
  check_unsigned<unsigned short>(NVTX_PAYLOAD_ENTRY_TYPE_USHORT);
  check_unsigned<unsigned>(NVTX_PAYLOAD_ENTRY_TYPE_UINT);
  check_unsigned<unsigned long>(NVTX_PAYLOAD_ENTRY_TYPE_ULONG);
  check_unsigned<unsigned long long>(NVTX_PAYLOAD_ENTRY_TYPE_ULONGLONG);
  check_unsigned<uint8_t>(NVTX_PAYLOAD_ENTRY_TYPE_UINT8);
  check_unsigned<uint16_t>(NVTX_PAYLOAD_ENTRY_TYPE_UINT16);
  check_unsigned<uint32_t>(NVTX_PAYLOAD_ENTRY_TYPE_UINT32);
  check_unsigned<uint64_t>(NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
  check_unsigned<size_t>(NVTX_PAYLOAD_ENTRY_TYPE_SIZE);
  check_unsigned<uint32_t>(NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32);
  check_unsigned<uint64_t>(NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64);
}

TEST_CASE("every floating type becomes the double of the same value") {
  CHECK(read(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, -1.5f).double_value == -1.5);
  CHECK(read(NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, DBL_MAX).double_value == DBL_MAX);
  CHECK(read(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT32, FLT_MIN).double_value == FLT_MIN);
  CHECK(read(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64, -0.1).double_value == -0.1);
  CHECK(read(NVTX_PAYLOAD_ENTRY_TYPE_LONGDOUBLE, 2.25L).double_value == 2.25);
  CHECK(read<uint32_t>(NVTX_PAYLOAD_ENTRY_TYPE_TF32, 0x3FC00000).double_value == 1.5);
  CHECK(read<uint16_t>(NVTX_PAYLOAD_ENTRY_TYPE_BF16, 0xBFC0).double_value == -1.5);
}

TEST_CASE("half floats: normal, subnormal, zero, infinite and not a number") {
  const auto half = [](uint16_t bits) {
    return read(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16, bits).double_value;
  };
  CHECK(half(0x3C00) == 1.0);
  CHECK(half(0xC500) == -5.0);
  CHECK(half(0x7BFF) == 65504.0);
  CHECK(half(0x0001) == std::ldexp(1.0, -24));
  CHECK(half(0x8000) == 0.0);
  CHECK(std::signbit(half(0x8000)));
  CHECK(half(0xFC00) == -HUGE_VAL);
  CHECK(std::isnan(half(0x7E01)));
}

TEST_CASE("quad floats keep what fits a double") {
  struct Quad {
    uint64_t low, high;
  };
  const auto quad = [](uint64_t high, uint64_t low) {
    return read(NVTX_PAYLOAD_ENTRY_TYPE_FLOAT128, Quad{low, high}).double_value;
  };
  CHECK(quad(0x3FFF800000000000, 0) == 1.5);
  CHECK(quad(0xC000000000000000, 0) == -2.0);
  CHECK(quad(0, 1) == 0.0);
  CHECK(quad(0x7FFF000000000000, 0) == HUGE_VAL);
  CHECK(std::isnan(quad(0x7FFF000000000000, 1)));
  CHECK(quad(0x7FFE000000000000, 0) == HUGE_VAL);  // beyond any double
}

TEST_CASE("128-bit integers are written out in decimal") {
  Arena arena;
  struct Words {
    uint64_t low, high;
  };
  const auto text = [&arena](Words words, bool is_signed) {
    return int128_text(reinterpret_cast<const std::byte*>(&words), is_signed, arena);
  };
  CHECK(text({0, 0}, true) == "0");
  CHECK(text({UINT64_MAX, UINT64_MAX}, true) == "-1");
  CHECK(text({UINT64_MAX, UINT64_MAX}, false) == "340282366920938463463374607431768211455");
  CHECK(text({0, uint64_t{1} << 63}, true) == "-170141183460469231731687303715884105728");
  CHECK(text({0, 1}, false) == "18446744073709551616");
}

TEST_CASE("numbers beyond int64 become the nearest one") {
  Value value;
  value.kind = ValueKind::kUint;
  value.uint_value = UINT64_MAX;
  CHECK(saturate_to_int64(value) == INT64_MAX);
  value.kind = ValueKind::kDouble;
  const auto saturated = [&value](double number) {
    value.double_value = number;
    return saturate_to_int64(value);
  };
  CHECK(saturated(1e300) == INT64_MAX);
  CHECK(saturated(-1e300) == INT64_MIN);
  CHECK(saturated(-9223372036854775808.0) == INT64_MIN);
  CHECK(saturated(NAN) == 0);
  CHECK(saturated(-2.4) == -2);
}

TEST_CASE("no type is taken for one that NVTX does not have") {
  for (const uint64_t type : std::initializer_list<uint64_t>{0, 28, 31, 35, 41, 46, 51, 66, 79, 81,
                                                             101, 1022, 1023, 1 << 24}) {
    INFO("type " << type);
    CHECK(type_info(type).kind == TypeKind::kNone);
    CHECK(type_info(type).size == 0);
  }
}

}  // namespace
}  // namespace ringscribe::model
