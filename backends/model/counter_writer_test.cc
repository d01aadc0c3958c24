// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/counter_writer.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/placement.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/test_schemas.h"
#include "ringscribe/backends/model/time_conversion.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kCounter = NVTX_COUNTER_ID_STATIC_START;
constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kScope = NVTX_SCOPE_ID_STATIC_START;
constexpr uint64_t kGroup = NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
constexpr uint64_t kStatic = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
constexpr uint64_t kIsCounter = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER;
constexpr uint64_t kIsTime = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP;
constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;

nvtxSemanticsCounter_t semantics_of(const char* unit, uint64_t numerator = 1,
                                    uint64_t denominator = 1, uint64_t flags = 0) {
  nvtxSemanticsCounter_t semantics = {};
  semantics.header.structSize = sizeof(semantics);
  semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
  semantics.flags = flags;
  semantics.unit = unit;
  semantics.unitScaleNumerator = numerator;
  semantics.unitScaleDenominator = denominator;
  return semantics;
}

struct Fixture {
  RecordingSink::Log log;
  RecordingSink sink{log};
  Definitions definitions;
  Problems problems;
  Placement placement{sink, definitions, problems, {}};
  CounterWriter writer{sink, definitions, placement, problems};
  StreamState stream;

  Fixture() {
    stream.name = "main";
    stream.time_domain = kMonotonic;
  }

  void define(const char* name, uint64_t schema, const nvtxSemanticsHeader_t* semantics = nullptr,
              uint64_t scope = 0) {
    nvtxCounterAttr_t attr = {};
    attr.structSize = sizeof(attr);
    attr.schemaId = schema;
    attr.name = name;
    attr.description = "about it";
    attr.scopeId = scope;
    attr.semantics = semantics;
    attr.counterId = kCounter;
    writer.define(0, attr);
  }
  void write(int64_t time, const Blob& blob) {
    REQUIRE(writer.write(stream, time, kCounter, {blob.data(), blob.size()}).ok());
  }
  Status batch(const Blob& data, const std::vector<int64_t>& times, uint64_t flags = 0) {
    nvtxCounterBatch_t all = {};
    all.counterId = kCounter;
    all.counters = data.data();
    all.countersSize = data.size();
    all.flags = flags;
    all.timestamps = times.empty() ? nullptr : times.data();
    all.timestampsSize = times.size() * sizeof(int64_t);
    return writer.write_batch(stream, all);
  }
  // "track:time=value ..." of all samples.
  std::string samples() const {
    std::string result;
    for (const CounterSample& sample : log.samples) {
      if (!result.empty()) result += " ";
      result += std::to_string(sample.counter_track) + ":" + std::to_string(sample.time) + "=";
      if (!sample.has_value) {
        result += "none" + std::to_string(sample.no_value_reason);
        continue;
      }
      Value value;
      value.kind = sample.is_floating ? ValueKind::kDouble : ValueKind::kInt;
      if (sample.is_floating) {
        value.double_value = sample.double_value;
      } else {
        value.int_value = sample.int_value;
      }
      result += show(value);
    }
    return result;
  }
};

TEST_CASE_METHOD(Fixture, "a counter of one number: its track and its samples") {
  const nvtxSemanticsCounter_t semantics = semantics_of("orders");
  define("depth", kInt64, &semantics.header);
  write(5, Blob().put<int64_t>(-7));
  CHECK(samples() == "0:5=-7");
  CHECK(log.samples[0].synchronised);
  REQUIRE(log.counter_tracks.size() == 1);
  CHECK(log.counter_tracks[0].name == "depth");
  CHECK(log.counter_tracks[0].unit == "orders");
  CHECK(log.counter_tracks[0].description == "about it");
  CHECK(log.counter_tracks[0].parent == 0);
  CHECK_FALSE(log.counter_tracks[0].is_floating);
  CHECK(log.tracks.at(0).name == "main");
}

