// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/row_columns.h"

#include <algorithm>
#include <bit>

#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::journal {
namespace {

constexpr uint64_t kRowBytesMax = kColumnsMax * 8;

// The widest column that may begin at `offset` if it lies at a multiple of its width.
uint8_t widest(uint64_t offset, uint64_t room) {
  uint64_t width = std::min<uint64_t>(8, std::bit_floor(room));
  if (offset != 0) width = std::min(width, offset & (0 - offset));
  return static_cast<uint8_t>(width);
}

ColumnWidths columns_of(std::vector<RowNumber> numbers, uint64_t row_bytes) {
  ColumnWidths widths;
  const auto fill_to = [&](uint64_t offset) {
    while (widths.row_bytes < offset) {
      widths.bytes.push_back(widest(widths.row_bytes, offset - widths.row_bytes));
      widths.row_bytes += widths.bytes.back();
    }
  };
  // Entries may overlap; of those that begin together the widest is taken, and what one has is not
  // divided again.
  std::sort(numbers.begin(), numbers.end(), [](const RowNumber& a, const RowNumber& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.bytes > b.bytes;
  });
  for (const RowNumber& number : numbers) {
    if (number.offset < widths.row_bytes || number.bytes > row_bytes ||
        number.offset > row_bytes - number.bytes) {
      continue;
    }
    fill_to(number.offset);
    widths.bytes.push_back(number.bytes);
    widths.row_bytes += number.bytes;
  }
  fill_to(row_bytes);
  return widths;
}

}  // namespace

const ColumnWidths* RowColumns::of(uint32_t domain, uint64_t schema) {
  const std::pair<uint32_t, uint64_t> key(domain, schema);
  auto found = known_.find(key);
  if (found == known_.end()) {
    std::vector<RowNumber> numbers;
    const std::optional<uint64_t> row_bytes = map_.fixed_row(domain, schema, &numbers);
    // A schema may still be registered later: that there is none is not remembered.
    if (!row_bytes) return nullptr;
    ColumnWidths widths;
    if (*row_bytes <= kRowBytesMax) widths = columns_of(std::move(numbers), *row_bytes);
    if (widths.bytes.size() > kColumnsMax) widths = ColumnWidths();
    found = known_.emplace(key, std::move(widths)).first;
  }
  return found->second.row_bytes == 0 ? nullptr : &found->second;
}

}  // namespace ringscribe::journal
