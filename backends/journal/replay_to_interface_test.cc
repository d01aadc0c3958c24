// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/replay_to_interface.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/journal/sample_session.h"
#include "ringscribe/backends/nvtxw/interface_table.h"

using namespace ringscribe;
using namespace ringscribe::journal;
using nvtxw::SessionBackend;

namespace {

constexpr uint64_t kDynamic = uint64_t{1} << 32;
constexpr uint64_t kStatic = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;

std::vector<std::string>& lines() {
  static std::vector<std::string> all;
  return all;
}

Result<std::unique_ptr<SessionBackend>> open_printer(const nvtxw::SessionConfig& config) {
  if (config.name == "refused") return Status(ResultCode::kNotSupported, "refused");
  lines().push_back("begin " + config.name);
  return std::unique_ptr<SessionBackend>(
      new CallPrinter([](std::string_view line) { lines().emplace_back(line); }));
}

const nvtxwInterface_v2_t& table() {
  static constexpr nvtxw::BackendFormat kFormats[] = {{"print", "", open_printer, {}}};
  static constexpr nvtxw::FormatTable kTable = {kFormats, "print"};
  return *nvtxw::make_interface(&kTable);
}

std::unique_ptr<SessionBackend> begin() {
  lines().clear();
  Result<std::unique_ptr<SessionBackend>> session =
      replay_to_interface(table(), "sample", "format=print");
  REQUIRE(session.ok());
  return std::move(session.value());
}

// A little-endian number as it stands in hex digits.
std::string hex(uint64_t number) {
  std::string text;
  for (int i = 0; i < 8; ++i, number >>= 8) {
    text += "0123456789abcdef"[number >> 4 & 15];
    text += "0123456789abcdef"[number & 15];
  }
  return text;
}

uint64_t number_after(const std::string& line, const std::string& key) {
  const size_t at = line.find("\"" + key + "\":");
  REQUIRE(at != std::string::npos);
  return std::stoull(line.substr(at + key.size() + 3));
}

void ok(const Status& status) {
  INFO(status.to_string());
  REQUIRE(status.ok());
}

}  // namespace

TEST_CASE("IDs that a backend gave are replaced wherever they stand") {
  const auto session = begin();
  ok(open_sample_stream(*session));
  const nvtxScopeAttr_t parent = {sizeof(parent), "Process[1:x]", NVTX_SCOPE_ROOT, kDynamic + 500};
  ok(session->scope(0, parent));
  const nvtxScopeAttr_t child = {sizeof(child), "Thread[1:1:x]", kDynamic + 500, kDynamic + 501};
  ok(session->scope(0, child));
  const uint64_t scope = number_after(lines().back(), "scopeId");
  CHECK(scope != kDynamic + 501);
  CHECK(number_after(lines().back(), "parentScope") ==
        number_after(lines()[lines().size() - 2], "scopeId"));
  const nvtxTimeDomainAttr_t time = {
      kDynamic + 501, NVTX_TIMESTAMP_TYPE_CPU_TSC, kDynamic + 600, 0, 0, 0};
  ok(session->time_domain(0, time));
  CHECK(number_after(lines().back(), "scopeId") == scope);
  const uint64_t time_domain = number_after(lines().back(), "timeDomainId");
  ok(session->sync_points(0, kDynamic + 600, NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC,
                          std::vector<nvtxSyncPoint_t>{{1, 2}}));
  CHECK(number_after(lines().back(), "source") == time_domain);
  CHECK(number_after(lines().back(), "destination") == 14);

  ok(add_schema(*session, kDynamic + 700, {{0, NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID}}));
  const uint64_t inner = number_after(lines().back(), "schemaId");
  ok(add_schema(*session, kDynamic + 701, {{0, kDynamic + 700}}));
  const uint64_t outer = number_after(lines().back(), "schemaId");
  CHECK(lines().back().find("\"type\":" + std::to_string(inner)) != std::string::npos);
  const uint64_t rows[] = {kDynamic + 501, NVTX_SCOPE_ROOT};
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kDynamic + 701;
  batch.events = rows;
  batch.size = sizeof(rows);
  batch.scope = kDynamic + 501;
  ok(session->event_batch(0, batch));
  CHECK(number_after(lines().back(), "eventSchemaId") == outer);
  CHECK(number_after(lines().back(), "scope") == scope);
  CHECK(lines().back().find(hex(scope) + hex(NVTX_SCOPE_ROOT)) != std::string::npos);

  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.name = "depth";
  counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  counter.scopeId = kDynamic + 501;
  counter.counterId = kDynamic + 800;
  ok(session->counter(0, counter));
  CHECK(number_after(lines().back(), "scopeId") == scope);
  const uint64_t given = number_after(lines().back(), "counterId");
  const int64_t value = 5;
  ok(session->counter_sample(0, 1, kDynamic + 800, &value, sizeof(value)));
  CHECK(number_after(lines().back(), "counterId") == given);
  ok(session->counter_no_value(0, 2, kDynamic + 800, 2));
  CHECK(number_after(lines().back(), "counterId") == given);
  ok(session->end());
  CHECK(lines().back() == R"({"call":"end"})");
}

