// SPDX-License-Identifier: Apache-2.0
//
// The bytes of small packets, and the bounds. Field numbers are checked in tests/perfetto.
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ringscribe::perfetto {
namespace {

std::string hex(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
    text += ' ';
  }
  return text;
}

TEST_CASE("the first packet clears the state and sets the clock of all times") {
  TracePacketWriter packets;
  packets.begin_sequence();
  // sequence 1, flags 1, first packet; defaults {clock 3}.
  CHECK(hex(packets.bytes()) == "0a 0d 50 01 68 01 b8 05 01 da 03 03 d0 03 03 ");
  packets.bytes().clear();
  packets.begin_sequence();
  CHECK(hex(packets.bytes()) == "0a 0a 50 01 68 01 da 03 03 d0 03 03 ");
}

TEST_CASE("an event is its head and its body") {
  TracePacketWriter packets;
  packets.event(EventType::kEnd, 300, 5, {});
  CHECK(hex(packets.bytes()) == "0a 0d 50 01 68 02 40 ac 02 5a 04 48 02 58 05 ");
  packets.bytes().clear();
  Interners ids;
  std::string body;
  EventBody(body, ids).name("n");
  packets.event(EventType::kBegin, 0, 5, body);
  CHECK(hex(packets.bytes()) == "0a 0e 50 01 68 02 40 00 5a 06 48 01 58 05 50 01 ");
}

TEST_CASE("interned texts are written once, in packets of bounded size") {
  TracePacketWriter packets;
  Interners ids;
  packets.interned(ids);
  CHECK(packets.bytes().empty());
  ids.names.id("n");
  packets.interned(ids);
  CHECK(hex(packets.bytes()) == "0a 0d 50 01 68 02 62 07 12 05 08 01 12 01 6e ");
  packets.bytes().clear();
  packets.interned(ids);
  CHECK(packets.bytes().empty());
}

TEST_CASE("a name of more than 256 bytes is not interned") {
  Interners ids;
  std::string body;
  EventBody(body, ids).name(std::string(256, 'a'));
  CHECK(ids.names.has_fresh());
  ids.clear();
  EventBody(body, ids).name(std::string(257, 'a'));
  CHECK_FALSE(ids.names.has_fresh());
}

TEST_CASE("a text that no reader would take is cut between two characters and says so") {
  // The bound of 64 MiB falls into the second of these characters of two bytes.
  std::string text = "x";
  while (text.size() <= size_t{64} << 20) text += "\xC3\xA9";
  Interners ids;
  std::string body;
  EventBody(body, ids).text("t", text);
  CHECK(body.size() < (size_t{64} << 20) + 100);
  const std::string end = "\xC3\xA9... (cut: " + std::to_string(text.size()) + " bytes)";
  CHECK(body.substr(body.size() - end.size()) == end);
}

TEST_CASE("values that are nested without end are cut") {
  std::vector<model::Field> chain(100);
  for (size_t i = 0; i + 1 < chain.size(); ++i) {
    chain[i].value.kind = model::ValueKind::kArray;
    chain[i].value.children = std::span(chain).subspan(i + 1, 1);
  }
  Interners ids;
  std::string body;
  EventBody(body, ids).field(chain[0]);
  CHECK(body.find("(nested too deep to show)") != std::string::npos);
  CHECK(body.find("(none)") == std::string::npos);
  body.clear();
  EventBody(body, ids).field(chain[90]);
  CHECK(body.find("(none)") != std::string::npos);
}

TEST_CASE("the interners are full when one of them is") {
  Interners ids;
  ids.annotation_names.id("a");
  CHECK(ids.full(1, 100));
  CHECK_FALSE(ids.full(2, 100));
  ids.clear();
  CHECK_FALSE(ids.full(1, 100));
}

}  // namespace
}  // namespace ringscribe::perfetto
