// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/frame_writer.h"

#include <array>
#include <cstring>

#include "ringscribe/backends/journal/checksum.h"

namespace ringscribe::journal {
namespace {

// What is made of many pieces is put together by the caller.
constexpr size_t kPartsMax = 7;

}  // namespace

Result<std::unique_ptr<FrameWriter>> FrameWriter::create(const std::string& path,
                                                         uint16_t major_version,
                                                         output::Finish finish) {
  Result<std::unique_ptr<output::OutputFile>> file = output::OutputFile::create(path, finish);
  if (!file.ok()) return file.status();
  FileHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.major = major_version;
  header.minor = kMinorVersion;
  header.byte_order = kByteOrderMark;
  header.pointer_bytes = sizeof(void*);
  header.long_bytes = sizeof(long);
  header.wchar_bytes = sizeof(wchar_t);
  header.long_double_bytes = sizeof(long double);
  const std::span<const std::byte> covered = bytes_of(header).first(offsetof(FileHeader, checksum));
  header.checksum = static_cast<uint32_t>(checksum(0, std::span(&covered, 1)));
  const Status written = file.value()->write(&header, sizeof(header));
  if (!written.ok()) return written;
  return std::unique_ptr<FrameWriter>(new FrameWriter(std::move(file.value())));
}

Status FrameWriter::write(FrameType type, FrameCodec codec,
                          std::span<const std::span<const std::byte>> parts) {
  static constexpr std::byte kZeros[8] = {};
  if (parts.size() > kPartsMax) {
    return Status(ResultCode::kInvalidArgument,
                  "cannot write a frame of more than " + std::to_string(kPartsMax) + " parts");
  }
  std::array<std::span<const std::byte>, 2 * kPartsMax> pieces;
  size_t piece_count = 0;
  uint64_t bytes = 0;
  for (const std::span<const std::byte> part : parts) {
    if (part.empty()) continue;
    pieces[piece_count++] = part;
    const size_t padding = padded(part.size()) - part.size();
    if (padding != 0) pieces[piece_count++] = std::span(kZeros, padding);
    bytes += part.size() + padding;
  }
  if (bytes > kPayloadBytesMax) {
    return Status(ResultCode::kInvalidArgument,
                  "cannot write a frame of " + std::to_string(bytes) + " bytes to \"" + path() +
                      "\"; split the batch, a frame holds less than 4 GiB");
  }
  FrameHeader header = {};
  header.type = static_cast<uint8_t>(type);
  header.codec = static_cast<uint8_t>(codec);
  header.payload_bytes = static_cast<uint32_t>(bytes);
  uint64_t seed = 0;
  std::memcpy(&seed, &header, sizeof(seed));
  header.checksum = checksum(seed, std::span(pieces.data(), piece_count));
  Status written = file_->write(&header, sizeof(header));
  for (size_t i = 0; i < piece_count && written.ok(); ++i) {
    written = file_->write(pieces[i].data(), pieces[i].size());
  }
  if (written.ok()) ++frames_;
  return written;
}

}  // namespace ringscribe::journal
