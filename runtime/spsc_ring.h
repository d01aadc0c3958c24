// SPDX-License-Identifier: Apache-2.0
//
// SpscRing: the ring that one thread writes records into and the flusher reads them from.
//
//   SpscRing::Claim claim;
//   if (ring.claim(bytes, claim)) { fill(claim.data); ring.commit(claim, bytes); }
//   else …                                   // recorder.h: wrap, refresh, policy, count
//
// Roles: the producer is the thread that owns the ring just now (thread_registry.h hands it on,
// with a happens-before edge); the consumer is the flusher. Nobody else touches it.
//
// Invariants
//  I1 read_pos <= write_pos <= read_pos + capacity; both only grow; both are multiples of 8.
//  I2 Bytes [read_pos, write_pos) are whole records; the producer never writes there.
//  I3 No record crosses the ring's end: a filler record stands before it where one would.
//  I4 limit_ is 0 exactly while the producer is inside claim … commit. A call that interrupts it
//     (signal handler, malloc hook) finds no room, and room_or_nested() tells it why.
//  I5 limit_ <= min(read_pos + capacity, next ring end) whenever it is not 0; a stale limit is
//     only smaller, so the producer may always trust it.
//
// Orders
//  P1 write_pos_ store release (commit): bytes [old, new) are complete       pairs with C1
//  C1 write_pos_ load  acquire (readable): the consumer may read those bytes
//  C2 read_pos_  store release (release): the consumer is done with [old, new)  pairs with P2
//  P2 read_pos_  load  acquire (refresh): the producer may overwrite them
//  All other accesses are relaxed: each position has a single writer, who may read it back.
//  Signal fences keep the compiler from moving the record's bytes out of [limit_ = 0, limit_ = n].
#ifndef RINGSCRIBE_RUNTIME_SPSC_RING_H_
#define RINGSCRIBE_RUNTIME_SPSC_RING_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ringscribe/runtime/record.h"

namespace ringscribe::runtime {

// The scoped ranges of a thread that have begun and not ended, kept where its ring is in a file:
// what was running when the process died. Written by the producer only.
struct OpenRanges {
  static constexpr uint32_t kMax = 96;  // deeper ones are not kept
  struct Range {
    uint64_t header;  // of a kPush of its call site
    int64_t begin;
  };
  uint32_t depth;
  uint32_t unused;
  Range ranges[kMax];
};

// Two cache lines: the hardware fetches lines in pairs.
inline constexpr size_t kCacheLineBytes = 128;

class SpscRing {
 public:
  struct Claim {
    uint8_t* data = nullptr;  // where the record goes
    uint64_t pos = 0;         // its position
    uint64_t limit = 0;       // what commit() puts back into limit_
  };

  // Maps `capacity_bytes` of private memory and touches the first `touched_bytes`, so that records
  // there take no page fault. Returns nullptr if there is none. Takes nothing from a heap: a signal
  // handler may call it.
  // REQUIRES: a power of two, at least 4 KiB.
  static SpscRing* create(uint64_t capacity_bytes, bool huge_pages,
                          uint64_t touched_bytes = UINT64_MAX) noexcept;
  // The same in a file of `head_bytes + capacity_bytes`, whose first bytes hold this object: what
  // is written is in the file even if the process is killed (crash_folder.h). `number` is not 0.
  static SpscRing* create_in_file(int fd, uint64_t capacity_bytes, uint64_t head_bytes,
                                  uint64_t number) noexcept;
  static void destroy(SpscRing* ring) noexcept;

  // --- Producer.

  // Room for `bytes` (a multiple of 8) without looking at the consumer. On failure nothing is
  // claimed and `claim.limit` has what limit_ was: 0 means that this call interrupts another.
  // After success or failure limit_ is 0: commit() or restore() must follow, unless it was 0.
  bool claim(uint64_t bytes, Claim& claim) noexcept {
    claim.limit = take_limit();
    claim.pos = write_pos();
    if (!has_room(claim.limit, claim.pos, bytes)) return false;
    claim = claim_at(claim.pos, claim.limit);
    return true;
  }
  // The steps of claim(), for callers that keep a claim in registers (recorder.h).
  [[gnu::always_inline]] uint64_t take_limit() noexcept {
    const uint64_t limit = limit_;
    limit_ = 0;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return limit;
  }
  [[gnu::always_inline]] uint64_t write_pos() const noexcept {
    return write_pos_.load(std::memory_order_relaxed);  // own position
  }
  // Signed: an interrupting call may have moved write_pos_ beyond the limit that was read before.
  [[gnu::always_inline]] static bool has_room(uint64_t limit, uint64_t pos,
                                              uint64_t bytes) noexcept {
    return static_cast<int64_t>(limit - pos) >= static_cast<int64_t>(bytes);
  }
  [[gnu::always_inline]] Claim claim_at(uint64_t pos, uint64_t limit) noexcept {
    auto* const data = reinterpret_cast<uint8_t*>(lap_base_ + pos);
    prefetch_for_writing(data + kPrefetchBytes);
    return Claim{data, pos, limit};
  }
  [[gnu::always_inline]] void commit(const Claim& claim, uint64_t bytes) noexcept {
    write_pos_.store(claim.pos + bytes, std::memory_order_release);  // P1
    std::atomic_signal_fence(std::memory_order_seq_cst);
    limit_ = claim.limit;
  }
  void restore(const Claim& claim) noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    limit_ = claim.limit;
  }

