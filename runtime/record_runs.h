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

// The words of a row are stored one by one: a row that is put together first is loaded again before
// its parts have left the store buffer, which costs more than all the rest.

// kMark of a call site or with a registered string.
inline void copy_marks(const uint8_t* records, uint64_t count, uint32_t color, uint32_t category,
                       uint64_t message, uint8_t* rows, TimeOrder& order) noexcept {
  static_assert(offsetof(PointRow, color) == 8 && offsetof(PointRow, category) == 12 &&
                offsetof(PointRow, message) == 16);
  const uint64_t looks = pack_words(color, category);
  TimeOrder times = order;
  for (const uint8_t* const end = rows + sizeof(PointRow) * count; rows != end;
       rows += sizeof(PointRow), records += 16) {
    const uint64_t time = load_word(records + 8);
    times.add(static_cast<int64_t>(time));
    store_word(rows, time);
    store_word(rows + 8, looks);
    store_word(rows + 16, message);
  }
  order = times;
}

// kRange and kStartEnd of a call site or with a registered string.
inline void copy_ranges(const uint8_t* records, uint64_t count, uint32_t color, uint32_t category,
                        uint64_t message, uint8_t* rows, TimeOrder& order) noexcept {
  static_assert(offsetof(RangeRow, color) == 16 && offsetof(RangeRow, category) == 20 &&
                offsetof(RangeRow, message) == 24);
  const uint64_t looks = pack_words(color, category);
  TimeOrder times = order;
  for (const uint8_t* const end = rows + sizeof(RangeRow) * count; rows != end;
       rows += sizeof(RangeRow), records += 24) {
    const uint64_t begin = load_word(records + 8);
    times.add(static_cast<int64_t>(begin));
    store_word(rows, begin);
    store_word(rows + 8, load_word(records + 16));
    store_word(rows + 16, looks);
    store_word(rows + 24, message);
  }
  order = times;
}

// `count` rows of `row_bytes` that lie `stride` apart.
template <size_t kRowBytes>
void copy_rows_of(const uint8_t* from, size_t stride, uint64_t count, uint8_t* to) noexcept {
  for (uint64_t i = 0; i < count; ++i)
    std::memcpy(to + kRowBytes * i, from + stride * i, kRowBytes);
}
[[gnu::always_inline]] inline void copy_rows(const uint8_t* from, size_t stride, uint64_t count,
                                             size_t row_bytes, uint8_t* to) noexcept {
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
