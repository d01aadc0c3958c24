// SPDX-License-Identifier: Apache-2.0
//
// A session from end to end: calls as a client makes them on one side, what the sink is told on
// the other. The marks and ranges are written by NVTX's own helpers, as the Python client does.
#include "ringscribe/backends/model/model.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/model/test_schemas.h"
#include "ringscribe/backends/model/time_conversion.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <nvtxw3/nvtxw3_event_helpers.h>
#pragma GCC diagnostic pop

namespace ringscribe::model {
namespace {

constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kRealtime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;
constexpr uint64_t kScope = NVTX_SCOPE_ID_STATIC_START;
constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr ClockSnapshot kSnapshot = {1000, 500'000, 1000, 1000};

using Log = RecordingSink::Log;
using Recorded = RecordingSink::RecordedEvent;

// The table that the helpers call; its handles are numbers, and it serves one model at a time.
Model* table_model = nullptr;
uint64_t next_schema = NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START;

uint32_t number_of(const void* handle) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(handle)) - 1;
}

nvtxwResultCode_t register_schema(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* attr,
                                  uint64_t* id) {
  nvtxPayloadSchemaAttr_t copy = *attr;
  copy.schemaId = *id = next_schema++;
  return static_cast<nvtxwResultCode_t>(table_model->schema(number_of(domain), copy).code());
}

nvtxwResultCode_t write_event(nvtxwStreamHandle_t stream, const nvtxPayloadData_t* payloads,
                              size_t count) {
  return static_cast<nvtxwResultCode_t>(
      table_model->event(number_of(stream), {payloads, count}).code());
}

struct Session {
  Log log;
  std::unique_ptr<Model> model =
      std::make_unique<Model>(std::make_unique<RecordingSink>(log), "test session", kSnapshot);
  nvtxwInterface_t table = {};
  nvtxwEventWriter_t writer = {};

  // Domain 0 is the default one, domain 1 "net"; stream 0 is "main" in domain 0.
  Session() {
    ok(model->domain(0, ""));
    ok(model->domain(1, "net"));
    open_stream(0, 0, "main");
    table_model = model.get();
    table.SchemaRegister = register_schema;
    table.EventWrite = write_event;
    nvtxwEventHelperSchemaIds_t ids;
    const auto domain = reinterpret_cast<nvtxDomainHandle_t>(uintptr_t{1});
    REQUIRE(nvtxwEventSchemasRegister(&table, domain, NVTXW_EVENT_HELPER_SCHEMA_ALL, &ids) == 0);
    nvtxwEventWriterInit(&writer, &table, reinterpret_cast<nvtxwStreamHandle_t>(uintptr_t{1}),
                         &ids);
  }

  static void ok(const Status& status) {
    INFO(status.to_string());
    REQUIRE(status.ok());
  }
  static void ok(nvtxwResultCode_t code) { REQUIRE(code == NVTXW_RESULT_SUCCESS); }

  void open_stream(uint32_t stream, uint32_t domain, const char* name, uint64_t scope = 0,
                   uint64_t time_domain = kMonotonic) {
    nvtxwStreamAttributes_t attr = {};
    attr.structSize = sizeof(attr);
    attr.name = name;
    attr.scopeId = scope;
    attr.timeDomainId = time_domain;
    ok(model->stream_open(stream, domain, attr));
  }
  void add_scope(uint32_t domain, uint64_t id, const char* path) {
    ok(model->scope(domain, {sizeof(nvtxScopeAttr_t), path, NVTX_SCOPE_NONE, id}));
  }
  static nvtxwEventAttributesUtf8_t text(const char* message, uint32_t color = 0,
                                         uint32_t category = 0) {
    return {color, category, 0, message};
  }
  // Row events of one schema: (timestamp with `role`, optional text field).
  void add_point_schema(uint64_t id, uint64_t family, uint64_t role, uint32_t domain = 0) {
    SchemaBuilder schema(id, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, family);
    schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = role})
        .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "scope")
        .entry(NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, "id")
        .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, "f", {.detail = 8});
    ok(model->schema(domain, schema.attr()));
  }
  void point(uint64_t schema, int64_t time, uint64_t scope = 0, uint64_t id = 0,
             const std::string& field = "", uint32_t stream = 0) {
    Blob blob;
    blob.put(time).put(scope).put(id).text(field).zeros(8 - field.size());
    const std::vector payloads{blob.payload(schema)};
    ok(model->event(stream, payloads));
  }
  const Recorded& last() {
    REQUIRE_FALSE(log.events.empty());
    return log.events.back();
  }
  const Log& end() {
    ok(model->end());
    return log;
  }
};

