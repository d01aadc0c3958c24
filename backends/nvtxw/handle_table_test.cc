// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/handle_table.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/nvtxw/fake_session.h"

namespace ringscribe::nvtxw {
namespace {

HandleTable::SessionPtr make_session() {
  static FakeSession::Journal journal;
  return std::make_shared<CheckedSession>(std::make_unique<FakeSession>(&journal));
}

TEST_CASE("a handle gives back its parts at both ends of each range") {
  for (const uint32_t session : {0u, 1u, kSessionNumbersMax - 1}) {
    for (const uint32_t number : {0u, 1u, CheckedSession::kNumbersMax - 1}) {
      const uint64_t handle = make_handle({HandleKind::kStream, session, number});
      HandleParts parts;
      REQUIRE(parse_handle(handle, HandleKind::kStream, &parts));
      CHECK(parts.session == session);
      CHECK(parts.number == number);
    }
  }
}

TEST_CASE("a handle of another kind, NULL, an address and noise are no handles") {
  HandleParts parts;
  const uint64_t stream = make_handle({HandleKind::kStream, 1, 2});
  const int local = 0;
  for (const uint64_t value :
       {uint64_t{0}, uint64_t{1}, ~uint64_t{0}, reinterpret_cast<uint64_t>(&local), stream,
        make_handle({HandleKind::kSession, 1, 0}), stream ^ (uint64_t{1} << 60)}) {
    CHECK_FALSE(parse_handle(value, HandleKind::kDomain, &parts));
  }
}

TEST_CASE("a session is found until it is taken, and its number never comes back") {
  HandleTable table;
  uint32_t first = 0;
  uint32_t second = 0;
  const HandleTable::SessionPtr session = make_session();
  REQUIRE(table.add(session, &first));
  CHECK(table.find(first) == session);
  CHECK(table.take(first) == session);
  CHECK(table.find(first) == nullptr);
  CHECK(table.take(first) == nullptr);
  REQUIRE(table.add(make_session(), &second));
  CHECK(second != first);
}

TEST_CASE("taking all leaves none") {
  HandleTable table;
  uint32_t number = 0;
  REQUIRE(table.add(make_session(), &number));
  REQUIRE(table.add(make_session(), &number));
  CHECK(table.take_all().size() == 2);
  CHECK(table.take_all_if_idle().empty());
  CHECK(table.find(number) == nullptr);
}

}  // namespace
}  // namespace ringscribe::nvtxw
