// SPDX-License-Identifier: Apache-2.0
//
// Arena: memory for one event's decoded values, taken piecewise and given back all at once.
//
// reset() keeps the memory, so that decoding allocates nothing once the largest event was seen
// (up to kKeptBytesMax: a single huge event does not pin its memory for the whole session).
//
//   std::span<Field> children = arena.array<Field>(3);   // value-initialised
//   arena.reset();                                       // `children` is gone
//
// Threads: one at a time. Lifetime: what it gave out is valid until reset() or destruction.
#ifndef RINGSCRIBE_BACKENDS_MODEL_ARENA_H_
#define RINGSCRIBE_BACKENDS_MODEL_ARENA_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ringscribe::model {

class Arena {
 public:
  static constexpr size_t kFirstChunkBytes = 512;
  static constexpr size_t kKeptBytesMax = size_t{1} << 20;

  // `count` values, value-initialised. T needs no destructor.
  template <typename T>
  std::span<T> array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    static_assert(alignof(T) <= kAlign);
    if (count == 0) return {};
    T* first = static_cast<T*>(allocate(count * sizeof(T)));
    for (size_t i = 0; i < count; ++i) new (first + i) T{};
    return {first, count};
  }

  // Uninitialised bytes.
  char* bytes(size_t count) { return static_cast<char*>(allocate(count)); }

  // A copy of `text` that lives as long as the arena's content.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* to = bytes(text.size());
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }

  // Takes everything back. When there were several chunks they become one of their total size,
  // so that the next event of that size fits at once.
  void reset() {
    used_ = 0;
    if (chunks_.size() <= 1) return;
    size_t total = 0;
    for (const Chunk& chunk : chunks_) total += chunk.size;
    chunks_.clear();
    if (total <= kKeptBytesMax) add_chunk(total);
  }

 private:
  static constexpr size_t kAlign = alignof(std::max_align_t);
  struct Chunk {
    std::unique_ptr<std::byte[]> data;
    size_t size = 0;
  };

  void add_chunk(size_t size) { chunks_.push_back({std::make_unique<std::byte[]>(size), size}); }

  void* allocate(size_t size) {
    size = (size + kAlign - 1) / kAlign * kAlign;
    if (chunks_.empty() || chunks_.back().size - used_ < size) {
      add_chunk(std::max({size, kFirstChunkBytes, chunks_.empty() ? 0 : chunks_.back().size * 2}));
      used_ = 0;
    }
    void* result = chunks_.back().data.get() + used_;
    used_ += size;
    return result;
  }

  std::vector<Chunk> chunks_;
  size_t used_ = 0;  // of the last chunk
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_ARENA_H_
