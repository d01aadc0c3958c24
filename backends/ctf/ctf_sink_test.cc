// SPDX-License-Identifier: Apache-2.0
//
// What tests/ctf cannot see from a finished trace: what is on disk before, and what goes wrong.
#include "ringscribe/backends/ctf/ctf_sink.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

using model::EventKind;
using model::kNoTrack;
using model::TrackKind;

const model::Track kTrack = {0, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0};

model::Event mark(int64_t time) {
  model::Event event;
  event.track = 0;
  event.begin = event.end = time;
  event.synchronised = true;
  event.message = "m";
  return event;
}

TEST_CASE("the trace is there from the beginning, and events are when it is time") {
  const std::string path = scratch("sink");
  SinkOptions options;
  options.flush_interval_ns = 0;
  CtfSink sink(open_folder(path), options);
  REQUIRE(sink.session("s").ok());
  CHECK(content(path + "/metadata").find(Metadata::kBegin) == 0);
  REQUIRE(sink.track(kTrack).ok());
  for (size_t i = 1; i <= 3; ++i) {
    REQUIRE(sink.event(mark(static_cast<int64_t>(i))).ok());
    CHECK(packets_of(content(path + "/track_0")).size() == i);
  }
  CHECK(packets_of(content(path + "/track_notes")).size() == 1);
  REQUIRE(sink.finish().ok());
}

TEST_CASE("a lot is written when it has enough events or bytes") {
  for (const bool by_bytes : {false, true}) {
    const std::string path = scratch("sink");
    SinkOptions options;
    options.flush_interval_ns = INT64_MAX;
    if (by_bytes) options.lot_bytes_max = 1000;
    if (!by_bytes) options.lot_events_max = 100;
    CtfSink sink(open_folder(path), options);
    REQUIRE(sink.track(kTrack).ok());
    int events = 0;
    while (content(path + "/track_0").empty() && events < 1000) {
      REQUIRE(sink.event(mark(events++)).ok());
    }
    CHECK(events > 50);
    CHECK(events < 501);
  }
}

TEST_CASE("what was not announced is refused, and nothing else is lost") {
  const std::string path = scratch("sink");
  CtfSink sink(open_folder(path));
  REQUIRE(sink.session("s").ok());
  CHECK(sink.event(mark(1)).code() == ResultCode::kInvalidArgument);
  CHECK(sink.events({mark(1), {}, {}, 0, 0}).message().find("track 0") != std::string::npos);
  CHECK(sink.counter_sample({}).code() == ResultCode::kInvalidArgument);
  REQUIRE(sink.track(kTrack).ok());
  CHECK(sink.event(mark(1)).ok());
  CHECK(sink.finish().ok());
  CHECK(packets_of(content(path + "/track_0")).size() == 1);
  CHECK(sink.event(mark(1)).message().find("finished") != std::string::npos);
}

TEST_CASE("the destructor writes what waits") {
  const std::string path = scratch("sink");
  {
    CtfSink sink(open_folder(path));
    REQUIRE(sink.track(kTrack).ok());
    REQUIRE(sink.event(mark(1)).ok());
  }
  CHECK(packets_of(content(path + "/track_0")).size() == 1);
}

TEST_CASE("losses of a stream go where its events went, of others to the notes") {
  const std::string path = scratch("sink");
  CtfSink sink(open_folder(path));
  REQUIRE(sink.stream({0, "known", ""}).ok());
  REQUIRE(sink.track(kTrack).ok());
  REQUIRE(sink.event(mark(1)).ok());
  REQUIRE(sink.loss({2, true, "known", "ring full", 3}).ok());
  REQUIRE(sink.loss({2, true, "unknown", "ring full", 4}).ok());
  REQUIRE(sink.loss({2, true, "known", "ring full", 0}).ok());
  REQUIRE(sink.finish().ok());
  CHECK(packets_of(content(path + "/track_0")).back().discarded == 3);
  CHECK(packets_of(content(path + "/track_notes")).back().discarded == 4);
}

TEST_CASE("a file that may not grow is a failure that stays, and whole packets are kept") {
  const std::string path = scratch("sink");
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{200'000, 200'000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    CtfSink sink(open_folder(path));
    if (!sink.track(kTrack).ok()) _exit(3);
    Status status;
    for (int64_t i = 0; i < 1'000'000 && status.ok(); ++i) status = sink.event(mark(i));
    if (status.code() != ResultCode::kFailed) _exit(4);
    if (status.message().find(path) == std::string::npos) _exit(5);
    _exit(sink.finish().message() == status.message() ? 0 : 6);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  const std::string bytes = content(path + "/track_0");
  CHECK(bytes.size() <= 200'000);
  CHECK(packets_of(bytes).empty() == bytes.empty());
}

}  // namespace
}  // namespace ringscribe::ctf
