// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/interface_table.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "ringscribe/backends/nvtxw/fake_session.h"

namespace ringscribe::nvtxw {
namespace {

FakeSession::Journal journal;

Result<std::unique_ptr<SessionBackend>> open_fake(const SessionConfig&) {
  if (journal.throw_on == "open") throw std::runtime_error("thrown by open");
  if (journal.throw_on == "open with an int") throw 1;
  return std::unique_ptr<SessionBackend>(std::make_unique<FakeSession>(&journal));
}

constexpr BackendFormat kFormats[] = {{"fake", "", open_fake, {}}};
constexpr FormatTable kTable = {kFormats, "fake"};

constexpr nvtxwResultCode_t kOk = NVTXW_RESULT_SUCCESS;
constexpr nvtxwResultCode_t kInvalid = NVTXW_RESULT_INVALID_ARGUMENT;
constexpr nvtxwResultCode_t kFailed = NVTXW_RESULT_FAILED;

const nvtxwInterface_v2_t& table() { return *make_interface(&kTable); }

nvtxwSessionHandle_t begin() {
  const nvtxwSessionAttributes_t attr{sizeof attr, "s", nullptr};
  nvtxwSessionHandle_t session = nullptr;
  REQUIRE(table().SessionBegin(&attr, &session) == kOk);
  return session;
}

nvtxDomainHandle_t default_domain(nvtxwSessionHandle_t session) {
  nvtxDomainHandle_t domain = nullptr;
  REQUIRE(table().DomainRegister(session, nullptr, &domain) == kOk);
  return domain;
}

nvtxwStreamHandle_t open(nvtxwSessionHandle_t session, const char* name = "s") {
  nvtxwStreamAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.name = name;
  nvtxwStreamHandle_t stream = nullptr;
  REQUIRE(table().StreamOpen(session, &attr, &stream) == kOk);
  return stream;
}

nvtxwResultCode_t write_number(nvtxwStreamHandle_t stream) {
  const int64_t value = 7;
  const nvtxPayloadData_t payload{NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof value, &value};
  return table().EventWrite(stream, &payload, 1);
}

// Each test begins with a clean journal and ends what it left open.
struct Clean {
  Clean() { journal = {}; }
  ~Clean() { finalize_interface(); }
};

TEST_CASE("all 21 functions are there and the reserved slots are NULL") {
  void (*slots[sizeof(nvtxwInterface_v2_t) / sizeof(void (*)())])();
  std::memcpy(slots, &table(), sizeof slots);
  for (size_t i = 0; i < 64; ++i) CHECK((slots[i] != nullptr) == (i < 21));
}

TEST_CASE("attributes, places and sizes of SessionBegin are checked") {
  const Clean clean;
  nvtxwSessionAttributes_t attr{sizeof attr, nullptr, nullptr};
  nvtxwSessionHandle_t session = reinterpret_cast<nvtxwSessionHandle_t>(1);
  CHECK(table().SessionBegin(&attr, nullptr) == kInvalid);
  CHECK(table().SessionBegin(nullptr, &session) == kInvalid);
  CHECK(session == nullptr);
  attr.structSize = sizeof attr - 1;
  CHECK(table().SessionBegin(&attr, &session) == kInvalid);
  attr.structSize = sizeof attr + 8;  // a later version
  CHECK(table().SessionBegin(&attr, &session) == kOk);
  attr.configString = "format=nonsense";
  CHECK(table().SessionBegin(&attr, &session) == kInvalid);
  CHECK(session == nullptr);
}

TEST_CASE("NULL, garbage, stale and foreign handles are refused by every function") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  const nvtxDomainHandle_t domain = default_domain(session);
  const nvtxwStreamHandle_t stream = open(session);
  const nvtxwSessionHandle_t ended = begin();
  const nvtxwStreamHandle_t ended_stream = open(ended);
  const nvtxDomainHandle_t ended_domain = default_domain(ended);
  REQUIRE(table().SessionEnd(ended) == kOk);
  int local = 0;

