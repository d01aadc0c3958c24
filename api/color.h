// SPDX-License-Identifier: Apache-2.0
//
// Colours of events, as NVTX has them: 0xAARRGGBB, 0 for none. The named ones have the values of
// Python's nvtx (whose alpha is 0; viewers take that as opaque).
#ifndef RINGSCRIBE_API_COLOR_H_
#define RINGSCRIBE_API_COLOR_H_

#include <cstdint>

namespace ringscribe {

struct Color {
  uint32_t argb = 0;

  constexpr Color() noexcept = default;
  constexpr explicit Color(uint32_t argb_value) noexcept : argb(argb_value) {}
  constexpr bool operator==(const Color&) const noexcept = default;
};

namespace color {
inline constexpr Color green{0x008000};
inline constexpr Color blue{0x0000FF};
inline constexpr Color yellow{0xFFFF00};
inline constexpr Color purple{0x800080};
inline constexpr Color rapids{0x7400FF};
inline constexpr Color cyan{0x00FFFF};
inline constexpr Color red{0xFF0000};
inline constexpr Color white{0xFFFFFF};
inline constexpr Color darkgreen{0x006400};
inline constexpr Color orange{0xFFA500};
}  // namespace color

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_COLOR_H_
