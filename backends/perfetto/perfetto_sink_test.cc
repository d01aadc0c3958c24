// SPDX-License-Identifier: Apache-2.0
//
// How the sink fails and ends. What it writes is read with the published protos, in tests/perfetto.
#include "ringscribe/backends/perfetto/perfetto_sink.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ringscribe::perfetto {
namespace {

// A path of this test process, one for each call.
std::string fresh_path() {
  static int number = 0;
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/sink_test_" +
         std::to_string(getpid()) + "_" + std::to_string(++number) + ".pftrace";
}

int64_t file_bytes(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 ? info.st_size : -1;
}

std::unique_ptr<PerfettoSink> open(const std::string& path, const SinkOptions& options = {}) {
  auto file = output::OutputFile::create(path, output::Finish::kRename);
  return std::make_unique<PerfettoSink>(std::move(file).value(), options);
}

model::Event mark(uint32_t track, int64_t time) {
  model::Event event;
  event.track = track;
  event.begin = time;
  event.end = time;
  event.synchronised = true;
  event.message = "mark";
  return event;
}

constexpr model::Track kStream = {0, model::kNoTrack, model::TrackKind::kStream, "s", "", 0, 0, 0};

TEST_CASE("what was not announced is refused with its number, and the trace goes on") {
  const std::string path = fresh_path();
  const auto sink = open(path);
  REQUIRE(sink->session("s").ok());
  const Status event = sink->event(mark(7, 1));
  CHECK(event.code() == ResultCode::kInvalidArgument);
  CHECK(event.message().find("track 7") != std::string::npos);
  CHECK(sink->event(mark(model::kNoTrack, 1)).code() == ResultCode::kInvalidArgument);
  model::CounterSample sample;
  sample.counter_track = 3;
  CHECK(sink->counter_sample(sample).message().find("counter track 3") != std::string::npos);
  CHECK(sink->track(kStream).ok());
  CHECK(sink->event(mark(0, 1)).ok());
  CHECK(sink->finish().ok());
  CHECK(file_bytes(path) > 0);
}

TEST_CASE("tracks are numbered without a gap and parents come first") {
  const auto sink = open(fresh_path());
  REQUIRE(sink->session("s").ok());
  model::Track track = kStream;
  track.id = 1;
  CHECK(sink->track(track).message().find("out of turn") != std::string::npos);
  track.id = 0;
  track.parent = 0;
  CHECK(sink->track(track).message().find("announce the parent first") != std::string::npos);
  CHECK(sink->track(kStream).ok());
  CHECK(sink->track(kStream).code() == ResultCode::kInvalidArgument);
  model::CounterTrack counter = {0, 5, "c", "", "", "", false};
  CHECK(sink->counter_track(counter).message().find("track 5") != std::string::npos);
  counter.parent = 0;
  CHECK(sink->counter_track(counter).ok());
  CHECK(sink->counter_track(counter).code() == ResultCode::kInvalidArgument);
}

TEST_CASE("nothing is written after the end") {
  const std::string path = fresh_path();
  const auto sink = open(path);
  REQUIRE(sink->session("s").ok());
  REQUIRE(sink->track(kStream).ok());
  REQUIRE(sink->finish().ok());
  const int64_t bytes = file_bytes(path);
  CHECK(sink->event(mark(0, 1)).code() == ResultCode::kFailed);
  CHECK(sink->finish().ok());
  CHECK(file_bytes(path) == bytes);
}

TEST_CASE("a sink that is destroyed finishes its file") {
  const std::string path = fresh_path();
  {
    const auto sink = open(path);
    REQUIRE(sink->session("s").ok());
    REQUIRE(sink->track(kStream).ok());
    REQUIRE(sink->event(mark(0, 1)).ok());
    CHECK(file_bytes(path) == -1);
  }
  CHECK(file_bytes(path) > 0);
  CHECK(file_bytes(path + ".part") == -1);
}

TEST_CASE("a failure to write stays, and what was written before is kept unfinished") {
  constexpr rlim_t kLimit = 300000;
  const std::string path = fresh_path();
  SinkOptions options;
  options.lot_events_max = 100;
  const auto sink = open(path, options);
  REQUIRE(sink->session("s").ok());
  REQUIRE(sink->track(kStream).ok());
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{kLimit, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  Status failure;
  for (int64_t time = 0; failure.ok() && time < 100000; ++time)
    failure = sink->event(mark(0, time));
  const Status next = sink->event(mark(0, 1));
  const Status problem = sink->problem("p", 1);
  const Status finish = sink->finish();
  const Status again = sink->finish();
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(failure.code() == ResultCode::kFailed);
  CHECK(failure.message().find(path + ".part") != std::string::npos);
  CHECK(failure.message().find("not whole") != std::string::npos);
  CHECK(next.message() == failure.message());
  CHECK(problem.message() == failure.message());
  CHECK(finish.message() == failure.message());
  CHECK(again.message() == failure.message());
  CHECK(file_bytes(path) == -1);
  CHECK(file_bytes(path + ".part") == static_cast<int64_t>(kLimit));
}

TEST_CASE("a failure of the last write is told by finish and by every call after it") {
  const std::string path = fresh_path();
  const auto sink = open(path);
  REQUIRE(sink->session("s").ok());
  REQUIRE(sink->track(kStream).ok());
  REQUIRE(sink->event(mark(0, 1)).ok());
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{20, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Status finish = sink->finish();
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK(finish.code() == ResultCode::kFailed);
  CHECK(sink->finish().message() == finish.message());
  CHECK(sink->event(mark(0, 1)).message() == finish.message());
  CHECK(file_bytes(path) == -1);
  CHECK(file_bytes(path + ".part") == 20);
}

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Ranges of one block, one by one or as the block that they are.
std::string written(bool as_block, SinkOptions options, const model::EventBlock& block) {
  const std::string path = fresh_path();
  options.first_uuid = 1;
  options.read_clocks = [] { return ClockPacket{1, 2, 0}; };
  const auto sink = open(path, options);
  REQUIRE(sink->session("s").ok());
  REQUIRE(sink->track(kStream).ok());
  if (as_block) {
    REQUIRE(sink->events(block).ok());
  } else {
    for (size_t row = 0; row < block.rows.size(); ++row)
      REQUIRE(sink->event(block.event(row)).ok());
  }
  REQUIRE(sink->finish().ok());
  return file_content(path);
}

TEST_CASE("a block is written as its events would be, however small a lot") {
  model::Event shared = mark(0, 0);
  shared.kind = model::EventKind::kRangePushPop;
  const model::EventLabel labels[] = {{1, 0, 0, "one", {}}, {2, 0, 0xFF00FF00, "two", {}}};
  std::vector<model::EventRow> rows;
  std::vector<model::Field> fields;
  const std::string text(1000, 't');
  for (int64_t i = 0; i < 64; ++i) {
    // Times before 0, too: they are shifted when the first lot is written.
    rows.push_back({i * 10 - 50, i * 10 - 50 + i % 3 * 5, 0, &labels[i % 2]});
    model::Field number{"number", {}};
    number.value.kind = model::ValueKind::kInt;
    number.value.int_value = i;
    model::Field words{"words", {}};
    words.value.kind = model::ValueKind::kText;
    words.value.text = text;
    fields.push_back(number);
    fields.push_back(words);
  }
  const model::EventBlock block = {shared, rows, fields, 2, 1};
  SinkOptions few_events, few_bytes, zero;
  few_events.lot_events_max = 5;
  few_bytes.lot_bytes_max = 3000;
  zero.lot_events_max = 0;
  for (const SinkOptions& options : {SinkOptions(), few_events, few_bytes, zero}) {
    const std::string one_by_one = written(false, options, block);
    CHECK(one_by_one.size() > 64 * 1000);
    CHECK(written(true, options, block) == one_by_one);
  }
}

}  // namespace
}  // namespace ringscribe::perfetto
