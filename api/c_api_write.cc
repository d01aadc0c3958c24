// SPDX-License-Identifier: Apache-2.0
//
// The C API's writes: each is the C++ call of that name. What cannot be written for a reason that
// only C knows (NULL, a number beyond an enum) is counted as invalid all the same.
#include <span>

#include "ringscribe/c_api_handles.h"
#include "ringscribe/c_api_options.h"
#include "ringscribe/live.h"

using namespace ringscribe;
using c_api::read_options;

namespace {

int refuse(const ringscribe_stream& stream) {
  return runtime::count_invalid(stream.value.ref(), InvalidCall::kArgument) ? 1 : 0;
}

// False if the call has to be refused.
[[gnu::always_inline]] inline bool read_args(const char* function,
                                             const ringscribe_event_args* given, EventArgs& args) {
  if (given == nullptr) return true;
  ringscribe_event_args known = RINGSCRIBE_EVENT_ARGS_INIT;
  if (given->struct_size == sizeof known) [[likely]]
    known = *given;
  else if (!read_options(function, "args", given, known))
    return false;
  if (known.registered_string != nullptr)
    args.message = known.registered_string->value;
  else if (known.message_bytes != 0 && known.message != nullptr)
    args.message = std::string_view(known.message, known.message_bytes);
  else
    args.message = known.message;
  args.color = Color(known.color_argb);
  if (known.category_name != nullptr) [[unlikely]]
    args.category = known.category_name;
  else
    args.category = known.category;
  return true;
}

AnySchema schema_of(const ringscribe_schema* schema) {
  return schema != nullptr ? schema->value : AnySchema();
}
AnyCounter any_of(const ringscribe_counter* counter) {
  return counter != nullptr ? counter->value : AnyCounter();
}
Counter number_of(const ringscribe_counter* counter) {
  return counter != nullptr ? counter->of_number : Counter();
}

bool is_ordering(uint32_t ordering) {
  return ordering == RINGSCRIBE_BATCH_DETECT ||
         (ordering <= RINGSCRIBE_BATCH_UNSORTED && ordering % 2 == 0);
}

}  // namespace

// --- Explicit times.

int ringscribe_write_mark(const ringscribe_stream* stream, int64_t timestamp,
                          const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.write_mark(timestamp, known) ? 1 : 0;
}

int ringscribe_write_pushpop(const ringscribe_stream* stream, int64_t start, int64_t end,
                             const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.write_pushpop(start, end, known) ? 1 : 0;
}

int ringscribe_write_startend(const ringscribe_stream* stream, int64_t start, int64_t end,
                              const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.write_startend(start, end, known) ? 1 : 0;
}

int ringscribe_write_push(const ringscribe_stream* stream, int64_t timestamp,
                          const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.write_push(timestamp, known) ? 1 : 0;
}

int ringscribe_write_pop(const ringscribe_stream* stream, int64_t timestamp) {
  return stream != nullptr && stream->value.write_pop(timestamp) ? 1 : 0;
}

uint64_t ringscribe_write_start(const ringscribe_stream* stream, int64_t timestamp,
                                const ringscribe_event_args* args, uint64_t range_id) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) {
    refuse(*stream);
    return range_id;
  }
  return stream->value.write_start(timestamp, known, RangeId{range_id}).value;
}

int ringscribe_write_end(const ringscribe_stream* stream, int64_t timestamp, uint64_t range_id) {
  return stream != nullptr && stream->value.write_end(timestamp, RangeId{range_id}) ? 1 : 0;
}

int ringscribe_write_event(const ringscribe_stream* stream, const ringscribe_schema* schema,
                           const void* row, size_t row_bytes) {
  if (stream == nullptr) return 0;
  if (row == nullptr) return refuse(*stream);
  return stream->value.write_event(schema_of(schema), row, row_bytes) ? 1 : 0;
}

int ringscribe_write_event_payloads(const ringscribe_stream* stream,
                                    const ringscribe_payload* payloads, size_t payload_count) {
  if (stream == nullptr) return 0;
  if (payloads == nullptr || payload_count > runtime::kMaxPayloads) return refuse(*stream);
  // Payload has no default, and an event needs few of them.
  alignas(Payload) unsigned char memory[runtime::kMaxPayloads * sizeof(Payload)];
  auto* parts = reinterpret_cast<Payload*>(memory);
  for (size_t i = 0; i < payload_count; ++i) {
    const ringscribe_payload& part = payloads[i];
    if (part.schema != nullptr)
      ::new (&parts[i]) Payload(part.schema->value, part.data, part.size_bytes);
    else
      ::new (&parts[i]) Payload(static_cast<EntryType>(part.type), part.data, part.size_bytes);
  }
  return stream->value.write_event(std::span<const Payload>(parts, payload_count)) ? 1 : 0;
}

