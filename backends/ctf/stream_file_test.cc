// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/stream_file.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

using Form = StreamFile::Form;

const StreamDescription kDescription = {{}, 7, 8, "process", "track"};

struct Output {
  std::string path = scratch("stream");
  std::unique_ptr<output::OutputFolder> folder = open_folder(path);
  std::vector<Packet> packets(const std::string& name) const {
    const std::string bytes = content(path + "/" + name);
    std::vector<Packet> found = packets_of(bytes);
    // Whatever is cut off at the end of a page leaves whole packets.
    for (const Packet& packet : found) {
      CHECK(packet.offset / kPageBytes == (packet.offset + packet.bytes - 1) / kPageBytes);
      CHECK(packet.content_bytes <= packet.bytes);
      CHECK(packet.begin <= packet.end);
    }
    for (size_t i = 0; i < found.size(); ++i) CHECK(found[i].number == i);
    return found;
  }
};

TEST_CASE("an event has 6 bytes of header, and 14 after more than 4 s or with a high number") {
  Output out;
  StreamFile file(kDescription, "track_0", 3, Form::kPages);
  file.add(1000, 5, "", "ab");
  file.add(1001, 6, "f", "c");
  file.add(1001 + (uint64_t{1} << 32), 7, "", "");
  file.add(1001 + (uint64_t{1} << 32), 65535, "", "");
  REQUIRE(file.flush(*out.folder).ok());
  const auto packets = out.packets("track_0");
  REQUIRE(packets.size() == 1);
  CHECK(packets[0].file == 3);
  CHECK(packets[0].begin == 1000);
  CHECK(packets[0].end == 1001 + (uint64_t{1} << 32));
  const std::string context("\x07\0\0\0\x08\0\0\0", 8);
  CHECK(packets[0].events ==
        std::string("process\0track\0", 14) + std::string("\x05\0\xe8\x03\0\0", 6) + context +
            "ab" + std::string("\x06\0\xe9\x03\0\0", 6) + context + "fc" +
            std::string("\xff\xff\x07\0\0\0\xe9\x03\0\0\x01\0\0\0", 14) + context +
            std::string("\xff\xff\xff\xff\0\0\xe9\x03\0\0\x01\0\0\0", 14) + context);
}

TEST_CASE(
    "no packet lies across the end of a page, whatever sizes come and when they are flushed") {
  Output out;
  StreamFile file(kDescription, "track_0", 0, Form::kPages);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < 2000; ++i) {
    const std::string body(i * 37 % 3900, 'x');
    REQUIRE(StreamFile::has_room(kDescription, body.size()));
    file.add(uint64_t{i / 100} << 8, 1, "", body);  // no byte of it is an x
    bytes += body.size();
    if (i % 7 == 0) REQUIRE(file.flush(*out.folder).ok());
  }
  REQUIRE(file.flush(*out.folder).ok());
  const auto packets = out.packets("track_0");
  REQUIRE_FALSE(packets.empty());
  uint64_t found = 0;
  uint64_t last = 0;
  for (const Packet& packet : packets) {
    for (const char c : packet.events) found += c == 'x';
    CHECK(packet.begin >= last);
    last = packet.end;
  }
  CHECK(found == bytes);
}

TEST_CASE("the largest event for a page fills one, with the longest names too") {
  Output out;
  const StreamDescription description = {{}, 0, 0, std::string(96, 'p'), std::string(96, 't')};
  StreamFile file(description, "track_0", 0, Form::kPages);
  size_t most = 0;
  while (StreamFile::has_room(description, most + 1)) ++most;
  CHECK(most > 3000);
  for (int i = 0; i < 10; ++i) {
    file.add(1, 1, "", "small");
    file.add(1, 1, "", std::string(most, 'x'));
    REQUIRE(file.flush(*out.folder).ok());
  }
  CHECK(out.packets("track_0").size() >= 20);
}

TEST_CASE("what is larger goes into a file that appears whole") {
  Output out;
  StreamFile file(kDescription, "track_0.large.1", 0, Form::kWhole);
  CHECK_FALSE(StreamFile::has_room(kDescription, 100'000));
  file.add(1, 1, "", std::string(100'000, 'x'));
  file.add(2, 1, "", std::string(100'000, 'x'));
  REQUIRE(file.flush(*out.folder).ok());
  CHECK(packets_of(content(out.path + "/track_0.large.1")).size() == 1);
  CHECK_FALSE(std::filesystem::exists(out.path + "/.track_0.large.1"));
}

TEST_CASE("an earlier time is not taken") {
  StreamFile file(kDescription, "track_0", 0, Form::kPages);
  CHECK(file.takes(0));
  file.add(5, 1, "", "");
  CHECK(file.takes(5));
  CHECK_FALSE(file.takes(4));
}

TEST_CASE("a loss is counted from a packet before it, and said even if no event follows") {
  Output out;
  StreamFile file(kDescription, "track_0", 0, Form::kPages);
  file.lose(3, 10);
  REQUIRE(file.flush(*out.folder).ok());
  file.add(20, 1, "", "x");
  REQUIRE(file.flush(*out.folder).ok());
  file.lose(4, 30);
  REQUIRE(file.flush(*out.folder).ok());
  REQUIRE(file.flush(*out.folder).ok());
  std::vector<uint64_t> discarded;
  for (const Packet& packet : out.packets("track_0")) discarded.push_back(packet.discarded);
  CHECK(discarded == std::vector<uint64_t>{0, 3, 3, 7});
}

}  // namespace
}  // namespace ringscribe::ctf