TEST_CASE_METHOD(Session, "a mark of the client: time, message, colour, category, stream") {
  ok(model->category(0, 7, "hot"));
  ok(nvtxwMarkWriteUtf8(&writer, 100, text("My Mark", 0xFF00FF00, 7)));
  CHECK(last().event.kind == EventKind::kMark);
  CHECK(last().event.begin == 100);
  CHECK(last().event.end == 100);
  CHECK(last().event.synchronised);
  CHECK(last().message == "My Mark");
  CHECK(last().event.color_argb == 0xFF00FF00);
  CHECK(last().category == "hot");
  CHECK(last().event.category_id == 7);
  CHECK(last().fields.empty());
  REQUIRE(log.tracks.size() == 1);
  CHECK(log.tracks[0].name == "main");
  CHECK(log.tracks[0].kind == TrackKind::kStream);
  CHECK(log.session == "test session");
  CHECK(end().problems.empty());
  CHECK(log.finished == 1);
}

TEST_CASE("the session's name is valid UTF-8 to a sink, whatever the producer called it") {
  Log log;
  const Model model(std::make_unique<RecordingSink>(log), "\xFF run", kSnapshot);
  CHECK(log.session == "\uFFFD run");
}

TEST_CASE_METHOD(Session, "messages: empty, registered, missing, with an explicit length") {
  ok(nvtxwMarkWriteUtf8(&writer, 1, text(nullptr)));
  CHECK(last().message.empty());
  ok(model->string(0, 55, "registered"));
  ok(nvtxwMarkWrite(&writer, 2, {0, 0, reinterpret_cast<nvtxStringHandle_t>(uintptr_t{55})}));
  CHECK(last().message == "registered");
  ok(nvtxwMarkWrite(&writer, 3, {0, 0, nullptr}));
  CHECK(last().message.empty());
  CHECK(last().fields.empty());
  ok(nvtxwMarkWriteUtf8(&writer, 4, {0, 0, 3, "cut here"}));
  CHECK(last().message == "cut");
  CHECK(last().category.empty());
  CHECK(end().problems.empty());
}

TEST_CASE_METHOD(Session, "complete ranges of both kinds") {
  ok(nvtxwRangePushPopWriteUtf8(&writer, 200, 500, text("a")));
  CHECK(last().event.kind == EventKind::kRangePushPop);
  CHECK(last().event.begin == 200);
  CHECK(last().event.end == 500);
  ok(nvtxwRangeStartEndWriteUtf8(&writer, 300, 300, text("b")));
  CHECK(last().event.kind == EventKind::kRangeStartEnd);
  CHECK_FALSE(last().event.end_before_begin);
}

TEST_CASE_METHOD(Session, "an end before its begin is told and not believed") {
  ok(nvtxwRangePushPopWriteUtf8(&writer, 500, 200, text("a")));
  CHECK(last().event.begin == 500);
  CHECK(last().event.end == 500);
  CHECK(last().event.end_before_begin);
  CHECK(last().event.written_end == 200);
}

TEST_CASE_METHOD(Session, "a pop closes the innermost push") {
  ok(nvtxwRangePushWriteUtf8(&writer, 10, text("outer", 1)));
  ok(nvtxwRangePushWriteUtf8(&writer, 20, text("inner", 2)));
  CHECK(log.events.empty());
  ok(nvtxwRangePopWrite(&writer, 30));
  CHECK(last().message == "inner");
  CHECK(last().event.begin == 20);
  CHECK(last().event.end == 30);
  CHECK(last().event.color_argb == 2);
  ok(nvtxwRangePopWrite(&writer, 40));
  CHECK(last().message == "outer");
  CHECK(last().event.kind == EventKind::kRangePushPop);
  CHECK(log.events.size() == 2);
}

TEST_CASE_METHOD(Session, "starts and ends pair by id, in any order, and keep the id") {
  ok(nvtxwRangeStartWriteUtf8(&writer, 10, 1, text("one")));
  ok(nvtxwRangeStartWriteUtf8(&writer, 20, 2, text("two")));
  ok(nvtxwRangeEndWrite(&writer, 30, 1));
  CHECK(last().message == "one");
  CHECK(last().event.range_id == 1);
  CHECK(last().event.kind == EventKind::kRangeStartEnd);
  ok(nvtxwRangeEndWrite(&writer, 40, 2));
  CHECK(last().message == "two");
  CHECK(last().event.begin == 20);
}