  // After a failed claim() that was not nested: looks at the consumer's position, closes the ring's
  // end with a filler where needed, and tries again. `watermark_bytes` bounds the new limit so that
  // the caller comes by when the ring has filled to it (see used()).
  bool claim_after_refresh(uint64_t bytes, uint64_t watermark_bytes, Claim& claim) noexcept;
  // Bytes written and not yet read, as the producer knows them.
  uint64_t used() const noexcept {
    return write_pos_.load(std::memory_order_relaxed) - read_pos_seen_;
  }

  // The next timestamp of this thread: `now`, or just above the last one (DESIGN D3: order never
  // depends on a tie).
  [[gnu::always_inline]] int64_t rising(int64_t now) noexcept {
    const int64_t least = last_time_ + time_step_;
    last_time_ = now > least ? now : least;
    return last_time_;
  }
  // nullptr where the ring is in no file.
  [[gnu::always_inline]] OpenRanges* open_ranges() const noexcept { return open_ranges_; }
  void keep_open_ranges_in(OpenRanges* ranges) noexcept { open_ranges_ = ranges; }

  // For a new owner: `step` is at least 1 ns in ticks.
  void set_time(int64_t last_time, int64_t step) noexcept {
    last_time_ = last_time;
    time_step_ = step;
  }

  // --- Consumer.

  // The records that may be read now lie at [read_pos(), readable()).
  uint64_t readable() const noexcept { return write_pos_.load(std::memory_order_acquire); }  // C1
  uint64_t read_pos() const noexcept { return read_pos_.load(std::memory_order_relaxed); }
  const uint8_t* at(uint64_t pos) const noexcept { return base_ + (pos & mask_); }
  // Where the ring's memory ends after `pos`: records before it lie one behind the other.
  uint64_t lap_end(uint64_t pos) const noexcept { return (pos | mask_) + 1; }
  // Gives the bytes before `pos` back to the producer.
  void release(uint64_t pos) noexcept { read_pos_.store(pos, std::memory_order_release); }  // C2

  // The thread whose records are read just now; a kThread record changes it.
  struct Thread {
    uint32_t number = 0;     // never reused in the process
    uint32_t system_id = 0;  // the kernel's, which is reused
    char name[16] = {};
  };
  alignas(kCacheLineBytes) Thread reading;

  // Touches what create() left out, while the producer may be writing.
  void touch_rest() noexcept;

  // Of a ring in a file; 0: it is in none.
  uint64_t file_number() const noexcept { return file_number_; }
  // Where in its file the write position is.
  uint64_t write_pos_offset() const noexcept {
    return reinterpret_cast<uint64_t>(&write_pos_) - reinterpret_cast<uint64_t>(this);
  }

  // ring_pile.h. A new ring may be given on, filled, before the flusher comes by: it is in both
  // then.
  SpscRing* next_new = nullptr;
  SpscRing* next_full = nullptr;

  // --- Either.
  uint64_t capacity() const noexcept { return mask_ + 1; }
  uint64_t max_record_bytes() const noexcept {
    return std::min<uint64_t>(capacity() / 4, kMaxRecordBytes);
  }

 private:
  SpscRing() = default;

  // The consumer's cache had these lines last. Asked for so early, they are here when they are
  // written (docs/performance.md). Beyond the ring's memory it does nothing.
  static constexpr size_t kPrefetchBytes = 512;
  [[gnu::always_inline]] static void prefetch_for_writing(const uint8_t* data) noexcept {
#if defined(__x86_64__)
    asm("prefetchw %0" : : "m"(*data));
#else
    __builtin_prefetch(data, 1);
#endif
  }

  // Producer only, except that the consumer loads write_pos_.
  alignas(kCacheLineBytes) uint64_t limit_ = 0;
  std::atomic<uint64_t> write_pos_{0};
  // Where position 0 would be if the ring went on before its begin: a record's address is
  // lap_base_ + pos. Changes with each lap, which begins in claim_after_refresh().
  uint64_t lap_base_ = 0;
  uint8_t* base_ = nullptr;
  uint64_t mask_ = 0;
  int64_t last_time_ = INT64_MIN / 2;
  int64_t time_step_ = 1;
  uint64_t read_pos_seen_ = 0;  // the last value loaded by P2
  OpenRanges* open_ranges_ = nullptr;

  // Consumer only (as is `reading`), except that the producer loads read_pos_.
  alignas(kCacheLineBytes) std::atomic<uint64_t> read_pos_{0};
  bool is_touched_ = true;  // set before the ring is published; then the consumer's
  uint64_t file_number_ = 0;
};

static_assert(sizeof(SpscRing) == 3 * kCacheLineBytes);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SPSC_RING_H_
