// SPDX-License-Identifier: Apache-2.0
//
// FrameWriter: appends frames to a journal file: header, checksum, padding. It knows nothing of
// what the frames mean.
//
//   Result<std::unique_ptr<FrameWriter>> writer = FrameWriter::create("a.rsj", 1);
//   writer.value()->write(FrameType::kEventBatch, FrameCodec::kPlain, {bytes_of(prefix), rows});
//
// Threads: one at a time. Lifetime: the destructor hands what is buffered to the kernel.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FRAME_WRITER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FRAME_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/output/output_file.h"

namespace ringscribe::journal {

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// Where the frames of a journal go.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  // Takes one frame of these parts, each padded to 8 bytes.
  virtual Status write(FrameType type, FrameCodec codec,
                       std::span<const std::span<const std::byte>> parts) = 0;
  virtual Status flush() = 0;
  virtual Status finish() = 0;
  virtual uint64_t frames() const = 0;
};

class FrameWriter final : public FrameSink {
 public:
  // Creates the file and writes its header, with the major version that its frames will need.
  static Result<std::unique_ptr<FrameWriter>> create(const std::string& path,
                                                     uint16_t major_version, output::Finish finish);

  // Writes one frame of these parts, each padded to 8 bytes. Nothing is written if they are more
  // than a frame can hold (kInvalidArgument) or if the file failed before.
  Status write(FrameType type, FrameCodec codec,
               std::span<const std::span<const std::byte>> parts) override;
  Status flush() override { return file_->flush(); }
  // Closes the file.
  Status finish() override { return file_->finish(); }

  uint64_t frames() const override { return frames_; }
  const std::string& path() const { return file_->path(); }

 private:
  explicit FrameWriter(std::unique_ptr<output::OutputFile> file) : file_(std::move(file)) {}

  std::unique_ptr<output::OutputFile> file_;
  uint64_t frames_ = 0;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FRAME_WRITER_H_
