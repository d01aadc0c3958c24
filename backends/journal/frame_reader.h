// SPDX-License-Identifier: Apache-2.0
//
// FrameReader: the frames of a journal file, one after the other, each checked before it is handed
// out. It trusts no byte of the file, and knows nothing of what the frames mean.
//
//   Result<std::unique_ptr<FrameReader>> reader = FrameReader::open("a.rsj");
//   Frame frame;
//   while (reader.value()->next(&frame) == FrameReader::Next::kFrame) ...
//
// Threads: one at a time. Lifetime: a frame's payload is valid until the next call of next().
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FRAME_READER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FRAME_READER_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

struct Frame {
  FrameType type{};
  FrameCodec codec{};
  uint64_t file_offset = 0;
  // Begins at a multiple of 16; may be written to; at least 16 zero bytes follow it.
  std::span<std::byte> payload;
};

class FrameReader {
 public:
  enum class Next {
    kFrame,      // *frame is the next one
    kEnd,        // the file ends behind the last frame
    kTruncated,  // the file ends inside a frame
    kDamaged,    // what follows is no frame: damage() says where and why
  };

  // Fails with a sentence if the file cannot be read, is no journal, is cut inside its header, is
  // of another machine's byte order or type sizes, or of a newer major version.
  static Result<std::unique_ptr<FrameReader>> open(const std::string& path);

  // Anything but kFrame is final.
  Next next(Frame* frame);

  const FileHeader& header() const { return header_; }
  const std::string& damage() const { return damage_; }
  // Of the whole frames so far, and the header.
  uint64_t bytes() const { return bytes_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  FrameReader(std::unique_ptr<std::FILE, Close> file, uint64_t file_bytes)
      : file_(std::move(file)), file_bytes_(file_bytes) {}
  Next damaged(const std::string& why);

  std::unique_ptr<std::FILE, Close> file_;
  uint64_t file_bytes_;  // at open; a lower bound of nothing, an upper bound of one allocation
  FileHeader header_ = {};
  std::unique_ptr<std::byte[]> buffer_;
  size_t buffer_bytes_ = 0;
  uint64_t bytes_ = 0;
  std::string damage_;
  Next last_ = Next::kFrame;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FRAME_READER_H_
