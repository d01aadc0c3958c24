// SPDX-License-Identifier: Apache-2.0
//
// RowBuffer: bytes that rows are appended to. Grows by doubling, keeps its memory when cleared, and
// never writes what its user is about to write.
//
//   uint8_t* rows = buffer.extend(count * row_bytes);   // to be filled; valid until the next
//   extend
//
// Threads: the flusher only.
#ifndef RINGSCRIBE_RUNTIME_ROW_BUFFER_H_
#define RINGSCRIBE_RUNTIME_ROW_BUFFER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

class RowBuffer {
 public:
  RowBuffer() = default;
  RowBuffer(const RowBuffer&) = delete;
  RowBuffer& operator=(const RowBuffer&) = delete;
  ~RowBuffer() {
    if (data_ != nullptr) deallocate(data_);
  }

  uint8_t* extend(size_t bytes) {
    if (capacity_ - size_ < bytes) [[unlikely]]
      grow(bytes);
    uint8_t* const at = data_ + size_;
    size_ += bytes;
    return at;
  }
  void clear() noexcept { size_ = 0; }

  uint8_t* data() noexcept { return data_; }
  const uint8_t* data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }

 private:
  [[gnu::cold]] [[gnu::noinline]] void grow(size_t bytes) {
    constexpr size_t kLeast = 4096, kAlignment = 64;
    const size_t capacity = std::max({kLeast, 2 * capacity_, size_ + bytes});
    auto* const data = static_cast<uint8_t*>(allocate(capacity, kAlignment));
    if (size_ != 0) std::memcpy(data, data_, size_);
    if (data_ != nullptr) deallocate(data_);
    data_ = data;
    capacity_ = capacity;
  }

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_ROW_BUFFER_H_
