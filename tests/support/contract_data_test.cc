// SPDX-License-Identifier: Apache-2.0
//
// ContractBackend: events, batches, samples and sync points.
#include <cstring>

#include "ringscribe/tests/support/contract_test_session.h"

namespace ringscribe::testing {
namespace {

constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;

nvtxEventBatch_t batch_of(const void* rows, size_t bytes, uint64_t flags = 0) {
  nvtxEventBatch_t batch{};
  batch.eventSchemaId = kFirstStaticId;
  batch.events = rows;
  batch.size = bytes;
  batch.flags = flags;
  return batch;
}

TEST_CASE("an event has payloads that can be read, of registered schemas, in their size") {
  ContractTestSession s;
  const int64_t time = 1;
  CHECK(s.table().EventWrite(s.stream, nullptr, 1) == kInvalid);
  CHECK(s.write({{kFirstStaticId, sizeof time, &time}}) == kInvalid);
  REQUIRE(s.register_mark() == kOk);
  CHECK(s.write({{kFirstStaticId, sizeof time, &time}}) == kOk);
  CHECK(s.write({{kFirstStaticId, sizeof time - 1, &time}}) == kInvalid);
  CHECK(s.write({{kFirstStaticId, sizeof time, nullptr}}) == kInvalid);
  CHECK(s.write({{kFirstStaticId, SIZE_MAX, &time}}) == kInvalid);
  CHECK(s.write({{1000, sizeof time, &time}}) == kInvalid);
  CHECK(s.told() == Sentences{"EventWrite: there is no payload",
                              "EventWrite: payload 0 has schema 16777216, which is not registered",
                              "EventWrite: payload 0 has 7 bytes where schema 'schema' has 8",
                              "EventWrite: payload 0 cannot be read for 8 bytes",
                              "EventWrite: payload 0 has size SIZE_MAX",
                              "EventWrite: payload 0 has schema 1000, which is not predefined"});
}

TEST_CASE("a schema of another domain is not registered for the stream") {
  ContractTestSession s;
  const nvtxDomainHandle_t own = s.domain;
  REQUIRE(s.table().DomainRegister(s.session, nullptr, &s.domain) == kOk);
  REQUIRE(s.register_mark() == kOk);
  REQUIRE(s.domain != own);
  CHECK(s.write_row(int64_t{1}) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: payload 0 has schema 16777216, which is not registered"});
}

TEST_CASE("string handles and scopes in a row are registered, or 0") {
  ContractTestSession s;
  REQUIRE(
      s.register_schema({entry("text", 0, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, 0),
                         entry("scope", 0, NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, 8)},
                        16) == kOk);
  nvtxStringHandle_t string = nullptr;
  REQUIRE(s.table().StringRegister(s.domain, "t", &string) == kOk);
  const auto handle = reinterpret_cast<uint64_t>(string);
  const uint64_t good[] = {handle, NVTX_SCOPE_ROOT}, empty[] = {0, 0};
  CHECK(s.write_row(good) == kOk);
  CHECK(s.write_row(empty) == kOk);
  const uint64_t bad_text[] = {handle + 1, 0}, bad_scope[] = {0, kFirstStaticId};
  CHECK(s.write_row(bad_text) == kInvalid);
  CHECK(s.write_row(bad_scope) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: entry 'text' has a string handle that is not registered",
                  "EventWrite: entry 'scope' has scope 16777216, which is not registered"});
}

TEST_CASE("a pointer leads into another payload of the event, and its text ends there") {
  ContractTestSession s;
  REQUIRE(s.register_entry(kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText, 8) ==
          kOk);
  const char text[] = "text";
  const char* const pointer = text;
  const char* const none = nullptr;
  const auto write = [&](const void* row, size_t text_bytes) {
    return s.write(
        {{kFirstStaticId, 8, row}, {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, text_bytes, text}});
  };
  CHECK(write(&pointer, 5) == kOk);
  CHECK(write(&none, 5) == kOk);
  CHECK(write(&pointer, 4) == kInvalid);
  CHECK(s.write_row(pointer) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: the text of entry 'entry' does not end inside its memory",
                  "EventWrite: entry 'entry' leads outside of what was handed over with it"});
}

TEST_CASE("a text in a static schema without a length is a pointer, too") {
  ContractTestSession s;
  REQUIRE(s.register_entry(0, kText, 8) == kOk);
  const char* const text = "outside";
  CHECK(s.write_row(text) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: entry 'entry' leads outside of what was handed over with it"});
}

TEST_CASE("texts are UTF-8: in the row, behind a pointer, and as a payload of their own") {
  ContractTestSession s;
  REQUIRE(s.register_entry(0, kText, 4, 4) == kOk);
  const char full[4] = {'a', 'b', 'c', 'd'}, ends[4] = {'a', 0, '\xFF', '\xFF'};
  const char cut[4] = {'a', 'b', 'c', '\xC3'};
  CHECK(s.write_row(full) == kOk);
  CHECK(s.write_row(ends) == kOk);
  CHECK(s.write_row(cut) == kInvalid);
  const std::vector<nvtxPayloadSchemaEntry_t> entries = {
      entry("text", NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED, kText, 0)};
  nvtxPayloadSchemaAttr_t attr = ContractTestSession::schema_attributes(entries, 0, 0);
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
  uint64_t id = 0;
  REQUIRE(s.table().SchemaRegister(s.domain, &attr, &id) == kOk);
  CHECK(s.write({{id, 4, full}}) == kOk);
  CHECK(s.write({{id, 4, cut}}) == kInvalid);
  CHECK(s.told() == Sentences{"EventWrite: the text of entry 'entry' is not UTF-8",
                              "EventWrite: payload 0 is not UTF-8"});
}

TEST_CASE("arrays behind pointers and offsets lie inside their memory, to the element") {
  ContractTestSession s;
  REQUIRE(s.register_schema(
              {entry("count", 0, NVTX_PAYLOAD_ENTRY_TYPE_UINT32, 0),
               entry("list", kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, kInt64, 8, 0)},
              16) == kOk);
  REQUIRE(s.register_schema({entry("offset",
                                   NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                                       NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE,
                                   kInt64, 0, 2)},
                            8, kFirstStaticId + 1) == kOk);
  const int64_t list[3] = {1, 2, 3};
  struct Row {
    uint64_t count;
    const int64_t* list;
  };
  const auto write = [&](Row row) {
    nvtxEventBatch_t batch = batch_of(&row, sizeof row);
    batch.flexData = list;
    batch.flexDataSize = sizeof list;
    return s.table().EventBatchWrite(s.stream, &batch);
  };
  CHECK(write({3, list}) == kOk);
  CHECK(write({4, list}) == kInvalid);
  CHECK(write({0, list + 3}) == kOk);
  CHECK(write({1, list + 3}) == kInvalid);
  const auto write_offset = [&](uint64_t offset) {
    nvtxEventBatch_t batch = batch_of(&offset, sizeof offset);
    batch.eventSchemaId = kFirstStaticId + 1;
    batch.flexData = list;
    batch.flexDataSize = sizeof list;
    return s.table().EventBatchWrite(s.stream, &batch);
  };
  CHECK(write_offset(8) == kOk);
  CHECK(write_offset(16) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventBatchWrite: entry 'list' has 4 elements where there is room for 3",
                  "EventBatchWrite: entry 'list' leads outside of what was handed over with it",
                  "EventBatchWrite: entry 'offset' has 2 elements where there is room for 1"});
}

TEST_CASE("a negative length is no length, and an offset from here counts from the entry's end") {
  ContractTestSession s;
  REQUIRE(s.register_schema(
              {entry("count", 0, NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0),
               entry("list", kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, kInt64, 8, 0)},
              16) == kOk);
  REQUIRE(s.register_schema({entry("offset", NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE, kInt64, 0),
                             entry("value", 0, kInt64, 8)},
                            16, kFirstStaticId + 1) == kOk);
  const int64_t negative[] = {-1, 8}, next[] = {0, 7}, behind[] = {8, 7};
  CHECK(s.write_row(negative) == kOk);
  CHECK(s.write_row(next, kFirstStaticId + 1) == kOk);
  CHECK(s.write_row(behind, kFirstStaticId + 1) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: entry 'offset' leads outside of what was handed over with it"});
}

TEST_CASE("the rows of a nested schema are looked into") {
  ContractTestSession s;
  REQUIRE(s.register_schema({entry("inner", 0, NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, 0)}, 8,
                            kFirstStaticId + 1) == kOk);
  REQUIRE(s.register_entry(NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kFirstStaticId + 1, 16, 2) ==
          kOk);
  const uint64_t good[] = {0, NVTX_SCOPE_ROOT}, bad[] = {0, 99};
  CHECK(s.write_row(good) == kOk);
  CHECK(s.write_row(bad) == kInvalid);
  CHECK(s.told() == Sentences{"EventWrite: entry 'inner' has scope 99, which is not registered"});
}

TEST_CASE("a batch has one or more whole rows, a known schema and a known scope") {
  ContractTestSession s;
  const int64_t times[] = {1, 2};
  nvtxEventBatch_t batch = batch_of(times, sizeof times);
  CHECK(s.table().EventBatchWrite(s.stream, nullptr) == kInvalid);
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kInvalid);
  REQUIRE(s.register_mark() == kOk);
  batch.size = 15;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kInvalid);
  batch.size = 0;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kInvalid);
  batch.size = sizeof times;
  batch.scope = kFirstStaticId;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kInvalid);
  batch.scope = NVTX_SCOPE_CURRENT_SW_THREAD;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kOk);
  batch.flexDataSize = 1;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventBatchWrite: the batch is NULL",
                  "EventBatchWrite: schema 16777216 is not registered",
                  "EventBatchWrite: the events have 15 bytes, not one or more rows of 8",
                  "EventBatchWrite: the events have 0 bytes, not one or more rows of 8",
                  "EventBatchWrite: the scope 16777216 is not registered",
                  "EventBatchWrite: flexData cannot be read for 1 bytes"});
}

