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

namespace ringscribe::runtime {

class RowBatch {
 public:
  // Appends `count` rows; `first_time` … are their first timestamps, for is_sorted(). `calls` is
  // how many calls of the application they stand for.
  // Returns where it stands, until the next row.
  uint8_t* add_row(const void* row, size_t row_bytes, int64_t first_time, uint64_t calls) {
    const auto* bytes = static_cast<const uint8_t*>(row);
    rows_.insert(rows_.end(), bytes, bytes + row_bytes);
    note_time(first_time);
    ++count_;
    calls_ += calls;
    return rows_.data() + rows_.size() - row_bytes;
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
    for (size_t at = offset; at < rows_.size(); at += row_bytes) {
      uint64_t text_at;
      std::memcpy(&text_at, &rows_[at], sizeof text_at);
      const uint64_t address = reinterpret_cast<uint64_t>(text_.data() + text_at);
      std::memcpy(&rows_[at], &address, sizeof address);
    }
  }
  void clear() {
    rows_.clear();
    text_.clear();
    count_ = calls_ = 0;
    is_sorted_ = true;
    last_time_ = INT64_MIN;
  }

  bool empty() const { return count_ == 0; }
  uint64_t count() const { return count_; }
  uint64_t calls() const { return calls_; }
  bool is_sorted() const { return is_sorted_; }
  const Vector<uint8_t>& rows() const { return rows_; }
  uint8_t* mutable_rows() { return rows_.data(); }
  const Vector<char>& text() const { return text_; }
  Vector<char>& mutable_text() { return text_; }  // for what fields of variable length hold

  // For users' schemas: what the rows are of.
  const SchemaDefinition* schema = nullptr;

 private:
  void note_time(int64_t time) {
    is_sorted_ = is_sorted_ && time >= last_time_;
    last_time_ = time;
  }

  Vector<uint8_t> rows_;
  Vector<char> text_;
  uint64_t count_ = 0;
  uint64_t calls_ = 0;
  int64_t last_time_ = INT64_MIN;
  bool is_sorted_ = true;
};

struct SampleBatch {
  const CounterDefinition* counter = nullptr;
  Vector<int64_t> times;
  Vector<uint8_t> samples;
  bool is_sorted = true;

  void add(int64_t time, const void* sample, size_t sample_bytes) {
    is_sorted = is_sorted && (times.empty() || time >= times.back());
    times.push_back(time);
    const auto* bytes = static_cast<const uint8_t*>(sample);
    samples.insert(samples.end(), bytes, bytes + sample_bytes);
  }
  void clear() {
    times.clear();
    samples.clear();
    is_sorted = true;
  }
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_ROW_BATCH_H_