TEST_CASE_METHOD(Fixture, "all kinds of numbers") {
  define("f", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64);
  write(1, Blob().put(0.25));
  define("h", NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16);
  write(2, Blob().put<uint16_t>(0x3C00));
  define("u8", NVTX_PAYLOAD_ENTRY_TYPE_UINT8);
  write(3, Blob().put<uint8_t>(255));
  define("i128", NVTX_PAYLOAD_ENTRY_TYPE_INT128);
  write(4, Blob().put<int64_t>(-3).put<int64_t>(-1));
  CHECK(problems.all().empty());
  define("u64", NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
  write(5, Blob().put(UINT64_MAX));
  CHECK(samples().ends_with("=0.25 1:2=1 2:3=255 3:4=-3 4:5=9223372036854775807"));
  CHECK(problems.all().size() == 1);  // the last one was cut
}

TEST_CASE_METHOD(Fixture, "a group makes a track for each entry") {
  const nvtxSemanticsCounter_t semantics = semantics_of("B");
  SchemaBuilder schema(kId, kStatic, kGroup);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "in",
               {.flags = kIsCounter, .semantics = &semantics.header});
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE, "out", {.flags = kIsCounter});
  schema.entry(kInt64, "padding");
  definitions.add_schema(0, schema.attr());
  define("net", kId);
  write(9, Blob().put<int32_t>(4).zeros(4).put(1.5).put<int64_t>(0));
  CHECK(samples() == "0:9=4 1:9=1.5");
  REQUIRE(log.counter_tracks.size() == 2);
  CHECK(log.counter_tracks[0].name == "net.in");
  CHECK(log.counter_tracks[0].unit == "B");
  CHECK(log.counter_tracks[1].name == "net.out");
  CHECK(log.counter_tracks[1].is_floating);
}

TEST_CASE_METHOD(Fixture, "a schema around one number leaves the counter its name") {
  SchemaBuilder schema(kId);
  schema.size(4).entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "int32");
  definitions.add_schema(0, schema.attr());
  define("depth", kId);
  write(1, Blob().put<int32_t>(3));
  CHECK(log.counter_tracks.at(0).name == "depth");
  CHECK(samples() == "0:1=3");
}

TEST_CASE_METHOD(Fixture, "arrays and nested schemas are counters by place") {
  SchemaBuilder inner(kId);
  inner.entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "a").entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "b");
  definitions.add_schema(0, inner.attr());
  SchemaBuilder schema(kId + 1, kStatic, kGroup);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT8, "core",
               {.flags = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, .detail = 2});
  schema.entry(kId, "n").entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, "text", {.detail = 2});
  definitions.add_schema(0, schema.attr());
  define("cpu", kId + 1);
  write(1, Blob().put<uint8_t>(1).put<uint8_t>(2).put<uint8_t>(3).put<uint8_t>(4).text("xx"));
  CHECK(samples() == "0:1=1 1:1=2 2:1=3 3:1=4");
  CHECK(log.counter_tracks.at(1).name == "cpu.core[1]");
  CHECK(log.counter_tracks.at(3).name == "cpu.n.b");
  CHECK(problems.all().size() == 1);  // the text
}

TEST_CASE_METHOD(Fixture, "batches with timestamps beside") {
  define("c", kInt64);
  CHECK(batch(Blob().put<int64_t>(1).put<int64_t>(2), {10, 20}).ok());
  CHECK(samples() == "0:10=1 0:20=2");
}

TEST_CASE_METHOD(Fixture, "batches with a begin or an end and an interval") {
  define("c", kInt64);
  const Blob three = Blob().put<int64_t>(1).put<int64_t>(2).put<int64_t>(3);
  CHECK(batch(three, {100, 5}, NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR).ok());
  CHECK(batch(three, {100, 5},
              NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR | NVTX_BATCH_FLAG_UNSORTED)
            .ok());
  CHECK(samples() == "0:100=1 0:105=2 0:110=3 0:90=1 0:95=2 0:100=3");
  log.samples.clear();
  CHECK(batch(three, {INT64_MAX - 1, INT64_MAX}, NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR)
            .ok());
  CHECK(log.samples[2].time == INT64_MAX);
}

