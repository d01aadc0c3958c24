// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/packet_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "ringscribe/backends/perfetto/packet_compression.h"
#include "ringscribe/backends/perfetto/trace_fields.h"

namespace ringscribe::perfetto {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kVarintBytesMax = 10;
constexpr uint32_t kLengthDelimited = 2;
constexpr char kPacketTag = static_cast<char>(trace::kPacket << 3U | kLengthDelimited);
constexpr uint64_t kCompressedTag = uint64_t{packet::kCompressedPackets} << 3U | kLengthDelimited;

Status cannot_read(const std::string& path, const std::string& why) {
  return Status(ResultCode::kFailed, "cannot read \"" + path + "\": " + why);
}

std::string errno_text(int error) {
  return std::generic_category().message(error) + " (errno " + std::to_string(error) + ")";
}

// Takes a varint off the front of `bytes`; false if it is not whole, or longer than 64 bits.
bool take_varint(std::string_view& bytes, uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < std::min(bytes.size(), kVarintBytesMax); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    value |= uint64_t{byte & 0x7FU} << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

// The compressed packets in `packet`, if that is what it begins with, as all writers do it.
bool is_compressed(std::string_view packet, std::string_view& blob) {
  uint64_t tag = 0;
  uint64_t size = 0;
  if (!take_varint(packet, tag) || tag != kCompressedTag) return false;
  if (!take_varint(packet, size) || size > packet.size()) return false;
  blob = packet.substr(0, static_cast<size_t>(size));
  return true;
}

}  // namespace

Result<std::unique_ptr<PacketFile>> PacketFile::open(const std::string& path) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr)
    return cannot_read(path, errno_text(errno) + "; check the path and its permissions");
  struct stat info = {};
  if (fstat(fileno(file.get()), &info) != 0) return cannot_read(path, errno_text(errno));
  if (S_ISDIR(info.st_mode)) return cannot_read(path, "it is a folder; name a file");
  std::unique_ptr<PacketFile> opened(new PacketFile(std::move(file)));
  if (!opened->has(1)) return cannot_read(path, "it is empty; nothing can be had of it");
  if (opened->buffer_[0] != kPacketTag)
    return cannot_read(path, "it is no Perfetto trace: it does not begin with a packet");
  return opened;
}

bool PacketFile::has(size_t count) {
  if (buffer_.size() - at_ >= count) return true;
  buffer_.erase(0, std::exchange(at_, 0));
  while (buffer_.size() < count) {
    // Piecewise: a length that the file does not have costs no memory.
    const size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    const size_t got = std::fread(buffer_.data() + before, 1, kReadBytes, file_.get());
    buffer_.resize(before + got);
    if (got == 0) return false;
  }
  return true;
}

PacketFile::Next PacketFile::damaged(std::string why) {
  damage_ = "the trace is damaged at byte " + std::to_string(bytes_) + ": " + std::move(why);
  return last_ = Next::kDamaged;
}

PacketFile::Next PacketFile::next_of_file(std::string_view& packet) {
  static_cast<void>(has(1 + kVarintBytesMax));  // or what is left
  std::string_view rest = std::string_view(buffer_).substr(at_);
  if (rest.empty())
    return last_ = std::ferror(file_.get()) != 0 ? damaged("it cannot be read") : Next::kEnd;
  if (rest[0] != kPacketTag) return damaged("what follows is no packet");
  rest.remove_prefix(1);
  uint64_t size = 0;
  const size_t before = rest.size();
  if (!take_varint(rest, size)) {
    if (before < kVarintBytesMax) return last_ = Next::kTruncated;
    return damaged("the length of a packet has no end");
  }
  if (size > kPacketBytesMax)
    return damaged("a packet of " + std::to_string(size) + " bytes would be longer than any");
  const size_t head = 1 + (before - rest.size());
  if (!has(head + static_cast<size_t>(size))) return last_ = Next::kTruncated;
  packet = std::string_view(buffer_).substr(at_ + head, static_cast<size_t>(size));
  at_ += head + packet.size();
  bytes_ += head + packet.size();
  return Next::kPacket;
}

bool PacketFile::next_unpacked(std::string_view& packet) {
  std::string_view rest = std::string_view(unpacked_).substr(unpacked_at_);
  if (rest.empty()) return false;
  uint64_t size = 0;
  const bool is_packet = rest[0] == kPacketTag && (rest.remove_prefix(1), true) &&
                         take_varint(rest, size) && size <= rest.size();
  if (!is_packet) {
    static_cast<void>(damaged("what a compressed packet holds are no packets"));
    return false;
  }
  packet = rest.substr(0, static_cast<size_t>(size));
  unpacked_at_ = unpacked_.size() - rest.size() + packet.size();
  return true;
}

PacketFile::Next PacketFile::next(std::string_view& packet) {
  while (last_ == Next::kPacket) {
    if (next_unpacked(packet)) return Next::kPacket;
    if (last_ != Next::kPacket) break;
    if (next_of_file(packet) != Next::kPacket) break;
    std::string_view blob;
    if (!is_compressed(packet, blob)) return Next::kPacket;
    unpacked_.clear();
    unpacked_at_ = 0;
    if (Status status = decompress_packets(blob, kPacketBytesMax, unpacked_); !status.ok())
      return damaged(status.message());
  }
  return last_;
}

}  // namespace ringscribe::perfetto