TEST_CASE("a batch is flagged sorted if and only if its first times are") {
  ContractTestSession s;
  // The end comes first in the row; the begin is what counts.
  REQUIRE(s.register_schema({entry("end", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, kInt64, 0),
                             entry("begin", NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN, kInt64, 8)},
                            16) == kOk);
  const int64_t sorted[] = {9, 1, 8, 1, 7, 2}, unsorted[] = {7, 2, 8, 1};
  const auto write = [&](const auto& rows, uint64_t flags) {
    const nvtxEventBatch_t batch = batch_of(rows, sizeof rows, flags);
    return s.table().EventBatchWrite(s.stream, &batch);
  };
  CHECK(write(sorted, NVTX_BATCH_FLAG_TIME_SORTED) == kOk);
  CHECK(write(unsorted, NVTX_BATCH_FLAG_UNSORTED) == kOk);
  CHECK(write(unsorted, NVTX_BATCH_FLAG_TIME_SORTED_PARTIALLY) == kOk);
  CHECK(write(unsorted, NVTX_BATCH_FLAG_TIME_SORTED) == kInvalid);
  CHECK(write(sorted, NVTX_BATCH_FLAG_UNSORTED) == kInvalid);
  CHECK(
      s.told() ==
      Sentences{"EventBatchWrite: the batch of schema 'schema' is flagged sorted and is not",
                "EventBatchWrite: the batch of schema 'schema' is flagged unsorted and is sorted"});
}

