// SPDX-License-Identifier: Apache-2.0
//
// RowBatch: rows of one schema back to back, with the text that they point to, as
// nvtxEventBatch_t takes them. SampleBatch: the same for counter samples.
//
// Threads: the flusher only. clear() keeps the memory.
#ifndef RINGSCRIBE_RUNTIME_ROW_BATCH_H_
#define RINGSCRIBE_RUNTIME_ROW_BATCH_H_

#include <cstdint>
#include <cstring>
#include <string_view>

#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/row_buffer.h"

namespace ringscribe::runtime {

// Whether times that come one by one rise.
struct TimeOrder {
  int64_t last = INT64_MIN;
  bool is_sorted = true;

  void add(int64_t time) noexcept {
    is_sorted &= time >= last;
    last = time;
  }
};

class RowBatch {
 public:
  // Makes place for `count` rows, which the caller fills and whose first timestamps it adds to
  // `order`. `calls` is how many calls of the application they stand for. Valid until the next row.
  uint8_t* add_rows(uint64_t count, size_t row_bytes, uint64_t calls) {
    count_ += count;
    calls_ += calls;
    return rows_.extend(count * row_bytes);
  }
  // Puts `text` with a zero behind it into the text area and returns its offset there.
  uint64_t add_text(std::string_view text) {
    const uint64_t at = text_.size();
    text_.insert(text_.end(), text.begin(), text.end());
    text_.push_back('\0');
    return at;
  }
  // Turns the offsets that stand at `offset` of each row into addresses.
  void resolve_text(size_t row_bytes, size_t offset) {
    const auto base = reinterpret_cast<uint64_t>(text_.data());
    for (size_t at = offset; at < rows_.size(); at += row_bytes) {
      uint64_t word;
      std::memcpy(&word, rows_.data() + at, sizeof word);
      word += base;
      std::memcpy(rows_.data() + at, &word, sizeof word);
    }
  }
  void clear() {
    rows_.clear();
    text_.clear();
    count_ = calls_ = 0;
    order = TimeOrder();
  }

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }
  uint64_t calls() const { return calls_; }
  const RowBuffer& rows() const { return rows_; }
  RowBuffer& rows() { return rows_; }
  const Vector<char>& text() const { return text_; }
  Vector<char>& mutable_text() { return text_; }  // for what fields of variable length hold

  TimeOrder order;
  // For users' schemas: what the rows are of.
  const SchemaDefinition* schema = nullptr;

 private:
  RowBuffer rows_;
  Vector<char> text_;
  uint64_t count_ = 0;
  uint64_t calls_ = 0;
};

struct SampleBatch {
  const CounterDefinition* counter = nullptr;
  RowBuffer times;  // int64_t
  RowBuffer samples;
  TimeOrder order;

  uint64_t count() const noexcept { return times.size() / sizeof(int64_t); }
  void clear() {
    times.clear();
    samples.clear();
    order = TimeOrder();
  }
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_ROW_BATCH_H_
