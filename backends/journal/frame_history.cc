// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/frame_history.h"

#include <algorithm>
#include <cstring>
#include <ctime>

namespace ringscribe::journal {
namespace {

// A frame in a block: this, then the payload, which is a multiple of 8.
struct Entry {
  uint64_t payload_bytes;
  FrameType type;
  FrameCodec codec;
};
static_assert(sizeof(Entry) == 16);

// What FrameReader promises about a payload.
constexpr size_t kAlignment = 16;
constexpr size_t kZerosBehind = 16;

bool is_data(FrameType type) { return type >= FrameType::kEvent && type != FrameType::kEnd; }

bool is_clock(FrameType type) {
  return type == FrameType::kSyncPoints || type == FrameType::kConversionFactor;
}

}  // namespace

FrameHistory::FrameHistory(const Limits& limits) : limits_(limits) {}

int64_t FrameHistory::now() const {
  if (limits_.now_ns) return limits_.now_ns();
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void FrameHistory::append(Blocks& blocks, FrameType type, FrameCodec codec,
                          std::span<const std::span<const std::byte>> parts, size_t block_bytes) {
  uint64_t bytes = 0;
  for (const std::span<const std::byte> part : parts) bytes += padded(part.size());
  const size_t whole = sizeof(Entry) + bytes;
  if (blocks.empty() || blocks.back()->size - blocks.back()->used < whole) {
    auto block = std::make_shared<Block>();
    block->size = std::max(whole, block_bytes);
    block->bytes = std::make_unique_for_overwrite<std::byte[]>(block->size);
    blocks.push_back(std::move(block));
  }
  // Bytes behind `used` are nobody's yet: a snapshot has its own idea of how far a block goes.
  Block& block = *blocks.back();
  std::byte* to = block.bytes.get() + block.used;
  const Entry entry = {bytes, type, codec};
  std::memcpy(to, &entry, sizeof entry);
  to += sizeof entry;
  for (const std::span<const std::byte> part : parts) {
    if (part.empty()) continue;
    std::memcpy(to, part.data(), part.size());
    std::memset(to + part.size(), 0, padded(part.size()) - part.size());
    to += padded(part.size());
  }
  block.used += whole;
}

Status FrameHistory::write(FrameType type, FrameCodec codec,
                           std::span<const std::span<const std::byte>> parts) {
  ++frames_;
  if (type == FrameType::kEnd) return {};
  if (!is_data(type)) {
    append(definitions_, type, codec, parts, kBlockBytes);
    return {};
  }
  if (is_clock(type)) {
    clocks_.push_back(nullptr);
    Blocks one;
    append(one, type, codec, parts, 0);
    clocks_.back() = std::move(one.front());
    if (clocks_.size() > kClockFramesMax) {
      const auto first = clocks_.begin() + kFirstClockFrames;
      clocks_.erase(first, first + kClockFramesMax / 2);
    }
    next_.clear();
    return {};
  }
  const size_t blocks = data_.size();
  append(data_, type, codec, parts, std::min<uint64_t>(kBlockBytes, limits_.data_bytes_max / 8));
  Block& block = *data_.back();
  if (data_.size() != blocks) data_bytes_ += block.size;
  block.newest_ns = now();
  for (const auto& [stream, events] : next_) block.events[stream] += events;
  next_.clear();
  forget();
  return {};
}

void FrameHistory::forget() {
  const int64_t oldest =
      limits_.age_ns_max == 0 ? INT64_MIN : data_.back()->newest_ns - limits_.age_ns_max;
  while (data_.size() > 1 &&
         (data_bytes_ > limits_.data_bytes_max || data_.front()->newest_ns < oldest)) {
    for (const auto& [stream, events] : data_.front()->events) forgotten_[stream] += events;
    data_bytes_ -= data_.front()->size;
    data_.pop_front();
  }
}

FrameHistory::Snapshot FrameHistory::take() {
  Snapshot snapshot;
  const int64_t oldest = limits_.age_ns_max == 0 ? INT64_MIN : now() - limits_.age_ns_max;
  for (const Blocks* blocks : {&definitions_, &clocks_, &data_}) {
    for (const std::shared_ptr<Block>& block : *blocks) {
      if (blocks == &data_ && block->newest_ns < oldest) continue;
      snapshot.pieces_.push_back({block, block->used});
    }
  }
  return snapshot;
}

void FrameHistory::Snapshot::for_each(const std::function<void(Frame&)>& visit) const {
  std::vector<std::byte> buffer;
  for (const Piece& piece : pieces_) {
    const std::byte* from = piece.block->bytes.get();
    for (size_t at = 0; at < piece.used;) {
      Entry entry;
      std::memcpy(&entry, from + at, sizeof entry);
      at += sizeof entry;
      buffer.resize(kAlignment + entry.payload_bytes + kZerosBehind);
      const size_t misaligned = reinterpret_cast<uintptr_t>(buffer.data()) % kAlignment;
      std::byte* const to = buffer.data() + (misaligned == 0 ? 0 : kAlignment - misaligned);
      std::memcpy(to, from + at, entry.payload_bytes);
      std::memset(to + entry.payload_bytes, 0, kZerosBehind);
      at += entry.payload_bytes;
      Frame frame;
      frame.type = entry.type;
      frame.codec = entry.codec;
      frame.payload = {to, entry.payload_bytes};
      visit(frame);
    }
  }
}

}  // namespace ringscribe::journal
