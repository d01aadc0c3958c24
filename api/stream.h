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
#include <initializer_list>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/counter.h"
#include "ringscribe/domain.h"
#include "ringscribe/event_args.h"
#include "ringscribe/payload.h"
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

  // A row of a layout with a kind.
  template <typename T>
  [[gnu::always_inline]] bool write_event(const Schema<T>& schema, const T& row) const noexcept {
    if (!is_own_event(schema)) return refuse(InvalidCall::kSchema);
    if constexpr (schema_internal::kIsFlexible<T>)
      return runtime::write_flex_row(ref_, schema.event_.number(), &row, sizeof(T),
                                     *schema.flexible_);
    else
      return runtime::write_row_of(ref_, schema.event_.number(), row);
  }
  // A row as bytes; another size than the schema's is refused and counted, but for schemas whose
  // rows differ in size.
  bool write_event(const AnySchema& schema, const void* row, size_t row_bytes) const noexcept;
  // Several payloads that make one event.
  bool write_event(std::span<const Payload> payloads) const noexcept;
  bool write_event(std::initializer_list<Payload> payloads) const noexcept {
    return write_event(std::span<const Payload>(payloads.begin(), payloads.size()));
  }
  // Complete events (marks and complete ranges) of one schema, in any order: unless `ordering` says
  // how they are sorted, the flusher looks and tells the backend, as it always does for rows with
  // fields of variable length. Returns how many were recorded.
  template <typename T>
  uint64_t write_event_batch(const Schema<T>& schema, std::span<const std::type_identity_t<T>> rows,
                             BatchOrdering ordering = BatchOrdering::kDetect) const noexcept {
    return write_event_batch(schema, rows.data(), rows.size_bytes(), ordering);
  }
  uint64_t write_event_batch(const AnySchema& schema, const void* rows, size_t rows_bytes,
                             BatchOrdering ordering = BatchOrdering::kDetect) const noexcept;

  template <Number T>
  [[gnu::always_inline]] bool write_counter_sample(const Counter& counter, int64_t timestamp,
                                                   T value) const noexcept {
    return is_own(counter) ? runtime::write_two_words<runtime::RecordKind::kCounter>(
                                 ref_, counter.reference_.number(), timestamp, counter.bits(value))
                           : refuse(InvalidCall::kCounter);
  }
  template <typename T>
  bool write_counter_sample(const CounterGroup<T>& group, int64_t timestamp,
                            const std::type_identity_t<T>& sample) const noexcept {
    return write_counter_sample(static_cast<const AnyCounter&>(group), timestamp, &sample,
                                sizeof(T));
  }
  // A sample as bytes. Groups with a TIMESTAMP field are refused: write_counter_batch takes them.
  bool write_counter_sample(const AnyCounter& counter, int64_t timestamp, const void* sample,
                            size_t sample_bytes) const noexcept;
  // Says that there was a sample and why it has no value.
  bool write_counter_sample_no_value(const AnyCounter& counter, int64_t timestamp,
                                     CounterNoValueReason reason) const noexcept {
    return is_own(counter)
               ? runtime::write_two_words<runtime::RecordKind::kNoValue>(
                     ref_, counter.reference_.number(), timestamp, static_cast<uint64_t>(reason))
               : refuse(InvalidCall::kCounter);
  }
  // Samples of the counter's own type, with their times: a range of as many int64_t, or evenly
  // spaced (SampleTimes). Returns how many were recorded.
  template <std::ranges::contiguous_range Values>
    requires(Number<std::ranges::range_value_t<Values>>)
  uint64_t write_counter_batch(const Counter& counter, const Values& values,
                               const SampleTimes& times,
                               BatchOrdering ordering = BatchOrdering::kDetect) const noexcept {
    using T = std::ranges::range_value_t<Values>;
    const bool fits = counter.type() == schema_internal::scalar_type<T>();
    return write_samples(counter, std::ranges::data(values), std::ranges::size(values),
                         fits ? sizeof(T) : 0, times, ordering);
  }
  // Without times for groups with a TIMESTAMP field, and only for those.
  template <typename T>
  uint64_t write_counter_batch(const CounterGroup<T>& group,
                               std::span<const std::type_identity_t<T>> samples,
                               const SampleTimes& times = {},
                               BatchOrdering ordering = BatchOrdering::kDetect) const noexcept {
    return write_samples(group, samples.data(), samples.size(), sizeof(T), times, ordering);
  }
  // Samples as bytes.
  uint64_t write_counter_batch(const AnyCounter& counter, const void* samples, size_t samples_bytes,
                               const SampleTimes& times = {},
                               BatchOrdering ordering = BatchOrdering::kDetect) const noexcept;

  // --- Time: how two time domains relate, for tools to convert. Each point counts as one event.

  // `first` in one and `second` in the other are the same moment; two of these make a conversion.
  bool write_sync_point(const TimeDomain& time1, const TimeDomain& time2, int64_t first,
                        int64_t second) const noexcept {
    const SyncPoint point{first, second};
    return write_sync_points(time1, time2, std::span(&point, 1));
  }
  bool write_sync_points(const TimeDomain& source, const TimeDomain& destination,
                         std::span<const SyncPoint> points) const noexcept;
  // destination = at_destination + slope * (source - at_source).
  bool write_conversion_factor(const TimeDomain& source, const TimeDomain& destination,
                               double slope, int64_t at_source,
                               int64_t at_destination) const noexcept;

  // --- Live: on a live stream; the time is that of the call. See live.h for scoped ranges and
  // for macros that keep what does not change out of the call.

  bool mark(const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_live_mark(ref_, text);
  }
  template <Number T>
  [[gnu::always_inline]] bool sample(const Counter& counter, T value) const noexcept {
    return is_own(counter)
               ? runtime::write_live_sample(ref_, counter.reference_.number(), counter.bits(value))
               : refuse(InvalidCall::kCounter);
  }
  template <typename T>
  bool sample(const CounterGroup<T>& group, const std::type_identity_t<T>& values) const noexcept {
    return sample(group, &values, sizeof(T));
  }
  // A sample as bytes.
  bool sample(const AnyCounter& counter, const void* values, size_t values_bytes) const noexcept {
    if (!is_own(counter)) return refuse(InvalidCall::kCounter);
    if (counter.has_embedded_time()) return refuse(InvalidCall::kTimes);
    if (values_bytes != counter.sample_bytes()) return refuse(InvalidCall::kSize);
    return runtime::write_live_group(ref_, counter.reference_.number(), values,
                                     counter.sample_bytes());
  }
  bool sample_no_value(const AnyCounter& counter, CounterNoValueReason reason) const noexcept {
    return is_own(counter) ? runtime::write_live_no_value(ref_, counter.reference_.number(),
                                                          static_cast<uint64_t>(reason))
                           : refuse(InvalidCall::kCounter);
  }
  bool push(const EventArgs& args = {}) const noexcept {
    runtime::TextAttributes text;
    return resolve(args, text) && runtime::write_live_push(ref_, text);
  }
  bool pop() const noexcept { return runtime::write_live_pop(ref_); }

  // What happens to this stream's events when a thread's ring is full, from now on; other streams
  // keep theirs. Without effect on a stream that records nothing.
  void set_overflow(StreamOverflow overflow) const noexcept;

  // Recorded and lost so far; recorded may be one step of the flusher old. Of a closed stream they
  // can be asked for until its number is another's, which is 65,535 streams later.
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
    const runtime::Reference registered = args.message.registered.reference_;
    text.registered_string = registered.number();
    text.color_argb = args.color.argb;
    text.category = args.category.id;
    if (!registered.is_none() && registered.domain() != ref_.domain()) [[unlikely]]
      return refuse(InvalidCall::kRegisteredString);
    if (!args.category.name.empty()) [[unlikely]]
      text.category = category_number(args.category.name);
    return true;
  }
  // The domain of no stream is 0, that of what was not had: so one compare is enough.
  [[gnu::always_inline]] bool is_own(const AnyCounter& counter) const noexcept {
    return counter.reference_.domain() == ref_.domain();
  }
  bool is_own(const TimeDomain& time) const noexcept {
    return time.domain_ == 0 || time.domain_ == ref_.domain();
  }
  // A schema of the stream's domain with a kind.
  [[gnu::always_inline]] bool is_own_event(const AnySchema& schema) const noexcept {
    return schema.event_.domain() == ref_.domain();
  }
  // Counts `count` calls as invalid, if the stream is one that counts. Returns false.
  bool refuse(InvalidCall what, uint64_t count = 1) const noexcept;
  uint32_t category_number(std::string_view name) const noexcept;
  uint64_t write_samples(const AnyCounter& counter, const void* samples, size_t count,
                         size_t sample_bytes, const SampleTimes& times,
                         BatchOrdering ordering) const noexcept;

  runtime::StreamRef ref_;
  std::shared_ptr<runtime::SessionState> session_;
  runtime::DomainState* domain_ = nullptr;  // valid until the session ends
  std::shared_ptr<Status> status_;          // nullptr: ok
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_STREAM_H_
