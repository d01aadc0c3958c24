// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/checked_session.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <thread>

#include "ringscribe/backends/nvtxw/fake_session.h"

namespace ringscribe::nvtxw {
namespace {

using Lines = std::vector<std::string>;

nvtxwStreamAttributes_t stream_attr(const char* name) {
  nvtxwStreamAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.name = name;
  return attr;
}

// A session of a fake with its default domain.
struct Fixture {
  Fixture() { REQUIRE(session.domain_register(nullptr, &domain).ok()); }

  uint32_t open(const char* name) {
    uint32_t stream = 0;
    REQUIRE(session.stream_open(domain, stream_attr(name), &stream).ok());
    return stream;
  }

  FakeSession::Journal journal;
  CheckedSession session{std::make_unique<FakeSession>(&journal)};
  uint32_t domain = 0;
};

bool is_invalid(const Status& status) { return status.code() == ResultCode::kInvalidArgument; }

TEST_CASE("the same domain name gives the same number and is announced once") {
  Fixture f;
  uint32_t number = 99;
  REQUIRE(f.session.domain_register("", &number).ok());
  CHECK(number == f.domain);
  REQUIRE(f.session.domain_register("a", &number).ok());
  CHECK(number == 1);
  REQUIRE(f.session.domain_register("a", &number).ok());
  CHECK(number == 1);
  CHECK(f.journal.lines == Lines{"domain 0 ''", "domain 1 'a'"});
}

TEST_CASE("a domain that the backend refuses can be asked for again") {
  FakeSession::Journal journal;
  CheckedSession session(std::make_unique<FakeSession>(&journal));
  uint32_t number = 0;
  journal.fail_on = "domain";
  CHECK(session.domain_register("a", &number).code() == ResultCode::kFailed);
  journal.fail_on.clear();
  CHECK(session.domain_register("a", &number).ok());
  CHECK(journal.lines == Lines{"domain 0 'a'", "domain 0 'a'"});
}

TEST_CASE("names of open streams are unique, of closed ones free, and missing ones any number") {
  Fixture f;
  const uint32_t first = f.open("same");
  uint32_t stream = 0;
  CHECK(is_invalid(f.session.stream_open(f.domain, stream_attr("same"), &stream)));
  REQUIRE(f.session.stream_close(first).ok());
  CHECK(f.open("same") == 1);
  CHECK(f.open("") == 2);
  CHECK(f.open(nullptr) == 3);
  CHECK(f.open("") == 4);
  CHECK(is_invalid(f.session.stream_close(first)));
}

TEST_CASE("a stream that the backend refuses leaves its name free") {
  Fixture f;
  uint32_t stream = 0;
  f.journal.fail_on = "stream_open";
  CHECK_FALSE(f.session.stream_open(f.domain, stream_attr("s"), &stream).ok());
  f.journal.fail_on.clear();
  CHECK(f.open("s") == 0);
}

TEST_CASE("a stream's attributes are those of version 2") {
  Fixture f;
  uint32_t stream = 0;
  const auto refused = [&](auto change) {
    nvtxwStreamAttributes_t attr = stream_attr("s");
    change(attr);
    return is_invalid(f.session.stream_open(f.domain, attr, &stream));
  };
  CHECK(refused([](auto& attr) { attr.orderInterleaving = 2; }));
  CHECK(refused([](auto& attr) { attr.orderInterleaving = -1; }));
  CHECK(refused([](auto& attr) { attr.orderingType = 4; }));
  CHECK(refused([](auto& attr) { attr.orderingSkid = 3; }));
  CHECK(refused([](auto& attr) { attr.scopeId = NVTX_SCOPE_CURRENT_SW_THREAD; }));
  CHECK(refused([](auto& attr) { attr.scopeId = kDynamicIdStart; }));
  CHECK(refused([](auto& attr) { attr.timeDomainId = 99; }));
  CHECK(is_invalid(f.session.stream_open(7, stream_attr("s"), &stream)));
  CHECK(f.open("s") == 0);
}

TEST_CASE("a definition that the backend refuses is not known afterwards") {
  Fixture f;
  const uint32_t stream = f.open("s");
  nvtxCounterAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  attr.counterId = kStaticIdStart;
  f.journal.fail_on = "counter";
  CHECK_FALSE(f.session.counter_register(f.domain, &attr, nullptr).ok());
  CHECK(is_invalid(f.session.counter_no_value_write(stream, 1, kStaticIdStart, 0)));
  f.journal.fail_on.clear();
  CHECK(f.session.counter_register(f.domain, &attr, nullptr).ok());
  CHECK(f.session.counter_no_value_write(stream, 1, kStaticIdStart, 2).ok());
  CHECK(is_invalid(f.session.counter_no_value_write(stream, 1, kStaticIdStart, 3)));
}

TEST_CASE("definitions of one domain are unknown in another") {
  Fixture f;
  uint32_t other = 0;
  REQUIRE(f.session.domain_register("other", &other).ok());
  nvtxCounterAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  uint64_t id = 0;
  REQUIRE(f.session.counter_register(other, &attr, &id).ok());
  const int64_t value = 1;
  CHECK(is_invalid(f.session.counter_write(f.open("s"), 1, id, &value, sizeof value)));
  uint32_t stream = 0;
  REQUIRE(f.session.stream_open(other, stream_attr("t"), &stream).ok());
  CHECK(f.session.counter_write(stream, 1, id, &value, sizeof value).ok());
}

TEST_CASE("strings get a number each, never 0, and need a text and a place") {
  Fixture f;
  uint64_t first = 0;
  uint64_t second = 0;
  REQUIRE(f.session.string_register(f.domain, "a", &first).ok());
  REQUIRE(f.session.string_register(f.domain, "a", &second).ok());
  CHECK(first != 0);
  CHECK(second != first);
  CHECK(is_invalid(f.session.string_register(f.domain, nullptr, &first)));
  CHECK(is_invalid(f.session.string_register(f.domain, "a", nullptr)));
}

TEST_CASE("category 0, a category without name and a short resource are refused") {
  Fixture f;
  CHECK(f.session.category_register(f.domain, 1, "c").ok());
  CHECK(is_invalid(f.session.category_register(f.domain, 0, "c")));
  CHECK(is_invalid(f.session.category_register(f.domain, 1, nullptr)));
  nvtxResourceAttributes_t resource{};
  CHECK(is_invalid(f.session.resource_register(f.domain, &resource)));
  CHECK(is_invalid(f.session.resource_register(f.domain, nullptr)));
  resource.size = sizeof resource;
  CHECK(f.session.resource_register(f.domain, &resource).ok());
}

TEST_CASE("time conversions: known domains, a slope that converts, a table that is there") {
  Fixture f;
  const uint32_t stream = f.open("s");
  const nvtxSyncPoint_t point{1, 2};
  CHECK(f.session.sync_points_write(stream, 10, 14, &point, 1).ok());
  CHECK(f.session.sync_points_write(stream, 10, 14, nullptr, 0).ok());
  CHECK(is_invalid(f.session.sync_points_write(stream, 10, 14, nullptr, 1)));
  CHECK(is_invalid(f.session.sync_points_write(stream, 99, 14, &point, 1)));
  CHECK(is_invalid(f.session.sync_points_write(stream, 10, 99, &point, 1)));
  CHECK(f.session.conversion_factor_write(stream, 10, 14, 0.5, 1, 2).ok());
  for (const double slope : {0.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    CHECK(is_invalid(f.session.conversion_factor_write(stream, 10, 14, slope, 1, 2)));
  }
}

TEST_CASE("the end closes what is open, ends the backend, and is the last call") {
  Fixture f;
  const uint32_t closed = f.open("closed");
  const uint32_t left = f.open("left");
  REQUIRE(f.session.stream_close(closed).ok());
  f.journal.lines.clear();
  REQUIRE(f.session.end().ok());
  CHECK(f.journal.lines == Lines{"stream_close 1", "end"});
  CHECK(f.journal.destroyed == 1);
  CHECK(is_invalid(f.session.end()));
  CHECK(is_invalid(f.session.stream_close(left)));
  uint32_t number = 0;
  CHECK(is_invalid(f.session.domain_register("x", &number)));
  CHECK(is_invalid(f.session.stream_open(f.domain, stream_attr("y"), &number)));
}

TEST_CASE("the first failure of the end is told, and the rest is done all the same") {
  Fixture f;
  f.open("a");
  f.open("b");
  f.journal.fail_on = "stream_close";
  const Status status = f.session.end();
  CHECK(status.code() == ResultCode::kFailed);
  CHECK(f.journal.lines.back() == "end");
  CHECK(f.journal.destroyed == 1);
}

TEST_CASE("threads that write at once reach the backend one after the other") {
  Fixture f;
  const uint32_t streams[] = {f.open("a"), f.open("b")};
  constexpr int kEvents = 2000;
  const auto write = [&f](uint32_t stream) {
    const int64_t value = 1;
    const nvtxPayloadData_t payload{NVTX_PAYLOAD_ENTRY_TYPE_INT64, sizeof value, &value};
    for (int i = 0; i < kEvents; ++i) static_cast<void>(f.session.event_write(stream, &payload, 1));
  };
  std::thread first(write, streams[0]);
  std::thread second(write, streams[1]);
  first.join();
  second.join();
  CHECK(f.journal.lines.size() == 3 + 2 * kEvents);
}

}  // namespace
}  // namespace ringscribe::nvtxw
