// SPDX-License-Identifier: Apache-2.0
//
// For tests of invalid calls: a session of our library that writes a journal, rules as a table of
// calls that break them, and what is asked of each: the result code, a sentence on stderr that
// names the operation, the argument and the value, and a session that goes on.
//
//   check({{"category 0 is reserved", kInvalid, {"CategoryRegister", "category 0"},
//           [](auto& s) { return s.table().CategoryRegister(s.domain, 0, "c"); }}});
//
// A failure of one kind is told once a process, so no two rules of a program may have the same
// sentence of the same operation.
//
// Threads: one; stderr is redirected meanwhile.
#ifndef RINGSCRIBE_TESTS_NVTXW_INVALID_CALL_SESSION_H_
#define RINGSCRIBE_TESTS_NVTXW_INVALID_CALL_SESSION_H_

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/tests/support/told_by.h"

namespace ringscribe::testing {

constexpr int32_t kOk = NVTXW_RESULT_SUCCESS;
constexpr int32_t kFailed = NVTXW_RESULT_FAILED;
constexpr int32_t kInvalid = NVTXW_RESULT_INVALID_ARGUMENT;
constexpr int32_t kNotSupported = NVTXW_RESULT_NOT_SUPPORTED;
constexpr uint64_t kStaticId = uint64_t{1} << 24;
constexpr uint64_t kDynamicId = uint64_t{1} << 32;
constexpr uint64_t kInt64 = NVTX_PAYLOAD_ENTRY_TYPE_INT64;

inline nvtxPayloadSchemaEntry_t entry(uint64_t flags, uint64_t type, uint64_t detail = 0) {
  nvtxPayloadSchemaEntry_t result{};
  result.flags = flags;
  result.type = type;
  result.arrayOrUnionDetail = detail;
  return result;
}

// A new one for each session: our output files do not take a path that the process has used.
inline std::string temporary_path() {
  static int number = 0;
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/invalid_calls_" +
         std::to_string(++number) + ".rsj";
}

class InvalidCallSession {
 public:
  InvalidCallSession() : path_(temporary_path()) {
    const std::string config = "format=journal\noutput=" + path_;
    const nvtxwSessionAttributes_t attr{sizeof attr, "invalid calls", config.c_str()};
    REQUIRE(table().SessionBegin(&attr, &session) == kOk);
    REQUIRE(table().DomainRegister(session, nullptr, &domain) == kOk);
    REQUIRE(table().StreamOpen(session, &stream_attributes, &stream) == kOk);
  }
  ~InvalidCallSession() { std::remove(path_.c_str()); }

  static const nvtxwInterface_v2_t& table() { return *backends_interface(); }

  // A second session, which the test may break; it ends with the first.
  nvtxwSessionHandle_t other_session() {
    const nvtxwSessionAttributes_t attr{sizeof attr, "other", "format=null"};
    REQUIRE(table().SessionBegin(&attr, &other_) == kOk);
    return other_;
  }
  uint64_t register_schema(std::vector<nvtxPayloadSchemaEntry_t> entries,
                           uint64_t type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC) {
    nvtxPayloadSchemaAttr_t attr = schema_attributes;
    attr.type = type;
    attr.entries = entries.data();
    attr.numEntries = entries.size();
    uint64_t id = 0;
    REQUIRE(table().SchemaRegister(domain, &attr, &id) == kOk);
    return id;
  }
  uint64_t register_enum() {
    uint64_t id = 0;
    REQUIRE(table().EnumRegister(domain, &enum_attributes, &id) == kOk);
    return id;
  }
  uint64_t register_counter(uint64_t schema = kInt64) {
    nvtxCounterAttr_t attr = counter_attributes;
    attr.schemaId = schema;
    uint64_t id = 0;
    REQUIRE(table().CounterRegister(domain, &attr, &id) == kOk);
    return id;
  }

  // An event still gets through, the session ends, and the journal has the event and no other.
  void check_usable() {
    const int64_t value = 7;
    const nvtxPayloadData_t payload{kInt64, sizeof value, &value};
    CHECK(table().EventWrite(stream, &payload, 1) == kOk);
    CHECK(table().SessionEnd(session) == kOk);
    if (other_ != nullptr) table().SessionEnd(other_);
    size_t events = 0;
    journal::CallPrinter counter([&events](std::string_view line) {
      for (const char* call : {"event", "event_batch", "counter_sample", "counter_no_value",
                               "counter_batch", "sync_points", "conversion_factor"})
        events += line.starts_with("{\"call\":\"" + std::string(call) + "\"") ? 1 : 0;
    });
    auto summary = journal::replay(path_, counter);
    INFO(summary.status().to_string());
    REQUIRE(summary.ok());
    CHECK(summary->finished);
    CHECK_FALSE(summary->damaged);
    CHECK(events == 1);
  }

  nvtxwSessionHandle_t session = nullptr;
  nvtxDomainHandle_t domain = nullptr;
  nvtxwStreamHandle_t stream = nullptr;

  // Valid attributes, for a test to change one thing.
  nvtxwStreamAttributes_t stream_attributes = [] {
    nvtxwStreamAttributes_t attr{};
    attr.structSize = sizeof attr;
    attr.name = "open";
    return attr;
  }();
  const nvtxPayloadSchemaEntry_t time_entry = testing::entry(NVTX_PAYLOAD_ENTRY_FLAG_MARK, kInt64);
  nvtxPayloadSchemaAttr_t schema_attributes = [this] {
    nvtxPayloadSchemaAttr_t attr{};
    attr.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
    attr.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
    attr.entries = &time_entry;
    attr.numEntries = 1;
    return attr;
  }();
  const nvtxPayloadEnum_t enum_value{"one", 1, 0};
  nvtxPayloadEnumAttr_t enum_attributes = [this] {
    nvtxPayloadEnumAttr_t attr{};
    attr.fieldMask = NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES | NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE |
                     NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID;
    attr.entries = &enum_value;
    attr.numEntries = 1;
    attr.sizeOfEnum = 4;
    return attr;
  }();
  nvtxCounterAttr_t counter_attributes = [] {
    nvtxCounterAttr_t attr{};
    attr.structSize = sizeof attr;
    attr.schemaId = kInt64;
    return attr;
  }();
  nvtxScopeAttr_t scope_attributes{sizeof(nvtxScopeAttr_t), "path", NVTX_SCOPE_ROOT, 0};
  nvtxTimeDomainAttr_t time_domain_attributes{};

 private:
  const std::string path_;
  nvtxwSessionHandle_t other_ = nullptr;
};

struct Rule {
  const char* name;
  int32_t result;
  std::vector<std::string> words;  // of the sentence: operation, argument, value
  std::function<int32_t(InvalidCallSession&)> call;
};

// Use once in a TEST_CASE: each rule is a section with a session of its own.
inline void check(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    DYNAMIC_SECTION(rule.name) {
      InvalidCallSession session;
      int32_t result = kOk;
      const std::string told = told_by([&] { result = rule.call(session); });
      CHECK(result == rule.result);
      for (const std::string& word : rule.words) CHECK_THAT(told, Catch::Contains(word));
      session.check_usable();
    }
  }
}

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_NVTXW_INVALID_CALL_SESSION_H_