TEST_CASE_METHOD(Session, "ends and pops that match nothing have no begin") {
  ok(nvtxwRangePopWrite(&writer, 30));
  CHECK(last().event.begin_is_missing);
  CHECK(last().event.kind == EventKind::kRangePushPop);
  CHECK(last().event.begin == 30);
  CHECK(last().event.end == 30);
  ok(nvtxwRangeEndWrite(&writer, 31, 9));
  CHECK(log.events.size() == 1);  // its start may still come
  end();
  REQUIRE(log.events.size() == 2);
  CHECK(last().event.begin_is_missing);
  CHECK(last().event.begin == 31);
  CHECK(last().event.range_id == 9);
  CHECK(last().event.kind == EventKind::kRangeStartEnd);
}

TEST_CASE_METHOD(Session, "an end that comes before its start waits for it") {
  ok(nvtxwRangeEndWrite(&writer, 30, 1));
  ok(nvtxwRangeEndWrite(&writer, 40, 2));
  ok(nvtxwRangeStartWriteUtf8(&writer, 20, 1, text("one", 5)));
  REQUIRE(log.events.size() == 1);
  CHECK(last().message == "one");
  CHECK(last().event.color_argb == 5);
  CHECK(last().event.begin == 20);
  CHECK(last().event.end == 30);
  CHECK(last().event.range_id == 1);
  CHECK_FALSE(last().event.begin_is_missing);
  ok(nvtxwRangeStartWriteUtf8(&writer, 40, 2, text("without length")));
  CHECK(last().event.begin == 40);
  CHECK(last().event.end == 40);
  CHECK(log.events.size() == 2);
  end();
  CHECK(log.events.size() == 2);
}

TEST_CASE_METHOD(Session,
                 "an end whose start was lost is not taken for a later range's of its id") {
  ok(nvtxwRangeEndWrite(&writer, 30, 1));
  ok(nvtxwRangeStartWriteUtf8(&writer, 50, 1, text("later")));
  CHECK(log.events.empty());
  ok(nvtxwRangeEndWrite(&writer, 60, 1));
  REQUIRE(log.events.size() == 1);
  CHECK(last().message == "later");
  CHECK(last().event.begin == 50);
  CHECK(last().event.end == 60);
  end();
  REQUIRE(log.events.size() == 2);
  CHECK(last().event.begin_is_missing);
  CHECK(last().event.end == 30);
}

TEST_CASE_METHOD(Session, "an end that is a little earlier than its start is its end") {
  // Of two threads, whose CPUs read their clocks ahead of what they waited for.
  ok(nvtxwRangeEndWrite(&writer, 4'000'000, 1));
  ok(nvtxwRangeEndWrite(&writer, 5'000'000, 2));
  ok(nvtxwRangeStartWriteUtf8(&writer, 4'000'067, 1, text("near")));
  ok(nvtxwRangeStartWriteUtf8(&writer, 5'100'001, 2, text("far")));
  CHECK(log.events.empty());
  end();
  REQUIRE(log.events.size() == 3);
  CHECK(log.events[0].message == "near");
  CHECK(log.events[0].event.begin == 4'000'067);
  CHECK(log.events[0].event.end == 4'000'067);
  CHECK(log.events[0].event.end_before_begin);
  CHECK(log.events[0].event.written_end == 4'000'000);
  CHECK(log.events[1].event.end_is_missing);
  CHECK(log.events[2].event.begin_is_missing);
}

TEST_CASE_METHOD(Session, "an id that is used again, with all its ends first, pairs by time") {
  ok(nvtxwRangeEndWrite(&writer, 10, 1));
  ok(nvtxwRangeEndWrite(&writer, 30, 1));
  ok(nvtxwRangeStartWriteUtf8(&writer, 5, 1, text("first")));
  CHECK(last().event.end == 10);
  ok(nvtxwRangeStartWriteUtf8(&writer, 25, 1, text("second")));
  REQUIRE(log.events.size() == 2);
  CHECK(last().message == "second");
  CHECK(last().event.begin == 25);
  CHECK(last().event.end == 30);
  end();
  CHECK(log.events.size() == 2);
}

TEST_CASE_METHOD(Session, "ends whose starts do not come take bounded memory, and none is lost") {
  constexpr uint64_t kEnds = 200'000;
  for (uint64_t id = 1; id <= kEnds; ++id)
    ok(nvtxwRangeEndWrite(&writer, static_cast<int64_t>(id), id));
  CHECK(log.events.size() >= kEnds - 64 * 1024);
  end();
  CHECK(log.events.size() == kEnds);
}

