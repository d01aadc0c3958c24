// SPDX-License-Identifier: Apache-2.0
//
// The short way for batches against the long one: random schemas and rows go through both, and
// what the sinks hear has to be equal.
#include "ringscribe/backends/model/batch_writer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "ringscribe/backends/model/event_writer.h"
#include "ringscribe/backends/model/payload_decoder.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/test_schemas.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kEnumId = kId + 1;
constexpr uint64_t kHandle = 7000;
constexpr uint64_t kHandles = 5;  // of them the last is not registered
constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kTsc = NVTX_TIMESTAMP_TYPE_CPU_TSC;

// One side: all that stands between a batch and a sink.
struct Side {
  RecordingSink::Log log;
  RecordingSink sink{log};
  Problems problems;
  Definitions definitions;
  PayloadDecoder decoder{definitions, problems};
  Placement placement{sink, definitions, problems, {1000, 2000, 1000, 1000}};
  EventWriter events{sink, definitions, placement, problems};
  BatchWriter batches{sink, definitions, placement};
  StreamState stream;
  const Schema* schema = nullptr;
  size_t rows_of_batches = 0;

  Side(const nvtxPayloadSchemaAttr_t& attr, uint64_t time_domain) {
    definitions.add_domain(0, "domain");
    definitions.add_category(0, 1, "one");
    for (uint64_t i = 0; i + 1 < kHandles; ++i) {
      definitions.add_string(kHandle + i, "text " + std::to_string(i));
    }
    const nvtxPayloadEnum_t entries[] = {{"zero", 0, 0}, {"one", 1, 0}};
    nvtxPayloadEnumAttr_t enumeration = {};
    enumeration.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                            NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES |
                            NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE;
    enumeration.entries = entries;
    enumeration.numEntries = 2;
    enumeration.sizeOfEnum = 4;
    enumeration.schemaId = kEnumId;
    definitions.add_enumeration(0, enumeration);
    schema = &definitions.add_schema(0, attr);
    const nvtxSyncPoint_t points[] = {{500, 600}, {1500, 3600}};
    REQUIRE(placement.add_sync_points(0, kTsc, kMonotonic, points).ok());
    stream.name = "stream";
    stream.time_domain = time_domain;
  }

  void write(const std::vector<std::byte>& bytes, bool is_short) {
    BatchData data;
    data.rows = bytes;
    Bytes rest = bytes;
    const BatchWriter::Plan* plan = is_short ? batches.plan(stream, *schema, 0) : nullptr;
    while (!rest.empty()) {
      size_t size = 0;
      if (plan != nullptr) {
        REQUIRE(batches.write(stream, *plan, 0, rest, size).ok());
        rows_of_batches += size / schema->size;
        rest = rest.subspan(size);
        if (rest.empty()) return;
      }
      const DecodedEvent& decoded = decoder.decode_row(*schema, rest, data, size);
      REQUIRE(events.write(stream, decoded, 0).ok());
      if (size == 0 || size > rest.size()) return;
      rest = rest.subspan(size);
    }
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [event, message, category, domain, fields, flows] : log.events) {
      std::string line = std::to_string(static_cast<int>(event.kind));
      for (const int64_t number :
           {int64_t{event.track}, event.begin, event.end, int64_t{event.synchronised},
            static_cast<int64_t>(event.time_domain), int64_t{event.end_is_missing},
            int64_t{event.end_before_begin}, event.written_end,
            static_cast<int64_t>(event.range_id), int64_t{event.stream}, int64_t{event.category_id},
            int64_t{event.color_argb}}) {
        line += " " + std::to_string(number);
      }
      line.append("|").append(message).append("|").append(category).append("|");
      for (const uint64_t flow : flows) line += std::to_string(flow) + " ";
      lines.push_back(line.append(domain).append("|").append(fields));
    }
    for (const auto& [sentence, count] : problems.all()) {
      lines.push_back(sentence + std::to_string(count));
    }
    for (const auto& track : log.tracks) lines.push_back("track " + track.name);
    for (const auto& point : log.clock_points) lines.push_back(std::to_string(point.first));
    return lines;
  }
};

struct FieldType {
  uint64_t type;
  uint64_t flags;
};

constexpr FieldType kFieldTypes[] = {
    {NVTX_PAYLOAD_ENTRY_TYPE_INT64, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_UINT64, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_INT8, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_UINT16, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_INT32, NVTX_PAYLOAD_ENTRY_FLAG_HIDE},
    {NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_FLOAT, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_ADDRESS, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE},
    {NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, 0},
    {NVTX_PAYLOAD_ENTRY_TYPE_INT64, NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP},
    {NVTX_PAYLOAD_ENTRY_TYPE_CHAR, 0},  // not simple
    {NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, 0},
    {kEnumId, 0},
};

