// SPDX-License-Identifier: Apache-2.0
//
// NumberedTable: gives objects numbers that fit into a record and finds them again by number.
//
//   uint32_t id = table.add(definition);      // from 1; 0 when 2^22 numbers are used up
//   Definition* definition = table.get(id);   // nullptr for an unknown or removed number
//
// Numbers are never reused, so a late record cannot mean another object. Does not own its objects.
// Threads: add() and remove() under the caller's lock; get() from any thread.
// Orders: add() stores release, get() loads acquire: who finds an object sees it whole.
#ifndef RINGSCRIBE_RUNTIME_NUMBERED_TABLE_H_
#define RINGSCRIBE_RUNTIME_NUMBERED_TABLE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

template <typename T>
class NumberedTable {
 public:
  NumberedTable() = default;
  NumberedTable(const NumberedTable&) = delete;
  NumberedTable& operator=(const NumberedTable&) = delete;
  ~NumberedTable() {
    for (std::atomic<Chunk*>& slot : chunks_) destroy(slot.load(std::memory_order_relaxed));
  }

  uint32_t add(T* object) {
    const uint32_t id = next_;
    return put(id, object) ? id : 0;
  }
  // Gives it a number that another process gave. False if no table has that number.
  bool put(uint32_t id, T* object) {
    if (id >= kChunks * kChunkSize || id == 0) return false;
    std::atomic<Chunk*>& slot = chunks_[id / kChunkSize];
    Chunk* chunk = slot.load(std::memory_order_relaxed);  // only add() writes it, under a lock
    if (chunk == nullptr) {
      chunk = make<Chunk>();
      slot.store(chunk, std::memory_order_release);  // pairs with get()
    }
    chunk->objects[id % kChunkSize].store(object, std::memory_order_release);  // pairs with get()
    next_ = std::max(next_, id + 1);
    return true;
  }
  void remove(uint32_t id) noexcept {
    Chunk* chunk = chunks_[id / kChunkSize].load(std::memory_order_relaxed);
    chunk->objects[id % kChunkSize].store(nullptr, std::memory_order_relaxed);
  }
  T* get(uint32_t id) const noexcept {
    if (id >= kChunks * kChunkSize) return nullptr;
    const Chunk* chunk = chunks_[id / kChunkSize].load(std::memory_order_acquire);
    if (chunk == nullptr) return nullptr;
    return chunk->objects[id % kChunkSize].load(std::memory_order_acquire);
  }

 private:
  static constexpr uint32_t kChunkSize = 1024;
  static constexpr uint32_t kChunks = 4096;
  struct Chunk {
    std::atomic<T*> objects[kChunkSize] = {};
  };
  std::atomic<Chunk*> chunks_[kChunks] = {};
  uint32_t next_ = 1;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_NUMBERED_TABLE_H_