TEST_CASE_METHOD(Fixture,
                 "batches with the timestamp in the sample, which the one beside overrides") {
  nvtxSemanticsTime_t unknown = {};
  unknown.header.structSize = sizeof(unknown);
  unknown.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
  unknown.timeDomainId = NVTX_TIME_DOMAIN_ID_STATIC_START;
  SchemaBuilder schema(kId, kStatic, kGroup);
  schema.entry(kInt64, "when", {.flags = kIsTime, .semantics = &unknown.header});
  schema.entry(kInt64, "v", {.flags = kIsCounter});
  definitions.add_schema(0, schema.attr());
  define("c", kId);
  const Blob data = Blob().put<int64_t>(7).put<int64_t>(1).put<int64_t>(8).put<int64_t>(2);
  CHECK(batch(data, {}).ok());
  CHECK(samples() == "0:7=1 0:8=2");
  CHECK_FALSE(log.samples[0].synchronised);
  CHECK(log.samples[0].time_domain == NVTX_TIME_DOMAIN_ID_STATIC_START);
  log.samples.clear();
  CHECK(batch(data, {70, 80}).ok());
  CHECK(samples() == "0:70=1 0:80=2");
  CHECK(log.samples[0].synchronised);
}

TEST_CASE_METHOD(Fixture, "a batch without enough timestamps, or with bytes left, is refused") {
  define("c", kInt64);
  const Blob two = Blob().put<int64_t>(1).put<int64_t>(2);
  CHECK(batch(two, {10}).code() == ResultCode::kInvalidArgument);
  CHECK(batch(two, {}).code() == ResultCode::kInvalidArgument);
  CHECK(batch(two, {10}, NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR).code() ==
        ResultCode::kInvalidArgument);
  CHECK(batch(Blob().put<int64_t>(1).zeros(3), {10}).code() == ResultCode::kInvalidArgument);
  CHECK(samples() == "0:10=1 0:10=1");  // what was whole is there
}

TEST_CASE_METHOD(Fixture, "scaling and normalising") {
  const nvtxSemanticsCounter_t thousand = semantics_of("B", 1000);
  define("k", kInt64, &thousand.header);
  write(1, Blob().put<int64_t>(-3));
  write(2, Blob().put(INT64_MIN));
  const nvtxSemanticsCounter_t half = semantics_of("", 1, 2);
  define("h", kInt64, &half.header);
  write(3, Blob().put<int64_t>(3));
  const nvtxSemanticsCounter_t normal = semantics_of("", 1, 1, NVTX_COUNTER_FLAG_NORMALIZE);
  define("n", NVTX_PAYLOAD_ENTRY_TYPE_UINT8, &normal.header);
  write(4, Blob().put<uint8_t>(255));
  define("s", NVTX_PAYLOAD_ENTRY_TYPE_INT8, &normal.header);
  write(5, Blob().put<int8_t>(-128));
  const nvtxSemanticsCounter_t zero = semantics_of("", 0, 0);
  define("z", kInt64, &zero.header);
  write(6, Blob().put<int64_t>(9));
  CHECK(samples() == "0:1=-3000 0:2=-9223372036854775808 1:3=1.5 2:4=1 3:5=-1 4:6=9");
}

TEST_CASE_METHOD(Fixture, "samples without a value go to each track of the group") {
  SchemaBuilder schema(kId, kStatic, kGroup);
  schema.entry(kInt64, "a").entry(kInt64, "b");
  definitions.add_schema(0, schema.attr());
  define("g", kId);
  REQUIRE(writer.write_no_value(stream, 5, kCounter, NVTX_COUNTER_SAMPLE_UNAVAILABLE).ok());
  CHECK(samples() == "0:5=none2 1:5=none2");
}

