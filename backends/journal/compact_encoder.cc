// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/compact_encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cstring>

#include "ringscribe/backends/journal/bit_pack.h"
#include "ringscribe/backends/journal/compact_format.h"
#include "ringscribe/backends/journal/frame_format.h"

namespace ringscribe::journal {
namespace {

// A piece's kind and up to two counts.
constexpr size_t kPieceHeadBytesMax = 1 + 2 * kVarintBytesMax;
// The head of one column in one block.
constexpr size_t kColumnHeadBytesMax = 1 + kVarintBytesMax;

// The columns of one table, encoded block by block.
class TableEncoder {
 public:
  TableEncoder(const uint8_t* rows, const ColumnWidths& widths) : row_bytes_(widths.row_bytes) {
    size_t offset = 0;
    std::array<const uint8_t*, 9> nearest = {};
    for (const uint8_t width : widths.bytes) {
      columns_[count_++] = {rows + offset, nearest[width], 0, width, false, false, Basis::kZero};
      nearest[width] = rows + offset;
      offset += width;
    }
  }

  // The first row, from which the first block's differences are told.
  uint8_t* first_row(uint8_t* to) {
    for (size_t c = 0; c < count_; ++c) {
      std::memcpy(&columns_[c].before, columns_[c].first, columns_[c].width);
      to = put_varint(columns_[c].before, to);
    }
    return to;
  }

  // The next `rows` rows. REQUIRES: there is room for all bits of them and the heads.
  uint8_t* block(size_t rows, uint8_t* to) {
    uint64_t changed = 0;
    for (size_t c = 0; c < count_; ++c) {
      if (changes(columns_[c], rows)) changed |= uint64_t{1} << c;
    }
    to = put_varint(changed, to);
    for (size_t c = 0; c < count_; ++c) {
      Column& column = columns_[c];
      if ((changed >> c & 1) != 0) to = encode(column, rows, to);
      column.first += rows * row_bytes_;
      if (column.left != nullptr) column.left += rows * row_bytes_;
    }
    return to;
  }

 private:
  struct Column {
    const uint8_t* first;  // in the block's first row
    const uint8_t* left;   // the column that Basis::kColumnLeft means, or nullptr
    uint64_t before;       // in the row before the block
    uint8_t width;
    bool has_basis;
    bool has_palette;  // the block before had one
    Basis basis;
  };
  struct Range {
    uint64_t min;
    unsigned bits;  // of the differences from it
  };

  template <typename T>
  static uint64_t load(const uint8_t* from) {
    T value;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }

  template <typename T>
  bool changes_as(const Column& column, size_t rows) const {
    const uint8_t* const first = column.first;
    // Nearly every column that changes at all does so between these two.
    if (load<T>(first + (rows - 1) * row_bytes_) != column.before) return true;
    uint64_t difference = 0;
    for (size_t i = 0; i < rows; ++i) {
      difference |= load<T>(first + i * row_bytes_) ^ column.before;
    }
    return difference != 0;
  }
  bool changes(const Column& column, size_t rows) const {
    switch (column.width) {
      case 1:
        return changes_as<uint8_t>(column, rows);
      case 2:
        return changes_as<uint16_t>(column, rows);
      case 4:
        return changes_as<uint32_t>(column, rows);
      default:
        return changes_as<uint64_t>(column, rows);
    }
  }

  // Fills differences_ with what the column is beyond the basis.
  template <typename T>
  Range differ(const Column& column, Basis basis, size_t rows) {
    int64_t min = INT64_MAX;
    int64_t max = INT64_MIN;
    uint64_t before = column.before;
    for (size_t i = 0; i < rows; ++i) {
      const uint64_t value = load<T>(column.first + i * row_bytes_);
      uint64_t difference = value;
      if (basis == Basis::kRowBefore) {
        difference -= before;
        before = value;
      } else if (basis == Basis::kColumnLeft) {
        difference -= load<T>(column.left + i * row_bytes_);
      }
      differences_[i] = difference;
      const auto as_signed = static_cast<int64_t>(difference);
      min = std::min(min, as_signed);
      max = std::max(max, as_signed);
    }
    const auto base = static_cast<uint64_t>(min);
    return {base, static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(max) - base))};
  }
  Range differ(const Column& column, Basis basis, size_t rows) {
    switch (column.width) {
      case 1:
        return differ<uint8_t>(column, basis, rows);
      case 2:
        return differ<uint16_t>(column, basis, rows);
      case 4:
        return differ<uint32_t>(column, basis, rows);
      default:
        return differ<uint64_t>(column, basis, rows);
    }
  }