TEST_CASE_METHOD(Session, "ranges that stay open end with the session, inner ones first") {
  ok(nvtxwRangePushWriteUtf8(&writer, 10, text("outer")));
  ok(nvtxwRangePushWriteUtf8(&writer, 20, text("inner", 3)));
  ok(nvtxwRangeStartWriteUtf8(&writer, 30, 5, text("started")));
  ok(nvtxwMarkWriteUtf8(&writer, 900, text("late")));
  CHECK(log.events.size() == 1);
  end();
  REQUIRE(log.events.size() == 4);
  CHECK(log.events[1].message == "inner");
  CHECK(log.events[2].message == "outer");
  CHECK(log.events[3].message == "started");
  for (size_t i = 1; i < 4; ++i) {
    CHECK(log.events[i].event.end_is_missing);
    CHECK(log.events[i].event.end == 900);
    CHECK(log.events[i].event.synchronised);
  }
  CHECK(log.events[1].event.color_argb == 3);
  CHECK(log.events[3].event.range_id == 5);
}

TEST_CASE_METHOD(Session, "pushes pair within their stream and scope only") {
  add_scope(0, kScope, "a");
  add_scope(0, kScope + 1, "b");
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH, NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN);
  add_point_schema(kId + 1, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP, NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END);
  open_stream(1, 0, "second");
  point(kId, 1, kScope, 0, "a");
  point(kId, 2, kScope + 1, 0, "b");
  point(kId, 3, kScope, 0, "second", 1);
  point(kId + 1, 4, kScope);
  CHECK(last().fields == "f=''");
  CHECK(last().event.begin == 1);
  point(kId + 1, 5, kScope, 0, "", 1);
  CHECK(last().event.begin == 3);
  point(kId + 1, 6, kScope + 1);
  CHECK(last().event.begin == 2);
  CHECK(log.tracks.size() == 2);
  CHECK(log.events[0].event.track == log.events[1].event.track);
}

TEST_CASE_METHOD(Session, "an end's attributes replace and add to those of its start") {
  SchemaBuilder start(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_START);
  start.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, "id")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "state")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "input")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, "c");
  ok(model->schema(0, start.attr()));
  SchemaBuilder finish(kId + 1, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                       NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END);
  finish.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, "id")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "output")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "state")
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, "c");
  ok(model->schema(0, finish.attr()));
  {
    const Blob blob =
        Blob().put<int64_t>(1).put<uint64_t>(3).put<int32_t>(0).put<int32_t>(11).put<uint32_t>(5);
    const Blob message = Blob().text("begun");
    const std::vector payloads{blob.payload(kId),
                               message.payload(writer.schemaIds.eventMessageUtf8)};
    ok(model->event(0, payloads));
  }  // the start's bytes are gone
  const Blob blob =
      Blob().put<int64_t>(2).put<uint64_t>(3).put<int32_t>(22).put<int32_t>(1).put<uint32_t>(6);
  const std::vector payloads{blob.payload(kId + 1)};
  ok(model->event(0, payloads));
  CHECK(last().fields == "state=1 input=11 output=22");
  CHECK(last().message == "begun");
  CHECK(last().event.color_argb == 5);
  CHECK(last().event.category_id == 6);
}

TEST_CASE_METHOD(Session, "the family is a number in the flags: end is no counter group and mark") {
  const struct {
    uint64_t flags;
    EventKind kind;
  } families[] = {
      {NVTX_PAYLOAD_SCHEMA_FLAG_MARK, EventKind::kMark},
      {NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP, EventKind::kRangePushPop},
      {NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_END, EventKind::kRangeStartEnd},
  };
  uint64_t id = kId;
  for (const auto& family : families) {
    // Other flags around it change nothing.
    add_point_schema(id, family.flags | NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED,
                     NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP);
    point(id++, 5);
    if (family.kind == EventKind::kRangeStartEnd) end();  // the end waits for its start
    CHECK(last().event.kind == family.kind);
  }
  CHECK(log.events.size() == 3);
}

TEST_CASE_METHOD(Session, "without a family the roles decide") {
  add_point_schema(kId, 0, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  point(kId, 1);
  CHECK(last().event.kind == EventKind::kMark);
  SchemaBuilder range(kId + 1);
  range.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "b", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "e", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "queued", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP});
  ok(model->schema(0, range.attr()));
  const Blob blob = Blob().put<int64_t>(3).put<int64_t>(4).put<int64_t>(2);
  const std::vector payloads{blob.payload(kId + 1)};
  ok(model->event(0, payloads));
  CHECK(last().event.kind == EventKind::kRangeStartEnd);
  CHECK(last().event.begin == 3);
  CHECK(last().event.end == 4);
  CHECK(last().fields == "queued=2");
}

TEST_CASE_METHOD(Session, "an event without a timestamp is counted and left out") {
  SchemaBuilder schema(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "x");
  ok(model->schema(0, schema.attr()));
  const Blob blob = Blob().put<int64_t>(3);
  const std::vector payloads{blob.payload(kId)};
  ok(model->event(0, payloads));
  ok(model->event(0, payloads));
  ok(model->event(0, {}));
  CHECK(end().events.empty());
  REQUIRE(log.problems.size() == 1);
  CHECK(log.problems.begin()->second == 3);
}

