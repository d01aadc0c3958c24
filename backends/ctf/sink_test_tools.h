// SPDX-License-Identifier: Apache-2.0
//
// What the tests of this folder have in common: folders of their own, and a file's packets.
//
//   const std::string path = scratch("a");
//   for (const Packet& packet : packets_of(content(path + "/track_0"))) ...
//
// Threads: one. Lifetime: values.
#ifndef RINGSCRIBE_BACKENDS_CTF_SINK_TEST_TOOLS_H_
#define RINGSCRIBE_BACKENDS_CTF_SINK_TEST_TOOLS_H_

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/ctf/metadata.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

// A path that nothing has.
inline std::string scratch(const char* name) {
  static int count = 0;
  const char* base = std::getenv("TEST_TMPDIR");
  std::string path = std::string(base != nullptr ? base : "/tmp") + "/" + name + "_" +
                     std::to_string(getpid()) + "_" + std::to_string(count++) + ".ctf";
  std::filesystem::remove_all(path);
  return path;
}

inline std::unique_ptr<output::OutputFolder> open_folder(const std::string& path) {
  return output::OutputFolder::create(path, {Metadata::kFile, Metadata::kBegin, {"track_"}})
      .value();
}

inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

// A packet as its header says.
struct Packet {
  size_t offset;
  uint64_t file;
  uint64_t begin;
  uint64_t end;
  uint64_t content_bytes;
  uint64_t bytes;
  uint64_t number;
  uint64_t discarded;
  std::string events;  // with the names in front
};

// Empty if the bytes are no whole number of packets.
inline std::vector<Packet> packets_of(const std::string& bytes) {
  std::vector<Packet> packets;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t numbers[7] = {};
    uint32_t magic = 0;
    if (bytes.size() - at < 80) return {};
    std::memcpy(&magic, bytes.data() + at, sizeof(magic));
    std::memcpy(numbers, bytes.data() + at + 24, sizeof(numbers));
    const uint64_t size = numbers[4] / 8;
    if (magic != 0xC1FC1FC1 || size < 80 || size > bytes.size() - at) return {};
    packets.push_back({at, numbers[0], numbers[1], numbers[2], numbers[3] / 8, size, numbers[5],
                       numbers[6], bytes.substr(at + 80, numbers[3] / 8 - 80)});
    at += size;
  }
  return packets;
}

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_SINK_TEST_TOOLS_H_