  // Chooses the basis that makes this block smallest: a table's later blocks are like the first.
  // Returns how many bits it needs.
  unsigned choose_basis(Column& column, size_t rows) {
    column.has_basis = true;
    column.basis = Basis::kZero;
    unsigned bits = differ(column, Basis::kZero, rows).bits;
    for (const Basis basis : {Basis::kRowBefore, Basis::kColumnLeft}) {
      if (basis == Basis::kColumnLeft && column.left == nullptr) continue;
      const unsigned found = differ(column, basis, rows).bits;
      if (found >= bits) continue;
      bits = found;
      column.basis = basis;
    }
    return bits;
  }

  // Fills differences_ with the place of each number in palette_. False if there are too many
  // different ones.
  template <typename T>
  bool index_as(const Column& column, size_t rows) {
    constexpr unsigned kSlotBits = 6;
    std::array<uint8_t, size_t{1} << kSlotBits> slots = {};  // place + 1, found by hash
    palette_size_ = 0;
    for (size_t i = 0; i < rows; ++i) {
      const uint64_t value = load<T>(column.first + i * row_bytes_);
      size_t slot = value * 0x9E3779B97F4A7C15u >> (64 - kSlotBits);
      while (slots[slot] != 0 && palette_[slots[slot] - 1u] != value) {
        slot = (slot + 1) % slots.size();
      }
      if (slots[slot] == 0) {
        if (palette_size_ == kPaletteValuesMax) return false;
        palette_[palette_size_++] = value;
        slots[slot] = static_cast<uint8_t>(palette_size_);
      }
      differences_[i] = slots[slot] - 1u;
    }
    return true;
  }
  bool index(const Column& column, size_t rows) {
    if (column.width == 8) return index_as<uint64_t>(column, rows);
    return column.width == 4 && index_as<uint32_t>(column, rows);
  }

  uint8_t* put_palette(const Column& column, size_t rows, uint8_t* to) {
    const auto width = static_cast<unsigned>(std::bit_width(palette_size_ - 1));
    *to++ = static_cast<uint8_t>(width | static_cast<unsigned>(Basis::kPalette) << kBasisShift);
    *to++ = static_cast<uint8_t>(palette_size_);
    for (size_t i = 0; i < palette_size_; ++i, to += column.width) {
      std::memcpy(to, &palette_[i], column.width);
    }
    return put_bits(rows, width, to);
  }

  uint8_t* put_bits(size_t rows, unsigned width, uint8_t* to) {
    if (width == 0) return to;
    for (size_t i = rows; i % 8 != 0; ++i) differences_[i] = 0;
    for (size_t i = 0; i < rows; i += 8) to = pack_eight(&differences_[i], width, to);
    return to;
  }

  // A palette is worth its values where there are rows enough and differences are wide.
  static bool may_want_palette(unsigned bits, size_t rows) {
    return bits > 2 * kPaletteBits && rows >= 2 * kPaletteValuesMax;
  }

  uint8_t* encode(Column& column, size_t rows, uint8_t* to) {
    bool may_use_palette = column.has_palette && may_want_palette(UINT_MAX, rows);
    if (!column.has_basis) may_use_palette = may_want_palette(choose_basis(column, rows), rows);
    column.has_palette = may_use_palette && index(column, rows);
    to = column.has_palette ? put_palette(column, rows, to) : put_differences(column, rows, to);
    std::memcpy(&column.before, column.first + (rows - 1) * row_bytes_, column.width);
    return to;
  }

  uint8_t* put_differences(const Column& column, size_t rows, uint8_t* to) {
    Basis basis = column.basis;
    Range range = differ(column, basis, rows);
    if (range.bits > column.width * 8u) {
      basis = Basis::kZero;
      range = differ(column, basis, rows);
    }
    const unsigned width = pack_width(range.bits);
    *to++ = static_cast<uint8_t>(width_code(width) | static_cast<unsigned>(basis) << kBasisShift);
    to = put_varint(zigzag(range.min), to);
    for (size_t i = 0; i < rows; ++i) differences_[i] -= range.min;
    return put_bits(rows, width, to);
  }

