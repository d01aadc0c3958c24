// SPDX-License-Identifier: Apache-2.0
//
// Invalid calls for sessions, domains and streams. NULL, foreign and stale handles of every
// function are in backends/nvtxw/interface_table_test.cc.
#include "ringscribe/tests/nvtxw/invalid_call_session.h"

namespace ringscribe::testing {
namespace {

using Session = InvalidCallSession;

int32_t begin(const nvtxwSessionAttributes_t& attr) {
  nvtxwSessionHandle_t out = nullptr;
  const int32_t result = Session::table().SessionBegin(&attr, &out);
  CHECK(out == nullptr);
  return result;
}

// StreamOpen with one attribute changed.
template <typename Change>
auto open_with(Change change) {
  return [change](Session& s) {
    nvtxwStreamAttributes_t attr = s.stream_attributes;
    attr.name = "new";
    change(attr);
    nvtxwStreamHandle_t out = s.stream;
    const int32_t result = s.table().StreamOpen(s.session, &attr, &out);
    CHECK(out == nullptr);
    return result;
  };
}

TEST_CASE("SessionBegin and SessionEnd refuse what breaks a rule") {
  check({
      {"a session needs a place for its handle",
       kInvalid,
       {"SessionBegin", "sessionOut is NULL"},
       [](Session&) {
         const nvtxwSessionAttributes_t attr{sizeof attr, "s", "format=null"};
         return Session::table().SessionBegin(&attr, nullptr);
       }},
      {"a session needs attributes",
       kInvalid,
       {"SessionBegin", "attributes are NULL"},
       [](Session&) {
         nvtxwSessionHandle_t out = nullptr;
         return Session::table().SessionBegin(nullptr, &out);
       }},
      {"structSize is at least that of version 1",
       kInvalid,
       {"SessionBegin", "structSize", "23"},
       [](Session&) { return begin({sizeof(nvtxwSessionAttributes_t) - 1, "s", "format=null"}); }},
      {"the format exists",
       kInvalid,
       {"SessionBegin", "format", "nonsense", "journal"},
       [](Session&) { return begin({sizeof(nvtxwSessionAttributes_t), "s", "format=nonsense"}); }},
      {"the output can be created",
       kFailed,
       {"SessionBegin", "/no/such/folder/x.rsj"},
       [](Session&) {
         return begin({sizeof(nvtxwSessionAttributes_t), "s",
                       "format=journal|output=/no/such/folder/x.rsj"});
       }},
      {"a session ends once",
       kInvalid,
       {"SessionEnd", "session handle", "SessionEnd"},
       [](Session& s) {
         const nvtxwSessionHandle_t other = s.other_session();
         CHECK(s.table().SessionEnd(other) == kOk);
         return s.table().SessionEnd(other);
       }},
      {"a session is not NULL",
       kInvalid,
       {"SessionEnd", "session handle is NULL"},
       [](Session& s) { return s.table().SessionEnd(nullptr); }},
  });
}

TEST_CASE("DomainRegister refuses what breaks a rule") {
  check({
      {"a domain needs a place for its handle",
       kInvalid,
       {"DomainRegister", "domainOut is NULL"},
       [](Session& s) { return s.table().DomainRegister(s.session, nullptr, nullptr); }},
      {"structSize is at least that of version 1",
       kInvalid,
       {"DomainRegister", "structSize", "15"},
       [](Session& s) {
         const nvtxwDomainAttributes_t attr{sizeof attr - 1, "d"};
         nvtxDomainHandle_t out = s.domain;
         const int32_t result = s.table().DomainRegister(s.session, &attr, &out);
         CHECK(out == nullptr);
         return result;
       }},
      {"the session is open",
       kInvalid,
       {"DomainRegister", "session handle"},
       [](Session& s) {
         const nvtxwSessionHandle_t other = s.other_session();
         CHECK(s.table().SessionEnd(other) == kOk);
         nvtxDomainHandle_t out = nullptr;
         return s.table().DomainRegister(other, nullptr, &out);
       }},
  });
}

TEST_CASE("StreamOpen and StreamClose refuse what breaks a rule") {
  check({
      {"a stream needs a place for its handle",
       kInvalid,
       {"StreamOpen", "streamOut is NULL"},
       [](Session& s) { return s.table().StreamOpen(s.session, &s.stream_attributes, nullptr); }},
      {"a stream needs attributes",
       kInvalid,
       {"StreamOpen", "attributes are NULL"},
       [](Session& s) {
         nvtxwStreamHandle_t out = nullptr;
         return s.table().StreamOpen(s.session, nullptr, &out);
       }},
      {"structSize is at least that of version 1",
       kInvalid,
       {"StreamOpen", "structSize", "55"},
       open_with([](auto& attr) { attr.structSize = sizeof attr - 1; })},
      {"no two open streams have one name",
       kInvalid,
       {"StreamOpen", "'open'"},
       open_with([](auto& attr) { attr.name = "open"; })},
      {"the domain is of the session",
       kInvalid,
       {"StreamOpen", "domain", "session"},
       [](Session& s) {
         nvtxwStreamAttributes_t attr = s.stream_attributes;
         nvtxwStreamHandle_t out = nullptr;
         CHECK(s.table().DomainRegister(s.other_session(), nullptr, &attr.domain) == kOk);
         attr.name = "new";
         return s.table().StreamOpen(s.session, &attr, &out);
       }},
      {"a scope is not one of CURRENT",
       kInvalid,
       {"StreamOpen", "scopeId", "22"},
       open_with([](auto& attr) { attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD; })},
      {"a time domain is predefined or registered",
       kInvalid,
       {"StreamOpen", "timeDomainId", "99"},
       open_with([](auto& attr) { attr.timeDomainId = 99; })},
      {"orderInterleaving exists",
       kInvalid,
       {"StreamOpen", "orderInterleaving", "2"},
       open_with([](auto& attr) { attr.orderInterleaving = 2; })},
      {"orderingType exists",
       kInvalid,
       {"StreamOpen", "orderingType", "4"},
       open_with([](auto& attr) { attr.orderingType = 4; })},
      {"orderingSkid exists",
       kInvalid,
       {"StreamOpen", "orderingSkid", "3"},
       open_with([](auto& attr) { attr.orderingSkid = 3; })},
      {"a stream closes once",
       kInvalid,
       {"StreamClose", "stream is closed"},
       [](Session& s) {
         nvtxwStreamAttributes_t attr = s.stream_attributes;
         nvtxwStreamHandle_t out = nullptr;
         attr.name = "new";
         CHECK(s.table().StreamOpen(s.session, &attr, &out) == kOk);
         CHECK(s.table().StreamClose(out) == kOk);
         return s.table().StreamClose(out);
       }},
      {"a stream is not NULL",
       kInvalid,
       {"StreamClose", "stream handle is NULL"},
       [](Session& s) { return s.table().StreamClose(nullptr); }},
  });
}

TEST_CASE("a scope that a backend would have given out is not one before it did") {
  check({{"a dynamic scope is registered",
          kInvalid,
          {"StreamOpen", "scopeId", "4294967296"},
          open_with([](auto& attr) { attr.scopeId = kDynamicId; })}});
}

}  // namespace
}  // namespace ringscribe::testing
