// SPDX-License-Identifier: Apache-2.0
//
// Eight numbers of `width` bits as `width` bytes: number k begins at bit k * width, lowest bits
// first, as a little-endian machine numbers them. And numbers of 7 bits a byte (varints).
//
//   uint8_t* end = pack_eight(numbers, 5, to);   // 5 bytes
//   unpack_eight(from, 5, numbers);
//
// Both touch up to kPackSlack bytes behind what they are about: it makes them plain loads and
// stores without a branch for the last bytes.
//
// Threads: pure functions.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_BIT_PACK_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_BIT_PACK_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ringscribe::journal {

// A journal is in its writer's byte order; the place of a packed bit is defined for this one only.
static_assert(std::endian::native == std::endian::little);

inline constexpr size_t kPackSlack = 16;

// A number wider than 57 bits may span nine bytes; such are stored with 64.
inline constexpr unsigned kPackWidthMax = 57;
constexpr bool is_pack_width(unsigned width) { return width <= kPackWidthMax || width == 64; }
constexpr unsigned pack_width(unsigned bits) { return bits <= kPackWidthMax ? bits : 64; }

inline uint64_t load_u64(const uint8_t* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
inline void store_u64(uint8_t* to, uint64_t value) { std::memcpy(to, &value, sizeof(value)); }

// REQUIRES: is_pack_width(width), and no number has more bits.
// Returns the byte behind them. Writes up to kPackSlack bytes beyond it.
inline uint8_t* pack_eight(const uint64_t* v, unsigned width, uint8_t* to) {
  if (width <= 8) {
    const uint64_t low = (v[0] | v[1] << width) | (v[2] | v[3] << width) << (2 * width);
    const uint64_t high = (v[4] | v[5] << width) | (v[6] | v[7] << width) << (2 * width);
    store_u64(to, low | high << (4 * width));
  } else if (width < 16) {
    const uint64_t low = (v[0] | v[1] << width) | (v[2] | v[3] << width) << (2 * width);
    const uint64_t high = (v[4] | v[5] << width) | (v[6] | v[7] << width) << (2 * width);
    store_u64(to, low | high << (4 * width));
    store_u64(to + 8, high >> (64 - 4 * width));
  } else if (width == 64) {
    std::memcpy(to, v, 64);
  } else {
    uint8_t* at = to;
    uint64_t gathered = 0;
    unsigned used = 0;
    for (unsigned k = 0; k < 8; ++k) {
      gathered |= v[k] << used;
      used += width;
      if (used < 64) continue;
      store_u64(at, gathered);
      at += 8;
      used -= 64;
      gathered = used == 0 ? 0 : v[k] >> (width - used);
    }
    store_u64(at, gathered);
  }
  return to + width;
}

// REQUIRES: is_pack_width(width). Reads up to kPackSlack bytes beyond the `width` bytes.
inline void unpack_eight(const uint8_t* from, unsigned width, uint64_t* v) {
  if (width == 64) {
    std::memcpy(v, from, 64);
    return;
  }
  const uint64_t mask = (uint64_t{1} << width) - 1;
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned bit = k * width;
    v[k] = load_u64(from + (bit >> 3)) >> (bit & 7) & mask;
  }
}

inline constexpr size_t kVarintBytesMax = 10;

inline uint8_t* put_varint(uint64_t value, uint8_t* to) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<uint8_t>(value | 0x80);
  *to++ = static_cast<uint8_t>(value);
  return to;
}

// Returns the byte behind it, or nullptr if there is no whole varint of 64 bits before `end`.
inline const uint8_t* get_varint(const uint8_t* from, const uint8_t* end, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && from != end; shift += 7) {
    const uint8_t byte = *from++;
    if (shift == 63 && byte > 1) return nullptr;
    *value |= uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return from;
  }
  return nullptr;
}

// Numbers near zero, of either sign, as small ones.
constexpr uint64_t zigzag(uint64_t value) { return value << 1 ^ (0 - (value >> 63)); }
constexpr uint64_t unzigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_BIT_PACK_H_
