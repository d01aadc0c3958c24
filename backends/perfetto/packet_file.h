// SPDX-License-Identifier: Apache-2.0
//
// PacketFile: the packets of a Perfetto trace, one after the other, compressed ones unpacked. It
// trusts no byte of the file, and knows nothing of what packets mean.
//
//   Result<std::unique_ptr<PacketFile>> file = PacketFile::open("a.pftrace");
//   std::string_view packet;
//   while (file.value()->next(packet) == PacketFile::Next::kPacket) ...
//
// Threads: one at a time. Lifetime: a packet is valid until the next call of next().
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_PACKET_FILE_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_PACKET_FILE_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::perfetto {

class PacketFile {
 public:
  enum class Next {
    kPacket,
    kEnd,        // the file ends behind the last packet
    kTruncated,  // the file ends inside a packet
    kDamaged,    // what follows is no packet: damage() says where and why
  };

  // Longer than any packet that tracing tools write.
  static constexpr size_t kPacketBytesMax = size_t{256} << 20;

  // Fails if the file cannot be read or is empty.
  static Result<std::unique_ptr<PacketFile>> open(const std::string& path);

  // Anything but kPacket is final.
  Next next(std::string_view& packet);

  // Of the file, up to the end of the packet that was handed out last.
  uint64_t bytes() const noexcept { return bytes_; }
  const std::string& damage() const noexcept { return damage_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit PacketFile(std::unique_ptr<std::FILE, Close> file) : file_(std::move(file)) {}

  // One packet of the file, as it stands there.
  Next next_of_file(std::string_view& packet);
  // The next packet of `unpacked_`; false at its end.
  bool next_unpacked(std::string_view& packet);
  // Whether there are `count` bytes from `at_` on, read if need be.
  bool has(size_t count);
  Next damaged(std::string why);

  std::unique_ptr<std::FILE, Close> file_;
  std::string buffer_;  // of the file, from `at_` on not handed out yet
  size_t at_ = 0;
  uint64_t bytes_ = 0;
  std::string unpacked_;  // what a compressed packet held
  size_t unpacked_at_ = 0;
  std::string damage_;
  Next last_ = Next::kPacket;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PACKET_FILE_H_
