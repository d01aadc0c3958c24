// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/frame_history.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

namespace ringscribe::journal {
namespace {

std::span<const std::byte> bytes(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void write(FrameHistory& history, FrameType type, const std::string& text) {
  const std::span<const std::byte> parts[] = {bytes(text)};
  REQUIRE(history.write(type, FrameCodec::kPlain, parts).ok());
}

// The first character of each frame.
std::string shown(const FrameHistory::Snapshot& snapshot) {
  std::string text;
  snapshot.for_each([&](Frame& frame) {
    text += static_cast<char>(frame.payload[0]);
    CHECK(reinterpret_cast<uintptr_t>(frame.payload.data()) % 16 == 0);
    for (int i = 0; i < 16; ++i)
      CHECK(frame.payload.data()[frame.payload.size() + i] == std::byte{});
  });
  return text;
}

TEST_CASE("definitions come first, then clocks, then data") {
  FrameHistory history({});
  write(history, FrameType::kEvent, "e");
  write(history, FrameType::kDomain, "d");
  write(history, FrameType::kSyncPoints, "s");
  write(history, FrameType::kEvent, "f");
  write(history, FrameType::kSchema, "c");
  CHECK(shown(history.take()) == "dcsef");
}

TEST_CASE("a frame is whole, padded with zeros") {
  FrameHistory history({});
  const std::string first = "first part", second = "second";
  const std::span<const std::byte> parts[] = {bytes(first), {}, bytes(second)};
  REQUIRE(history.write(FrameType::kEventBatch, FrameCodec::kCompact, parts).ok());
  int frames = 0;
  history.take().for_each([&](Frame& frame) {
    ++frames;
    CHECK(frame.type == FrameType::kEventBatch);
    CHECK(frame.codec == FrameCodec::kCompact);
    REQUIRE(frame.payload.size() == 24);
    CHECK(std::memcmp(frame.payload.data(), "first part\0\0\0\0\0\0second\0\0", 24) == 0);
  });
  CHECK(frames == 1);
}

TEST_CASE("the oldest data is forgotten, and its events are counted by stream") {
  FrameHistory history({.data_bytes_max = 64 << 10});
  const std::string row(1000, 'x');
  write(history, FrameType::kDomain, "d");
  for (int i = 0; i < 1000; ++i) {
    history.count_events(static_cast<uint32_t>(i % 2), 3);
    write(history, FrameType::kEvent, row);
  }
  CHECK(history.data_bytes() <= 64 << 10);
  const size_t kept = shown(history.take()).size() - 1;
  CHECK(kept > 40);
  CHECK(kept < 70);
  const auto& forgotten = history.forgotten();
  CHECK((forgotten.at(0) + forgotten.at(1)) / 3 + kept == 1000);
}

TEST_CASE("a frame larger than all memory is kept, alone") {
  FrameHistory history({.data_bytes_max = 64 << 10});
  write(history, FrameType::kEvent, "small");
  write(history, FrameType::kEvent, std::string(1 << 20, 'L'));
  CHECK(shown(history.take()) == "L");
  write(history, FrameType::kEvent, "small");
  CHECK(shown(history.take()) == "s");
}

TEST_CASE("data is forgotten by age, and what was taken stays") {
  int64_t now = 0;
  FrameHistory history(
      {.data_bytes_max = 1 << 20, .age_ns_max = 100, .now_ns = [&] { return now; }});
  const std::string large(200 << 10, 'a');  // a block of its own
  write(history, FrameType::kEvent, large);
  const FrameHistory::Snapshot early = history.take();
  now = 90;
  write(history, FrameType::kEvent, std::string(200 << 10, 'b'));
  CHECK(shown(history.take()) == "ab");
  now = 150;
  write(history, FrameType::kEvent, std::string(200 << 10, 'c'));
  CHECK(shown(history.take()) == "bc");
  now = 500;
  CHECK(shown(history.take()) == "");
  CHECK(shown(early) == "a");
}

TEST_CASE("of clocks the first and the latest are kept") {
  FrameHistory history({});
  for (int i = 0; i < 20'000; ++i) write(history, FrameType::kSyncPoints, i < 8 ? "f" : "l");
  const std::string text = shown(history.take());
  CHECK(text.size() <= 8192);
  CHECK(text.size() > 4000);
  CHECK(text.substr(0, 9) == "ffffffffl");
}

}  // namespace
}  // namespace ringscribe::journal
