// SPDX-License-Identifier: Apache-2.0
//
// PacketCompressor: packets of a trace as TracePacket.compressed_packets, a zlib stream each. The
// one unit that knows zlib.
//
// Each packet that comes out stands alone: a file that was cut is readable up to the last whole
// one. The format asks for less than 512 KiB a packet; kPacketsBytesMax is well below.
//
//   PacketCompressor compressor(6);
//   Status status = compressor.compress(packets, out);     // appends to `out`
//
// Threads: one at a time. Errors: kFailed if zlib has no memory.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_PACKET_COMPRESSION_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_PACKET_COMPRESSION_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::perfetto {

class PacketCompressor {
 public:
  static constexpr size_t kPacketsBytesMax = size_t{256} << 10;
  static constexpr int kLevelMax = 9;

  // 1 is fast, 9 is small. REQUIRES: 1 to kLevelMax.
  explicit PacketCompressor(int level) noexcept : level_(level) {}

  // `packets`: whole ones. If one alone is larger than kPacketsBytesMax, it is written as it is.
  Status compress(std::string_view packets, std::string& out);

 private:
  Status compress_part(std::string_view packets, std::string& out);

  int level_;
  std::string blob_;
};

// Appends the packets that such a zlib stream holds. Fails, with `out` unchanged, if it is none, is
// cut, or holds more than `bytes_max`.
Status decompress_packets(std::string_view blob, size_t bytes_max, std::string& out);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PACKET_COMPRESSION_H_