TEST_CASE_METHOD(Fixture, "the counter's scope comes before the stream's, and each has a track") {
  REQUIRE(placement.add_scope(0, {sizeof(nvtxScopeAttr_t), "own", 0, kScope}).ok());
  REQUIRE(placement.add_scope(0, {sizeof(nvtxScopeAttr_t), "streams", 0, kScope + 1}).ok());
  StreamState scoped = stream;
  scoped.scope = kScope + 1;
  define("c", kInt64);
  write(1, Blob().put<int64_t>(1));
  const int64_t two = 2;
  const std::span bytes = std::as_bytes(std::span(&two, 1));
  REQUIRE(writer.write(scoped, 2, kCounter, bytes).ok());
  REQUIRE(log.counter_tracks.size() == 2);
  CHECK(log.tracks.at(log.counter_tracks[1].parent).name == "streams");
  define("c", kInt64, nullptr, kScope);
  REQUIRE(writer.write(scoped, 3, kCounter, bytes).ok());
  CHECK(log.tracks.at(log.counter_tracks.back().parent).name == "own");
}

TEST_CASE_METHOD(Fixture, "what semantics say of values goes to the sink") {
  nvtxSemanticsCounter_t semantics =
      semantics_of("B", 10, 1,
                   NVTX_COUNTER_FLAG_LIMIT_MIN | NVTX_COUNTER_FLAG_VALUETYPE_DELTA |
                       NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR);
  semantics.limitType = NVTX_COUNTER_LIMIT_I64;
  semantics.min.i64 = -3;
  nvtxSemanticsCounter_t own =
      semantics_of("s", 1, 1,
                   NVTX_COUNTER_FLAG_LIMITS | NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START |
                       NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT);
  own.limitType = NVTX_COUNTER_LIMIT_F64;
  own.min.f64 = 0.5;
  own.max.f64 = 2.5;
  SchemaBuilder schema(kId, kStatic, kGroup);
  schema.entry(kInt64, "a").entry(kInt64, "b", {.semantics = &own.header});
  definitions.add_schema(0, schema.attr());
  define("g", kId, &semantics.header);
  write(1, Blob().put<int64_t>(7).put<int64_t>(8));
  // Deltas are handed on as they are.
  CHECK(samples() == "0:1=70 1:1=8");
  const auto& a = log.counter_tracks.at(0).track;
  CHECK(a.value_type == CounterValueType::kDelta);
  CHECK(a.interpolation == CounterInterpolation::kLinear);
  CHECK(a.has_minimum);
  CHECK(a.minimum == -30);
  CHECK_FALSE(a.has_maximum);
  const auto& b = log.counter_tracks.at(1).track;
  CHECK(b.value_type == CounterValueType::kDeltaSinceStart);
  CHECK(b.interpolation == CounterInterpolation::kUntilNext);
  CHECK(b.minimum == 0.5);
  CHECK(b.maximum == 2.5);
}

TEST_CASE_METHOD(Fixture,
                 "without a limit type there are no limits, and each other flag has a name") {
  constexpr uint64_t kFlags[][2] = {
      {NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE, NVTX_COUNTER_FLAG_INTERPOLATION_POINT},
      {0, NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST},
      {0, uint64_t{7} << 8}};
  for (const auto& flags : kFlags) {
    const auto semantics = semantics_of("", 1, 1, flags[0] | flags[1] | NVTX_COUNTER_FLAG_LIMITS);
    define("c", kInt64, &semantics.header);
    write(1, Blob().put<int64_t>(1));
    CHECK_FALSE(log.counter_tracks.back().track.has_minimum);
    CHECK_FALSE(log.counter_tracks.back().track.has_maximum);
  }
  CHECK(log.counter_tracks.at(0).track.value_type == CounterValueType::kAbsolute);
  CHECK(log.counter_tracks.at(0).track.interpolation == CounterInterpolation::kPoint);
  CHECK(log.counter_tracks.at(1).track.value_type == CounterValueType::kUnspecified);
  CHECK(log.counter_tracks.at(1).track.interpolation == CounterInterpolation::kSinceLast);
  CHECK(log.counter_tracks.at(2).track.interpolation == CounterInterpolation::kUnspecified);
}