TEST_CASE("samples have the size of their counter, and reasons exist") {
  ContractTestSession s;
  const int64_t value = 1;
  CHECK(s.table().CounterWrite(s.stream, 1, kFirstStaticId, &value, 8) == kInvalid);
  CHECK(s.table().CounterNoValueWrite(s.stream, 1, kFirstStaticId, 0) == kInvalid);
  REQUIRE(s.register_counter(NVTX_PAYLOAD_ENTRY_TYPE_INT32) == kOk);
  CHECK(s.table().CounterWrite(s.stream, 1, kFirstStaticId, &value, 4) == kOk);
  CHECK(s.table().CounterWrite(s.stream, 1, kFirstStaticId, &value, 8) == kInvalid);
  CHECK(s.table().CounterWrite(s.stream, 1, kFirstStaticId, nullptr, 4) == kInvalid);
  CHECK(s.table().CounterNoValueWrite(s.stream, 1, kFirstStaticId, 3) == kInvalid);
  CHECK(s.told() ==
        Sentences{"CounterWrite: counter 16777216 is not registered",
                  "CounterNoValueWrite: counter 16777216 is not registered",
                  "CounterWrite: the sample has 8 bytes where the counter's layout has 4",
                  "CounterWrite: the sample cannot be read for 4 bytes",
                  "CounterNoValueWrite: reason 3 does not exist"});
}

