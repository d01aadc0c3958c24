// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/compact_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "ringscribe/backends/journal/bit_pack.h"
#include "ringscribe/backends/journal/compact_format.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/row_columns.h"

namespace ringscribe::journal {
namespace {

constexpr size_t kZeroBytesBehind = 16;

// The columns of one table, decoded block by block.
class TableDecoder {
 public:
  explicit TableDecoder(std::span<const uint8_t> widths) {
    std::array<uint8_t, 9> nearest;
    nearest.fill(kNone);
    for (const uint8_t width : widths) {
      columns_[count_] = {row_bytes_, 0, width, nearest[width]};
      nearest[width] = static_cast<uint8_t>(count_++);
      row_bytes_ += width;
    }
  }
  size_t row_bytes() const { return row_bytes_; }

  // Reads the first row. Returns where it ends, or nullptr.
  const uint8_t* first_row(const uint8_t* from, const uint8_t* end) {
    for (size_t c = 0; c < count_ && from != nullptr; ++c) {
      from = get_varint(from, end, &columns_[c].before);
    }
    return from;
  }

  // Decodes the next `rows` rows to `to`. Returns where the block ends, nullptr if it makes no
  // sense.
  const uint8_t* block(const uint8_t* from, const uint8_t* end, size_t rows, uint8_t* to) {
    uint64_t changed = 0;
    from = get_varint(from, end, &changed);
    if (from == nullptr || (count_ < 64 && changed >> count_ != 0)) return nullptr;
    for (size_t c = 0; c < count_; ++c) {
      const bool is_changed = (changed >> c & 1) != 0;
      if (is_changed) from = differences(from, end, columns_[c].width, rows);
      if (from == nullptr || !column(columns_[c], is_changed, rows, to)) return nullptr;
    }
    return from;
  }

 private:
  static constexpr uint8_t kNone = 255;

  struct Column {
    size_t offset = 0;
    uint64_t before = 0;  // the value in the row before the block
    uint8_t width = 0;
    uint8_t left = kNone;  // the column that Basis::kColumnLeft means
  };

  // Reads the head and the differences of one column of `bytes` bytes a number.
  const uint8_t* differences(const uint8_t* from, const uint8_t* end, size_t bytes, size_t rows) {
    if (from == end) return nullptr;
    const unsigned head = *from++;
    const unsigned width = width_of(head & ((1u << kBasisShift) - 1));
    basis_ = static_cast<Basis>(head >> kBasisShift);
    if (basis_ == Basis::kPalette) return palette(from, end, width, bytes, rows);
    uint64_t least = 0;
    from = get_varint(from, end, &least);
    if (from != nullptr) from = bits(from, end, width, rows);
    least = unzigzag(least);
    for (uint64_t& difference : differences_) difference += least;
    return from;
  }

  const uint8_t* bits(const uint8_t* from, const uint8_t* end, unsigned width, size_t rows) {
    const size_t groups = (rows + 7) / 8;
    if (width > 64 || static_cast<size_t>(end - from) < groups * width) return nullptr;
    for (size_t i = 0; i < groups; ++i) {
      unpack_eight(from, width, &differences_[8 * i]);
      from += width;
    }
    return from;
  }

  // Makes the differences from zero.
  const uint8_t* palette(const uint8_t* from, const uint8_t* end, unsigned width, size_t bytes,
                         size_t rows) {
    if (from == end || width > kPaletteBits) return nullptr;
    const size_t size = *from++;
    if (size > kPaletteValuesMax || static_cast<size_t>(end - from) < size * bytes) return nullptr;
    // Places that the list does not have are 0.
    std::array<uint64_t, kPaletteValuesMax> values = {};
    for (size_t i = 0; i < size; ++i, from += bytes) std::memcpy(&values[i], from, bytes);
    from = bits(from, end, width, rows);
    if (from == nullptr) return nullptr;
    for (size_t i = 0; i < rows; ++i) differences_[i] = values[differences_[i]];
    basis_ = Basis::kZero;
    return from;
  }

  template <typename T>
  bool column_as(Column& column, bool is_changed, size_t rows, uint8_t* to) {
    uint8_t* at = to + column.offset;
    if (!is_changed) {
      const T value = static_cast<T>(column.before);
      for (size_t i = 0; i < rows; ++i) std::memcpy(at + i * row_bytes_, &value, sizeof(value));
      return true;
    }
    T value = static_cast<T>(column.before);
    switch (basis_) {
      case Basis::kZero:
        for (size_t i = 0; i < rows; ++i) {
          value = static_cast<T>(differences_[i]);
          std::memcpy(at + i * row_bytes_, &value, sizeof(value));
        }
        break;
      case Basis::kRowBefore:
        for (size_t i = 0; i < rows; ++i) {
          value = static_cast<T>(value + differences_[i]);
          std::memcpy(at + i * row_bytes_, &value, sizeof(value));
        }
        break;
      case Basis::kColumnLeft: {
        if (column.left == kNone) return false;
        const uint8_t* left = to + columns_[column.left].offset;
        for (size_t i = 0; i < rows; ++i) {
          std::memcpy(&value, left + i * row_bytes_, sizeof(value));
          value = static_cast<T>(value + differences_[i]);
          std::memcpy(at + i * row_bytes_, &value, sizeof(value));
        }
        break;
      }
      default:
        return false;
    }
    column.before = value;
    return true;
  }
  bool column(Column& column, bool is_changed, size_t rows, uint8_t* to) {
    switch (column.width) {
      case 1:
        return column_as<uint8_t>(column, is_changed, rows, to);
      case 2:
        return column_as<uint16_t>(column, is_changed, rows, to);
      case 4:
        return column_as<uint32_t>(column, is_changed, rows, to);
      default:
        return column_as<uint64_t>(column, is_changed, rows, to);
    }
  }

