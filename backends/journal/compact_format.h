// SPDX-License-Identifier: Apache-2.0
//
// The numbers of the compact codec (FORMAT.md, "The compact codec").
//
// Threads, lifetime: constants.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_FORMAT_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_FORMAT_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/backends/journal/bit_pack.h"

namespace ringscribe::journal {

// A compact payload is a row of pieces; each begins with its kind.
enum class Piece : uint8_t {
  kEnd = 0,  // what follows is padding
  kLiteral = 1,
  kWords = 2,
  kTable = 3,
  kZeros = 4,
};

inline constexpr size_t kBlockRows = 128;

// What a column's numbers are told as differences from.
enum class Basis : uint8_t {
  kZero = 0,
  kRowBefore = 1,   // the same column, one row before; that row itself for the first
  kColumnLeft = 2,  // the same row, the nearest column to the left of the same width
  kPalette = 3,     // no differences: places in a list of the block's few values
};
inline constexpr unsigned kBasisShift = 6;

inline constexpr unsigned kPaletteBits = 4;
inline constexpr size_t kPaletteValuesMax = size_t{1} << kPaletteBits;

// The width of differences in 6 bits: 58 stands for 64, as widths from 58 to 63 are not used.
constexpr uint8_t width_code(unsigned width) {
  return static_cast<uint8_t>(width == 64 ? kPackWidthMax + 1 : width);
}
// 0 to 57, 64; or 65 if it is no code.
constexpr unsigned width_of(unsigned code) {
  if (code <= kPackWidthMax) return code;
  return code == kPackWidthMax + 1 ? 64 : 65;
}

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_FORMAT_H_
