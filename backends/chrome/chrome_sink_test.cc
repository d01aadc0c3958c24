// SPDX-License-Identifier: Apache-2.0
//
// What tests/chrome cannot see from a finished file: what is on disk before, and what goes wrong.
#include "ringscribe/backends/chrome/chrome_sink.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ringscribe::chrome {
namespace {

using model::EventKind;
using model::kNoTrack;
using model::TrackKind;

std::string path_of(const char* name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/" + name + "_" +
         std::to_string(getpid()) + ".json";
}

std::unique_ptr<output::OutputFile> open(const std::string& path) {
  return output::OutputFile::create(path, output::Finish::kInPlace).value();
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

model::Event range(int64_t begin, int64_t end, EventKind kind = EventKind::kRangePushPop) {
  model::Event event;
  event.kind = kind;
  event.track = 0;
  event.begin = begin;
  event.end = end;
  event.synchronised = true;
  event.message = "r";
  return event;
}

const model::Track kTrack = {0, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0};

std::string place(const std::string& text, const char* what) {
  const size_t at = text.find(std::string("\"ph\":\"") + what + "\"");
  REQUIRE(at != std::string::npos);
  return text.substr(at, text.find('\n', at) - at);
}

TEST_CASE("the file is whole before it is finished") {
  const std::string path = path_of("whole");
  SinkOptions options;
  options.flush_interval_ns = 0;
  ChromeSink sink(open(path), options);
  REQUIRE(sink.session("s").ok());
  REQUIRE(sink.track(kTrack).ok());
  for (int i = 0; i < 3; ++i) {
    REQUIRE(sink.event(range(i, i + 1)).ok());
    const std::string text = content(path);
    CHECK(text.substr(0, 16) == "{\"traceEvents\":[");
    CHECK(text.find("\n],\"displayTimeUnit\":\"ns\",\"otherData\":{") != std::string::npos);
    CHECK(text.substr(text.size() - 3) == "}}\n");
    CHECK(text.find("\"ts\":0.00" + std::to_string(i)) != std::string::npos);
  }
  REQUIRE(sink.finish().ok());
}

TEST_CASE("ranges that nest are complete, or begin and end where they touch; the rest is async") {
  const std::string path = path_of("kinds");
  ChromeSink sink(open(path));
  REQUIRE(sink.session("").ok());
  REQUIRE(sink.track(kTrack).ok());
  REQUIRE(sink.event(range(0, 100)).ok());
  REQUIRE(sink.event(range(50, 150)).ok());
  REQUIRE(sink.event(range(200, 300)).ok());
  REQUIRE(sink.event(range(INT64_MIN, INT64_MAX, EventKind::kRangeStartEnd)).ok());
  REQUIRE(sink.finish().ok());
  const std::string text = content(path);
  CHECK(place(text, "X").find("\"ts\":0.000,\"dur\":0.100,") != std::string::npos);
  CHECK(place(text, "B").find("\"ts\":0.200,\"name\":\"r\"") != std::string::npos);
  CHECK(place(text, "E").find("\"ts\":0.300,\"name\":\"r\",\"cat\":\"default\"}") !=
        std::string::npos);
  CHECK(text.find("\"ph\":\"b\",\"id\":\"1\",\"pid\":1073741824,\"tid\":1610612737,"
                  "\"ts\":-9223372036854775.808") != std::string::npos);
  CHECK(text.find("\"ph\":\"e\",\"id\":\"2\",\"pid\":1073741824,\"tid\":1610612737,"
                  "\"ts\":0.150,\"name\":\"r\",\"cat\":\"default\"}") != std::string::npos);
}

TEST_CASE("samples of a floating counter are told apart from integers by a point or an exponent") {
  const std::string path = path_of("samples");
  ChromeSink sink(open(path));
  REQUIRE(sink.session("s").ok());
  model::CounterTrack load{};
  load.parent = model::kNoTrack;
  load.name = "load";
  load.is_floating = true;
  REQUIRE(sink.counter_track(load).ok());
  for (const double value : {1.0, 0.25, -0.0, 9007199254740994.0, 1e300}) {
    model::CounterSample sample;
    sample.is_floating = true;
    sample.double_value = value;
    REQUIRE(sink.counter_sample(sample).ok());
  }
  REQUIRE(sink.finish().ok());
  const std::string text = content(path);
  for (const char* value : {"1.0", "0.25", "-0.0", "9007199254740994.0", "1e+300"}) {
    CHECK(text.find("\"args\":{\"value\":" + std::string(value) + "}") != std::string::npos);
  }
}

TEST_CASE("what was not announced is refused, and the file goes on") {
  const std::string path = path_of("refused");
  ChromeSink sink(open(path));
  CHECK(sink.event(range(0, 1)).message().find("announce it before its use") != std::string::npos);
  CHECK_FALSE(sink.counter_sample({}).ok());
  REQUIRE(sink.track(kTrack).ok());
  CHECK(sink.event(range(0, 1)).ok());
  CHECK(sink.finish().ok());
  CHECK_FALSE(sink.event(range(0, 1)).ok());
  CHECK(place(content(path), "B").find("\"name\":\"r\"") != std::string::npos);
}

TEST_CASE("a disk that is full is told by every later call, and what is there stays whole") {
  const std::string path = path_of("limited");
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {1 << 20, 1 << 20};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    ChromeSink sink(open(path));
    if (!sink.session("s").ok() || !sink.track(kTrack).ok()) _exit(3);
    Status status;
    for (int64_t i = 0; i < 1'000'000 && status.ok(); ++i) status = sink.event(range(i, i + 1));
    if (status.ok()) _exit(4);
    _exit(sink.event(range(0, 1)).ok() || sink.finish().ok() ? 5 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  const std::string text = content(path);
  CHECK(text.size() > 500'000);
  CHECK(text.substr(text.size() - 3) == "}}\n");
}

}  // namespace
}  // namespace ringscribe::chrome