  for (const void* handle : {static_cast<const void*>(nullptr), static_cast<const void*>(&local),
                             static_cast<const void*>(ended), static_cast<const void*>(domain),
                             static_cast<const void*>(stream)}) {
    const auto bad = static_cast<nvtxwSessionHandle_t>(const_cast<void*>(handle));
    nvtxDomainHandle_t domain_out = nullptr;
    nvtxwStreamHandle_t stream_out = nullptr;
    nvtxwStreamAttributes_t attr{};
    attr.structSize = sizeof attr;
    CHECK(table().SessionEnd(bad) == kInvalid);
    CHECK(table().DomainRegister(bad, nullptr, &domain_out) == kInvalid);
    CHECK(table().StreamOpen(bad, &attr, &stream_out) == kInvalid);
  }
  for (const void* handle : {static_cast<const void*>(nullptr), static_cast<const void*>(&local),
                             static_cast<const void*>(ended_domain),
                             static_cast<const void*>(session), static_cast<const void*>(stream)}) {
    const auto bad = static_cast<nvtxDomainHandle_t>(const_cast<void*>(handle));
    uint64_t id = 1;
    nvtxStringHandle_t string = nullptr;
    CHECK(table().CategoryRegister(bad, 1, "c") == kInvalid);
    CHECK(table().StringRegister(bad, "c", &string) == kInvalid);
    CHECK(table().ResourceRegister(bad, nullptr) == kInvalid);
    CHECK(table().ScopeRegister(bad, nullptr, &id) == kInvalid);
    CHECK(id == 0);
    CHECK(table().SchemaRegister(bad, nullptr, &id) == kInvalid);
    CHECK(table().EnumRegister(bad, nullptr, &id) == kInvalid);
    CHECK(table().CounterRegister(bad, nullptr, &id) == kInvalid);
    CHECK(table().TimeDomainRegister(bad, nullptr, &id) == kInvalid);
  }
  for (const void* handle : {static_cast<const void*>(nullptr), static_cast<const void*>(&local),
                             static_cast<const void*>(ended_stream),
                             static_cast<const void*>(session), static_cast<const void*>(domain)}) {
    const auto bad = static_cast<nvtxwStreamHandle_t>(const_cast<void*>(handle));
    CHECK(table().StreamClose(bad) == kInvalid);
    CHECK(write_number(bad) == kInvalid);
    CHECK(table().EventBatchWrite(bad, nullptr) == kInvalid);
    CHECK(table().CounterWrite(bad, 1, 1, "x", 1) == kInvalid);
    CHECK(table().CounterNoValueWrite(bad, 1, 1, 0) == kInvalid);
    CHECK(table().CounterBatchWrite(bad, nullptr) == kInvalid);
    CHECK(table().TimeSyncPointWrite(bad, 10, 14, 1, 2) == kInvalid);
    CHECK(table().TimeSyncPointTableWrite(bad, 10, 14, nullptr, 0) == kInvalid);
    CHECK(table().TimestampConversionFactorWrite(bad, 10, 14, 1.0, 1, 2) == kInvalid);
  }
  CHECK(write_number(stream) == kOk);
}

TEST_CASE("NULL in place of what a call must be given is refused") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  const nvtxDomainHandle_t domain = default_domain(session);
  const nvtxwStreamHandle_t stream = open(session);
  uint64_t id = 0;
  nvtxStringHandle_t string = nullptr;
  nvtxwStreamHandle_t stream_out = nullptr;
  nvtxwStreamAttributes_t attr{};
  CHECK(table().DomainRegister(session, nullptr, nullptr) == kInvalid);
  CHECK(table().StringRegister(domain, nullptr, &string) == kInvalid);
  CHECK(table().StringRegister(domain, "x", nullptr) == kInvalid);
  CHECK(table().ScopeRegister(domain, nullptr, &id) == kInvalid);
  CHECK(table().SchemaRegister(domain, nullptr, &id) == kInvalid);
  CHECK(table().EnumRegister(domain, nullptr, &id) == kInvalid);
  CHECK(table().CounterRegister(domain, nullptr, &id) == kInvalid);
  CHECK(table().TimeDomainRegister(domain, nullptr, &id) == kInvalid);
  CHECK(table().StreamOpen(session, nullptr, &stream_out) == kInvalid);
  CHECK(table().StreamOpen(session, &attr, &stream_out) == kInvalid);  // structSize 0
  attr.structSize = sizeof attr;
  CHECK(table().StreamOpen(session, &attr, nullptr) == kInvalid);
  CHECK(table().EventWrite(stream, nullptr, 1) == kInvalid);
  CHECK(table().EventWrite(stream, nullptr, 0) == kInvalid);
  CHECK(table().EventBatchWrite(stream, nullptr) == kInvalid);
  CHECK(table().CounterBatchWrite(stream, nullptr) == kInvalid);
}

