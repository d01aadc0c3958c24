// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/journal_writer.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <sstream>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/sample_session.h"

using namespace ringscribe;
using namespace ringscribe::journal;
using nvtxw::SessionBackend;
using nvtxw::SessionConfig;

namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;
constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
constexpr uint64_t kDeep = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY;
constexpr uint64_t kInt32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;

std::unique_ptr<SessionBackend> begin(const std::string& path, SessionConfig config = {}) {
  config.output = path;
  Result<std::unique_ptr<SessionBackend>> session = open_journal_session(config);
  INFO(session.status().to_string());
  REQUIRE(session.ok());
  return std::move(session.value());
}

ReplaySummary summary_of(const std::string& path) {
  CallPrinter ignored([](std::string_view) {});
  Result<ReplaySummary> summary = replay(path, ignored);
  INFO(summary.status().to_string());
  REQUIRE(summary.ok());
  return summary.value();
}

// The calls as they were made, without a journal between.
std::vector<std::string> printed_directly(const std::function<void(SessionBackend&)>& calls) {
  std::vector<std::string> lines;
  CallPrinter printer([&](std::string_view line) { lines.emplace_back(line); });
  calls(printer);
  REQUIRE(printer.end().ok());
  return lines;
}

// Makes the calls on a journal and on a printer: both must say the same.
void check_round_trip(const std::function<void(SessionBackend&)>& calls, const char* codec) {
  const std::string path = sample_path("a.rsj");
  SessionConfig config;
  config.other = {{"journal_codec", codec}};
  const auto session = begin(path, config);
  calls(*session);
  REQUIRE(session->end().ok());
  const std::vector<std::string> expected = printed_directly(calls);
  const std::vector<std::string> found = printed(path);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) CHECK(found[i] == expected[i]);
  const ReplaySummary summary = summary_of(path);
  CHECK(summary.finished);
  CHECK(!summary.truncated);
  CHECK(!summary.damaged);
  CHECK(summary.unknown_frames == 0);
  CHECK(summary.rejected == 0);
  CHECK(summary.bytes == read_file(path).size());
}
void check_round_trip(const std::function<void(SessionBackend&)>& calls) {
  check_round_trip(calls, "raw");
  check_round_trip(calls, "compact");
}

// Bytes in hex digits.
std::string digits_of(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

// The bytes of an example in FORMAT.md, whose lines are such as "0018  01 00 00 00  what it is" or,
// with a `first` character that is no digit, "+018  01 00 00 00  what it is".
std::string example(char first) {
  std::string expected;
  std::istringstream text(read_file("backends/journal/FORMAT.md"));
  const auto is_digit = [](char c) { return c != '\0' && std::strchr("0123456789abcdef", c); };
  for (std::string line; std::getline(text, line);) {
    if (line.size() < 8 || line.find_first_not_of("0123456789abcdef", 1) != 4 || line[5] != ' ' ||
        (first == '0' ? !is_digit(line[0]) : line[0] != first)) {
      continue;
    }
    for (const char c : line.substr(6, line.find("  ", 6) - 6)) {
      if (c != ' ') expected += c;
    }
  }
  return expected;
}

// Four marks, some nanoseconds apart, of two call sites.
Status write_four_marks(SessionBackend& backend) {
  struct Row {
    int64_t time;
    uint32_t color;
    uint32_t category;
    uint64_t message;
  };
  const Status opened = open_sample_stream(backend);
  if (!opened.ok()) return opened;
  nvtxPayloadSchemaEntry_t entries[4] = {};
  entries[0].type = kInt64;
  entries[0].flags = NVTX_PAYLOAD_ENTRY_FLAG_MARK;
  entries[1].type = NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB;
  entries[1].offset = 8;
  entries[2].type = NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY;
  entries[2].offset = 12;
  entries[3].type = NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE;
  entries[3].offset = 16;
  nvtxPayloadSchemaAttr_t attr = {};
  attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE |
                   NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID;
  attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  attr.entries = entries;
  attr.numEntries = 4;
  attr.payloadStaticSize = sizeof(Row);
  attr.schemaId = kId;
  const Status added = backend.schema(0, attr);
  if (!added.ok()) return added;
  const Row rows[] = {{1000000, 0x00FF00, 3, 1},
                      {1000030, 0x00FF00, 3, 2},
                      {1000055, 0x00FF00, 3, 1},
                      {1000083, 0x00FF00, 3, 2}};
  nvtxEventBatch_t batch = {};
  batch.eventSchemaId = kId;
  batch.events = rows;
  batch.size = sizeof(rows);
  batch.flags = NVTX_BATCH_FLAG_TIME_SORTED;
  return backend.event_batch(0, batch);
}

}  // namespace