uint64_t ringscribe_write_event_batch(const ringscribe_stream* stream,
                                      const ringscribe_schema* schema, const void* rows,
                                      size_t rows_bytes, uint32_t ordering) {
  if (stream == nullptr) return 0;
  const bool is_valid = is_ordering(ordering) && (rows != nullptr || rows_bytes == 0);
  return stream->value.write_event_batch(is_valid ? schema_of(schema) : AnySchema(), rows,
                                         rows_bytes, static_cast<BatchOrdering>(ordering));
}

// --- Counters.

int ringscribe_write_counter_sample_int64(const ringscribe_stream* stream,
                                          const ringscribe_counter* counter, int64_t timestamp,
                                          int64_t value) {
  if (stream == nullptr) return 0;
  return stream->value.write_counter_sample(number_of(counter), timestamp, value) ? 1 : 0;
}

int ringscribe_write_counter_sample_uint64(const ringscribe_stream* stream,
                                           const ringscribe_counter* counter, int64_t timestamp,
                                           uint64_t value) {
  if (stream == nullptr) return 0;
  return stream->value.write_counter_sample(number_of(counter), timestamp, value) ? 1 : 0;
}

int ringscribe_write_counter_sample_double(const ringscribe_stream* stream,
                                           const ringscribe_counter* counter, int64_t timestamp,
                                           double value) {
  if (stream == nullptr) return 0;
  return stream->value.write_counter_sample(number_of(counter), timestamp, value) ? 1 : 0;
}

int ringscribe_write_counter_sample(const ringscribe_stream* stream,
                                    const ringscribe_counter* counter, int64_t timestamp,
                                    const void* sample, size_t sample_bytes) {
  if (stream == nullptr) return 0;
  if (sample == nullptr) return refuse(*stream);
  return stream->value.write_counter_sample(any_of(counter), timestamp, sample, sample_bytes) ? 1
                                                                                              : 0;
}

int ringscribe_write_counter_sample_no_value(const ringscribe_stream* stream,
                                             const ringscribe_counter* counter, int64_t timestamp,
                                             uint32_t reason) {
  if (stream == nullptr) return 0;
  if (reason > RINGSCRIBE_NO_VALUE_UNAVAILABLE) return refuse(*stream);
  return stream->value.write_counter_sample_no_value(any_of(counter), timestamp,
                                                     static_cast<CounterNoValueReason>(reason))
             ? 1
             : 0;
}

uint64_t ringscribe_write_counter_batch(const ringscribe_stream* stream,
                                        const ringscribe_counter* counter, const void* samples,
                                        size_t samples_bytes, const ringscribe_sample_times* times,
                                        uint32_t ordering) {
  if (stream == nullptr) return 0;
  ringscribe_sample_times known = RINGSCRIBE_SAMPLE_TIMES_INIT;
  bool is_valid = read_options(__func__, "times", times, known) && is_ordering(ordering) &&
                  (samples != nullptr || samples_bytes == 0) &&
                  known.form <= RINGSCRIBE_TIMES_UNTIL;
  SampleTimes when;
  if (known.form == RINGSCRIBE_TIMES_EACH) {
    is_valid = is_valid && (known.each != nullptr || known.each_count == 0);
    when = SampleTimes(std::span(known.each, is_valid ? known.each_count : 0));
  } else if (known.form == RINGSCRIBE_TIMES_FROM) {
    when = SampleTimes::from(known.anchor, known.interval);
  } else if (known.form == RINGSCRIBE_TIMES_UNTIL) {
    when = SampleTimes::until(known.anchor, known.interval);
  }
  return stream->value.write_counter_batch(is_valid ? any_of(counter) : AnyCounter(), samples,
                                           samples_bytes, when,
                                           static_cast<BatchOrdering>(ordering));
}

// --- Time.

int ringscribe_write_sync_point(const ringscribe_stream* stream,
                                const ringscribe_time_domain* time1,
                                const ringscribe_time_domain* time2, int64_t first,
                                int64_t second) {
  if (stream == nullptr) return 0;
  if (time1 == nullptr || time2 == nullptr) return refuse(*stream);
  return stream->value.write_sync_point(time1->value, time2->value, first, second) ? 1 : 0;
}

