// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/frame_reader.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

#include "ringscribe/backends/journal/checksum.h"

namespace ringscribe::journal {
namespace {

constexpr size_t kZeroBytesBehind = 16;

Status cannot_read(const std::string& path, const std::string& why) {
  return Status(ResultCode::kFailed, "cannot read \"" + path + "\": " + why);
}

std::string errno_text(int error) {
  return std::generic_category().message(error) + " (errno " + std::to_string(error) + ")";
}

Status check_header(const std::string& path, const FileHeader& header, size_t got) {
  if (got == 0) {
    return cannot_read(
        path, "it is truncated before its header: an empty file, of which nothing can be had");
  }
  if (std::memcmp(header.magic, kMagic, std::min(got, sizeof(kMagic))) != 0) {
    return cannot_read(path, "it is no Ringscribe journal; give a file that format=journal wrote");
  }
  if (got < sizeof(header)) {
    return cannot_read(path, "it is truncated inside its header, after " + std::to_string(got) +
                                 " bytes; nothing can be had of it");
  }
  if (header.byte_order != kByteOrderMark) {
    return cannot_read(path,
                       "it was written on a machine of another byte order, or is damaged; "
                       "read it on a machine of the same kind");
  }
  const std::span<const std::byte> all = std::as_bytes(std::span(&header, 1));
  const std::span<const std::byte> covered = all.first(offsetof(FileHeader, checksum));
  if (header.checksum != static_cast<uint32_t>(checksum(0, std::span(&covered, 1)))) {
    return cannot_read(path, "its header is damaged (the checksum does not match); use a copy");
  }
  if (header.major > kMajorVersion) {
    return cannot_read(path, "its format version is " + std::to_string(header.major) + "." +
                                 std::to_string(header.minor) + ", newer than " +
                                 std::to_string(kMajorVersion) +
                                 ".x, which this program reads; use a newer Ringscribe");
  }
  if (header.pointer_bytes != sizeof(void*) || header.long_bytes != sizeof(long) ||
      header.wchar_bytes != sizeof(wchar_t) || header.long_double_bytes != sizeof(long double)) {
    return cannot_read(path,
                       "it was written on a machine with other sizes of pointer, long, "
                       "wchar_t or long double; read it on a machine of the same kind");
  }
  return Status();
}

}  // namespace

Result<std::unique_ptr<FrameReader>> FrameReader::open(const std::string& path) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    return cannot_read(path, errno_text(errno) + "; check the path and its permissions");
  }
  struct stat info = {};
  if (fstat(fileno(file.get()), &info) != 0) return cannot_read(path, errno_text(errno));
  if (S_ISDIR(info.st_mode)) return cannot_read(path, "it is a folder; name a file");
  const uint64_t bytes = S_ISREG(info.st_mode) ? static_cast<uint64_t>(info.st_size) : UINT64_MAX;
  std::unique_ptr<FrameReader> reader(new FrameReader(std::move(file), bytes));
  const size_t got = std::fread(&reader->header_, 1, sizeof(FileHeader), reader->file_.get());
  if (std::ferror(reader->file_.get()) != 0) return cannot_read(path, errno_text(errno));
  const Status checked = check_header(path, reader->header_, got);
  if (!checked.ok()) return checked;
  reader->bytes_ = sizeof(FileHeader);
  return reader;
}

FrameReader::Next FrameReader::damaged(const std::string& why) {
  damage_ = "the journal is damaged at byte " + std::to_string(bytes_) + ": " + why;
  return last_ = Next::kDamaged;
}

FrameReader::Next FrameReader::next(Frame* frame) {
  if (last_ != Next::kFrame) return last_;
  FrameHeader header = {};
  const size_t got = std::fread(&header, 1, sizeof(header), file_.get());
  if (std::ferror(file_.get()) != 0) return damaged("it cannot be read, " + errno_text(errno));
  if (got == 0) return last_ = Next::kEnd;
  if (got < sizeof(header)) return last_ = Next::kTruncated;
  const size_t size = header.payload_bytes;
  if (size % 8 != 0 || header.reserved != 0) return damaged("there is no frame header");
  if (file_bytes_ < bytes_ + sizeof(header) + size) return last_ = Next::kTruncated;
  if (buffer_bytes_ < size + kZeroBytesBehind) {
    buffer_bytes_ = std::max(size + kZeroBytesBehind, buffer_bytes_ * 2);
    buffer_.reset(new (std::nothrow) std::byte[buffer_bytes_]);
    if (buffer_ == nullptr) {
      buffer_bytes_ = 0;
      return damaged("there is no memory for a frame of " + std::to_string(size) + " bytes");
    }
  }
  const size_t payload_got = std::fread(buffer_.get(), 1, size, file_.get());
  if (std::ferror(file_.get()) != 0) return damaged("it cannot be read, " + errno_text(errno));
  if (payload_got < size) return last_ = Next::kTruncated;
  uint64_t seed = 0;
  std::memcpy(&seed, &header, sizeof(seed));
  const std::span<const std::byte> payload(buffer_.get(), size);
  if (checksum(seed, std::span(&payload, 1)) != header.checksum) {
    return damaged("the checksum of a frame does not match");
  }
  std::memset(buffer_.get() + size, 0, kZeroBytesBehind);
  frame->type = static_cast<FrameType>(header.type);
  frame->codec = static_cast<FrameCodec>(header.codec);
  frame->file_offset = bytes_;
  frame->payload = std::span(buffer_.get(), size);
  bytes_ += sizeof(header) + size;
  return Next::kFrame;
}

}  // namespace ringscribe::journal