TEST_CASE("the same domain name gives the same handle in a session and another in the next") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  const nvtxwSessionHandle_t other = begin();
  const nvtxwDomainAttributes_t unnamed{sizeof unnamed, ""};
  const nvtxwDomainAttributes_t named{sizeof named, "d"};
  nvtxDomainHandle_t first = nullptr;
  nvtxDomainHandle_t second = nullptr;
  REQUIRE(table().DomainRegister(session, &unnamed, &first) == kOk);
  CHECK(first == default_domain(session));
  CHECK(first != default_domain(other));
  REQUIRE(table().DomainRegister(session, &named, &second) == kOk);
  CHECK(second != first);
  // The other session has a second domain too, so only the session tells the handles apart.
  nvtxDomainHandle_t elsewhere = nullptr;
  REQUIRE(table().DomainRegister(other, &named, &elsewhere) == kOk);
  CHECK(elsewhere != second);

  nvtxwStreamAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.domain = second;
  nvtxwStreamHandle_t stream = nullptr;
  CHECK(table().StreamOpen(other, &attr, &stream) == kInvalid);
  CHECK(table().StreamOpen(session, &attr, &stream) == kOk);
}

TEST_CASE("a stream handle is stale after its close while its name is open again") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  const nvtxwStreamHandle_t first = open(session, "same");
  REQUIRE(table().StreamClose(first) == kOk);
  const nvtxwStreamHandle_t second = open(session, "same");
  CHECK(first != second);
  CHECK(write_number(first) == kInvalid);
  CHECK(table().StreamClose(first) == kInvalid);
  CHECK(write_number(second) == kOk);
}

TEST_CASE("what a backend throws becomes FAILED, and the session goes on") {
  const Clean clean;
  const nvtxwSessionAttributes_t attr{sizeof attr, "s", nullptr};
  nvtxwSessionHandle_t session = nullptr;
  journal.throw_on = "open";
  CHECK(table().SessionBegin(&attr, &session) == kFailed);
  journal.throw_on = "open with an int";
  CHECK(table().SessionBegin(&attr, &session) == kFailed);
  CHECK(session == nullptr);
  journal.throw_on = "event";
  session = begin();
  const nvtxwStreamHandle_t stream = open(session);
  CHECK(write_number(stream) == kFailed);
  journal.throw_on = "end";
  CHECK(table().SessionEnd(session) == kFailed);
  CHECK(table().SessionEnd(session) == kInvalid);
  CHECK(journal.destroyed == 1);
}

TEST_CASE("finalize ends what is open, may be repeated, and sessions may follow it") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  open(session);
  finalize_interface();
  CHECK(journal.lines ==
        std::vector<std::string>{"domain 0 ''", "stream_open 0 0 's'", "stream_close 0", "end"});
  CHECK(table().SessionEnd(session) == kInvalid);
  finalize_interface();
  const nvtxwSessionHandle_t next = begin();
  CHECK(next != session);
  CHECK(table().SessionEnd(next) == kOk);
}

TEST_CASE("the exit of a process ends its open sessions") {
  const Clean clean;
  begin();
  finalize_interface_at_exit();
  CHECK(journal.lines == std::vector<std::string>{"end"});
}

TEST_CASE("a forked child knows none of its parent's handles and can begin sessions of its own") {
  const Clean clean;
  const nvtxwSessionHandle_t session = begin();
  const nvtxwStreamHandle_t stream = open(session);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto fail = [](int step) { _exit(step); };
    finalize_interface_at_exit();
    if (journal.destroyed != 0 || journal.lines.back() == "end") fail(1);
    if (write_number(stream) != kInvalid) fail(2);
    if (table().SessionEnd(session) != kInvalid) fail(3);
    const nvtxwSessionAttributes_t attr{sizeof attr, "child", nullptr};
    nvtxwSessionHandle_t own = nullptr;
    if (table().SessionBegin(&attr, &own) != kOk || own == session) fail(4);
    if (table().SessionEnd(own) != kOk) fail(5);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(write_number(stream) == kOk);
}

}  // namespace
}  // namespace ringscribe::nvtxw