TEST_CASE_METHOD(Fixture, "each reason for a missing value arrives") {
  define("c", kInt64);
  for (const uint8_t reason :
       std::initializer_list<uint8_t>{NVTX_COUNTER_SAMPLE_ZERO, NVTX_COUNTER_SAMPLE_UNCHANGED,
                                      NVTX_COUNTER_SAMPLE_UNAVAILABLE}) {
    REQUIRE(writer.write_no_value(stream, 5, kCounter, reason).ok());
  }
  CHECK(samples() == "0:5=none0 0:5=none1 0:5=none2");
}

TEST_CASE_METHOD(Fixture, "the scope of a value: its entries and semantics before the counter's") {
  const char* paths[] = {"role", "semantics", "general", "any", "counter"};
  for (uint64_t i = 0; i < 5; ++i) {
    REQUIRE(placement.add_scope(0, {sizeof(nvtxScopeAttr_t), paths[i], 0, kScope + i}).ok());
  }
  const auto scope_semantics = [](uint64_t scope) {
    nvtxSemanticsScope_t result = {};
    result.header = {sizeof(result), NVTX_SEMANTIC_ID_SCOPE_V1, 1, nullptr};
    result.scopeId = scope;
    return result;
  };
  const nvtxSemanticsScope_t own = scope_semantics(kScope + 1);
  const nvtxSemanticsScope_t any = scope_semantics(kScope + 3);
  SchemaBuilder schema(kId, kStatic, kGroup);
  schema.entry(kInt64, "a", {.flags = kIsCounter, .semantics = &own.header})
      .entry(kInt64, "b", {.flags = kIsCounter})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "role", {.flags = kIsCounter})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "general")
      .entry(kInt64, "beside", {.semantics = &any.header});
  definitions.add_schema(0, schema.attr());
  define("g", kId, nullptr, kScope + 4);
  const auto rows_of = [this](uint64_t role, uint64_t general) {
    const size_t first = log.samples.size();
    write(1, Blob().put<int64_t>(1).put<int64_t>(2).put(role).put(general).put<int64_t>(0));
    std::string rows;
    for (size_t i = first; i < log.samples.size(); ++i) {
      rows += log.tracks.at(log.counter_tracks.at(log.samples[i].counter_track).parent).name + " ";
    }
    return rows;
  };
  CHECK(rows_of(kScope, kScope + 2) == "role role ");
  CHECK(rows_of(0, kScope + 2) == "semantics general ");
  CHECK(rows_of(0, 0) == "semantics any ");
  CHECK(rows_of(kScope, 0) == "role role ");
  REQUIRE(writer.write_no_value(stream, 5, kCounter, NVTX_COUNTER_SAMPLE_ZERO).ok());
  CHECK(log.samples.size() == 10);
  CHECK(problems.all().empty());
}

TEST_CASE_METHOD(Fixture, "short samples, unknown counters and unknown schemas") {
  define("c", kInt64);
  write(1, Blob().put<int32_t>(1));
  CHECK(log.samples.empty());
  CHECK(problems.all().size() == 1);
  CHECK(writer.write(stream, 1, kCounter + 1, {}).code() == ResultCode::kInvalidArgument);
  define("c", kId + 77);
  CHECK(batch(Blob().put<int64_t>(1), {1}).code() == ResultCode::kInvalidArgument);
  define("c", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8);
  write(1, Blob().text("x"));
  CHECK(log.samples.empty());
}

}  // namespace
}  // namespace ringscribe::model
