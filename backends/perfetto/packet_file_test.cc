// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/packet_file.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "ringscribe/backends/perfetto/packet_compression.h"

namespace ringscribe::perfetto {
namespace {

using Catch::Matchers::Contains;
using Next = PacketFile::Next;

std::string packet(const std::string& content) {
  REQUIRE(content.size() < 0x80);
  return std::string("\x0a") + static_cast<char>(content.size()) + content;
}

struct Read {
  std::vector<std::string> packets;
  Next end = Next::kPacket;
  std::string damage;
  uint64_t bytes = 0;
};

std::string path_of(const std::string& bytes) {
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/packets";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

Read read(const std::string& bytes) {
  Result<std::unique_ptr<PacketFile>> file = PacketFile::open(path_of(bytes));
  REQUIRE(file.ok());
  Read result;
  std::string_view next;
  while ((result.end = (*file)->next(next)) == Next::kPacket) result.packets.emplace_back(next);
  CHECK((*file)->next(next) == result.end);  // it is final
  result.damage = (*file)->damage();
  result.bytes = (*file)->bytes();
  return result;
}

TEST_CASE("packets come in their order, empty ones too") {
  const Read result = read(packet("one") + packet("") + packet("three"));
  CHECK(result.packets == std::vector<std::string>{"one", "", "three"});
  CHECK(result.end == Next::kEnd);
  CHECK(result.bytes == 14);
}

TEST_CASE("packets of more than what is read at once are whole") {
  const std::string large(3'000'000, 'x');
  const std::string length = {'\xC0', '\x8D', '\xB7', '\x01'};  // 3,000,000 as a varint
  const Read result = read(packet("one") + "\x0a" + length + large + packet("three"));
  REQUIRE(result.packets.size() == 3);
  CHECK(result.packets[1] == large);
  CHECK(result.packets[2] == "three");
}

TEST_CASE("a file that is cut anywhere has the packets before") {
  const std::string whole = packet("one") + packet("two") + packet("three");
  for (size_t size = 1; size < whole.size(); ++size) {
    const Read result = read(whole.substr(0, size));
    const size_t packets = size / 5 > 2 ? 2 : size / 5;
    CHECK(result.packets.size() == packets);
    CHECK(result.end == (size == 5 || size == 10 ? Next::kEnd : Next::kTruncated));
    CHECK(result.bytes == 5 * packets);
  }
}

TEST_CASE("what is no packet is damage, with its place") {
  const Read result = read(packet("one") + "nonsense");
  CHECK(result.packets.size() == 1);
  CHECK(result.end == Next::kDamaged);
  CHECK_THAT(result.damage, Contains("at byte 5"));
  CHECK(read(packet("one") + "\x0a" + std::string(11, '\xff')).end == Next::kDamaged);
  // 2^60 bytes: no memory is taken for them.
  const Read huge = read("\x0a" + std::string(8, '\x80') + "\x10");
  CHECK(huge.end == Next::kDamaged);
  CHECK_THAT(huge.damage, Contains("longer than any"));
}

TEST_CASE("an empty file, another file and a folder are refused") {
  CHECK_THAT(PacketFile::open(path_of("")).status().message(), Contains("it is empty"));
  CHECK_THAT(PacketFile::open(path_of("text")).status().message(), Contains("no Perfetto trace"));
  CHECK_THAT(PacketFile::open(std::getenv("TEST_TMPDIR")).status().message(), Contains("a folder"));
  CHECK_THAT(PacketFile::open("/nowhere/a").status().message(), Contains("errno 2"));
}

TEST_CASE("compressed packets are packets like others") {
  PacketCompressor compressor(6);
  std::string compressed;
  REQUIRE(compressor.compress(packet("one") + packet("two"), compressed).ok());
  const Read result = read(packet("zero") + compressed + packet("three"));
  CHECK(result.packets == std::vector<std::string>{"zero", "one", "two", "three"});
  CHECK(result.end == Next::kEnd);

  compressed[compressed.size() / 2] = static_cast<char>(compressed[compressed.size() / 2] ^ 0x55);
  CHECK(read(compressed).end == Next::kDamaged);
  std::string nonsense;
  REQUIRE(compressor.compress(packet("one") + "\x0b\x01n", nonsense).ok());
  const Read damaged = read(nonsense);
  CHECK(damaged.packets.size() == 1);
  CHECK_THAT(damaged.damage, Contains("are no packets"));
}

TEST_CASE("a stream that unpacks to more than is allowed is refused, and nothing is added") {
  PacketCompressor compressor(9);
  std::string compressed;
  REQUIRE(compressor.compress(packet("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), compressed).ok());
  Result<std::unique_ptr<PacketFile>> file = PacketFile::open(path_of(compressed));
  std::string_view unpacked;
  REQUIRE((*file)->next(unpacked) == Next::kPacket);
  // The stream behind tags and lengths of one or two bytes.
  const std::string_view blob = std::string_view(compressed).substr(compressed.find('\x78'));
  std::string out = "kept";
  CHECK_THAT(decompress_packets(blob, 10, out).message(), Contains("more than 10 bytes"));
  CHECK(out == "kept");
  CHECK(decompress_packets(blob, 42, out).ok());
  CHECK(out.size() == 4 + 42);
  CHECK_FALSE(decompress_packets(blob.substr(0, blob.size() - 3), 1000, out).ok());
  CHECK_FALSE(decompress_packets("nonsense", 1000, out).ok());
  CHECK_FALSE(decompress_packets("", 1000, out).ok());
}

}  // namespace
}  // namespace ringscribe::perfetto
