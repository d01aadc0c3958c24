// SPDX-License-Identifier: Apache-2.0
//
// Runs: records of a ring that follow each other and have the same header, so that they differ in
// their times and values only. What is the same is looked up once a run; the rest is copied by
// loops that the processor can overlap.
//
// `records` is the first record, with its header. Each function adds the times to `order`.
//
// Threads: pure functions. Layouts: record.h, text_rows.h.
#ifndef RINGSCRIBE_RUNTIME_RECORD_RUNS_H_
#define RINGSCRIBE_RUNTIME_RECORD_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_batch.h"
#include "ringscribe/runtime/text_rows.h"

namespace ringscribe::runtime {

// kMark of a call site or with a registered string.
inline void copy_marks(const uint8_t* records, uint64_t count, uint32_t color, uint32_t category,
                       uint64_t message, uint8_t* rows, TimeOrder& order) noexcept {
  TimeOrder times = order;
  for (uint64_t i = 0; i < count; ++i) {
    const PointRow row{static_cast<int64_t>(load_word(records + 16 * i + 8)), color, category,
                       message};
    times.add(row.time);
    std::memcpy(rows + sizeof row * i, &row, sizeof row);
  }
  order = times;
}

// kRange and kStartEnd of a call site or with a registered string.
inline void copy_ranges(const uint8_t* records, uint64_t count, uint32_t color, uint32_t category,
                        uint64_t message, uint8_t* rows, TimeOrder& order) noexcept {
  TimeOrder times = order;
  for (uint64_t i = 0; i < count; ++i) {
    const RangeRow row{static_cast<int64_t>(load_word(records + 24 * i + 8)),
                       static_cast<int64_t>(load_word(records + 24 * i + 16)), color, category,
                       message};
    times.add(row.begin);
    std::memcpy(rows + sizeof row * i, &row, sizeof row);
  }
  order = times;
}

// `count` rows of `row_bytes` that lie `stride` apart.
template <size_t kRowBytes>
void copy_rows_of(const uint8_t* from, size_t stride, uint64_t count, uint8_t* to) noexcept {
  for (uint64_t i = 0; i < count; ++i)
    std::memcpy(to + kRowBytes * i, from + stride * i, kRowBytes);
}
inline void copy_rows(const uint8_t* from, size_t stride, uint64_t count, size_t row_bytes,
                      uint8_t* to) noexcept {
  switch (row_bytes) {
    case 8:
      return copy_rows_of<8>(from, stride, count, to);
    case 16:
      return copy_rows_of<16>(from, stride, count, to);
    case 24:
      return copy_rows_of<24>(from, stride, count, to);
    case 32:
      return copy_rows_of<32>(from, stride, count, to);
    case 40:
      return copy_rows_of<40>(from, stride, count, to);
    case 48:
      return copy_rows_of<48>(from, stride, count, to);
    case 56:
      return copy_rows_of<56>(from, stride, count, to);
    case 64:
      return copy_rows_of<64>(from, stride, count, to);
    default:
      for (uint64_t i = 0; i < count; ++i)
        std::memcpy(to + row_bytes * i, from + stride * i, row_bytes);
  }
}
inline void add_times(const uint8_t* first, size_t stride, uint64_t count,
                      TimeOrder& order) noexcept {
  TimeOrder times = order;
  for (uint64_t i = 0; i < count; ++i)
    times.add(static_cast<int64_t>(load_word(first + stride * i)));
  order = times;
}

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RECORD_RUNS_H_
