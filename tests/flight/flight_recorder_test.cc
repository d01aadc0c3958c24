// SPDX-License-Identifier: Apache-2.0
//
// The flight recorder: what a snapshot holds, and that nothing is missing without being counted.
#include <ringscribe/ringscribe.h>
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/probes.h"

namespace ringscribe {
namespace {

using testing::mix;
using testing::Probe;

// Probes, and the texts of all registered strings.
class Reader : public testing::ProbeChecker {
 public:
  explicit Reader(const std::string& path) {
    auto replayed = journal::replay(path, *this);
    REQUIRE(replayed.ok());
    INFO(replayed->first_rejection.message());
    CHECK(replayed->finished);
    CHECK(replayed->rejected == 0);
  }
  Status string(uint32_t, uint64_t, std::string_view text) override {
    texts.append(text).append("\n");
    return {};
  }
  // The number before " events of stream "STREAM" were overwritten".
  uint64_t overwritten(const std::string& stream) const {
    const size_t end = texts.find(" events of stream \"" + stream + "\" were overwritten");
    if (end == std::string::npos) return 0;
    const size_t begin = texts.rfind(' ', end - 1) + 1;
    return std::stoull(texts.substr(begin, end - begin));
  }
  std::string texts;
};

runtime::Settings flight_settings(uint64_t bytes) {
  runtime::Settings settings;
  settings.overflow = runtime::Overflow::kOverwrite;
  settings.snapshot_bytes = bytes;
  return settings;
}

std::string temporary(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/" + name;
  std::filesystem::remove(path);
  return path;
}

struct Recording {
  Recording(const runtime::Settings& settings, const std::string& output,
            runtime::Runtime::Drive drive = runtime::Runtime::Drive::kByHand)
      : runtime(settings, drive) {
    auto begun = Session::begin("flight", {.backend = "journal", .output = output});
    REQUIRE(begun.ok());
    session = std::move(*begun);
    domain = session.get_domain("flight");
    stream = session.create_stream("probes", {.domain = domain});
    schema = domain.get_schema<Probe>(EventKind::kMark);
  }
  void write(uint64_t count) {
    for (uint64_t end = next + count; next < end; ++next) {
      stream.write_event(schema, {static_cast<int64_t>(next), 0, next, mix(0, next)});
      if (next % 1000 == 999) (void)session.flush();
    }
    (void)session.flush();
  }
  runtime::Runtime runtime;
  Session session;
  Domain domain;
  Stream stream;
  Schema<Probe> schema;
  uint64_t next = 0;
};

TEST_CASE("a snapshot ends with the last event, and says how many came before it") {
  Recording recording(flight_settings(64 << 10), temporary("end.rsj"));
  const std::string paths[] = {temporary("one.rsj"), temporary("two.rsj")};
  uint64_t before = 0;
  for (const std::string& path : paths) {
    recording.write(300'000);
    CHECK(recording.session.snapshot(path, "because").ok());
    const Reader reader(path);
    CHECK(reader.texts.find("snapshot: because") != std::string::npos);
    CHECK(reader.torn == 0);
    CHECK(reader.disordered == 0);
    // One gap, in front of it all.
    REQUIRE(reader.writers.size() == 1);
    CHECK(reader.gaps == reader.overwritten("probes"));
    CHECK(reader.gaps > before);
    CHECK(reader.writers.at(0).next_sequence == recording.next);
    CHECK(reader.events + reader.gaps == recording.next);
    CHECK(reader.events > 5'000);
    before = reader.gaps;
  }
  const Counts counts = recording.session.stats();
  CHECK(counts.recorded == recording.next);
  CHECK(counts.lost() == 0);
}

TEST_CASE("what is named once is known in every snapshot") {
  Recording recording(flight_settings(64 << 10), temporary("names_end.rsj"));
  const RegisteredString name = recording.domain.get_registered_string("named at the begin");
  recording.stream.write_mark(0, {.message = name});
  recording.write(300'000);
  recording.stream.write_mark(1, {.message = name});
  const std::string path = temporary("names.rsj");
  CHECK(recording.session.snapshot(path).ok());
  const Reader reader(path);
  CHECK(reader.gaps != 0);
  CHECK(reader.texts.find("named at the begin") != std::string::npos);
}

TEST_CASE("the output holds the latest events when the session ends") {
  const std::string output = temporary("output.rsj");
  Recording recording(flight_settings(64 << 10), output);
  recording.write(200'000);
  CHECK_FALSE(std::filesystem::exists(output));
  CHECK(recording.session.end().ok());
  const Reader reader(output);
  CHECK(reader.texts.find("snapshot: end of the session") != std::string::npos);
  CHECK(reader.writers.at(0).next_sequence == recording.next);
  CHECK(reader.events + reader.overwritten("probes") == recording.next);
}

TEST_CASE("a range whose begin was overwritten comes out as such, and nests wrongly with nothing") {
  Recording recording(flight_settings(64 << 10), temporary("half_end.rsj"));
  const Stream live = recording.session.live_stream("live", recording.domain);
  (void)live.push({.message = "outermost, overwritten"});
  for (int depth = 0; depth < 40; ++depth) (void)live.push({.message = "overwritten"});
  recording.write(100'000);
  (void)live.push({.message = "in the snapshot"});
  (void)recording.session.flush();
  (void)live.pop();
  for (int depth = 0; depth < 41; ++depth) (void)live.pop();
  (void)live.push({.message = "still open"});
  const std::string path = temporary("half.rsj");
  CHECK(recording.session.snapshot(path).ok());
  model::RecordingSink::Log log;
  model::Model events(std::make_unique<model::RecordingSink>(log), "flight");
  REQUIRE(journal::replay(path, events).ok());
  int whole = 0, without_begin = 0, without_end = 0;
  for (const model::RecordingSink::RecordedEvent& event : log.events) {
    if (event.event.kind != model::EventKind::kRangePushPop) continue;
    CHECK(event.event.end >= event.event.begin);
    CHECK(event.message != "overwritten");
    if (event.event.begin_is_missing) ++without_begin;
    if (event.event.end_is_missing) ++without_end;
    if (!event.event.begin_is_missing && !event.event.end_is_missing) {
      ++whole;
      CHECK(event.message == "in the snapshot");
    }
  }
  CHECK(whole == 1);
  CHECK(without_begin == 41);
  CHECK(without_end == 1);
}

TEST_CASE("a stream that is closed stays in the snapshot") {
  Recording recording(flight_settings(64 << 10), temporary("closed_end.rsj"));
  recording.write(1000);
  CHECK(recording.stream.close().ok());
  const std::string path = temporary("closed.rsj");
  CHECK(recording.session.snapshot(path).ok());
  CHECK(Reader(path).events == 1000);
}

TEST_CASE("a snapshot may include what comes after it; calls before it are part of it") {
  Recording recording(flight_settings(8 << 20), temporary("after_end.rsj"),
                      runtime::Runtime::Drive::kThread);
  const std::string path = temporary("after.rsj");
  const std::string other = temporary("other.rsj");
  recording.write(100);
  CHECK(recording.session.snapshot(path, "first", std::chrono::hours(1)).ok());
  CHECK(recording.session.snapshot(other, "second", std::chrono::hours(1)).ok());
  recording.write(100);
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(recording.session.end().ok());  // does not wait for an hour
  CHECK_FALSE(std::filesystem::exists(other));
  const Reader reader(path);
  CHECK(reader.events == 200);
  CHECK(reader.texts.find("snapshot: first") != std::string::npos);
}

TEST_CASE("a signal makes a snapshot") {
  runtime::Settings settings = flight_settings(8 << 20);
  settings.snapshot_signal = SIGUSR2;
  Recording recording(settings, temporary("signal.rsj"), runtime::Runtime::Drive::kThread);
  const std::string path = temporary("signal-snapshot.rsj");
  recording.write(1000);
  ::raise(SIGUSR2);
  CHECK(recording.session.flush().ok());
  CHECK(recording.session.flush().ok());  // the flusher has looked for the signal in between
  CHECK(recording.session.end().ok());
  CHECK(Reader(path).events == 1000);
  ::signal(SIGUSR2, SIG_DFL);
}

TEST_CASE("a range that took too long makes a snapshot, others do not") {
  runtime::Settings settings = flight_settings(8 << 20);
  settings.snapshot_range_ns = 1'000'000'000;
  const std::string path = temporary("long-snapshot.rsj");
  for (const bool is_long : {false, true}) {
    Recording recording(settings, temporary("long.rsj"), runtime::Runtime::Drive::kThread);
    const Stream live = recording.session.live_stream("live", recording.domain);
    recording.write(1000);
    const RegisteredString name = recording.domain.get_registered_string("a range");
    const int64_t end = now();  // ticks since the machine began, or some such time
    live.write_pushpop(is_long ? end / 2 : end - 1, end, {.message = name});
    CHECK(recording.session.flush().ok());
    CHECK(recording.session.flush().ok());  // the flusher has looked at what the one before it saw
    CHECK(recording.session.end().ok());    // waits for a snapshot that was begun
    CHECK(std::filesystem::exists(path) == is_long);
  }
  const Reader reader(path);
  CHECK(reader.events == 1000);
  CHECK(reader.texts.find("a range took longer") != std::string::npos);
}

TEST_CASE("snapshots while threads record") {
  Recording recording(flight_settings(64 << 10), temporary("threads_end.rsj"),
                      runtime::Runtime::Drive::kThread);
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (uint64_t writer = 1; writer <= 2; ++writer) {
    writers.emplace_back([&, writer] {
      for (uint64_t i = 0; !stop.load(std::memory_order_relaxed);) {
        const Probe probe{static_cast<int64_t>(i), writer, i, mix(writer, i)};
        if (recording.stream.write_event(recording.schema, probe)) ++i;
      }
    });
  }
  for (int i = 0; i < 10; ++i) {
    const std::string path = temporary("threads" + std::to_string(i) + ".rsj");
    CHECK(recording.session.snapshot(path).ok());
    const Reader reader(path);
    CHECK(reader.torn == 0);
    CHECK(reader.disordered == 0);
    // A writer of which nothing is left shows no gap.
    CHECK(reader.gaps <= reader.overwritten("probes"));
    if (reader.writers.size() == 2) CHECK(reader.gaps == reader.overwritten("probes"));
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

TEST_CASE("a session that writes all has no snapshots, and says so") {
  Recording recording(runtime::Settings(), temporary("plain.rsj"));
  const Status status = recording.session.snapshot(temporary("no.rsj"));
  CHECK(status.code() == ResultCode::kNotSupported);
  CHECK(status.message().find("RINGSCRIBE_OVERFLOW=overwrite") != std::string::npos);
}

TEST_CASE("a snapshot that cannot be written is an error, and recording goes on") {
  Recording recording(flight_settings(64 << 10), temporary("fails_end.rsj"));
  recording.write(10);
  const Status status = recording.session.snapshot("/nonexistent/folder/a.rsj");
  CHECK_FALSE(status.ok());
  CHECK(status.message().find("/nonexistent/folder/a.rsj") != std::string::npos);
  recording.write(10);
  const std::string path = temporary("works.rsj");
  CHECK(recording.session.snapshot(path).ok());
  CHECK(Reader(path).events == 20);
}

}  // namespace
}  // namespace ringscribe
