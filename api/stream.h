// SPDX-License-Identifier: Apache-2.0
//
// Stream: what events and counter samples are written to (nvtx.writer.Stream). From
// Session::create_stream (explicit times) or Session::live_stream (times taken by the call).
//
//   stream.write_mark(100, {.message = "My Mark"});
//   stream.write_pushpop(200, 500, {.message = "My Message", .color = ringscribe::color::green});
//   stream.write_event(items, Item{1000, 1500, "process items", 64});
//
// Threads: any thread may write to any stream, without lock; each writes to its own ring. A stream
// with an ordering guarantee belongs to one thread at a time (the application sees to that).
// Lifetime: cheap to copy; copies are the same stream. Writing after close(), or after the session
// ended, records nothing and is counted.
// Times: int64_t in the stream's time domain, passed on untouched. A range whose end lies before
// its begin is passed on, too; our backends draw it with length 0 and keep the end as a field.
// Returns: each write returns true if it was recorded, false if it was counted as lost (see
// LossCause) or recording is off. Programs are not meant to act on it.
#ifndef RINGSCRIBE_API_STREAM_H_
#define RINGSCRIBE_API_STREAM_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/counter.h"
#include "ringscribe/domain.h"
#include "ringscribe/event_args.h"
#include "ringscribe/runtime/counts.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe {

class Stream {
 public:
  // Records nothing.
  Stream() noexcept;

  // Whether the stream was opened; a stream of a session that records nothing is ok.
  bool ok() const noexcept { return status_ == nullptr; }
  Status status() const { return status_ == nullptr ? Status() : *status_; }
  // Waits until all that was written has reached the backend, then closes. Copies are closed, too.
  Status close();

  // --- Explicit times.

  [[gnu::always_inline]] bool write_mark(int64_t timestamp,
                                         const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_text_record<runtime::RecordKind::kMark, false>(
                                      ref_, static_cast<uint64_t>(timestamp), 0, text);
  }
  // A range that nests within others of its thread.
  [[gnu::always_inline]] bool write_pushpop(int64_t start, int64_t end,
                                            const EventArgs& args = {}) const noexcept {
    return write_range<runtime::RecordKind::kRange>(start, end, args);
  }
  // A range that may overlap others.
  [[gnu::always_inline]] bool write_startend(int64_t start, int64_t end,
                                             const EventArgs& args = {}) const noexcept {
    return write_range<runtime::RecordKind::kStartEnd>(start, end, args);
  }
  bool write_push(int64_t timestamp, const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_text_record<runtime::RecordKind::kPush, false>(
                                      ref_, static_cast<uint64_t>(timestamp), 0, text);
  }
  // Ends the range that this thread pushed last on this stream.
  bool write_pop(int64_t timestamp) const noexcept { return runtime::write_pop(ref_, timestamp); }
  // Starts a range that any thread may end. Gives it `range_id`, or a new one if that is 0.
  RangeId write_start(int64_t timestamp, const EventArgs& args = {},
                      RangeId range_id = {}) const noexcept;
  bool write_end(int64_t timestamp, RangeId range_id) const noexcept {
    return runtime::write_two_words<runtime::RecordKind::kEnd>(ref_, 0, timestamp, range_id.value);
  }

  template <typename T>
  bool write_event(const Schema<T>& schema, const T& row) const noexcept {
    return is_own(schema) ? runtime::write_row(ref_, schema.number_, &row, sizeof(T)) : refuse(1);
  }
  // A row as bytes; another size than the schema's is refused and counted.
  bool write_event(const AnySchema& schema, const void* row, size_t row_bytes) const noexcept {
    return is_own(schema) && row_bytes == schema.row_bytes_
               ? runtime::write_row(ref_, schema.number_, row, schema.row_bytes_)
               : refuse(1);
  }
  // Complete events (marks and complete ranges) of one schema, in any order: the flusher sees
  // whether they are sorted and tells the backend. Returns how many were recorded.
  template <typename T>
  uint64_t write_event_batch(const Schema<T>& schema,
                             std::span<const std::type_identity_t<T>> rows) const noexcept {
    return write_event_batch(schema, rows.data(), rows.size_bytes());
  }
  uint64_t write_event_batch(const AnySchema& schema, const void* rows,
                             size_t rows_bytes) const noexcept;

  template <Number T>
  bool write_counter_sample(const Counter& counter, int64_t timestamp, T value) const noexcept {
    return is_own(counter) ? runtime::write_two_words<runtime::RecordKind::kCounter>(
                                 ref_, counter.number_, timestamp, counter.bits(value))
                           : refuse(1);
  }
  // Samples and timestamps pair by position. Returns how many were recorded; spans of different
  // length are refused.
  uint64_t write_counter_batch(const Counter& counter, std::span<const int64_t> values,
                               std::span<const int64_t> timestamps) const noexcept {
    return write_samples(counter, values.data(), values.size(), timestamps, false);
  }
  uint64_t write_counter_batch(const Counter& counter, std::span<const double> values,
                               std::span<const int64_t> timestamps) const noexcept {
    return write_samples(counter, values.data(), values.size(), timestamps, true);
  }

  // --- Live: on a live stream; the time is that of the call. See live.h for scoped ranges and
  // for macros that keep what does not change out of the call.

  bool mark(const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_live_mark(ref_, text);
  }
  template <Number T>
  bool sample(const Counter& counter, T value) const noexcept {
    return is_own(counter) ? runtime::write_live_sample(ref_, counter.number_, counter.bits(value))
                           : refuse(1);
  }
  bool push(const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_live_push(ref_, text);
  }
  bool pop() const noexcept { return runtime::write_live_pop(ref_); }

  // Recorded and lost so far; recorded may be one step of the flusher old.
  Counts stats() const;

  // For live.h.
  const runtime::StreamRef& ref() const noexcept { return ref_; }

 private:
  friend class Session;

  template <runtime::RecordKind kKind>
  [[gnu::always_inline]] bool write_range(int64_t start, int64_t end,
                                          const EventArgs& args) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) &&
           runtime::write_text_record<kKind, true>(ref_, static_cast<uint64_t>(start),
                                                   static_cast<uint64_t>(end), text);
  }
  [[gnu::always_inline]] bool resolve(const EventArgs& args,
                                      runtime::TextAttributes& text) const noexcept {
    text.text = args.message.text;
    text.registered_string = args.message.registered.number_;
    text.color_argb = args.color.argb;
    text.category = args.category.id;
    if (text.registered_string != 0 && args.message.registered.domain_ != ref_.domain) [[unlikely]]
      return refuse(1);
    if (!args.category.name.empty()) [[unlikely]]
      text.category = category_number(args.category.name);
    return true;
  }
  bool is_own(const Counter& counter) const noexcept {
    return counter.domain_ == ref_.domain && counter.ok();
  }
  bool is_own(const AnySchema& schema) const noexcept {
    return schema.domain_ == ref_.domain && schema.ok();
  }
  // Counts `count` calls as invalid, if the stream is one that counts. Returns false.
  bool refuse(uint64_t count) const noexcept;
  uint32_t category_number(std::string_view name) const noexcept;
  uint64_t write_samples(const Counter& counter, const void* values, size_t count,
                         std::span<const int64_t> timestamps, bool is_floating) const noexcept;

  runtime::StreamRef ref_;
  std::shared_ptr<runtime::SessionState> session_;
  runtime::DomainState* domain_ = nullptr;  // valid until the session ends
  std::shared_ptr<Status> status_;          // nullptr: ok
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_STREAM_H_
