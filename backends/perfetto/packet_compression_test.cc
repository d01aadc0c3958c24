// SPDX-License-Identifier: Apache-2.0
//
// How packets are put together. That they can be read is checked in tests/perfetto.
#include "ringscribe/backends/perfetto/packet_compression.h"

#include <catch2/catch.hpp>
#include <string>

#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {
namespace {

// How many packets `bytes` hold, each less than 512 KiB; 0 if they are not whole.
size_t count_packets(std::string_view bytes) {
  size_t count = 0;
  while (!bytes.empty()) {
    const size_t packet = first_packet_bytes(bytes);
    if (packet == 0 || packet > bytes.size() || packet >= size_t{512} << 10) return 0;
    bytes.remove_prefix(packet);
    ++count;
  }
  return count;
}

TEST_CASE("many packets become a few, and repetition becomes small") {
  TracePacketWriter packets;
  Sequence sequence{.track_uuid = 7};
  for (int i = 0; i < 50'000; ++i) packets.end(sequence, i * 100);
  const std::string bytes = packets.bytes();
  REQUIRE(bytes.size() > PacketCompressor::kPacketsBytesMax);
  std::string out;
  REQUIRE(PacketCompressor(6).compress(bytes, out).ok());
  CHECK(count_packets(out) == (bytes.size() + PacketCompressor::kPacketsBytesMax - 1) /
                                  PacketCompressor::kPacketsBytesMax);
  CHECK(out.size() < bytes.size() / 20);
}

TEST_CASE("a packet that is too large stays as it is, between those that are not") {
  TracePacketWriter packets;
  packets.begin();
  const std::string small = packets.bytes();
  const std::string name(PacketCompressor::kPacketsBytesMax + 1, 'n');
  packets.track({.uuid = 1, .name = name});
  packets.track({.uuid = 2, .name = "small"});
  std::string out;
  REQUIRE(PacketCompressor(1).compress(packets.bytes(), out).ok());
  CHECK(count_packets(out) == 3);
  CHECK(out.find(name) != std::string::npos);
  CHECK(out.find("small") == std::string::npos);
}

}  // namespace
}  // namespace ringscribe::perfetto