TEST_CASE("IDs of the producer's own are passed on as they are") {
  const auto session = begin();
  ok(open_sample_stream(*session));
  ok(add_schema(*session, kStatic + 7, {{0, NVTX_PAYLOAD_ENTRY_TYPE_INT64}}));
  CHECK(number_after(lines().back(), "schemaId") == kStatic + 7);
  const int64_t row = 1;
  const nvtxPayloadData_t payload = {kStatic + 7, sizeof(row), &row};
  ok(session->event(0, {&payload, 1}));
  CHECK(number_after(lines().back(), "schemaId") == kStatic + 7);
}

TEST_CASE("handles of strings are replaced in rows, and pointers still lead into their event") {
  const auto session = begin();
  ok(open_sample_stream(*session));
  ok(session->string(0, 0x123456789, "registered"));
  const uint64_t handle = number_after(lines().back(), "handle");
  CHECK(handle != 0x123456789);
  ok(add_schema(*session, kStatic,
                {{0, NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE},
                 {NVTX_PAYLOAD_ENTRY_FLAG_POINTER, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING}}));
  const char text[] = "text";
  const uint64_t row[] = {0x123456789, reinterpret_cast<uint64_t>(text)};
  const nvtxPayloadData_t payloads[] = {{kStatic, sizeof(row), row},
                                        {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, sizeof(text), text}};
  ok(session->event(0, payloads));
  CHECK(lines().back().find("\"hex\":\"" + hex(handle) + hex(0) + "\"") != std::string::npos);
  CHECK(lines().back().find(R"("pointers":[{"offset":8,"hex":"74657874"}])") != std::string::npos);
  const uint64_t unknown[] = {0x99, 0};
  const nvtxPayloadData_t payload = {kStatic, sizeof(unknown), unknown};
  ok(session->event(0, {&payload, 1}));
  CHECK(lines().back().find("\"hex\":\"" + hex(0) + hex(0) + "\"") != std::string::npos);
}

TEST_CASE("a whole journal replays through a table") {
  nvtxw::SessionConfig config;
  config.output = sample_path("a.rsj");
  Result<std::unique_ptr<SessionBackend>> journal = open_journal_session(config);
  REQUIRE(journal.ok());
  ok(make_sample_calls(*journal.value()));
  ok(journal.value()->end());
  const auto session = begin();
  Result<ReplaySummary> summary = replay(config.output, *session);
  REQUIRE(summary.ok());
  CHECK(summary->finished);
  CHECK(summary->end_status.ok());
  INFO(summary->first_rejection.to_string());
  // The event without payloads and the samples without timestamps are no calls that NVTXW allows.
  CHECK(summary->rejected <= 2);
  CHECK(lines().size() > 20);
  CHECK(lines().back() == R"({"call":"end"})");
}

TEST_CASE("a call that the backend refuses is its code and a sentence") {
  const auto session = begin();
  ok(session->domain(0, ""));
  const Status refused = session->category(0, 0, "zero");
  CHECK(refused.code() == ResultCode::kInvalidArgument);
  CHECK_THAT(refused.message(), Catch::Contains("CategoryRegister") && Catch::Contains("zero"));
  // Nothing is called with what does not exist.
  CHECK(session->category(7, 1, "no domain").code() == ResultCode::kInvalidArgument);
  CHECK(session->event(3, {}).code() == ResultCode::kInvalidArgument);
  CHECK(session->stream_close(3).code() == ResultCode::kInvalidArgument);
  const auto none = replay_to_interface(table(), "refused", "format=print");
  CHECK(none.status().code() == ResultCode::kNotSupported);
}

TEST_CASE("a session that is left early is ended") {
  begin();
  CHECK(lines().back() == R"({"call":"end"})");
}