  size_t row_bytes_ = 0;
  size_t count_ = 0;
  Basis basis_ = Basis::kZero;  // of the column whose differences were read last
  std::array<Column, kColumnsMax> columns_;
  std::array<uint64_t, kBlockRows> differences_ = {};
};

}  // namespace

uint8_t* CompactDecoder::grow(uint64_t bytes) {
  if (bytes > kPayloadBytesMax - size_) return nullptr;
  const size_t needed = size_ + bytes + kZeroBytesBehind;
  if (needed > capacity_) {
    const size_t capacity = std::max(needed, capacity_ * 2);
    std::unique_ptr<uint8_t[]> larger(new (std::nothrow) uint8_t[capacity]);
    if (larger == nullptr) return nullptr;
    if (size_ != 0) std::memcpy(larger.get(), buffer_.get(), size_);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  }
  uint8_t* to = buffer_.get() + size_;
  size_ += bytes;
  return to;
}

bool CompactDecoder::count(uint64_t* value) {
  at_ = get_varint(at_, end_, value);
  return at_ != nullptr;
}

bool CompactDecoder::literal() {
  uint64_t bytes = 0;
  if (!count(&bytes) || bytes > static_cast<uint64_t>(end_ - at_)) return false;
  uint8_t* to = grow(bytes);
  if (to == nullptr) return false;
  std::memcpy(to, at_, bytes);
  at_ += bytes;
  return true;
}

bool CompactDecoder::words() {
  uint64_t words = 0;
  // Each of them has at least one byte.
  if (!count(&words) || words > static_cast<uint64_t>(end_ - at_)) return false;
  uint8_t* to = grow(words * 8);
  if (to == nullptr) return false;
  for (uint64_t i = 0; i < words; ++i) {
    if (at_ == end_) return false;
    const unsigned present = *at_++;
    for (unsigned k = 0; k < 8; ++k) {
      const bool is_there = (present >> k & 1) != 0;
      if (is_there && at_ == end_) return false;
      *to++ = is_there ? *at_++ : uint8_t{0};
    }
  }
  return true;
}

bool CompactDecoder::table() {
  uint64_t rows = 0;
  if (!count(&rows) || at_ == end_) return false;
  const size_t columns = *at_++;
  if (columns == 0 || columns > kColumnsMax) return false;
  if (static_cast<size_t>(end_ - at_) < (columns + 3) / 4) return false;
  std::array<uint8_t, kColumnsMax> widths = {};
  for (size_t c = 0; c < columns; ++c) {
    widths[c] = static_cast<uint8_t>(1u << (at_[c / 4] >> (2 * (c % 4)) & 3));
  }
  at_ += (columns + 3) / 4;
  TableDecoder decoder({widths.data(), columns});
  at_ = decoder.first_row(at_, end_);
  // Each block has at least one byte.
  if (at_ == nullptr || rows > kBlockRows * static_cast<uint64_t>(end_ - at_)) return false;
  uint8_t* to = grow(rows * decoder.row_bytes());
  if (to == nullptr) return false;
  while (rows != 0) {
    const size_t block_rows = std::min<uint64_t>(rows, kBlockRows);
    at_ = decoder.block(at_, end_, block_rows, to);
    if (at_ == nullptr) return false;
    to += block_rows * decoder.row_bytes();
    rows -= block_rows;
  }
  return true;
}

bool CompactDecoder::zeros() {
  uint64_t bytes = 0;
  if (!count(&bytes) || bytes > kGuardBytes) return false;
  uint8_t* to = grow(bytes);
  if (to == nullptr) return false;
  std::memset(to, 0, bytes);
  return true;
}

bool CompactDecoder::decode(std::span<const std::byte> compact, std::span<std::byte>* plain) {
  at_ = reinterpret_cast<const uint8_t*>(compact.data());
  end_ = at_ + compact.size();
  size_ = 0;
  bool is_good = true;
  while (is_good) {
    if (at_ == end_) return false;
    const auto piece = static_cast<Piece>(*at_++);
    if (piece == Piece::kEnd) break;
    switch (piece) {
      case Piece::kLiteral:
        is_good = literal();
        break;
      case Piece::kWords:
        is_good = words();
        break;
      case Piece::kTable:
        is_good = table();
        break;
      case Piece::kZeros:
        is_good = zeros();
        break;
      default:
        is_good = false;
        break;
    }
  }
  if (!is_good || size_ % 8 != 0) return false;
  uint8_t* behind = grow(0);
  if (behind == nullptr) return false;
  std::memset(behind, 0, kZeroBytesBehind);
  *plain = std::as_writable_bytes(std::span(buffer_.get(), size_));
  return true;
}

}  // namespace ringscribe::journal
