// SPDX-License-Identifier: Apache-2.0
//
// ContractBackend: sessions, domains, streams, and calls that overlap.
#include <functional>

#include "ringscribe/tests/support/contract_test_session.h"

namespace ringscribe::testing {
namespace {

// A backend whose writes and registrations call a test's function while they are under way.
std::function<void()> g_meanwhile;

const nvtxwInterface_v2_t* calling_interface() {
  static const nvtxwInterface_v2_t table = [] {
    nvtxwInterface_v2_t all = *plain_interface();
    all.EventWrite = [](nvtxwStreamHandle_t, const nvtxPayloadData_t*, size_t) {
      if (g_meanwhile) std::exchange(g_meanwhile, nullptr)();
      return kOk;
    };
    all.CategoryRegister = [](nvtxDomainHandle_t, uint32_t, const char*) {
      if (g_meanwhile) std::exchange(g_meanwhile, nullptr)();
      return kOk;
    };
    return all;
  }();
  return &table;
}

TEST_CASE("a session that keeps the rules is told nothing and its events are counted") {
  ContractTestSession s;
  REQUIRE(s.register_mark() == kOk);
  const int64_t times[] = {1, 2, 3};
  CHECK(s.write_row(times[0]) == kOk);
  nvtxEventBatch_t batch{};
  batch.eventSchemaId = kFirstStaticId;
  batch.events = times;
  batch.size = sizeof times;
  CHECK(s.table().EventBatchWrite(s.stream, &batch) == kOk);
  REQUIRE(s.register_counter(NVTX_PAYLOAD_ENTRY_TYPE_INT64) == kOk);
  CHECK(s.table().CounterWrite(s.stream, 1, kFirstStaticId, times, 8) == kOk);
  CHECK(s.table().CounterNoValueWrite(s.stream, 1, kFirstStaticId, 2) == kOk);
  CHECK(s.table().StreamClose(s.stream) == kOk);
  CHECK(s.table().SessionEnd(s.session) == kOk);
  CHECK(s.told() == Sentences{});
  CHECK(s.contract.arrived("stream").events == 1);
  CHECK(s.contract.arrived("stream").batched_events == 3);
  CHECK(s.contract.arrived("stream").samples == 2);
}

TEST_CASE("session attributes have their size and a name that ends and is UTF-8") {
  ContractTestSession s;
  nvtxwSessionHandle_t out = nullptr;
  nvtxwSessionAttributes_t attr{sizeof attr - 1, "n", nullptr};
  CHECK(s.table().SessionBegin(&attr, &out) == kInvalid);
  attr = {sizeof attr, "\xFF", nullptr};
  CHECK(s.table().SessionBegin(&attr, &out) == kInvalid);
  attr = {sizeof attr, "n", reinterpret_cast<const char*>(8)};
  CHECK(s.table().SessionBegin(&attr, &out) == kInvalid);
  CHECK(s.table().SessionBegin(nullptr, &out) == kInvalid);
  CHECK(s.table().SessionBegin(&attr, nullptr) == kInvalid);
  CHECK(s.told() == Sentences{"SessionBegin: structSize is 23 where the struct has 24 bytes",
                              "SessionBegin: the name is not UTF-8",
                              "SessionBegin: the configuration cannot be read up to a zero",
                              "SessionBegin: the attributes are NULL",
                              "SessionBegin: there is no place for the handle"});
}

TEST_CASE("handles are known, and are dead after StreamClose and SessionEnd") {
  ContractTestSession s;
  REQUIRE(s.register_mark() == kOk);
  nvtxwStreamHandle_t other = nullptr;
  REQUIRE(s.open("other", &other) == kOk);
  const int64_t time = 1;
  REQUIRE(s.table().StreamClose(s.stream) == kOk);
  CHECK(s.write_row(time) == kInvalid);
  CHECK(s.table().StreamClose(s.stream) == kInvalid);
  CHECK(s.table().StreamClose(reinterpret_cast<nvtxwStreamHandle_t>(s.domain)) == kInvalid);
  REQUIRE(s.table().SessionEnd(s.session) == kOk);
  CHECK(s.table().CategoryRegister(s.domain, 1, "c") == kInvalid);
  CHECK(s.table().StreamClose(other) == kInvalid);
  CHECK(s.table().SessionEnd(s.session) == kInvalid);
  CHECK(s.table().SessionEnd(nullptr) == kInvalid);
  CHECK(s.table().CategoryRegister(nullptr, 1, "c") == kInvalid);
  CHECK(s.told() ==
        Sentences{"EventWrite: the stream is closed", "StreamClose: the stream is closed",
                  "StreamClose: the stream handle is unknown",
                  "CategoryRegister: the domain's session has ended",
                  "StreamClose: the stream's session has ended",
                  "SessionEnd: the session has ended", "SessionEnd: the session handle is unknown",
                  "CategoryRegister: the domain handle is unknown"});
}

TEST_CASE("names of open streams differ, of closed ones and of other sessions may be equal") {
  ContractTestSession s;
  nvtxwStreamHandle_t out = nullptr;
  CHECK(s.open("stream", &out) == kInvalid);
  REQUIRE(s.table().StreamClose(s.stream) == kOk);
  CHECK(s.open("stream", &out) == kOk);
  const nvtxwSessionAttributes_t attr{sizeof attr, "second", nullptr};
  nvtxwSessionHandle_t second = nullptr;
  REQUIRE(s.table().SessionBegin(&attr, &second) == kOk);
  nvtxwStreamAttributes_t stream = ContractTestSession::stream_attributes("stream", nullptr);
  CHECK(s.table().StreamOpen(second, &stream, &out) == kOk);
  stream = ContractTestSession::stream_attributes("third", s.domain);
  CHECK(s.table().StreamOpen(second, &stream, &out) == kInvalid);
  CHECK(s.told() == Sentences{"StreamOpen: a stream named 'stream' is open",
                              "StreamOpen: the domain is of another session"});
}

TEST_CASE("a stream's scope, time domain and order are those that exist") {
  ContractTestSession s;
  nvtxwStreamHandle_t out = nullptr;
  const auto open = [&](auto change) {
    nvtxwStreamAttributes_t attr = ContractTestSession::stream_attributes("new", s.domain);
    change(attr);
    CHECK(s.table().StreamOpen(s.session, &attr, &out) == kInvalid);
  };
  open([](auto& attr) { attr.structSize = 8; });
  open([](auto& attr) { attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD; });
  open([](auto& attr) { attr.timeDomainId = 2; });
  open([](auto& attr) { attr.orderInterleaving = 2; });
  open([](auto& attr) { attr.orderingType = 4; });
  open([](auto& attr) { attr.orderingSkid = -1; });
  CHECK(s.told() == Sentences{"StreamOpen: structSize is 8 where the struct has 56 bytes",
                              "StreamOpen: the scope 22 is not registered",
                              "StreamOpen: the time domain 2 is neither predefined nor registered",
                              "StreamOpen: orderInterleaving 2 does not exist",
                              "StreamOpen: orderingType 4 does not exist",
                              "StreamOpen: orderingSkid -1 does not exist"});
}

TEST_CASE("a write under way excludes another of its stream and all but writes in its session") {
  ContractTestSession s(calling_interface());
  REQUIRE(s.register_mark() == kOk);
  nvtxwStreamHandle_t other = nullptr;
  REQUIRE(s.open("other", &other) == kOk);
  const int64_t time = 1;
  const nvtxPayloadData_t payload{kFirstStaticId, sizeof time, &time};
  g_meanwhile = [&] { CHECK(s.table().EventWrite(other, &payload, 1) == kOk); };
  CHECK(s.write_row(time) == kOk);
  CHECK(s.told() == Sentences{});
  g_meanwhile = [&] { CHECK(s.table().EventWrite(s.stream, &payload, 1) == kInvalid); };
  CHECK(s.write_row(time) == kOk);
  g_meanwhile = [&] { CHECK(s.table().CategoryRegister(s.domain, 1, "c") == kInvalid); };
  CHECK(s.write_row(time) == kOk);
  g_meanwhile = [&] { CHECK(s.table().StreamClose(other) == kInvalid); };
  CHECK(s.write_row(time) == kOk);
  g_meanwhile = [&] { CHECK(s.table().SessionEnd(s.session) == kInvalid); };
  CHECK(s.write_row(time) == kOk);
  CHECK(s.told() == Sentences{"EventWrite: overlaps another write of its stream",
                              "CategoryRegister: overlaps a write of its session",
                              "StreamClose: overlaps a write of its session",
                              "SessionEnd: overlaps a write of its session"});
}

TEST_CASE("a registration under way excludes writes of its session, not of another") {
  ContractTestSession s(calling_interface());
  REQUIRE(s.register_mark() == kOk);
  const int64_t time = 1;
  const nvtxwSessionAttributes_t attr{sizeof attr, "second", nullptr};
  nvtxwSessionHandle_t second = nullptr;
  nvtxDomainHandle_t domain = nullptr;
  REQUIRE(s.table().SessionBegin(&attr, &second) == kOk);
  REQUIRE(s.table().DomainRegister(second, nullptr, &domain) == kOk);
  g_meanwhile = [&] { CHECK(s.write_row(time) == kOk); };
  CHECK(s.table().CategoryRegister(domain, 1, "c") == kOk);
  CHECK(s.told() == Sentences{});
  g_meanwhile = [&] { CHECK(s.write_row(time) == kInvalid); };
  CHECK(s.table().CategoryRegister(s.domain, 1, "c") == kOk);
  CHECK(s.told() ==
        Sentences{"EventWrite: overlaps a registration or lifecycle call of its session"});
}

TEST_CASE("arguments that change while the call is under way are told") {
  ContractTestSession s(calling_interface());
  REQUIRE(s.register_mark() == kOk);
  int64_t time = 1;
  g_meanwhile = [&] { time = 2; };
  CHECK(s.write_row(time) == kOk);
  CHECK(s.told() == Sentences{"EventWrite: the arguments changed during the call"});
}

TEST_CASE("what the backend behind refuses is no violation and does not arrive") {
  static nvtxwInterface_v2_t refusing;
  refusing = *plain_interface();
  refusing.EventWrite = [](nvtxwStreamHandle_t, const nvtxPayloadData_t*, size_t) {
    return NVTXW_RESULT_FAILED;
  };
  ContractTestSession s(&refusing);
  REQUIRE(s.register_mark() == kOk);
  CHECK(s.write_row(int64_t{1}) == NVTXW_RESULT_FAILED);
  CHECK(s.told() == Sentences{});
  CHECK(s.contract.arrived("stream").events == 0);
}

}  // namespace
}  // namespace ringscribe::testing
