// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/time_conversion.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {
namespace {

constexpr uint64_t kTsc = NVTX_TIMESTAMP_TYPE_CPU_TSC;
constexpr uint64_t kRealtime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;
constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kRaw = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_RAW;
constexpr uint64_t kBoottime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_BOOTTIME;
constexpr uint64_t kOwn = NVTX_TIME_DOMAIN_ID_STATIC_START;
constexpr uint64_t kOther = kOwn + 1;
constexpr ClockSnapshot kSnapshot = {1000, 500'000, 1300, 1007};

struct Fixture {
  TimeConversion time{kSnapshot};

  void define(uint32_t domain, uint64_t id, uint64_t type, int64_t resolution = 0) {
    nvtxTimeDomainAttr_t attr = {};
    attr.timeDomainId = id;
    attr.timestampTypeId = type;
    attr.timerResolution = resolution;
    time.define(domain, attr);
  }
  void sync(uint32_t domain, uint64_t from, uint64_t to, std::vector<nvtxSyncPoint_t> points) {
    time.add_sync_points(domain, from, to, points);
  }
  ConvertedTime convert(uint32_t domain, uint64_t id, int64_t at) {
    return time.convert(time.node(domain, id), at);
  }
  // REQUIRES: it can be converted.
  int64_t ns(uint32_t domain, uint64_t id, int64_t at) {
    const ConvertedTime converted = convert(domain, id, at);
    CHECK(converted.synchronised);
    return converted.time;
  }
};

TEST_CASE_METHOD(Fixture, "clocks that are CLOCK_MONOTONIC are exact, to the ends of int64") {
  for (const uint64_t id :
       {kMonotonic, uint64_t{NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC_COARSE},
        uint64_t{NVTX_TIMESTAMP_TYPE_CPP_STEADY_CLOCK},
        uint64_t{NVTX_TIMESTAMP_TYPE_CPP_HIGH_RESOLUTION_CLOCK}}) {
    CHECK(ns(3, id, INT64_MAX) == INT64_MAX);
    CHECK(ns(4, id, INT64_MIN) == INT64_MIN);
    CHECK(ns(4, id, 12345) == 12345);
  }
}

TEST_CASE_METHOD(Fixture, "our own clocks without sync points take the snapshot") {
  CHECK(ns(0, kRealtime, 500'010) == 1010);
  CHECK(ns(0, NVTX_TIMESTAMP_TYPE_CPP_SYSTEM_CLOCK, 500'020) == 1020);
  CHECK(ns(0, kRaw, 1305) == 1005);
  CHECK(ns(0, kBoottime, 1000) == 993);
}

TEST_CASE_METHOD(Fixture, "a clock of unknown kind does not lend its sync points to other such") {
  define(0, kOwn, NVTX_TIMESTAMP_TYPE_NONE);
  define(0, kOther, NVTX_TIMESTAMP_TYPE_NONE);
  sync(0, kOwn, kMonotonic, {{0, 1000}, {1000, 2000}});
  CHECK(ns(0, kOwn, 500) == 1500);
  CHECK_FALSE(convert(0, NVTX_TIMESTAMP_TYPE_NONE, 500).synchronised);
  CHECK_FALSE(convert(0, kOther, 500).synchronised);
}

TEST_CASE_METHOD(Fixture, "sync points come before the snapshot, in either direction") {
  sync(0, kMonotonic, kRealtime, {{1000, 900'000}, {2000, 901'000}});
  CHECK(ns(0, kRealtime, 900'500) == 1500);
}

TEST_CASE_METHOD(Fixture, "a time domain that nothing relates keeps its ticks") {
  const ConvertedTime unknown = convert(1, kOwn, 77);
  CHECK(unknown.time == 77);
  CHECK_FALSE(unknown.synchronised);
  CHECK_FALSE(convert(1, 0, 5).synchronised);
  CHECK_FALSE(convert(1, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED, 5).synchronised);
  CHECK_FALSE(convert(1, kTsc, 5).synchronised);
}

TEST_CASE_METHOD(Fixture, "the TSC is converted by its sync points") {
  sync(0, kTsc, kMonotonic, {{0, 1000}, {2'500'000, 1'001'000}});
  CHECK(ns(0, kTsc, 1'250'000) == 501'000);
  CHECK(ns(0, kTsc, -2500) == 0);
}

TEST_CASE_METHOD(Fixture, "relations are chained, also backwards") {
  sync(1, kMonotonic, kOther, {{0, 0}, {1000, 2000}});
  sync(1, kOwn, kOther, {{0, 100}, {10, 120}});
  CHECK(ns(1, kOwn, 50) == 100);  // 50 -> 200 -> 100
}

TEST_CASE_METHOD(Fixture, "registered time domains are by domain and take their type's relations") {
  define(1, kOwn, kRealtime);
  define(2, kOwn, NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER);
  CHECK(ns(1, kOwn, 500'000) == 1000);
  CHECK_FALSE(convert(2, kOwn, 500'000).synchronised);
  CHECK(time.timestamp_type(1, kOwn) == kRealtime);
  CHECK(time.timestamp_type(3, kOwn) == 0);
}

TEST_CASE_METHOD(Fixture, "a registered time domain's own sync points come before its type's") {
  define(1, kOwn, kTsc);
  sync(1, kTsc, kMonotonic, {{0, 0}, {10, 10}});
  sync(1, kOwn, kMonotonic, {{0, 500}, {10, 510}});
  CHECK(ns(1, kOwn, 3) == 503);
  CHECK(ns(1, kTsc, 3) == 3);
}

TEST_CASE_METHOD(Fixture, "sync points with one domain of a type serve others of it") {
  define(1, kOwn, kTsc);
  define(2, kOther, kTsc);
  sync(1, kOwn, kMonotonic, {{0, 100}, {10, 110}});
  CHECK(ns(2, kOther, 5) == 105);
}

TEST_CASE_METHOD(Fixture, "a single point takes its slope from the resolution, or is one to one") {
  define(1, kOwn, 0, 1'000'000);
  sync(1, kOwn, kMonotonic, {{10, 50'000}});
  CHECK(ns(1, kOwn, 12) == 52'000);
  sync(1, kOther, kMonotonic, {{10, 50}});
  CHECK(ns(1, kOther, 12) == 52);
}

TEST_CASE_METHOD(Fixture, "conversion factors serve both directions; bad slopes are refused") {
  CHECK(time.add_factor(1, kMonotonic, kOwn, 2.0, 100, 1000));
  CHECK(ns(1, kOwn, 1100) == 150);
  CHECK_FALSE(time.add_factor(1, kOwn, kMonotonic, 0.0, 0, 0));
  CHECK_FALSE(time.add_factor(1, kOwn, kMonotonic, -1.0, 0, 0));
  CHECK_FALSE(time.add_factor(1, kOwn, kMonotonic, 1.0 / 0.0, 0, 0));
}

TEST_CASE_METHOD(Fixture, "a way that is used stays the way") {
  sync(1, kOwn, kOther, {{0, 0}, {10, 10}});
  sync(1, kOther, kMonotonic, {{0, 100}, {10, 110}});
  CHECK(ns(1, kOwn, 5) == 105);
  sync(1, kOwn, kMonotonic, {{0, 9000}, {10, 9010}});  // shorter, and different
  CHECK(ns(1, kOwn, 5) == 105);
}

TEST_CASE_METHOD(Fixture, "a relation that comes later synchronises from then on") {
  CHECK_FALSE(convert(1, kOwn, 5).synchronised);
  sync(1, kOwn, kMonotonic, {{0, 100}, {10, 110}});
  CHECK(ns(1, kOwn, 5) == 105);
}

TEST_CASE_METHOD(Fixture, "the latest time is one for all that is synchronised, else by domain") {
  CHECK(ns(0, kMonotonic, 50) == 50);
  CHECK(ns(0, kRealtime, 500'000) == 1000);
  convert(1, kOwn, 7);
  convert(1, kOwn, 3);
  convert(2, kOwn, 9);
  CHECK(time.latest(time.node(0, kMonotonic)).time == 1000);
  CHECK(time.latest(time.node(1, kOwn)).time == 7);
  CHECK(time.latest(time.node(2, kOwn)).time == 9);
  CHECK_FALSE(time.latest(time.node(2, kOwn)).synchronised);
}

TEST_CASE("the snapshot reads one instant on all clocks") {
  const ClockSnapshot now = take_clock_snapshot();
  CHECK(now.monotonic > 0);
  CHECK(now.realtime > now.monotonic);
  CHECK(now.boottime >= now.monotonic - 1'000'000'000);
}

}  // namespace
}  // namespace ringscribe::model
