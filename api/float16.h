// SPDX-License-Identifier: Apache-2.0
//
// 16-bit floating point numbers as fields and counters: storage and rounding, no arithmetic. Where
// the compiler has types of its own for them (_Float16, std::float16_t, std::bfloat16_t), fields
// may be of those as well.
#ifndef RINGSCRIBE_API_FLOAT16_H_
#define RINGSCRIBE_API_FLOAT16_H_

#include <bit>
#include <cstdint>

namespace ringscribe {

// IEEE 754 binary16: 5 bits of exponent, 10 of fraction. Rounds to nearest, ties to even.
struct Float16 {
  uint16_t bits = 0;

  constexpr Float16() noexcept = default;
  constexpr explicit Float16(float value) noexcept : bits(round(std::bit_cast<uint32_t>(value))) {}

 private:
  static constexpr uint16_t round(uint32_t wide) noexcept {
    const uint32_t sign = (wide >> 16) & 0x8000u;
    const uint32_t magnitude = wide & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u) return static_cast<uint16_t>(sign | 0x7E00u);   // NaN
    if (magnitude >= 0x477FF000u) return static_cast<uint16_t>(sign | 0x7C00u);  // rounds beyond
    if (magnitude < 0x33000001u) return static_cast<uint16_t>(sign);             // rounds to 0
    // The significand with its hidden bit, shifted so far that the last bit kept weighs 1.
    const uint32_t exponent = magnitude >> 23;
    const uint32_t significand = (magnitude & 0x7FFFFFu) | 0x800000u;
    const uint32_t shift = exponent < 113 ? 126 - exponent : 13;
    const uint32_t base = exponent < 113 ? 0 : (exponent - 113) << 10;
    const uint32_t kept = significand >> shift;
    const uint32_t rest = significand & ((1u << shift) - 1), half = 1u << (shift - 1);
    const uint32_t up = rest > half || (rest == half && (kept & 1u) != 0) ? 1 : 0;
    return static_cast<uint16_t>(sign | (base + kept + up));
  }
};

// The upper half of a float. Rounds to nearest, ties to even.
struct Bfloat16 {
  uint16_t bits = 0;

  constexpr Bfloat16() noexcept = default;
  constexpr explicit Bfloat16(float value) noexcept : bits(round(std::bit_cast<uint32_t>(value))) {}

 private:
  static constexpr uint16_t round(uint32_t wide) noexcept {
    if ((wide & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<uint16_t>((wide >> 16) | 0x40u);
    return static_cast<uint16_t>((wide + 0x7FFFu + ((wide >> 16) & 1u)) >> 16);
  }
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_FLOAT16_H_