TEST_CASE_METHOD(Session, "scope: entry before batch before stream") {
  for (uint64_t i = 0; i < 3; ++i) add_scope(0, kScope + i, i == 0 ? "s" : i == 1 ? "b" : "e");
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  open_stream(1, 0, "scoped", kScope);
  point(kId, 1, 0, 0, "", 1);
  CHECK(log.tracks.at(last().event.track).name == "s");
  Blob rows;
  rows.put<int64_t>(2).zeros(24).put<int64_t>(3).put<uint64_t>(kScope + 2).zeros(16);
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.size = rows.size();
  batch.events = rows.data();
  batch.scope = kScope + 1;
  ok(model->event_batch(1, batch));
  REQUIRE(log.events.size() == 3);
  CHECK(log.tracks.at(log.events[1].event.track).name == "b");
  CHECK(log.tracks.at(log.events[2].event.track).name == "e");
  CHECK(log.tracks.size() == 3);  // and none for the stream
}

TEST_CASE_METHOD(Session, "an unknown scope falls back to the stream and is told") {
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  point(kId, 1, NVTX_SCOPE_ID_DYNAMIC_START + 9);
  CHECK(log.tracks.at(last().event.track).name == "main");
  CHECK(end().problems.size() == 1);
}

TEST_CASE_METHOD(Session, "a static scope is a row by its number until it is registered") {
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  open_stream(1, 0, "scoped", 16777300);
  point(kId, 1, 0, 0, "", 1);
  CHECK(log.tracks.at(last().event.track).name == "scope 16777300");
  const uint32_t by_number = last().event.track;
  point(kId, 2, 16777300);
  CHECK(last().event.track == by_number);
  add_scope(0, 16777300, "Process[10:app]");
  point(kId, 3, 0, 0, "", 1);
  CHECK(log.tracks.at(last().event.track).name == "app");
  const uint32_t by_path = last().event.track;
  point(kId, 4, 16777300);
  CHECK(last().event.track == by_path);
  CHECK(end().problems.empty());
}

TEST_CASE_METHOD(Session, "process and thread entries are a scope, and stay fields") {
  const auto schema = [this](uint64_t id, uint64_t pid_type, uint64_t tid_type, uint64_t family) {
    SchemaBuilder builder(id, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, family);
    builder.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK})
        .entry(pid_type, "pid")
        .entry(tid_type, "tid")
        .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "scope");
    ok(model->schema(0, builder.attr()));
  };
  schema(kId, NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT32, NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT32,
         NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  schema(kId + 1, NVTX_PAYLOAD_ENTRY_TYPE_PID_UINT64, NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64,
         NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  add_scope(0, kScope, "Process[10:app]/Thread[1:11:worker]");
  open_stream(1, 0, "scoped", kScope);
  const auto row = [this](const Blob& blob, uint64_t id, uint32_t stream) {
    ok(model->event(stream, std::vector{blob.payload(id)}));
    return log.tracks.at(last().event.track).name;
  };
  const auto narrow = [](uint32_t pid, uint32_t tid, uint64_t scope = 0) {
    return Blob().put<int64_t>(1).put(pid).put(tid).put(scope);
  };
  // The track of the scope that has these numbers.
  CHECK(row(narrow(10, 11), kId, 0) == "worker");
  CHECK(last().fields == "pid=10u tid=11u");
  CHECK(row(narrow(10, 12), kId, 1) == "Thread 12");
  CHECK(log.tracks.at(last().event.track).tid == 12);
  CHECK(log.tracks.at(log.tracks.at(last().event.track).parent).name == "app");
  CHECK(row(Blob().put<int64_t>(1).put<uint64_t>(20).put<uint64_t>(21).put<uint64_t>(0), kId + 1,
            1) == "Thread 21");
  CHECK(log.tracks.at(log.tracks.at(last().event.track).parent).name == "Process 20");
  // A scope ID says it more exactly.
  CHECK(row(narrow(10, 12, kScope), kId, 0) == "worker");
  CHECK(end().problems.empty());
}

TEST_CASE_METHOD(Session, "a thread without process is in that of its stream, or in none") {
  SchemaBuilder pop(kId + 1, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP);
  pop.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64, "tid");
  SchemaBuilder timed(kId + 2, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                      NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH);
  timed.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64, "tid");
  ok(model->schema(0, pop.attr()));
  ok(model->schema(0, timed.attr()));
  add_scope(0, kScope, "Process[10:app]");
  open_stream(1, 0, "scoped", kScope);
  const auto write = [this](uint64_t id, int64_t time, uint64_t tid, uint32_t stream) {
    const Blob blob = Blob().put(time).put(tid);
    ok(model->event(stream, std::vector{blob.payload(id)}));
  };
  // Pushes of two threads in one stream do not meet.
  write(kId + 2, 1, 7, 1);
  write(kId + 2, 2, 8, 1);
  write(kId + 1, 3, 7, 1);
  CHECK(last().event.begin == 1);
  CHECK(log.tracks.at(last().event.track).kind == TrackKind::kThread);
  CHECK(log.tracks.at(last().event.track).pid == 10);
  write(kId + 1, 4, 8, 1);
  CHECK(last().event.begin == 2);
  write(kId + 2, 5, 7, 0);
  write(kId + 1, 6, 7, 0);
  CHECK(log.tracks.at(last().event.track).name == "Thread 7");
  CHECK(log.tracks.at(last().event.track).kind == TrackKind::kScope);
}

