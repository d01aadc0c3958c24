// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/packet_compression.h"

#include <zlib.h>

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

}  // namespace ringscribe::perfetto