int ringscribe_write_sync_points(const ringscribe_stream* stream,
                                 const ringscribe_time_domain* source,
                                 const ringscribe_time_domain* destination,
                                 const ringscribe_sync_point* points, size_t point_count) {
  static_assert(sizeof(SyncPoint) == sizeof(ringscribe_sync_point));
  static_assert(offsetof(SyncPoint, destination) == offsetof(ringscribe_sync_point, destination));
  if (stream == nullptr) return 0;
  if (source == nullptr || destination == nullptr || (points == nullptr && point_count != 0))
    return refuse(*stream);
  const auto* list = reinterpret_cast<const SyncPoint*>(points);
  return stream->value.write_sync_points(source->value, destination->value, {list, point_count})
             ? 1
             : 0;
}

int ringscribe_write_conversion_factor(const ringscribe_stream* stream,
                                       const ringscribe_time_domain* source,
                                       const ringscribe_time_domain* destination, double slope,
                                       int64_t at_source, int64_t at_destination) {
  if (stream == nullptr) return 0;
  if (source == nullptr || destination == nullptr) return refuse(*stream);
  return stream->value.write_conversion_factor(source->value, destination->value, slope, at_source,
                                               at_destination)
             ? 1
             : 0;
}

// --- Live.

namespace {

// The C struct is a runtime::CallSite in C's words: same members, same order.
static_assert(sizeof(runtime::CallSite) == sizeof(ringscribe_call_site) &&
              alignof(runtime::CallSite) == alignof(ringscribe_call_site) &&
              std::is_standard_layout_v<runtime::CallSite>);
runtime::CallSite& call_site(ringscribe_call_site* site) {
  return *reinterpret_cast<runtime::CallSite*>(site);
}

}  // namespace

int ringscribe_mark_site(const ringscribe_stream* stream, ringscribe_call_site* site) {
  if (stream == nullptr) return 0;
  if (site == nullptr) return refuse(*stream);
  return runtime::write_live_mark(stream->value.ref(), call_site(site)) ? 1 : 0;
}

int64_t ringscribe_range_begin(const ringscribe_stream* stream) {
  return stream != nullptr ? runtime::begin_live_range(stream->value.ref(), nullptr) : 0;
}

int ringscribe_range_end(const ringscribe_stream* stream, ringscribe_call_site* site,
                         int64_t begin) {
  if (stream == nullptr || begin == 0) return 0;
  if (site == nullptr) return refuse(*stream);
  return runtime::end_live_range(stream->value.ref(), call_site(site), begin) ? 1 : 0;
}

int ringscribe_mark(const ringscribe_stream* stream, const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.mark(known) ? 1 : 0;
}

int ringscribe_push(const ringscribe_stream* stream, const ringscribe_event_args* args) {
  EventArgs known;
  if (stream == nullptr) return 0;
  if (!read_args(__func__, args, known)) return refuse(*stream);
  return stream->value.push(known) ? 1 : 0;
}

int ringscribe_pop(const ringscribe_stream* stream) {
  return stream != nullptr && stream->value.pop() ? 1 : 0;
}

int ringscribe_sample_int64(const ringscribe_stream* stream, const ringscribe_counter* counter,
                            int64_t value) {
  return stream != nullptr && stream->value.sample(number_of(counter), value) ? 1 : 0;
}

int ringscribe_sample_uint64(const ringscribe_stream* stream, const ringscribe_counter* counter,
                             uint64_t value) {
  return stream != nullptr && stream->value.sample(number_of(counter), value) ? 1 : 0;
}

int ringscribe_sample_double(const ringscribe_stream* stream, const ringscribe_counter* counter,
                             double value) {
  return stream != nullptr && stream->value.sample(number_of(counter), value) ? 1 : 0;
}

int ringscribe_sample(const ringscribe_stream* stream, const ringscribe_counter* counter,
                      const void* sample, size_t sample_bytes) {
  if (stream == nullptr) return 0;
  if (sample == nullptr) return refuse(*stream);
  return stream->value.sample(any_of(counter), sample, sample_bytes) ? 1 : 0;
}

int ringscribe_sample_no_value(const ringscribe_stream* stream, const ringscribe_counter* counter,
                               uint32_t reason) {
  if (stream == nullptr) return 0;
  if (reason > RINGSCRIBE_NO_VALUE_UNAVAILABLE) return refuse(*stream);
  return stream->value.sample_no_value(any_of(counter), static_cast<CounterNoValueReason>(reason))
             ? 1
             : 0;
}

int64_t ringscribe_now(void) { return now(); }