  size_t row_bytes_;
  size_t count_ = 0;
  std::array<Column, kColumnsMax> columns_;
  std::array<uint64_t, kBlockRows> differences_;
  std::array<uint64_t, kPaletteValuesMax> palette_;
  size_t palette_size_ = 0;
};

}  // namespace

void CompactEncoder::begin() {
  size_ = 0;
  plain_bytes_ = 0;
}

uint8_t* CompactEncoder::reserve(size_t bytes) {
  const size_t needed = size_ + bytes + kPackSlack;
  if (needed > capacity_) {
    capacity_ = std::max(needed, capacity_ * 2);
    std::unique_ptr<uint8_t[]> larger(new uint8_t[capacity_]);
    if (size_ != 0) std::memcpy(larger.get(), buffer_.get(), size_);
    buffer_ = std::move(larger);
  }
  return buffer_.get() + size_;
}

void CompactEncoder::pad(size_t bytes) {
  plain_bytes_ += padded(bytes);
  const size_t zeros = padded(bytes) - bytes;
  if (zeros == 0) return;
  uint8_t* to = reserve(kPieceHeadBytesMax);
  *to++ = static_cast<uint8_t>(Piece::kZeros);
  advance_to(put_varint(zeros, to));
}

void CompactEncoder::literal(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  uint8_t* to = reserve(kPieceHeadBytesMax + bytes.size());
  *to++ = static_cast<uint8_t>(Piece::kLiteral);
  to = put_varint(bytes.size(), to);
  std::memcpy(to, bytes.data(), bytes.size());
  advance_to(to + bytes.size());
  pad(bytes.size());
}

void CompactEncoder::words(std::span<const std::byte> bytes) {
  const size_t count = bytes.size() / 8;
  if (count != 0) {
    uint8_t* to = reserve(kPieceHeadBytesMax + count * 9);
    *to++ = static_cast<uint8_t>(Piece::kWords);
    to = put_varint(count, to);
    const auto* from = reinterpret_cast<const uint8_t*>(bytes.data());
    for (size_t i = 0; i < count; ++i) {
      uint8_t& present = *to++;
      present = 0;
      for (unsigned k = 0; k < 8; ++k, ++from) {
        if (*from == 0) continue;
        present = static_cast<uint8_t>(present | 1u << k);
        *to++ = *from;
      }
    }
    advance_to(to);
    plain_bytes_ += count * 8;
  }
  literal(bytes.subspan(count * 8));
}

void CompactEncoder::table(std::span<const std::byte> rows, const ColumnWidths& widths) {
  const size_t row_count = rows.size() / widths.row_bytes;
  if (row_count == 0) return;
  const size_t columns = widths.bytes.size();
  uint8_t* to = reserve(kPieceHeadBytesMax + columns * (1 + kVarintBytesMax));
  *to++ = static_cast<uint8_t>(Piece::kTable);
  to = put_varint(row_count, to);
  *to++ = static_cast<uint8_t>(columns);
  for (size_t c = 0; c < columns; c += 4) {
    unsigned four = 0;
    for (size_t k = 0; k < 4 && c + k < columns; ++k) {
      four |= static_cast<unsigned>(std::countr_zero(widths.bytes[c + k])) << (2 * k);
    }
    *to++ = static_cast<uint8_t>(four);
  }
  TableEncoder encoder(reinterpret_cast<const uint8_t*>(rows.data()), widths);
  advance_to(encoder.first_row(to));
  // The table's bits are at most those of its rows, each block's rounded up to whole blocks.
  const size_t block_bytes_max =
      kVarintBytesMax + columns * kColumnHeadBytesMax + kBlockRows * widths.row_bytes;
  for (size_t done = 0; done < row_count;) {
    const size_t count = std::min(kBlockRows, row_count - done);
    advance_to(encoder.block(count, reserve(block_bytes_max)));
    done += count;
  }
  pad(rows.size());
}

std::span<const std::byte> CompactEncoder::end() {
  uint8_t* to = reserve(8);
  *to++ = static_cast<uint8_t>(Piece::kEnd);
  advance_to(to);
  return std::as_bytes(std::span(buffer_.get(), size_));
}

}  // namespace ringscribe::journal
