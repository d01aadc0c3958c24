// SPDX-License-Identifier: Apache-2.0
//
// What tracers other than ours may write. What our own sink writes is read and written again in
// tests/formats.
#include "ringscribe/backends/perfetto/trace_reader.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/backends/perfetto/trace_fields.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {
namespace {

using Log = model::RecordingSink::Log;
using Message = protozero::pbf_writer;

class Trace {
 public:
  void packet(const std::function<void(Message&)>& fill) {
    Message trace(bytes_);
    Message packet(trace, trace::kPacket);
    packet.add_uint32(packet::kTrustedPacketSequenceId, 3);
    fill(packet);
  }
  void track(uint64_t uuid, const std::function<void(Message&)>& fill) {
    packet([&](Message& packet) {
      Message track(packet, packet::kTrackDescriptor);
      track.add_uint64(descriptor::kUuid, uuid);
      fill(track);
    });
  }
  void event(
      uint64_t time, EventType type, uint64_t uuid,
      const std::function<void(Message&)>& fill = [](Message&) {}) {
    packet([&](Message& packet) {
      packet.add_uint64(packet::kTimestamp, time);
      Message event(packet, packet::kTrackEvent);
      event.add_enum(track_event::kType, static_cast<int32_t>(type));
      event.add_uint64(track_event::kTrackUuid, uuid);
      fill(event);
    });
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::function<void(Message&)> named(const char* name) {
  return [name](Message& event) { event.add_string(track_event::kName, name); };
}

TraceSummary read(const std::string& bytes, Log& log) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/other.pftrace";
  std::ofstream(path, std::ios::binary) << bytes;
  model::RecordingSink sink(log);
  Result<TraceSummary> summary = read_trace(path, sink);
  REQUIRE(summary.ok());
  CHECK(log.finished == 1);
  return *summary;
}

TEST_CASE("a thread without a process gets one, and times of CLOCK_BOOTTIME are moved") {
  Trace trace;
  trace.packet([](Message& packet) {
    Message snapshot(packet, packet::kClockSnapshot);
    const std::pair<uint32_t, uint64_t> clocks[] = {{6, 5000}, {3, 4000}, {1, 900'000}};
    for (const auto& [id, time] : clocks) {
      Message clock(snapshot, snapshot::kClocks);
      clock.add_uint32(clock::kClockId, id);
      clock.add_uint64(clock::kTimestamp, time);
    }
  });
  trace.track(11, [](Message& track) {
    Message thread(track, descriptor::kThread);
    thread.add_int32(thread::kPid, 70);
    thread.add_int64(thread::kTid, 71);
    thread.add_string(thread::kThreadName, "main");
  });
  trace.event(6000, EventType::kBegin, 11, [](Message& event) {
    event.add_string(track_event::kCategories, "hot");
    event.add_string(track_event::kCategories, "second");
    event.add_string(track_event::kName, "work");
  });
  trace.event(7000, EventType::kEnd, 11);
  Log log;
  read(trace.bytes(), log);
  CHECK(log.session == "other");  // the file's name: the trace has none
  CHECK(log.clock_points == std::vector<std::pair<int64_t, int64_t>>{{4000, 900'000}});
  REQUIRE(log.tracks.size() == 2);
  CHECK(log.tracks[0].kind == model::TrackKind::kProcess);
  CHECK(log.tracks[0].pid == 70);
  CHECK(log.tracks[1].parent == 0);
  CHECK(log.tracks[1].tid == 71);
  REQUIRE(log.events.size() == 1);
  CHECK(log.events[0].message == "work");
  CHECK(log.events[0].category == "hot");
  CHECK(log.events[0].event.begin == 5000);
  CHECK(log.events[0].event.end == 6000);
}

TEST_CASE(
    "slices nest, one without an end ends with the trace, an end without a begin is counted") {
  Trace trace;
  trace.track(5, [](Message& track) { track.add_string(descriptor::kName, "row"); });
  trace.event(1, EventType::kEnd, 5);
  trace.event(10, EventType::kBegin, 5, named("open"));
  trace.event(20, EventType::kBegin, 5, named("inner"));
  trace.event(30, EventType::kEnd, 5);
  trace.event(40, EventType::kInstant, 5, named("mark"));
  Log log;
  read(trace.bytes(), log);
  REQUIRE(log.events.size() == 3);
  CHECK(log.events[0].message == "inner");
  CHECK(log.events[1].event.kind == model::EventKind::kMark);
  CHECK(log.events[2].message == "open");
  CHECK(log.events[2].event.end == 40);
  CHECK(log.events[2].event.end_is_missing);
  CHECK(log.problems.size() == 1);
  CHECK(log.problems.begin()->second == 1);
  CHECK(log.streams == std::vector<std::string>{"/row"});
}

TEST_CASE("a track that is below itself, and one that nobody described, are rows") {
  Trace trace;
  trace.track(1, [](Message& track) { track.add_uint64(descriptor::kParentUuid, 2); });
  trace.track(2, [](Message& track) { track.add_uint64(descriptor::kParentUuid, 1); });
  trace.event(10, EventType::kInstant, 1, named("a"));
  trace.event(10, EventType::kInstant, 99, named("b"));
  Log log;
  read(trace.bytes(), log);
  CHECK(log.events.size() == 2);
  REQUIRE(!log.tracks.empty());
  CHECK(log.tracks.back().name == "track 99");
}

TEST_CASE("packets of other kinds and events of other types are counted, and the rest is read") {
  Trace trace;
  trace.packet([](Message& packet) { packet.add_string(2, "a process tree"); });
  trace.event(10, EventType{9}, 1);
  trace.event(10, EventType::kInstant, 1, named("a"));
  Log log;
  const TraceSummary summary = read(trace.bytes(), log);
  CHECK(summary.other_packets == 1);
  CHECK(log.events.size() == 1);
  CHECK(log.problems.size() == 1);
}

TEST_CASE("what is no protobuf inside a packet ends the reading, with what was before") {
  Trace trace;
  trace.event(10, EventType::kInstant, 1, named("a"));
  const std::string broken = trace.bytes() + std::string("\x0a\x03\x5a\x7f\x01", 5);
  Log log;
  const TraceSummary summary = read(broken, log);
  CHECK(summary.damaged);
  CHECK(summary.damage.find("before byte " + std::to_string(broken.size())) != std::string::npos);
  CHECK(summary.bytes == trace.bytes().size());
  CHECK(log.events.size() == 1);
}

TEST_CASE("values that are nested without end are cut, and texts that are no UTF-8 are repaired") {
  std::string value;
  for (int i = 0; i < 10'000; ++i) {
    std::string outer;
    Message(outer).add_message(annotation::kArrayValues, value);
    value = outer;
    if (value.size() > 30'000) break;
  }
  Trace trace;
  trace.event(10, EventType::kInstant, 1, [&](Message& event) {
    event.add_string(track_event::kName, "\xff");
    event.add_message(track_event::kDebugAnnotations, value);
  });
  Log log;
  read(trace.bytes(), log);
  REQUIRE(log.events.size() == 1);
  CHECK(log.events[0].message == "\uFFFD");
  CHECK(log.events[0].fields.find("nested too deep") != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::perfetto