TEST_CASE_METHOD(Session, "the scope of a range's end counts for what is only an end") {
  SchemaBuilder range(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP);
  const uint64_t kEndFlag = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END;
  range.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "b", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "e", {.flags = kEndFlag})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "s", {.flags = kEndFlag})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "c", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_COUNTER});
  ok(model->schema(0, range.attr()));
  SchemaBuilder pop(kId + 1, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP);
  pop.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "e", {.flags = kEndFlag})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID, "s", {.flags = kEndFlag});
  ok(model->schema(0, pop.attr()));
  add_scope(0, kScope, "end");
  const Blob whole = Blob().put<int64_t>(1).put<int64_t>(2).put(kScope).put(kScope);
  ok(model->event(0, std::vector{whole.payload(kId)}));
  CHECK(log.tracks.at(last().event.track).name == "main");
  const Blob end_only = Blob().put<int64_t>(3).put(kScope);
  ok(model->event(0, std::vector{end_only.payload(kId + 1)}));
  CHECK(log.tracks.at(last().event.track).name == "end");
}

TEST_CASE_METHOD(Session, "a batch of a million rows, the last as right as the first") {
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  constexpr size_t kRows = 1'000'000;
  struct Row {
    int64_t time;
    uint64_t scope, id;
    char text[8];
  };
  std::vector<Row> rows(kRows);
  for (size_t i = 0; i < kRows; ++i) {
    rows[i] = {static_cast<int64_t>(i), 0, 0, {}};
    rows[i].text[0] = static_cast<char>('a' + i % 26);
  }
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.events = rows.data();
  batch.size = rows.size() * sizeof(Row);
  ok(model->event_batch(0, batch));
  REQUIRE(log.events.size() == kRows);
  size_t wrong = 0;
  for (size_t i = 0; i < kRows; ++i) {
    const char letter[] = {static_cast<char>('a' + i % 26), '\0'};
    const bool is_right = log.events[i].event.begin == static_cast<int64_t>(i) &&
                          log.events[i].fields == "f='" + std::string(letter) + "'";
    if (!is_right) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(end().problems.empty());
}

TEST_CASE_METHOD(Session, "a stream that is opened again goes on: track and open pushes") {
  ok(nvtxwRangePushWriteUtf8(&writer, 10, text("across")));
  ok(model->stream_close(0));
  CHECK(model->event(0, {}).code() == ResultCode::kInvalidArgument);
  open_stream(0, 0, "main");
  ok(nvtxwRangePopWrite(&writer, 20));
  CHECK(last().message == "across");
  CHECK_FALSE(last().event.begin_is_missing);
  ok(nvtxwMarkWriteUtf8(&writer, 30, text("m")));
  CHECK(log.tracks.size() == 1);
}

TEST_CASE_METHOD(Session, "correlated fields of one domain and value put events into one flow") {
  nvtxSemanticsCorrelation_t semantics[3] = {};
  for (size_t i = 0; i < 3; ++i) {
    semantics[i].header.structSize = sizeof(semantics[i]);
    semantics[i].header.semanticId = NVTX_SEMANTIC_ID_CORRELATION_V1;
    semantics[i].header.version = NVTX_CORRELATION_SEMANTIC_VERSION;
    semantics[i].correlationDomainUuid[0] = i == 2 ? 9 : 1;  // two are of one domain
  }
  for (size_t i = 0; i < 3; ++i) {
    SchemaBuilder schema(
        kId + i, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
        i == 0 ? NVTX_PAYLOAD_SCHEMA_FLAG_MARK : NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP);
    schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "begin",
                 {.flags = static_cast<uint64_t>(i == 0 ? NVTX_PAYLOAD_ENTRY_FLAG_MARK
                                                        : NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN)});
    if (i != 0)
      schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "end",
                   {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END});
    schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_UINT64, "id", {.semantics = &semantics[i].header});
    ok(model->schema(0, schema.attr()));
  }
  const auto mark = [&](uint64_t id) {
    const Blob blob = Blob().put<int64_t>(1).put<uint64_t>(id);
    ok(model->event(0, std::vector{blob.payload(kId)}));
    return log.events.back().flows;
  };
  // As rows of a batch, which may not leave flows out either.
  const auto range = [&](uint64_t schema, uint64_t id) {
    const Blob row = Blob().put<int64_t>(2).put<int64_t>(3).put<uint64_t>(id);
    nvtxEventBatch_t batch = {};
    batch.eventSchemaId = schema;
    batch.size = row.size();
    batch.events = row.data();
    ok(model->event_batch(0, batch));
    return log.events.back().flows;
  };
  const std::vector<uint64_t> flow = mark(7);
  REQUIRE(flow.size() == 1);
  CHECK(flow[0] != 0);
  CHECK(range(kId + 1, 7) == flow);
  CHECK(last().fields == "id=7u");
  CHECK(range(kId + 1, 8) != flow);
  CHECK(range(kId + 2, 7) != flow);
  CHECK(mark(NVTX_CORRELATION_VALUE_NONE).empty());
}

