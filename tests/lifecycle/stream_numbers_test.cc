// SPDX-License-Identifier: Apache-2.0
//
// A process that opens more streams than there are numbers (65,535): numbers are given out again,
// and every call is counted all the same, also those that came too late.
#include <ringscribe/ringscribe.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace ringscribe {
namespace {

constexpr int64_t kNumbers = 65535;

Session begin(const char* name) {
  auto session = Session::begin(name, {.backend = "null"});
  REQUIRE(session.ok());
  return std::move(session).value();
}

// Opens a stream, writes `good` marks, closes it and writes `late` ones.
Stream use_a_stream(Session& session, const Domain& domain, int64_t number, int good, int late) {
  Stream stream = session.create_stream("stream " + std::to_string(number), {.domain = domain});
  REQUIRE(stream.ok());
  for (int i = 0; i < good; ++i) REQUIRE(stream.write_mark(number + i, {.message = "mark"}));
  REQUIRE(stream.close().ok());
  for (int i = 0; i < late; ++i) REQUIRE_FALSE(stream.write_mark(number + i, {.message = "late"}));
  return stream;
}

TEST_CASE("late calls are counted in a session that opens more streams than there are numbers") {
  Session session = begin("session");
  const Domain domain = session.get_domain("domain");
  constexpr int64_t kStreams = kNumbers + 2000;
  for (int64_t i = 0; i < kStreams; ++i) (void)use_a_stream(session, domain, i, 1, 2);
  const Counts counts = session.stats();
  CHECK(counts.recorded == kStreams);
  CHECK(counts.lost(LossCause::kStreamClosed) == 2 * kStreams);
  CHECK(counts.lost() == 2 * kStreams);
  CHECK(session.end().ok());
  CHECK(session.stats().lost() == 2 * kStreams);
}

TEST_CASE("a session keeps its losses when another one is given its numbers") {
  Session first = begin("first");
  const Domain first_domain = first.get_domain("domain");
  std::vector<Stream> kept;
  for (int64_t i = 0; i < 10; ++i) kept.push_back(use_a_stream(first, first_domain, i, 3, 5));
  CHECK(first.end().ok());
  CHECK(kept[0].stats().recorded == 3);
  CHECK(kept[0].stats().lost(LossCause::kStreamClosed) == 5);

  Session second = begin("second");
  const Domain second_domain = second.get_domain("domain");
  for (int64_t i = 0; i < kNumbers + 10; ++i) (void)use_a_stream(second, second_domain, i, 1, 0);
  CHECK(first.stats().recorded == 30);
  CHECK(first.stats().lost(LossCause::kStreamClosed) == 50);
  CHECK(second.stats().recorded == kNumbers + 10);
  CHECK(second.stats().lost() == 0);
  // The number is another stream's now: its counts are not this one's.
  CHECK(kept[0].stats().recorded == 0);
  CHECK(kept[0].stats().lost() == 0);

  // A handle that is a whole round old counts for whoever has the number: the sum stays exact.
  const uint64_t before = first.stats().lost() + second.stats().lost();
  CHECK_FALSE(kept[0].write_mark(1, {.message = "a round too late"}));
  CHECK(first.stats().lost() + second.stats().lost() == before + 1);
  CHECK(second.end().ok());
}

}  // namespace
}  // namespace ringscribe
