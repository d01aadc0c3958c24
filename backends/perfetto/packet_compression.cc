// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/packet_compression.h"

#include <zlib.h>

#include <algorithm>

#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

Status PacketCompressor::compress(std::string_view packets, std::string& out) {
  while (!packets.empty()) {
    size_t part = 0;
    while (part < packets.size()) {
      const size_t packet = first_packet_bytes(packets.substr(part));
      if (part != 0 && part + packet > kPacketsBytesMax) break;
      part += packet;
    }
    if (part > kPacketsBytesMax) {
      out += packets.substr(0, part);
    } else if (Status status = compress_part(packets.substr(0, part), out); !status.ok()) {
      return status;
    }
    packets.remove_prefix(part);
  }
  return {};
}

Status PacketCompressor::compress_part(std::string_view packets, std::string& out) {
  uLongf size = compressBound(static_cast<uLong>(packets.size()));
  blob_.resize(size);
  const int result = compress2(reinterpret_cast<Bytef*>(blob_.data()), &size,
                               reinterpret_cast<const Bytef*>(packets.data()),
                               static_cast<uLong>(packets.size()), level_);
  if (result != Z_OK) {
    return Status(ResultCode::kFailed, "compressing " + std::to_string(packets.size()) +
                                           " bytes of packets failed: " + zError(result) +
                                           "; make memory free, or write without compression");
  }
  add_compressed_packets({blob_.data(), size}, out);
  return {};
}

Status decompress_packets(std::string_view blob, size_t bytes_max, std::string& out) {
  const auto refuse = [](const std::string& why) {
    return Status(ResultCode::kFailed, "compressed packets cannot be had: " + why);
  };
  z_stream stream = {};
  if (inflateInit(&stream) != Z_OK) return refuse("zlib has no memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(blob.data()));
  stream.avail_in = static_cast<uInt>(blob.size());
  const size_t before = out.size();
  int result = Z_OK;
  for (size_t room = std::max<size_t>(4 * blob.size(), 4096); result == Z_OK; room *= 2) {
    room = std::min(room, bytes_max - (out.size() - before));
    if (room == 0) break;
    const size_t begin = out.size();
    out.resize(begin + room);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + begin);
    stream.avail_out = static_cast<uInt>(room);
    result = inflate(&stream, Z_NO_FLUSH);
    out.resize(out.size() - stream.avail_out);
    if (result == Z_OK && stream.avail_out != 0) result = Z_BUF_ERROR;  // nothing is left to read
  }
  inflateEnd(&stream);
  if (result == Z_STREAM_END) return {};
  const size_t got = out.size() - before;
  out.resize(before);
  if (result == Z_OK) return refuse("they are more than " + std::to_string(bytes_max) + " bytes");
  return refuse(std::string(zError(result)) + ", after " + std::to_string(got) + " bytes");
}

}  // namespace ringscribe::perfetto