TEST_CASE_METHOD(Session, "streams are announced once, and events say theirs") {
  open_stream(1, 1, "other");
  ok(model->stream_close(1));
  open_stream(2, 1, "other");
  ok(model->category(1, 7, "wire"));
  CHECK(log.streams == std::vector<std::string>{"/main", "net/other"});
  CHECK(log.categories == std::vector<std::string>{"net/7=wire"});
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK, 1);
  point(kId, 5, 0, 0, "", 2);
  CHECK(last().event.stream == 1);
  const Blob row = Blob().put<int64_t>(6).zeros(24);
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.size = row.size();
  batch.events = row.data();
  ok(model->event_batch(2, batch));
  CHECK(last().event.begin == 6);
  CHECK(last().event.stream == 1);
}

TEST_CASE_METHOD(Session, "batches: rows that do not fit and unknown schemas are refused") {
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  const Blob rows = Blob().put<int64_t>(2).zeros(24).put<int64_t>(3).zeros(3);
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.size = rows.size();
  batch.events = rows.data();
  CHECK(model->event_batch(0, batch).code() == ResultCode::kInvalidArgument);
  CHECK(log.events.size() == 2);  // what can be decoded of the row is shown
  batch.eventSchemaId = kId + 5;
  CHECK(model->event_batch(0, batch).code() == ResultCode::kInvalidArgument);
  CHECK(model->event_batch(9, batch).code() == ResultCode::kInvalidArgument);
}

TEST_CASE_METHOD(Session, "time: the entry's semantics come before the stream's domain") {
  nvtxSemanticsTime_t realtime = {};
  realtime.header.structSize = sizeof(realtime);
  realtime.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
  realtime.timeDomainId = kRealtime;
  SchemaBuilder schema(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t",
               {.flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK, .semantics = &realtime.header});
  ok(model->schema(0, schema.attr()));
  const Blob blob = Blob().put<int64_t>(500'100);
  const std::vector payloads{blob.payload(kId)};
  ok(model->event(0, payloads));
  CHECK(last().event.begin == 1100);
  CHECK(last().event.time_domain == kRealtime);
}

TEST_CASE_METHOD(Session, "the calendar is told before the first synchronised event") {
  open_stream(1, 0, "unknown clock", 0, 0);
  add_point_schema(kId, NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_ENTRY_FLAG_MARK);
  point(kId, 1, 0, 0, "", 1);
  CHECK_FALSE(last().event.synchronised);
  CHECK(log.clock_points.empty());
  point(kId, 2);
  REQUIRE(log.clock_points.size() == 1);
  CHECK(log.clock_points[0] == std::pair<int64_t, int64_t>(1000, 500'000));
  const nvtxSyncPoint_t points[] = {{7000, 1500}, {8000, 2500}};
  ok(model->sync_points(0, kRealtime, kMonotonic, points));
  REQUIRE(log.clock_points.size() == 3);
  CHECK(log.clock_points[1] == std::pair<int64_t, int64_t>(1500, 7000));
  CHECK(end().clock_points.size() == 3);
}

TEST_CASE_METHOD(Session, "the producer's relation to the calendar makes ours needless") {
  const nvtxSyncPoint_t point_pair = {1500, 7000};
  ok(model->sync_points(0, kMonotonic, kRealtime, {&point_pair, 1}));
  ok(nvtxwMarkWriteUtf8(&writer, 4, text("m")));
  CHECK(end().clock_points == std::vector<std::pair<int64_t, int64_t>>{{1500, 7000}});
}

TEST_CASE_METHOD(Session, "conversion factors tell the calendar too, whichever way they go") {
  ok(model->conversion_factor(0, kMonotonic, kRealtime, 1.0, 1500, 7000));
  ok(model->conversion_factor(0, kRealtime, kMonotonic, 1.0, 8000, 2500));
  ok(model->conversion_factor(0, kRealtime, NVTX_TIMESTAMP_TYPE_CPU_TSC, 1.0, 1, 2));
  CHECK(model->conversion_factor(0, kRealtime, kMonotonic, -1.0, 0, 0).code() ==
        ResultCode::kInvalidArgument);
  CHECK(end().clock_points == std::vector<std::pair<int64_t, int64_t>>{{1500, 7000}, {2500, 8000}});
}

TEST_CASE_METHOD(Session, "a session without events still tells the calendar") {
  CHECK(end().clock_points.size() == 1);
  CHECK(log.finished == 1);
  ok(model->end());
  CHECK(log.finished == 1);
}

TEST_CASE_METHOD(Session, "the two ends of a range on clocks that nothing relates") {
  nvtxSemanticsTime_t other = {};
  other.header.structSize = sizeof(other);
  other.header.semanticId = NVTX_SEMANTIC_ID_TIME_V1;
  other.timeDomainId = NVTX_TIME_DOMAIN_ID_STATIC_START;
  SchemaBuilder schema(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC,
                       NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSHPOP);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "b", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN})
      .entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "e",
             {.flags = NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END, .semantics = &other.header});
  ok(model->schema(0, schema.attr()));
  const Blob blob = Blob().put<int64_t>(5).put<int64_t>(9);
  const std::vector payloads{blob.payload(kId)};
  ok(model->event(0, payloads));
  CHECK(last().event.end_is_missing);
  CHECK(last().event.end == 5);
  CHECK(end().problems.size() == 1);
}

