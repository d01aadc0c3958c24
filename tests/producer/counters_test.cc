// SPDX-License-Identifier: Apache-2.0
//
// Counters of all types, groups, batches with each form of times, samples without a value.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "ringscribe/tests/producer/decoded_session.h"

namespace plant {

struct Memory {
  uint32_t pages;
  double load;
};
RINGSCRIBE_SCHEMA(Memory, COUNTER(pages, .unit = "pages", .min = 0), COUNTER(load, .max = 1.0));

struct Stamped {
  double value;
  int64_t time;
};
RINGSCRIBE_SCHEMA(Stamped, TIMESTAMP(time), FIELD(value));

}  // namespace plant

namespace {

using namespace ringscribe;
using ringscribe::testing::DecodedSession;

struct Fixture : DecodedSession {
  Domain domain = session.get_domain("d");
  Stream stream = session.create_stream("s", {.domain = domain});

  // "name time=value …" of all samples, by name, in their order; our own counter left out.
  std::string samples() {
    Log log = end();
    std::stable_sort(log.samples.begin(), log.samples.end(), [&](const auto& a, const auto& b) {
      return log.counter_tracks.at(a.counter_track).name <
             log.counter_tracks.at(b.counter_track).name;
    });
    std::string result;
    for (const auto& [sentence, count] : log.problems) result += "problem: " + sentence + " ";
    for (const model::CounterSample& sample : log.samples) {
      const auto& track = log.counter_tracks.at(sample.counter_track);
      if (track.domain == "ringscribe") continue;
      result += track.name + " " + std::to_string(sample.time) + "=";
      if (!sample.has_value)
        result += "none(" + std::to_string(sample.no_value_reason) + ")";
      else if (sample.is_floating)
        result += std::to_string(sample.double_value).substr(0, 4);
      else
        result += std::to_string(sample.int_value);
      result += "; ";
    }
    return result;
  }
};

template <typename T>
std::string one_sample(T value) {
  Fixture f;
  const Counter counter = f.domain.get_counter<T>("c");
  REQUIRE(counter.ok());
  CHECK(f.stream.write_counter_sample(counter, 1, value));
  return f.samples();
}

TEST_CASE("a counter of each type keeps its values") {
  CHECK(one_sample<int8_t>(-128) == "c 1=-128; ");
  CHECK(one_sample<uint8_t>(255) == "c 1=255; ");
  CHECK(one_sample<int16_t>(-32768) == "c 1=-32768; ");
  CHECK(one_sample<uint16_t>(65535) == "c 1=65535; ");
  CHECK(one_sample<int32_t>(-5) == "c 1=-5; ");
  CHECK(one_sample<uint32_t>(4294967295u) == "c 1=4294967295; ");
  CHECK(one_sample<int64_t>(INT64_MIN) == "c 1=-9223372036854775808; ");
  CHECK(one_sample<float>(0.5f) == "c 1=0.50; ");
  CHECK(one_sample<double>(-2.5) == "c 1=-2.5; ");
}

TEST_CASE("values of other types are converted to the counter's") {
  Fixture f;
  const Counter whole = f.domain.get_counter<int32_t>("whole");
  const Counter real = f.domain.get_counter<double>("real");
  const Counter half = f.domain.get_counter<Float16>("half");
  f.stream.write_counter_sample(whole, 1, 2.9);
  f.stream.write_counter_sample(whole, 2, -2.9);
  f.stream.write_counter_sample(real, 3, 7);
  f.stream.write_counter_sample(half, 4, 1.5);
  CHECK(f.samples() == "half 4=1.50; real 3=7.00; whole 1=2; whole 2=-2; ");
}

TEST_CASE("unit, description and scope reach the backend") {
  Fixture f;
  const Scope gpu = f.domain.get_scope("GPU[0]");
  const Counter counter = f.domain.get_counter<int64_t>(
      "clock",
      {.description = "of the shaders", .unit = "MHz", .min = 0, .max = 3000, .scope = gpu});
  f.stream.write_counter_sample(counter, 1, 1500);
  const auto& log = f.end();
  const auto track = std::find_if(log.counter_tracks.begin(), log.counter_tracks.end(),
                                  [](const auto& one) { return one.name == "clock"; });
  REQUIRE(track != log.counter_tracks.end());
  CHECK(track->unit == "MHz");
  CHECK(track->description == "of the shaders");
  REQUIRE(track->parent < log.tracks.size());
  CHECK(log.tracks[track->parent].name == "GPU[0]");
}

TEST_CASE("a group: the fields of a struct, sampled together") {
  Fixture f;
  const CounterGroup<plant::Memory> memory = f.domain.get_counter<plant::Memory>("memory");
  REQUIRE(memory.ok());
  CHECK(f.stream.write_counter_sample(memory, 1, {10, 0.25}));
  const std::vector<plant::Memory> batch = {{11, 0.5}, {12, 0.75}};
  CHECK(f.stream.write_counter_batch(memory, batch, std::vector<int64_t>{2, 3}) == 2);
  CHECK(f.samples() ==
        "memory.load 1=0.25; memory.load 2=0.50; memory.load 3=0.75; memory.pages 1=10; "
        "memory.pages 2=11; memory.pages 3=12; ");
}

TEST_CASE("a group whose samples have their times in them") {
  Fixture f;
  const auto group = f.domain.get_counter<plant::Stamped>("g");
  REQUIRE(group.ok());
  CHECK(group.has_embedded_time());
  const std::vector<plant::Stamped> batch = {{1.5, 10}, {2.5, 20}};
  CHECK(f.stream.write_counter_batch(group, batch) == 2);
  CHECK_FALSE(f.stream.write_counter_sample(group, 1, {1, 1}));
  CHECK(f.stream.write_counter_batch(group, batch, std::vector<int64_t>{2, 3}) == 0);
  CHECK(f.stream.stats().lost(LossCause::kInvalid) == 3);
  CHECK(f.samples() == "g.value 10=1.50; g.value 20=2.50; ");
}

TEST_CASE("batches: times one by one, evenly spaced from the first, or up to the last") {
  Fixture f;
  const Counter c = f.domain.get_counter<int64_t>("c");
  const std::vector<int64_t> values = {1, 2, 3};
  CHECK(f.stream.write_counter_batch(c, values, std::vector<int64_t>{5, 6, 7}) == 3);
  CHECK(f.stream.write_counter_batch(c, values, SampleTimes::from(100, 10)) == 3);
  CHECK(f.stream.write_counter_batch(c, values, SampleTimes::until(300, 10)) == 3);
  CHECK(f.samples() ==
        "c 5=1; c 6=2; c 7=3; c 100=1; c 110=2; c 120=3; c 280=1; c 290=2; c 300=3; ");
}

TEST_CASE("an evenly spaced batch larger than a record goes on where the last part ended") {
  for (const bool is_from : {true, false}) {
    Fixture f;
    const Counter c = f.domain.get_counter<int64_t>("c");
    const std::vector<int64_t> values(100'000, 7);
    const SampleTimes times =
        is_from ? SampleTimes::from(1000, 2) : SampleTimes::until(1000 + 2 * 99'999, 2);
    CHECK(f.stream.write_counter_batch(c, values, times) == values.size());
    const auto& log = f.end();
    size_t wrong = 0, index = 0;
    for (const model::CounterSample& sample : log.samples)
      if (log.counter_tracks.at(sample.counter_track).name == "c")
        wrong += sample.time == static_cast<int64_t>(1000 + 2 * index++) ? 0u : 1u;
    CHECK(index == values.size());
    CHECK(wrong == 0);
  }
}

TEST_CASE("samples without a value say why") {
  Fixture f;
  const Counter c = f.domain.get_counter<int64_t>("c");
  f.stream.write_counter_sample(c, 1, 5);
  f.stream.write_counter_sample_no_value(c, 2, CounterNoValueReason::kUnchanged);
  f.stream.write_counter_sample_no_value(c, 3, CounterNoValueReason::kZero);
  f.stream.write_counter_sample_no_value(c, 4, CounterNoValueReason::kUnavailable);
  CHECK(f.samples() == "c 1=5; c 2=none(1); c 3=none(0); c 4=none(2); ");
}

TEST_CASE("what a counter cannot be is refused with a sentence") {
  Fixture f;
  const auto sentence = [&](const auto& make) {
    Domain domain = f.session.get_domain("d");
    CHECK_FALSE(make(domain).ok());
    return domain.status().message();
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(sentence([](Domain& d) { return d.get_counter("x", EntryType::kUtf8); }), "76"));
  CHECK(has(sentence([](Domain& d) { return d.get_counter("x", EntryType::kInt128); }), "33"));
  CHECK(has(sentence([](Domain& d) { return d.get_counter<int64_t>("x", {.min = 2, .max = 1}); }),
            "greater"));
  CHECK(has(sentence([](Domain& d) { return d.get_counter<int64_t>("x", {.min = -2, .max = 1u}); }),
            "one type"));
  CHECK(has(sentence([](Domain& d) {
              return d.get_counter<int64_t>("x", {.unit_scale_denominator = 0});
            }),
            "unit_scale"));
  CHECK(has(sentence([](Domain& d) {
              return d.get_counter<int64_t>("x", {.scope = PredefinedScope::kCurrentSwThread});
            }),
            "kCurrent"));
  CHECK(has(sentence([](Domain& d) { return d.get_counter<int64_t>("x", {.static_id = 5}); }),
            "static ID 5"));
  Domain other = f.session.get_domain("other");
  const Scope foreign = other.get_scope("there");
  CHECK(has(sentence([&](Domain& d) { return d.get_counter<int64_t>("x", {.scope = foreign}); }),
            "another domain"));
  const AnySchema part = f.domain.get_schema("p", {{.name = "v", .type = EntryType::kInt64}});
  CHECK(has(sentence([&](Domain& d) { return d.get_counter("x", part); }), "is_counter_group"));
  CHECK(f.domain.get_counter<int64_t>("x").ok());  // still free
}

TEST_CASE("a counter that is asked for again is the same, with the same options only") {
  Fixture f;
  const auto get = [&](Domain& domain, CounterOptions options) {
    return domain.get_counter<int64_t>("c", options);
  };
  CHECK(get(f.domain, {.unit = "bytes", .min = 0}).ok());
  CHECK(get(f.domain, {.unit = "bytes", .min = 0}).ok());
  Domain again = f.session.get_domain("d");
  CHECK_FALSE(get(again, {.unit = "KiB", .min = 0}).ok());
  CHECK(again.status().message().find("counter \"c\" exists in domain \"d\" with other options") !=
        std::string::npos);
}

TEST_CASE("floating values that an integer counter cannot hold become the nearest that it can") {
  Fixture f;
  const Counter c = f.domain.get_counter<int64_t>("c");
  const Counter u = f.domain.get_counter<uint64_t>("u");
  for (const double value : {1e300, -1e300, std::numeric_limits<double>::quiet_NaN()})
    f.stream.write_counter_sample(c, 1, value);
  for (const double value : {3e9, -5.0, std::numeric_limits<double>::quiet_NaN()})
    f.stream.write_counter_sample(u, 1, value);
  CHECK(f.samples() ==
        "c 1=9223372036854775807; c 1=-9223372036854775808; c 1=0; "
        "u 1=3000000000; u 1=0; u 1=0; ");
}

TEST_CASE("samples that go back in time are told as unsorted, times one by one or evenly spaced") {
  Fixture f;
  const Counter c = f.domain.get_counter<int64_t>("c");
  const std::vector<int64_t> values = {1, 2, 3};
  CHECK(f.stream.write_counter_batch(c, values, SampleTimes::from(100, -10)) == 3);
  CHECK(f.stream.write_counter_batch(c, values, std::vector<int64_t>{7, 6, 5}) == 3);
  CHECK(f.samples() == "c 100=1; c 90=2; c 80=3; c 7=1; c 6=2; c 5=3; ");
}

TEST_CASE("batches that do not fit are refused and counted by sample") {
  Fixture f;
  const Counter c = f.domain.get_counter<int64_t>("c");
  const std::vector<int64_t> two = {1, 2};
  CHECK(f.stream.write_counter_batch(c, two, std::vector<int64_t>{1}) == 0);
  CHECK(f.stream.write_counter_batch(c, std::vector<double>{1, 2}, two) == 0);
  CHECK(f.stream.write_counter_batch(c, two.data(), 15, SampleTimes::from(0, 1)) == 0);
  CHECK(f.stream.write_counter_batch(c, two, SampleTimes()) == 0);
  CHECK(f.stream.stats().lost(LossCause::kInvalid) == 7);
  CHECK(f.samples().empty());
}

}  // namespace
