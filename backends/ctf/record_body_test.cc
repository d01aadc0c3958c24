// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/record_body.h"

#include <catch2/catch.hpp>
#include <set>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

model::CounterSample sample_of(uint32_t counter, bool is_floating) {
  model::CounterSample sample;
  sample.counter_track = counter;
  sample.synchronised = true;
  sample.is_floating = is_floating;
  sample.int_value = 5;
  sample.double_value = 0.5;
  return sample;
}

TEST_CASE("a counter has a class for each form of its samples") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  RecordBody records(classes);
  model::CounterTrack track{0, model::kNoTrack, "depth", "orders", "how deep", "io", false};
  const RecordBody::Counter counter = RecordBody::counter_of(track);
  CHECK(counter.name == "io:counter:depth");
  CHECK(counter.remark == " /* \"unit orders\" */ /* \"how deep\" */");
  std::set<uint32_t> numbers;
  std::string out;
  model::CounterSample sample = sample_of(0, false);
  numbers.insert(records.sample(sample, counter, out));
  CHECK(out == std::string("\x05\0\0\0\0\0\0\0", 8));
  numbers.insert(records.sample(sample, counter, out));
  CHECK(numbers.size() == 1);
  numbers.insert(records.sample(sample_of(0, true), counter, out));
  sample.synchronised = false;
  sample.time_domain = 3;
  numbers.insert(records.sample(sample, counter, out));
  sample.has_value = false;
  sample.no_value_reason = 2;
  out.clear();
  numbers.insert(records.sample(sample, counter, out));
  CHECK(out == std::string("\x02\x03\0\0\0\0\0\0\0", 9));
  numbers.insert(records.sample(sample_of(1, false), counter, out));
  CHECK(numbers.size() == 5);
}

TEST_CASE("counters beyond the last class share one that names them") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  RecordBody records(classes);
  std::string out;
  const uint32_t known = records.sample(sample_of(0, false), {"a", ""}, out);
  while (!classes.is_full()) classes.add({"n", "n", "", ""});
  CHECK(records.sample(sample_of(0, false), {"a", ""}, out) == known);
  out.clear();
  const uint32_t shared = records.sample(sample_of(1, false), {"b", ""}, out);
  CHECK(out == std::string("b\0\x05\0\0\0\0\0\0\0", 10));
  CHECK(records.sample(sample_of(2, false), {"c", ""}, out) == shared);
  CHECK(records.sample(sample_of(2, true), {"c", ""}, out) != shared);
}

TEST_CASE("each kind of note has one class") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  RecordBody records(classes);
  std::set<uint32_t> numbers;
  std::string out;
  for (int again = 0; again < 2; ++again) {
    numbers.insert(records.track({1, 0, model::TrackKind::kThread, "t", "io", 2, 3, 4}, out));
    numbers.insert(records.counter({0, model::kNoTrack, "c", "", "", "", true}, out));
    numbers.insert(records.stream({0, "s", "io"}, out));
    numbers.insert(records.category("io", 7, "hot", out));
    numbers.insert(records.clock_point(1, 2, out));
    numbers.insert(records.problem("bad", 3, out));
  }
  CHECK(numbers.size() == 6);
  out.clear();
  records.problem("bad", 3, out);
  CHECK(out == std::string("bad\0\x03\0\0\0\0\0\0\0", 12));
}

}  // namespace
}  // namespace ringscribe::ctf
