// SPDX-License-Identifier: Apache-2.0
//
// CompactEncoder: writes the payload of a data frame in the compact codec (FORMAT.md, "The compact
// codec"): rows by column, in blocks of 128, each column as small differences of as many bits as
// they need; the rest as it is. What it makes of a payload follows from the payload and the columns
// alone, so that a replay writes the same bytes again.
//
//   encoder.begin();
//   encoder.words(prefix);
//   encoder.table(rows, widths);
//   encoder.literal(text);
//   writer.write(type, FrameCodec::kCompact, encoder.end());
//
// Threads: one at a time. Lifetime: what end() returns stays until the next begin().
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_ENCODER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ringscribe/backends/journal/row_columns.h"

namespace ringscribe::journal {

class CompactEncoder {
 public:
  void begin();
  // Each of these appends a piece of the plain payload, in the order of the payload, and the zeros
  // that pad it to a multiple of 8.
  void literal(std::span<const std::byte> bytes);
  // For numbers that are mostly small.
  void words(std::span<const std::byte> bytes);
  // REQUIRES: rows.size() is a multiple of widths.row_bytes.
  void table(std::span<const std::byte> rows, const ColumnWidths& widths);
  // The compact payload.
  std::span<const std::byte> end();
  // How large the plain payload is.
  uint64_t plain_bytes() const { return plain_bytes_; }

 private:
  // Makes room for that many bytes, and kPackSlack behind them.
  uint8_t* reserve(size_t bytes);
  void advance_to(const uint8_t* end) { size_ = static_cast<size_t>(end - buffer_.get()); }
  void pad(size_t bytes);

  std::unique_ptr<uint8_t[]> buffer_;
  size_t capacity_ = 0;
  size_t size_ = 0;
  uint64_t plain_bytes_ = 0;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_COMPACT_ENCODER_H_