TEST_CASE("the example in FORMAT.md is what is written") {
  const std::string path = sample_path("a.rsj");
  SessionConfig config;
  config.name = "demo";
  config.format = "journal";
  const auto session = begin(path, config);
  REQUIRE(open_sample_stream(*session).ok());
  const nvtxPayloadData_t payload = {kText, 2, "hi"};
  REQUIRE(session->event(0, {&payload, 1}).ok());
  REQUIRE(session->end().ok());
  CHECK(digits_of(read_file(path)) == example('0'));
}

TEST_CASE("the compact example in FORMAT.md is what is written") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(write_four_marks(*session).ok());
  REQUIRE(session->end().ok());
  // The frame before the end frame, which has 24 bytes behind its header.
  const std::string bytes = read_file(path);
  const std::string expected = example('+');
  REQUIRE(!expected.empty());
  const size_t end = bytes.size() - 24 - sizeof(FrameHeader);
  CHECK(digits_of(bytes).substr(0, 2 * end).ends_with(expected));
  CHECK(digits_of(bytes.substr(end - expected.size() / 2, expected.size() / 2)) == expected);
  check_round_trip([](SessionBackend& backend) { CHECK(write_four_marks(backend).ok()); });
}

TEST_CASE("every kind of call comes out of a journal as it went in") {
  check_round_trip([](SessionBackend& backend) {
    const Status status = make_sample_calls(backend);
    INFO(status.to_string());
    CHECK(status.ok());
  });
}

TEST_CASE("a journal replayed into a journal is the same file") {
  const std::string codec = GENERATE("raw", "compact");
  const std::string first = sample_path("a.rsj");
  SessionConfig config;
  config.name = "engine";
  config.format = "journal";
  config.other = {{"journal_flush", "batch"}, {"colour", "green"}, {"journal_codec", codec}};
  const auto session = begin(first, config);
  REQUIRE(make_sample_calls(*session).ok());
  REQUIRE(session->end().ok());
  const std::string second = sample_path("b.rsj");
  {
    const auto copy = begin(second, config);
    Result<ReplaySummary> summary = replay(first, *copy);
    REQUIRE(summary.ok());
    CHECK(summary->rejected == 0);
    CHECK(summary->end_status.ok());
  }
  CHECK(read_file(second) == read_file(first));
  Result<JournalInfo> info = read_header(second);
  REQUIRE(info.ok());
  CHECK(info->session_name == "engine");
  CHECK(info->format == "journal");
  CHECK(info->config == config.other);
  CHECK(info->major == (codec == "raw" ? kMajorVersionPlain : kMajorVersion));
}

TEST_CASE("pointers into other payloads of an event come back as pointers into them") {
  const std::string blob = "zero-terminated text";
  const int32_t numbers[] = {7, 8, 9, 10};
  check_round_trip([&](SessionBackend& backend) {
    REQUIRE(open_sample_stream(backend).ok());
    REQUIRE(add_schema(backend, kId,
                       {{0, kInt64},
                        {kPointer, kText},
                        {kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, kInt32, 3},
                        {0, kText},
                        {0, kInt64}})
                .ok());
    const void* row[] = {nullptr, blob.c_str() + 5, numbers + 1, nullptr, nullptr};
    const nvtxPayloadData_t payloads[] = {
        {NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, blob.size() + 1, blob.c_str()},
        {kId, sizeof(row), row},
        {kInt32, sizeof(numbers), numbers}};
    CHECK(backend.event(0, payloads).ok());
  });
}

