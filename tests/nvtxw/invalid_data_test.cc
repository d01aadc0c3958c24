// SPDX-License-Identifier: Apache-2.0
//
// Invalid calls of the functions that write events, samples and time conversions.
#include <limits>

#include "ringscribe/tests/nvtxw/invalid_call_session.h"

namespace ringscribe::testing {
namespace {

using Session = InvalidCallSession;

const int64_t kValues[] = {1, 2, 3};

int32_t write(Session& s, std::vector<nvtxPayloadData_t> payloads) {
  return s.table().EventWrite(s.stream, payloads.data(), payloads.size());
}

// A batch of three marks with one thing changed.
template <typename Change>
auto batch_with(Change change) {
  return [change](Session& s) {
    nvtxEventBatch_t batch{};
    batch.eventSchemaId = s.register_schema({s.time_entry});
    batch.events = kValues;
    batch.size = sizeof kValues;
    change(s, batch);
    return s.table().EventBatchWrite(s.stream, &batch);
  };
}

// A batch of three samples with one thing changed.
template <typename Change>
auto samples_with(Change change) {
  return [change](Session& s) {
    nvtxCounterBatch_t batch{};
    batch.counterId = s.register_counter();
    batch.counters = batch.timestamps = kValues;
    batch.countersSize = batch.timestampsSize = sizeof kValues;
    change(batch);
    return s.table().CounterBatchWrite(s.stream, &batch);
  };
}

TEST_CASE("EventWrite refuses what breaks a rule") {
  check({
      {"the stream is open",
       kInvalid,
       {"EventWrite", "stream", "NULL"},
       [](Session& s) {
         const nvtxPayloadData_t payload{kInt64, 8, kValues};
         return s.table().EventWrite(nullptr, &payload, 1);
       }},
      {"the payloads are not NULL",
       kInvalid,
       {"EventWrite", "payloads are NULL"},
       [](Session& s) { return s.table().EventWrite(s.stream, nullptr, 1); }},
      {"a payload has bytes, as those of size 0 are ignored",
       kInvalid,
       {"EventWrite", "no payload with data"},
       [](Session& s) { return write(s, {{kInt64, 0, kValues}}); }},
      {"a payload is not NULL",
       kInvalid,
       {"EventWrite", "payload 1", "NULL", "8"},
       [](Session& s) { return write(s, {{kInt64, 8, kValues}, {kInt64, 8, nullptr}}); }},
      {"a predefined schema exists",
       kInvalid,
       {"EventWrite", "payload 0", "schema 1000"},
       [](Session& s) { return write(s, {{1000, 8, kValues}}); }},
      {"a schema is registered, and is no enum",
       kInvalid,
       {"EventWrite", "payload 0", "schema 4294967296"},
       [](Session& s) { return write(s, {{s.register_enum(), 8, kValues}}); }},
      {"a payload holds its schema's entries",
       kInvalid,
       {"EventWrite", "payload 0", "7 bytes", "needs 8"},
       [](Session& s) { return write(s, {{s.register_schema({s.time_entry}), 7, kValues}}); }},
      {"size SIZE_MAX is for C strings",
       kInvalid,
       {"EventWrite", "SIZE_MAX", "schema 1023"},
       [](Session& s) { return write(s, {{NVTX_TYPE_PAYLOAD_SCHEMA_RAW, SIZE_MAX, kValues}}); }},
  });
}

TEST_CASE("EventBatchWrite refuses what breaks a rule") {
  check({
      {"the stream is open",
       kInvalid,
       {"EventBatchWrite", "stream", "NULL"},
       [](Session& s) {
         const nvtxEventBatch_t batch{};
         return s.table().EventBatchWrite(nullptr, &batch);
       }},
      {"the batch is not NULL",
       kInvalid,
       {"EventBatchWrite", "batch is NULL"},
       [](Session& s) { return s.table().EventBatchWrite(s.stream, nullptr); }},
      {"its schema is registered, no predefined type",
       kInvalid,
       {"EventBatchWrite", "schema 17"},
       batch_with([](Session&, auto& batch) { batch.eventSchemaId = kInt64; })},
      {"it has whole rows",
       kInvalid,
       {"EventBatchWrite", "23 bytes", "8 bytes"},
       batch_with([](Session&, auto& batch) { batch.size = 23; })},
      {"its events are not NULL",
       kInvalid,
       {"EventBatchWrite", "events are NULL", "24"},
       batch_with([](Session&, auto& batch) { batch.events = nullptr; })},
      {"its flexData is not NULL",
       kInvalid,
       {"EventBatchWrite", "flexData is NULL", "5"},
       batch_with([](Session&, auto& batch) { batch.flexDataSize = 5; })},
      {"its scope is registered",
       kInvalid,
       {"EventBatchWrite", "scope", "4294967296"},
       batch_with([](Session&, auto& batch) { batch.scope = kDynamicId; })},
  });
}

TEST_CASE("CounterWrite and CounterNoValueWrite refuse what breaks a rule") {
  check({
      {"the stream of a sample is open",
       kInvalid,
       {"CounterWrite", "stream", "NULL"},
       [](Session& s) { return s.table().CounterWrite(nullptr, 1, kStaticId, kValues, 8); }},
      {"the counter is registered",
       kInvalid,
       {"CounterWrite", "counter 16777216"},
       [](Session& s) { return s.table().CounterWrite(s.stream, 1, kStaticId, kValues, 8); }},
      {"a sample has data",
       kInvalid,
       {"CounterWrite", "no data", "CounterNoValueWrite"},
       [](Session& s) {
         return s.table().CounterWrite(s.stream, 1, s.register_counter(), nullptr, 8);
       }},
      {"a sample has its layout's size",
       kInvalid,
       {"CounterWrite", "7 bytes", "8"},
       [](Session& s) {
         return s.table().CounterWrite(s.stream, 1, s.register_counter(), kValues, 7);
       }},
      {"the stream of a missing sample is open",
       kInvalid,
       {"CounterNoValueWrite", "stream", "NULL"},
       [](Session& s) { return s.table().CounterNoValueWrite(nullptr, 1, kStaticId, 0); }},
      {"the counter of a missing sample is registered",
       kInvalid,
       {"CounterNoValueWrite", "counter 16777216"},
       [](Session& s) { return s.table().CounterNoValueWrite(s.stream, 1, kStaticId, 0); }},
      {"the reason exists",
       kInvalid,
       {"CounterNoValueWrite", "reason 3"},
       [](Session& s) {
         return s.table().CounterNoValueWrite(s.stream, 1, s.register_counter(), 3);
       }},
  });
}

TEST_CASE("CounterBatchWrite refuses what breaks a rule") {
  check({
      {"the stream is open",
       kInvalid,
       {"CounterBatchWrite", "stream", "NULL"},
       [](Session& s) {
         const nvtxCounterBatch_t batch{};
         return s.table().CounterBatchWrite(nullptr, &batch);
       }},
      {"the batch is not NULL",
       kInvalid,
       {"CounterBatchWrite", "batch is NULL"},
       [](Session& s) { return s.table().CounterBatchWrite(s.stream, nullptr); }},
      {"the counter is registered",
       kInvalid,
       {"CounterBatchWrite", "counter 16777216"},
       samples_with([](auto& batch) { batch.counterId = kStaticId; })},
      {"its samples are not NULL",
       kInvalid,
       {"CounterBatchWrite", "counters are NULL", "24"},
       samples_with([](auto& batch) { batch.counters = nullptr; })},
      {"it has whole samples",
       kInvalid,
       {"CounterBatchWrite", "23 bytes", "8 bytes"},
       samples_with([](auto& batch) { batch.countersSize = 23; })},
      {"there are times, beside it or in its layout",
       kInvalid,
       {"CounterBatchWrite", "no timestamps"},
       samples_with([](auto& batch) { batch.timestamps = nullptr; })},
      {"there is a time for each sample",
       kInvalid,
       {"CounterBatchWrite", "16 bytes", "24"},
       samples_with([](auto& batch) { batch.timestampsSize = 16; })},
  });
}

// No words: the sentence was told before, and differs in numbers only.
TEST_CASE("a batch of samples with a pair of times has two of them") {
  check({{"a begin or end and an interval", kInvalid, {}, samples_with([](auto& batch) {
            batch.flags = NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR;
          })}});
}

TEST_CASE("the functions of time conversion refuse what breaks a rule") {
  constexpr uint64_t kTsc = NVTX_TIMESTAMP_TYPE_CPU_TSC;
  constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
  static const nvtxSyncPoint_t point{1, 2};
  check({
      {"the stream of a sync point is open",
       kInvalid,
       {"TimeSyncPointWrite", "stream", "NULL"},
       [](Session& s) { return s.table().TimeSyncPointWrite(nullptr, kTsc, kMonotonic, 1, 2); }},
      {"its first time domain is known",
       kInvalid,
       {"TimeSyncPointWrite", "source", "99"},
       [](Session& s) { return s.table().TimeSyncPointWrite(s.stream, 99, kTsc, 1, 2); }},
      {"its second time domain is known",
       kInvalid,
       {"TimeSyncPointWrite", "destination", "98"},
       [](Session& s) { return s.table().TimeSyncPointWrite(s.stream, kTsc, 98, 1, 2); }},
      {"the stream of a table is open",
       kInvalid,
       {"TimeSyncPointTableWrite", "stream", "NULL"},
       [](Session& s) {
         return s.table().TimeSyncPointTableWrite(nullptr, kTsc, kMonotonic, &point, 1);
       }},
      {"the source of a table is known",
       kInvalid,
       {"TimeSyncPointTableWrite", "source", "99"},
       [](Session& s) {
         return s.table().TimeSyncPointTableWrite(s.stream, 99, kMonotonic, &point, 1);
       }},
      {"the destination of a table is known",
       kInvalid,
       {"TimeSyncPointTableWrite", "destination", "98"},
       [](Session& s) { return s.table().TimeSyncPointTableWrite(s.stream, kTsc, 98, &point, 1); }},
      {"a table is not NULL",
       kInvalid,
       {"TimeSyncPointTableWrite", "NULL"},
       [](Session& s) {
         return s.table().TimeSyncPointTableWrite(s.stream, kTsc, kMonotonic, nullptr, 1);
       }},
      {"the stream of a factor is open",
       kInvalid,
       {"TimestampConversionFactorWrite", "stream", "NULL"},
       [](Session& s) {
         return s.table().TimestampConversionFactorWrite(nullptr, kTsc, kMonotonic, 1.0, 1, 2);
       }},
      {"the source of a factor is known",
       kInvalid,
       {"TimestampConversionFactorWrite", "source", "99"},
       [](Session& s) {
         return s.table().TimestampConversionFactorWrite(s.stream, 99, kMonotonic, 1.0, 1, 2);
       }},
      {"the destination of a factor is known",
       kInvalid,
       {"TimestampConversionFactorWrite", "destination", "98"},
       [](Session& s) {
         return s.table().TimestampConversionFactorWrite(s.stream, kTsc, 98, 1.0, 1, 2);
       }},
      {"a slope converts",
       kInvalid,
       {"TimestampConversionFactorWrite", "slope", "nan"},
       [](Session& s) {
         return s.table().TimestampConversionFactorWrite(
             s.stream, kTsc, kMonotonic, std::numeric_limits<double>::quiet_NaN(), 1, 2);
       }},
  });
}

}  // namespace
}  // namespace ringscribe::testing
