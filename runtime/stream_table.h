// SPDX-License-Identifier: Apache-2.0
//
// StreamTable: for each of the 65,535 stream numbers, the word that says whether it may be
// recorded to, and the counts of what was lost (DESIGN D9, D11).
//
// The words lie in pages that the kernel wipes in a forked child: there every stream is closed
// before the child's first record, whether or not an atfork handler ran.
//
//   mode word:  bit 63    32 31          18  17    16   15     0
//                  | domain | generation | live | open | number |     0: closed
//
// A number is given out again when all have been given out. What was counted for it until then goes
// to its session (SettledLosses), so that the sums of all sessions stay exact. A handle that is
// older than that counts its late calls for the stream that has its number now.
//
// Threads: open(), close() and recycle() under the caller's lock; all else any.
// Orders: the words are relaxed. A thread that read "open" just before close() may still write a
// record; the flusher counts it as lost when it finds the stream closed. So no order is needed.
#ifndef RINGSCRIBE_RUNTIME_STREAM_TABLE_H_
#define RINGSCRIBE_RUNTIME_STREAM_TABLE_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

#include "ringscribe/runtime/counts.h"
#include "ringscribe/runtime/loss.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

// What a Stream handle holds: enough for the hot path without a look at any session.
struct StreamRef {
  const std::atomic<uint64_t>* mode;  // never nullptr
  uint64_t open_word;                 // explicit times are written while *mode equals it
  uint64_t live_word;                 // live calls are written while *mode equals it

  // 0: no stream at all; nothing is counted then.
  constexpr uint16_t number() const noexcept { return static_cast<uint16_t>(open_word); }
  // Of the stream's domain, unique in the process.
  constexpr uint32_t domain() const noexcept { return static_cast<uint32_t>(open_word >> 32); }
  // What *mode is while the stream is open; the two words above lack the open bit where they must
  // never be equal to it.
  constexpr uint64_t word() const noexcept { return open_word | kOpenBit; }
  static constexpr uint64_t kOpenBit = uint64_t{1} << 16;
};

// A reference that records nothing and counts nothing.
StreamRef closed_stream() noexcept;

// What the streams of a session lost whose numbers have been given out again.
struct SettledLosses {
  uint64_t lost[kLossCauses] = {};  // under StreamTable::lock_settled()
};

class StreamTable {
 public:
  // Maps the pages; ok() is false if that failed.
  StreamTable() noexcept;
  ~StreamTable();
  StreamTable(const StreamTable&) = delete;
  StreamTable& operator=(const StreamTable&) = delete;
  bool ok() const noexcept { return modes_ != nullptr; }

  // Opens a number. `ordered` streams take the slow path of explicit writes, which hands them
  // from thread to thread (recorder.h). Returns closed_stream() when all numbers are open.
  StreamRef open(uint32_t domain, bool live, bool ordered,
                 std::shared_ptr<SettledLosses> session) noexcept;
  void close(uint16_t number) noexcept;
  // Makes the number free for a later open(). REQUIRES: closed, and all rings were read since.
  void recycle(uint16_t number) noexcept;

  bool is_open(const StreamRef& stream) const noexcept;
  // While it is held no number is given out again.
  std::unique_lock<std::mutex> lock_settled() const {
    return std::unique_lock<std::mutex>(settled_mutex_);
  }
  // StreamRef::word() of the stream that was given the number last; 0: none was.
  // REQUIRES: lock_settled().
  uint64_t last_word(uint16_t number) const noexcept {
    return number < owners_.size() ? owners_[number].word : 0;
  }
  // Adds what was counted for the number. REQUIRES: lock_settled(), if it may have been closed.
  void add_losses(uint16_t number, Counts& counts) const noexcept;
  void count_loss(uint16_t number, LossCause cause, uint64_t count = 1) noexcept {
    counts_[number].lost[static_cast<size_t>(cause)].fetch_add(count, std::memory_order_relaxed);
  }
  // Relaxed: it counts from some call on.
  void set_overflow(uint16_t number, StreamOverflow overflow) noexcept {
    counts_[number].overflow.store(overflow, std::memory_order_relaxed);
  }
  StreamOverflow overflow(uint16_t number) const noexcept {
    return counts_[number].overflow.load(std::memory_order_relaxed);
  }
  // Keeps the first one.
  void note_invalid(uint16_t number, InvalidCall what) noexcept {
    InvalidCall none = InvalidCall::kNone;
    counts_[number].invalid.compare_exchange_strong(none, what, std::memory_order_relaxed);
  }
  InvalidCall first_invalid(uint16_t number) const noexcept {
    return counts_[number].invalid.load(std::memory_order_relaxed);
  }
  uint64_t lost(uint16_t number, LossCause cause) const noexcept {
    return counts_[number].lost[static_cast<size_t>(cause)].load(std::memory_order_relaxed);
  }
  // Thread that last wrote to an ordered stream; 0 at open.
  std::atomic<uint32_t>& owner(uint16_t number) noexcept { return counts_[number].owner; }
  bool is_ordered(uint16_t number) const noexcept {
    return counts_[number].ordered.load(std::memory_order_relaxed);
  }

 private:
  struct StreamCounts {
    std::atomic<uint64_t> lost[kLossCauses];
    std::atomic<uint32_t> owner;
    std::atomic<bool> ordered;
    std::atomic<InvalidCall> invalid;
    std::atomic<StreamOverflow> overflow;
  };
  static constexpr uint32_t kNumbers = 65536;

  std::atomic<uint64_t>* modes_ = nullptr;  // kNumbers, in pages that fork wipes
  StreamCounts* counts_ = nullptr;          // kNumbers, touched as used
  uint32_t next_number_ = 1;
  std::deque<uint16_t, Allocator<uint16_t>> free_numbers_;  // oldest first
  // Of a number that was given out. Both by number, under settled_mutex_.
  struct Owner {
    uint64_t word = 0;
    uint32_t generation = 0;
    std::shared_ptr<SettledLosses> session;
  };
  mutable std::mutex settled_mutex_;
  Vector<Owner> owners_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_STREAM_TABLE_H_