TEST_CASE("texts that a deep copy asks for are kept from anywhere") {
  const std::string far = "far away";
  const char16_t wide[] = u"wide";
  const int32_t numbers[] = {1, 2, 3};
  check_round_trip([&](SessionBackend& backend) {
    REQUIRE(open_sample_stream(backend).ok());
    REQUIRE(add_schema(backend, kId,
                       {{0, kInt64},
                        {kDeep, kText},
                        {kDeep | kPointer, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16},
                        {kDeep, kText, 3},
                        {kDeep | kPointer | NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX, kInt32, 0}})
                .ok());
    std::vector<const void*> rows;
    for (uintptr_t i = 0; i < 3; ++i) {
      rows.insert(rows.end(),
                  {reinterpret_cast<const void*>(i), far.c_str(), wide, far.c_str() + i, numbers});
    }
    const nvtxPayloadData_t payload = {kId, 40, rows.data() + 10};
    CHECK(backend.event(0, {&payload, 1}).ok());
    nvtxEventBatch_t batch = {};
    batch.eventSchemaId = kId;
    batch.events = rows.data();
    batch.size = rows.size() * 8;
    CHECK(backend.event_batch(0, batch).ok());
  });
}

TEST_CASE("pointers of a batch into its flexible data are kept, also behind an offset") {
  for (const size_t offset : {size_t{0}, size_t{3}}) {
    check_round_trip([&](SessionBackend& backend) {
      REQUIRE(open_sample_stream(backend).ok());
      REQUIRE(add_schema(backend, kId, {{0, kInt64}, {kPointer, kText}}).ok());
      const char flex[] = "???alpha\0beta";
      const void* rows[] = {nullptr, flex + 3, nullptr, nullptr, nullptr, flex + 9};
      nvtxEventBatch_t batch = {};
      batch.eventSchemaId = kId;
      batch.events = rows;
      batch.size = sizeof(rows);
      batch.flexData = flex;
      batch.flexDataOffset = offset;
      batch.flexDataSize = sizeof(flex) - offset;
      CHECK(backend.event_batch(0, batch).ok());
    });
  }
}

TEST_CASE("a pointer that leads nowhere becomes NULL and is counted") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(open_sample_stream(*session).ok());
  REQUIRE(add_schema(*session, kId, {{0, kText}, {kPointer, kInt32}}).ok());
  const int32_t elsewhere = 5;
  const void* row[] = {"elsewhere", &elsewhere};
  const nvtxPayloadData_t payload = {kId, sizeof(row), row};
  REQUIRE(session->event(0, {&payload, 1}).ok());
  REQUIRE(session->end().ok());
  CHECK(printed(path)[3].find(R"([{"offset":0,"null":null},{"offset":8,"null":null}])") !=
        std::string::npos);
  CHECK(summary_of(path).null_pointers == 2);
  CHECK(read_file(path).find("elsewhere") == std::string::npos);
}

TEST_CASE("a pointer to what holds pointers is kept only where those are put right") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(open_sample_stream(*session).ok());
  REQUIRE(add_schema(*session, kId, {{kDeep, kText}}).ok());
  REQUIRE(add_schema(*session, kId + 1, {{kPointer, kId}, {kPointer, kId}}).ok());
  const char* inner[] = {"inner"};
  const void* outer[] = {inner, outer};
  const nvtxPayloadData_t payloads[] = {{kId, sizeof(inner), inner},
                                        {kId + 1, sizeof(outer), outer}};
  REQUIRE(session->event(0, payloads).ok());
  REQUIRE(session->end().ok());
  CHECK(summary_of(path).null_pointers == 1);
  const std::string line = printed(path)[4];
  CHECK(line.find(R"({"offset":0,"hex":""},{"offset":8,"null":null})") != std::string::npos);
}