TEST_CASE("a batch of samples has as many times, or a pair, or times in its layout") {
  ContractTestSession s;
  REQUIRE(s.register_counter(NVTX_PAYLOAD_ENTRY_TYPE_INT32) == kOk);
  const int32_t samples[] = {1, 2, 3};
  const int64_t times[] = {1, 2, 3};
  const auto write = [&](auto change) {
    nvtxCounterBatch_t batch{};
    batch.counterId = kFirstStaticId;
    batch.counters = samples;
    batch.countersSize = sizeof samples;
    batch.timestamps = times;
    batch.timestampsSize = sizeof times;
    change(batch);
    return s.table().CounterBatchWrite(s.stream, &batch);
  };
  CHECK(write([](auto&) {}) == kOk);
  CHECK(write([](auto& batch) { batch.countersSize = 11; }) == kInvalid);
  CHECK(write([](auto& batch) { batch.timestampsSize = 16; }) == kInvalid);
  CHECK(write([](auto& batch) {
          batch.flags = NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR;
          batch.timestampsSize = 16;
        }) == kOk);
  CHECK(write([](auto& batch) { batch.flags = uint64_t{3} << 32; }) == kInvalid);
  CHECK(write([](auto& batch) { batch.flags = NVTX_BATCH_FLAG_UNSORTED; }) == kInvalid);
  CHECK(write([](auto& batch) { batch.timestamps = nullptr; }) == kInvalid);
  CHECK(write([](auto& batch) { batch.counterId = 1; }) == kInvalid);
  CHECK(s.told() ==
        Sentences{
            "CounterBatchWrite: the samples have 11 bytes, not one or more of 4",
            "CounterBatchWrite: there are 16 bytes of timestamps for 3 samples",
            "CounterBatchWrite: both pair flags are set",
            "CounterBatchWrite: there are 24 bytes of timestamps for 3 samples",
            "CounterBatchWrite: the batch of counter 16777216 is flagged unsorted and is sorted",
            "CounterBatchWrite: the batch has no timestamps, nor has the layout",
            "CounterBatchWrite: counter 1 is not registered"});
}

TEST_CASE("both time domains of a conversion are known, and its table can be read") {
  ContractTestSession s;
  const nvtxSyncPoint_t point{1, 2};
  CHECK(s.table().TimeSyncPointWrite(s.stream, 10, 14, 1, 2) == kOk);
  CHECK(s.table().TimeSyncPointTableWrite(s.stream, 10, 14, &point, 1) == kOk);
  CHECK(s.table().TimeSyncPointWrite(s.stream, 9, 14, 1, 2) == kInvalid);
  CHECK(s.table().TimeSyncPointTableWrite(s.stream, 10, kFirstStaticId, &point, 1) == kInvalid);
  CHECK(s.table().TimeSyncPointTableWrite(s.stream, 10, 14, nullptr, 1) == kInvalid);
  CHECK(s.table().TimestampConversionFactorWrite(s.stream, 10, 33, 1.0, 1, 2) == kInvalid);
  CHECK(
      s.told() ==
      Sentences{"TimeSyncPointWrite: the first time domain 9 is neither predefined nor registered",
                "TimeSyncPointTableWrite: the second time domain 16777216 is neither predefined "
                "nor registered",
                "TimeSyncPointTableWrite: the table cannot be read for 16 bytes",
                "TimestampConversionFactorWrite: the second time domain 33 is neither predefined "
                "nor registered"});
}

}  // namespace
}  // namespace ringscribe::testing
