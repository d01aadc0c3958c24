// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/null/null_session.h"

#include <catch2/catch.hpp>

namespace ringscribe::null {
namespace {

TEST_CASE("the null backend takes every call and counts each kind apart") {
  NullSession session("s");
  nvtxEventBatch_t events{};
  events.size = 24;
  nvtxCounterBatch_t samples{};
  samples.countersSize = 16;
  REQUIRE(session.domain(0, "").ok());
  REQUIRE(session.string(0, 1, "text").ok());
  REQUIRE(session.stream_open(0, 0, nvtxwStreamAttributes_t{}).ok());
  REQUIRE(session.event(0, {}).ok());
  REQUIRE(session.event_batch(0, events).ok());
  REQUIRE(session.event_batch(0, events).ok());
  REQUIRE(session.counter_sample(0, 1, 2, nullptr, 0).ok());
  REQUIRE(session.counter_no_value(0, 1, 2, 0).ok());
  REQUIRE(session.counter_batch(0, samples).ok());
  REQUIRE(session.conversion_factor(0, 1, 2, 1.0, 0, 0).ok());
  REQUIRE(session.stream_close(0).ok());
  REQUIRE(session.end().ok());
  const NullCounts& counts = session.counts();
  CHECK(counts.definitions == 2);
  CHECK(counts.streams == 1);
  CHECK(counts.events == 1);
  CHECK(counts.event_batches == 2);
  CHECK(counts.event_batch_bytes == 48);
  CHECK(counts.counter_samples == 2);
  CHECK(counts.counter_batches == 1);
  CHECK(counts.counter_batch_bytes == 16);
  CHECK(counts.time_calls == 1);
}

}  // namespace
}  // namespace ringscribe::null