TEST_CASE("a payload too short for its pointers is refused and the session goes on") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(open_sample_stream(*session).ok());
  REQUIRE(add_schema(*session, kId, {{0, kInt64}, {0, kText}}).ok());
  const char* row[] = {nullptr, nullptr};
  const nvtxPayloadData_t payload = {kId, 15, row};
  const Status refused = session->event(0, {&payload, 1});
  CHECK(refused.code() == ResultCode::kNotSupported);
  CHECK_THAT(refused.message(), Catch::Contains(std::to_string(kId)));
  REQUIRE(session->end().ok());
  CHECK(summary_of(path).finished);
}

TEST_CASE("a text whose size is left open is measured, and a missing payload stays missing") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(open_sample_stream(*session).ok());
  const nvtxPayloadData_t payloads[] = {
      {kText, SIZE_MAX, "abc"},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16, SIZE_MAX, u"\u0100"},
      {NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, SIZE_MAX, U""},
      {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, SIZE_MAX, "abc"},
      {NVTX_TYPE_PAYLOAD_SCHEMA_RAW, 5, nullptr}};
  REQUIRE(session->event(0, payloads).ok());
  REQUIRE(session->end().ok());
  CHECK(printed(path)[2] ==
        R"({"call":"event","stream":0,"payloads":[{"schemaId":76,"hex":"61626300"},)"
        R"({"schemaId":77,"hex":"00010000"},{"schemaId":78,"hex":"00000000"},)"
        R"({"schemaId":1023,"hex":""},{"schemaId":1023,"hex":null}]})");
}

TEST_CASE("semantics and extensions of unknown kinds are left out and counted") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(open_sample_stream(*session).ok());
  nvtxSemanticsTime_t time = {};
  time.header = {sizeof(time), NVTX_SEMANTIC_ID_TIME_V1, 1, nullptr};
  time.timeDomainId = 12;
  const nvtxSemanticsHeader_t unknown = {sizeof(unknown), 999, 1, &time.header};
  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.schemaId = kInt64;
  counter.semantics = &unknown;
  counter.counterId = kId;
  REQUIRE(session->counter(0, counter).ok());
  // A chain that is a ring ends.
  nvtxSemanticsHeader_t ring = {sizeof(ring), 999, 1, nullptr};
  ring.next = &ring;
  counter.semantics = &ring;
  counter.counterId = kId + 1;
  REQUIRE(session->counter(0, counter).ok());
  REQUIRE(session->end().ok());
  CHECK(summary_of(path).skipped_extensions == 1 + 64 + 1);
  CHECK(printed(path)[2].find(R"([{"semanticId":2,"version":1,"timeDomainId":12}])") !=
        std::string::npos);
}

TEST_CASE("fields that a mask or a size leaves out are not read") {
  const std::string path = sample_path("a.rsj");
  const auto session = begin(path);
  REQUIRE(session->domain(0, "").ok());
  const auto* garbage = reinterpret_cast<const char*>(uintptr_t{0x10});
  nvtxPayloadSchemaAttr_t schema = {};
  schema.name = garbage;
  schema.entries = reinterpret_cast<const nvtxPayloadSchemaEntry_t*>(garbage);
  schema.numEntries = 5;
  schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES;
  schema.schemaId = kId;
  CHECK(session->schema(0, schema).ok());
  nvtxCounterAttr_t counter = {};
  counter.structSize = offsetof(nvtxCounterAttr_t, semantics);
  counter.semantics = reinterpret_cast<const nvtxSemanticsHeader_t*>(garbage);
  CHECK(session->counter(0, counter).ok());
}

TEST_CASE("a session that is not ended leaves a journal that is truncated and whole") {
  const std::string path = sample_path("a.rsj");
  {
    const auto session = begin(path);
    REQUIRE(make_sample_calls(*session).ok());
  }
  const ReplaySummary summary = summary_of(path);
  CHECK(!summary.finished);
  CHECK(summary.truncated);
  CHECK(!summary.damaged);
  const auto calls =
      printed_directly([](SessionBackend& backend) { CHECK(make_sample_calls(backend).ok()); });
  CHECK(printed(path) == calls);
}

