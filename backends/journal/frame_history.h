// SPDX-License-Identifier: Apache-2.0
//
// FrameHistory: the frames of a journal in memory, of which the oldest data is forgotten.
//
//   FrameHistory history({.data_bytes_max = 64 << 20});
//   history.count_events(stream, 100);            // of the frame that comes next
//   history.write(type, codec, parts);
//   FrameHistory::Snapshot snapshot = history.take();   // cheap; what was taken does not change
//   snapshot.for_each([](Frame& frame) { ... });
//
// Definitions are all kept, and come first. Of relations between clocks the first few and the
// latest thousands are kept. Data is kept in blocks, whole, so a little more of it than asked for.
//
// Threads: one at a time, but for a snapshot, which is anybody's.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FRAME_HISTORY_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FRAME_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "ringscribe/backends/journal/frame_reader.h"
#include "ringscribe/backends/journal/frame_writer.h"

namespace ringscribe::journal {

class FrameHistory final : public FrameSink {
 public:
  struct Limits {
    uint64_t data_bytes_max = uint64_t{64} << 20;
    int64_t age_ns_max = 0;                // 0: any
    std::function<int64_t()> now_ns = {};  // CLOCK_MONOTONIC if empty
  };
  explicit FrameHistory(const Limits& limits);

  // That many events of `stream` are in the data frame that is written next.
  void count_events(uint32_t stream, uint64_t events) { next_[stream] += events; }
  // Events that were forgotten, by stream.
  const std::map<uint32_t, uint64_t>& forgotten() const { return forgotten_; }
  uint64_t data_bytes() const { return data_bytes_; }

  Status write(FrameType type, FrameCodec codec,
               std::span<const std::span<const std::byte>> parts) override;
  Status flush() override { return {}; }
  Status finish() override { return {}; }
  uint64_t frames() const override { return frames_; }

 private:
  static constexpr size_t kBlockBytes = size_t{256} << 10;
  static constexpr size_t kClockFramesMax = 8192;
  static constexpr size_t kFirstClockFrames = 8;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
    size_t used = 0;
    int64_t newest_ns = 0;
    std::map<uint32_t, uint64_t> events;  // by stream
  };
  using Blocks = std::deque<std::shared_ptr<Block>>;

 public:
  class Snapshot {
   public:
    // Definitions, clocks, data, each in order. The frame may be written to.
    void for_each(const std::function<void(Frame&)>& visit) const;

   private:
    friend class FrameHistory;
    struct Piece {
      std::shared_ptr<const Block> block;
      size_t used;
    };
    std::vector<Piece> pieces_;
  };
  Snapshot take();

 private:
  static void append(Blocks& blocks, FrameType type, FrameCodec codec,
                     std::span<const std::span<const std::byte>> parts, size_t block_bytes);
  int64_t now() const;
  void forget();

  const Limits limits_;
  Blocks definitions_;
  Blocks clocks_;  // a frame a block
  Blocks data_;
  uint64_t data_bytes_ = 0;
  uint64_t frames_ = 0;
  std::map<uint32_t, uint64_t> next_;
  std::map<uint32_t, uint64_t> forgotten_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FRAME_HISTORY_H_