TEST_CASE_METHOD(Session, "timestamps at the ends of int64 are kept") {
  ok(nvtxwRangePushPopWriteUtf8(&writer, INT64_MIN, INT64_MAX, text("all")));
  CHECK(last().event.begin == INT64_MIN);
  CHECK(last().event.end == INT64_MAX);
}

TEST_CASE_METHOD(Session, "what the sink refuses is returned by the call") {
  log.answer = Status(ResultCode::kFailed, "disk full");
  CHECK(nvtxwMarkWriteUtf8(&writer, 1, text("m")) == NVTXW_RESULT_FAILED);
  const Status status = model->end();
  CHECK(status.message() == "disk full");
  CHECK(log.finished == 1);  // the sink had its chance
}

TEST_CASE("a sink that cannot begin fails the first call") {
  Log log;
  log.answer = Status(ResultCode::kFailed, "no folder");
  Model model(std::make_unique<RecordingSink>(log), "s", kSnapshot);
  log.answer = {};
  CHECK(model.domain(0, "").message() == "no folder");
  CHECK(model.domain(0, "").ok());
}

TEST_CASE("a session that is never ended is finished by its destructor") {
  Log log;
  {
    const Model model(std::make_unique<RecordingSink>(log), "s", kSnapshot);
  }
  CHECK(log.finished == 1);
}

class ThrowingSink final : public EventSink {
 public:
  Status session(std::string_view) override { return {}; }
  Status track(const Track&) override { throw std::runtime_error("boom"); }
  Status counter_track(const CounterTrack&) override { return {}; }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const Event&) override { throw std::bad_alloc(); }
  Status counter_sample(const CounterSample&) override { return {}; }
  Status problem(std::string_view, uint64_t) override { return {}; }
  Status finish() override { throw std::runtime_error("boom"); }
};

TEST_CASE("no exception leaves the model") {
  Model model(std::make_unique<ThrowingSink>(), "s", kSnapshot);
  SchemaBuilder schema(kId, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, NVTX_PAYLOAD_SCHEMA_FLAG_MARK);
  schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK});
  REQUIRE(model.schema(0, schema.attr()).ok());
  nvtxwStreamAttributes_t attr = {};
  attr.name = "main";
  REQUIRE(model.stream_open(0, 0, attr).ok());
  const Blob blob = Blob().put<int64_t>(5);
  const std::vector payloads{blob.payload(kId)};
  const Status status = model.event(0, payloads);
  CHECK(status.code() == ResultCode::kFailed);
  CHECK(status.message().find("boom") != std::string::npos);
  CHECK(model.event(0, payloads).code() == ResultCode::kFailed);
  CHECK(model.end().code() == ResultCode::kFailed);
}

}  // namespace
}  // namespace ringscribe::model