TEST_CASE("frames reach the kernel when asked for, on stream_close and from the first moment") {
  for (const char* flush : {"buffer", "batch"}) {
    const std::string path = sample_path("a.rsj");
    SessionConfig config;
    config.other = {{"journal_flush", flush}};
    const auto session = begin(path, config);
    CHECK(read_header(path).ok());
    REQUIRE(open_sample_stream(*session).ok());
    const nvtxPayloadData_t payload = {kText, 1, "x"};
    REQUIRE(session->event(0, {&payload, 1}).ok());
    CHECK(printed(path).size() == (std::string(flush) == "batch" ? 4 : 1));
    REQUIRE(session->stream_close(0).ok());
    CHECK(printed(path).size() == 5);
  }
}

TEST_CASE("an unknown way to flush is refused with the ways there are") {
  SessionConfig config;
  config.output = sample_path("a.rsj");
  config.other = {{"journal_flush", "often"}};
  const auto session = open_journal_session(config);
  REQUIRE(!session.ok());
  CHECK(session.status().code() == ResultCode::kInvalidArgument);
  CHECK_THAT(session.status().message(), Catch::Contains("often") &&
                                             Catch::Contains("journal_flush=buffer") &&
                                             Catch::Contains("journal_flush=batch"));
}

TEST_CASE("an unknown codec is refused with the codecs there are") {
  SessionConfig config;
  config.output = sample_path("a.rsj");
  config.other = {{"journal_codec", "zip"}};
  const auto session = open_journal_session(config);
  REQUIRE(!session.ok());
  CHECK(session.status().code() == ResultCode::kInvalidArgument);
  CHECK_THAT(session.status().message(), Catch::Contains("journal_codec=zip") &&
                                             Catch::Contains("journal_codec=raw") &&
                                             Catch::Contains("journal_codec=compact"));
}

TEST_CASE("a journal that cannot be created says what and why") {
  SessionConfig config;
  config.output = sample_path("no/such/a.rsj");
  const auto session = open_journal_session(config);
  REQUIRE(!session.ok());
  CHECK_THAT(session.status().message(), Catch::Contains("cannot begin a journal") &&
                                             Catch::Contains(config.output) &&
                                             Catch::Contains("No such file or directory"));
}

TEST_CASE("two sessions with one output write two journals") {
  const std::string path = sample_path("a.rsj");
  SessionConfig one;
  one.name = "one";
  SessionConfig two;
  two.name = "two";
  const auto first = begin(path, one);
  const auto second = begin(path, two);
  REQUIRE(make_sample_calls(*second).ok());
  REQUIRE(make_sample_calls(*first).ok());
  REQUIRE(first->end().ok());
  REQUIRE(second->end().ok());
  const std::string other = path.substr(0, path.size() - 4) + "-2.rsj";
  CHECK(read_header(path)->session_name == "one");
  CHECK(read_header(other)->session_name == "two");
  CHECK(printed(path) == printed(other));
}

TEST_CASE("a file size limit fails later calls alike and leaves the frames before readable") {
  const std::string path = sample_path("a.rsj");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit limit = {5000, 5000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    SessionConfig config;
    config.output = path;
    config.other = {{"journal_flush", "batch"}};
    auto session = open_journal_session(config);
    if (!session.ok() || !open_sample_stream(*session.value()).ok()) _exit(3);
    const std::string text(1000, 'x');
    const nvtxPayloadData_t payload = {kText, text.size(), text.data()};
    Status first;
    int written = 0;
    for (; written < 10 && first.ok(); ++written) first = session.value()->event(0, {&payload, 1});
    if (first.message().find("File too large") == std::string::npos) _exit(4);
    const Status again = session.value()->counter_no_value(0, 1, kId, 0);
    if (again.message() != first.message()) _exit(5);
    if (session.value()->end().message() != first.message()) _exit(6);
    _exit(written == 5 ? 0 : 7);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(read_file(path).size() == 5000);
  const ReplaySummary summary = summary_of(path);
  CHECK(summary.truncated);
  CHECK(!summary.damaged);
  CHECK(summary.frames == 3 + 4);
}
