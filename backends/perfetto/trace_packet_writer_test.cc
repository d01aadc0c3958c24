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

TEST_CASE("the first packet of the file clears the state of its sequence") {
  TracePacketWriter packets;
  packets.begin();
  // sequence 1, flags 1, first packet.
  CHECK(hex(packets.bytes()) == "0a 07 50 01 68 01 b8 05 01 ");
}

TEST_CASE("a sequence begins with its track and its clock, and an end is ten bytes") {
  TracePacketWriter packets;
  Sequence sequence{.track_uuid = 9};
  packets.end(sequence, 5);
  const std::string start = hex(packets.bytes());
  packets.bytes().clear();
  packets.end(sequence, 105);
  CHECK(hex(packets.bytes()) == "0a 08 50 02 40 64 5a 02 48 02 ");
  CHECK(start.substr(start.size() - 30) == "0a 08 50 02 40 00 5a 02 48 02 ");
  CHECK(start.find("da 03 07 d0 03 40 5a 02 58 09 ") != std::string::npos);
  CHECK(start.find("0a 04 08 03 10 05 ") != std::string::npos);
  CHECK(start.find("08 40 10 05 18 01 ") != std::string::npos);
}

TEST_CASE("a time before the last one is written in full and does not move the clock") {
  TracePacketWriter packets;
  Sequence sequence{.track_uuid = 9};
  packets.end(sequence, 100);
  packets.bytes().clear();
  packets.end(sequence, 5);
  CHECK(hex(packets.bytes()) == "0a 0b 50 02 40 05 d0 03 03 5a 02 48 02 ");
  packets.bytes().clear();
  packets.end(sequence, 101);
  CHECK(hex(packets.bytes()) == "0a 08 50 02 40 01 5a 02 48 02 ");
}

TEST_CASE("texts are defined before their first use on a sequence, and again after forget") {
  TracePacketWriter packets;
  Interners ids;
  Sequence sequence{.track_uuid = 9};
  packets.end(sequence, 5);
  packets.bytes().clear();
  const EventContent content{ids.head({ids.names.id("n"), ids.categories.id("c")}), 0, {}};
  packets.event(sequence, EventType::kBegin, 5, content, ids);
  const std::string event = "0a 0c 50 02 40 00 5a 06 48 01 18 01 50 01 ";
  CHECK(hex(packets.bytes()) ==
        "0a 14 50 02 68 02 62 0e 0a 05 08 01 12 01 63 12 05 08 01 12 01 6e " + event);
  packets.bytes().clear();
  packets.event(sequence, EventType::kBegin, 5, content, ids);
  CHECK(hex(packets.bytes()) == event);
  packets.bytes().clear();
  packets.forget();
  packets.event(sequence, EventType::kBegin, 5, content, ids);
  const std::string again = hex(packets.bytes());
  CHECK(again.find("62 0e 0a 05 08 01 12 01 63 ") != std::string::npos);
  CHECK(again.find("b8 05 01") == std::string::npos);  // it is not the first packet any more
}

TEST_CASE("a name of more than 256 bytes is not interned") {
  Interners ids;
  std::string body;
  EventBody(body, ids).name(std::string(256, 'a'));
  CHECK(ids.names.size() == 1);
  ids.clear();
  EventBody(body, ids).name(std::string(257, 'a'));
  CHECK(ids.names.size() == 0);
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

}  // namespace
}  // namespace ringscribe::perfetto