// A schema of that many entries of random types, with the times that make it something.
SchemaBuilder random_schema(std::mt19937_64& random, const nvtxSemanticsHeader_t* other_clock) {
  const uint64_t families[] = {
      NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP,
      NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_STARTEND, 0, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH};
  SchemaBuilder builder(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, families[random() % 5]);
  const auto maybe = [&] { return random() % 16 == 0 ? other_clock : nullptr; };
  const uint64_t time =
      random() % 4 == 0 ? NVTX_PAYLOAD_ENTRY_TYPE_UINT64 : NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  if (random() % 8 != 0) {
    builder.entry(time, "begin", {NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN, 0, 0, maybe()});
  }
  if (random() % 8 != 0) {
    builder.entry(time, "end", {NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, 0, 0, maybe()});
  }
  static const char* const kNames[] = {"a", "b", "c", "d", "e", "f"};
  const size_t count = random() % 6;
  for (size_t i = 0; i < count; ++i) {
    // What is not simple comes less often.
    size_t type = random() % std::size(kFieldTypes);
    if (type >= 14 && type < 16 && random() % 4 != 0) type = 0;
    builder.entry(kFieldTypes[type].type, kNames[i], {kFieldTypes[type].flags});
  }
  return builder;
}

// Small numbers are handles, categories and enum values now and then; large ones are anything.
std::vector<std::byte> random_rows(std::mt19937_64& random, size_t row_bytes) {
  const size_t count = random() % 200;
  std::vector<std::byte> bytes(count * row_bytes + (random() % 4 == 0 ? random() % row_bytes : 0));
  for (size_t at = 0; at < bytes.size(); at += 4) {
    uint64_t value = random();
    if (value % 8 != 0) value = random() % 3;
    if (random() % 3 == 0) value = kHandle + random() % (random() % 8 == 0 ? kHandles : 4);
    if (random() % 3 == 0 && at % 8 == 4) value = 0;  // the upper half of a time or handle
    std::memcpy(bytes.data() + at, &value, std::min<size_t>(4, bytes.size() - at));
  }
  return bytes;
}

TEST_CASE("random batches of random schemas are the same events on both ways") {
  std::mt19937_64 random(20261202);
  nvtxSemanticsTime_t semantics = {};
  semantics.header.structSize = sizeof(semantics);
  semantics.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
  size_t rows_of_batches = 0;
  size_t schemas_of_batches = 0;
  for (int round = 0; round < 1500; ++round) {
    semantics.timeDomainId = random() % 2 == 0 ? kTsc : uint64_t{NVTX_TIME_DOMAIN_ID_STATIC_START};
    SchemaBuilder builder = random_schema(random, &semantics.header);
    const uint64_t time_domains[] = {kMonotonic, kTsc, NVTX_TIME_DOMAIN_ID_STATIC_START + 9};
    const uint64_t time_domain = time_domains[random() % 3];
    Side long_way(builder.attr(), time_domain);
    Side short_way(builder.attr(), time_domain);
    if (long_way.schema->size == 0) continue;
    for (int batch = 0; batch < 3; ++batch) {
      const std::vector<std::byte> bytes = random_rows(random, long_way.schema->size);
      long_way.write(bytes, false);
      short_way.write(bytes, true);
      for (Side* side : {&long_way, &short_way}) {
        if (batch == 0) side->definitions.add_string(kHandle, "another text");
        if (batch == 1) side->definitions.add_category(0, 2, "two");
      }
    }
    REQUIRE(short_way.lines() == long_way.lines());
    rows_of_batches += short_way.rows_of_batches;
    schemas_of_batches += short_way.rows_of_batches != 0;
  }
  // The test is worth something only if the short way was taken often.
  CHECK(rows_of_batches > 50'000);
  CHECK(schemas_of_batches > 400);
}

TEST_CASE("events of one label say the same, and a renamed text gets a new label") {
  SchemaBuilder builder(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  builder.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {NVTX_PAYLOAD_ENTRY_FLAG_MARK})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, "m",
             {NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE});
  Side side(builder.attr(), kMonotonic);
  const auto rows = [](std::vector<uint64_t> numbers) {
    std::vector<std::byte> bytes(numbers.size() * 8);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
  };
  side.write(rows({1, kHandle, 2, kHandle + 1, 3, kHandle}), true);
  side.definitions.add_string(kHandle, "new");
  side.write(rows({4, kHandle}), true);
  REQUIRE(side.log.events.size() == 4);
  REQUIRE(side.log.labels.size() == 4);
  const std::vector<uint64_t>& labels = side.log.labels;
  CHECK(labels[0] != 0);
  CHECK(labels[0] == labels[2]);
  CHECK(labels[0] != labels[1]);
  CHECK(labels[3] != labels[0]);
  CHECK(side.log.events[3].message == "new");
}

TEST_CASE("texts that push each other out of the table stay apart") {
  SchemaBuilder builder(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  builder.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {NVTX_PAYLOAD_ENTRY_FLAG_MARK})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE, "m",
             {NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE});
  Side side(builder.attr(), kMonotonic);
  // Twice as many texts as the table has places.
  constexpr uint64_t kTexts = 2 * EventLabels::kPlaces;
  for (uint64_t i = 0; i < kTexts; ++i) {
    side.definitions.add_string(kHandle + i, std::to_string(i));
  }
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < 4 * kTexts; ++i) {
    numbers.push_back(i);
    numbers.push_back(kHandle + i * 7 % kTexts);
  }
  std::vector<std::byte> rows(numbers.size() * sizeof(uint64_t));
  std::memcpy(rows.data(), numbers.data(), rows.size());
  side.write(rows, true);
  REQUIRE(side.log.labels.size() == 4 * kTexts);
  uint64_t wrong = 0;
  for (uint64_t i = 0; i < 4 * kTexts; ++i) {
    wrong += side.log.events[i].message != std::to_string(i * 7 % kTexts);
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace ringscribe::model
