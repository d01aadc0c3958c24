// SPDX-License-Identifier: Apache-2.0
//
// The hot path: a call becomes a record in the calling thread's ring. Everything here is inline and
// free of locks, allocation and system calls; what is rare goes to recorder.cc.
//
//   uint64_t mode; if (!admit(stream, mode)) return false;    // three loads, one compare
//   SpscRing* ring; SpscRing::Claim claim;
//   if (!begin_record(stream, 16, ring, claim)) return false;  // one load, one compare
//   store_word(claim.data, …); … ; ring->commit(claim, 16);
//
// Always inlined: left to itself, GCC at -O2 makes calls of them once a program has several places,
// and a call costs more than what it calls (bench/hot_path.cc, disabled: 4.2 ns against 1.1).
//
// Threads: any. Each function returns true if the record was written; if not, it was counted
// (loss.h), or recording is off.
#ifndef RINGSCRIBE_RUNTIME_RECORDER_H_
#define RINGSCRIBE_RUNTIME_RECORDER_H_

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "ringscribe/runtime/call_site.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/flex_layout.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/spsc_ring.h"
#include "ringscribe/runtime/stream_table.h"
#include "ringscribe/runtime/thread_registry.h"

namespace ringscribe::runtime {

class WakeUp;
class Flusher;

// What the slow paths need; set by the runtime before the first stream opens (runtime.h).
struct RecorderContext {
  StreamTable* streams;
  ThreadRegistry* threads;
  WakeUp* wake_up;
  bool block;                           // policy: block instead of drop
  uint64_t block_timeout_ns;            // 0: no bound
  uint64_t watermark_percent;           // 0: never wakes
  bool (*flusher_runs)(void* flusher);  // whether waiting can help
  void (*flush)(void* flusher);
  void* flusher;
};
// Orders: stored release by the runtime, loaded acquire by the slow paths.
void set_recorder_context(const RecorderContext* context) noexcept;

// --- Slow paths.

// Counts the call as lost if `stream` is one that was closed or is not live. Returns false; true
// only for an ordered stream that is open, once it was handed to this thread.
[[gnu::cold]] [[gnu::noinline]] bool admit_or_refuse(const StreamRef& stream, bool live) noexcept;
// Gets a ring, wraps, refreshes, wakes the flusher, waits as the policy says; counts on failure.
// Makes room for `bytes` in the calling thread's ring, getting one first if need be, so that the
// next claim succeeds; counts and returns false if there is none to be had. `limit` is what the
// failed claim took away. Only numbers go in and out: what has its address taken would live in
// memory on the fast path, too.
[[gnu::cold]] [[gnu::noinline]] bool make_room(uint16_t stream, uint64_t bytes,
                                               uint64_t limit) noexcept;
[[gnu::cold]] [[gnu::noinline]] bool count_loss(const StreamRef& stream, LossCause cause,
                                                uint64_t count = 1) noexcept;
// Of an open stream; else nothing.
[[gnu::cold]] void set_stream_overflow(const StreamRef& stream, StreamOverflow overflow) noexcept;
// Counts `count` calls as kInvalid, and keeps what was wrong for the stream's owner to be told.
[[gnu::cold]] [[gnu::noinline]] bool count_invalid(const StreamRef& stream, InvalidCall what,
                                                   uint64_t count = 1) noexcept;
// Keeps what was wrong with a call that is recorded all the same.
[[gnu::cold]] void note_invalid(const StreamRef& stream, InvalidCall what) noexcept;
// A record of any ring may be a quarter of the ring, and 512 KiB: more is counted as too large.
// Records up to kAlwaysFitsBytes need not be asked about.
inline constexpr uint64_t kAlwaysFitsBytes = kSmallRingBytes / 4;
[[gnu::cold]] [[gnu::noinline]] bool fits_or_count(const StreamRef& stream,
                                                   uint64_t bytes) noexcept;
// The calling thread's ring; nullptr if there is none to be had.
[[gnu::cold]] [[gnu::noinline]] SpscRing* adopt_ring() noexcept;

// --- Building blocks.

// Whether the stream may be written; if not, the call was counted. `mode` gets its mode word, which
// has its number.
[[gnu::always_inline]] inline bool admit_live(const StreamRef& stream, uint64_t& mode) noexcept {
  mode = stream.mode->load(std::memory_order_relaxed);  // see stream_table.h
  if (mode == stream.live_word) [[likely]]
    return true;
  return stream.number() != 0 && admit_or_refuse(stream, true);
}
[[gnu::always_inline]] inline bool admit(const StreamRef& stream, uint64_t& mode) noexcept {
  mode = stream.mode->load(std::memory_order_relaxed);
  if (mode == stream.open_word) [[likely]]
    return true;
  return stream.number() != 0 && admit_or_refuse(stream, false);
}
constexpr uint16_t stream_number(uint64_t mode_word) noexcept {
  return static_cast<uint16_t>(mode_word);
}

// Claims `bytes` in the calling thread's ring. The loop keeps the fast path free of a second origin
// of `ring`: its stores must name the same register as its loads, or the processor cannot forward
// one call's position to the next at once (bench: 2.4 ns a call, against 1.8).
[[gnu::always_inline]] inline bool begin_record(uint16_t stream, uint64_t bytes, SpscRing*& ring,
                                                SpscRing::Claim& claim) noexcept {
  while (true) {
    ring = tls_ring;
    uint64_t limit = 0;
    if (ring != nullptr) [[likely]] {
      limit = ring->take_limit();
      const uint64_t pos = ring->write_pos();
      if (SpscRing::has_room(limit, pos, bytes)) [[likely]] {
        claim = ring->claim_at(pos, limit);
        return true;
      }
    }
    if (!make_room(stream, bytes, limit)) return false;
  }
}

// --- Live: the time is taken here.

[[gnu::always_inline]] inline bool write_live_mark(const StreamRef& stream,
                                                   CallSite& site) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  uint32_t id = site.id();
  if (id == 0) [[unlikely]] {
    id = register_call_site(site);
    if (id == 0) return count_loss(stream, LossCause::kNested);
  }
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 16, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kMark, id, stream_number(mode), 16));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  ring->commit(claim, 16);
  return true;
}

// Of a ring in a file: what has begun is kept there, and taken away again.
[[gnu::cold]] [[gnu::noinline]] void keep_open_range(SpscRing& ring, const StreamRef& stream,
                                                     CallSite& site, int64_t begin) noexcept;
[[gnu::cold]] [[gnu::noinline]] void drop_open_range(SpscRing& ring, int64_t begin) noexcept;

// The time at which a live range begins; 0 if nothing is to be recorded. `site`: nullptr where it
// is known at the end only.
[[gnu::always_inline]] inline int64_t begin_live_range(const StreamRef& stream,
                                                       CallSite* site) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return 0;
  SpscRing* ring = tls_ring;
  if (ring == nullptr) [[unlikely]]
    ring = adopt_ring();
  if (ring == nullptr) [[unlikely]]
    return now_ticks();
  const int64_t begin = ring->rising(now_ticks());
  if (ring->open_ranges() != nullptr && site != nullptr) [[unlikely]]
    keep_open_range(*ring, stream, *site, begin);
  return begin;
}
[[gnu::always_inline]] inline bool end_live_range(const StreamRef& stream, CallSite& site,
                                                  int64_t begin) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  uint32_t id = site.id();
  if (id == 0) [[unlikely]] {
    id = register_call_site(site);
    if (id == 0) return count_loss(stream, LossCause::kNested);
  }
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 24, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kRange, id, stream_number(mode), 24));
  store_word(claim.data + 8, static_cast<uint64_t>(begin));
  store_word(claim.data + 16, static_cast<uint64_t>(ring->rising(now_ticks())));
  ring->commit(claim, 24);
  if (ring->open_ranges() != nullptr) [[unlikely]]
    drop_open_range(*ring, begin);
  return true;
}

[[gnu::always_inline]] inline bool write_live_sample(const StreamRef& stream, uint32_t counter,
                                                     uint64_t value) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 24, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kCounter, counter, stream_number(mode), 24));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  store_word(claim.data + 16, value);
  ring->commit(claim, 24);
  return true;
}

// --- Explicit times, and live calls with text made at run time.

// Message, colour and category of one call. REQUIRES: text valid during the call.
struct TextAttributes {
  std::string_view text;
  uint32_t registered_string = 0;  // number of a registered string; then `text` is not used
  uint32_t color_argb = 0;
  uint32_t category = 0;
};

[[gnu::always_inline]] inline void store_text(uint8_t* to,
                                              const TextAttributes& attributes) noexcept {
  const auto bytes = static_cast<uint32_t>(attributes.text.size());
  store_word(to, pack_words(attributes.color_argb, attributes.category));
  store_word(to + 8, pack_words(bytes, attributes.registered_string));
  if (bytes == 0) return;
  // The last word first, so that its padding is zero.
  store_word(to + kTextAttributeBytes + pad_to_record(bytes) - 8, 0);
  std::memcpy(to + kTextAttributeBytes, attributes.text.data(), bytes);
}

// Writes a record with one or two words (`first`, `second`) before its text attributes.
template <RecordKind kKind, bool kTwoWords>
[[gnu::always_inline]] inline bool write_text_record(const StreamRef& stream, uint64_t first,
                                                     uint64_t second,
                                                     const TextAttributes& attributes) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  constexpr uint64_t kTimes = kTwoWords ? 16 : 8;
  if (attributes.registered_string != 0 && attributes.color_argb == 0 && attributes.category == 0)
      [[likely]] {
    // The header has room for the string's number: nothing follows the times.
    SpscRing* ring;
    SpscRing::Claim claim;
    if (!begin_record(stream_number(mode), 8 + kTimes, ring, claim)) return false;
    store_word(claim.data, make_header(kKind, kRegisteredStringId | attributes.registered_string,
                                       stream_number(mode), static_cast<uint32_t>(8 + kTimes)));
    store_word(claim.data + 8, first);
    if constexpr (kTwoWords) store_word(claim.data + 16, second);
    ring->commit(claim, 8 + kTimes);
    return true;
  }
  constexpr uint64_t kFixed = 8 + kTimes + kTextAttributeBytes;
  const uint64_t bytes = kFixed + pad_to_record(attributes.text.size());
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) [[unlikely]]
    return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  store_word(claim.data, make_header(kKind, 0, stream_number(mode), static_cast<uint32_t>(bytes)));
  store_word(claim.data + 8, first);
  if constexpr (kTwoWords) store_word(claim.data + 16, second);
  store_text(claim.data + kFixed - kTextAttributeBytes, attributes);
  ring->commit(claim, bytes);
  return true;
}

// The same at the time of the call, which is taken while the record is being written. kStart has
// its range id before its text.
template <RecordKind kKind>
[[gnu::always_inline]] inline bool write_live_text(const StreamRef& stream,
                                                   const TextAttributes& attributes,
                                                   uint64_t range_id = 0) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  constexpr bool kHasRangeId = kKind == RecordKind::kStart;
  constexpr uint64_t kShort = kHasRangeId ? 24 : 16;
  const bool is_short =
      attributes.registered_string != 0 && attributes.color_argb == 0 && attributes.category == 0;
  const uint64_t bytes =
      is_short ? kShort : kShort + kTextAttributeBytes + pad_to_record(attributes.text.size());
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) [[unlikely]]
    return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  const uint32_t id = is_short ? kRegisteredStringId | attributes.registered_string : 0;
  store_word(claim.data, make_header(kKind, id, stream_number(mode), static_cast<uint32_t>(bytes)));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  if constexpr (kHasRangeId) store_word(claim.data + 16, range_id);
  if (!is_short) store_text(claim.data + kShort, attributes);
  ring->commit(claim, bytes);
  return true;
}

// Calls of the above, for places that are many: a push (with text) or mark, and a pop.
bool write_live_push(const StreamRef& stream, const TextAttributes& attributes) noexcept;
bool write_live_mark(const StreamRef& stream, const TextAttributes& attributes) noexcept;
bool write_live_pop(const StreamRef& stream) noexcept;

// Pops that were lost before one that is recorded: of ranges within its own, and of those that its
// own range lies directly in.
struct MissedPops {
  uint32_t inner = 0, outer = 0;
  constexpr uint32_t record_id() const noexcept {
    return (inner < kMissedPopsMax ? inner : kMissedPopsMax) |
           (outer < kMissedPopsMax ? outer : kMissedPopsMax) << kMissedPopsBits;
  }
};

// kPop, and kEnd with its range id, at the time of the call.
template <RecordKind kKind>
[[gnu::always_inline]] inline bool write_live_end(const StreamRef& stream, uint64_t range_id = 0,
                                                  const MissedPops& missed = {}) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  constexpr uint32_t kBytes = kKind == RecordKind::kEnd ? 24 : 16;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), kBytes, ring, claim)) return false;
  const uint32_t id = kKind == RecordKind::kPop ? missed.record_id() : 0;
  store_word(claim.data, make_header(kKind, id, stream_number(mode), kBytes));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  if constexpr (kKind == RecordKind::kEnd) store_word(claim.data + 16, range_id);
  ring->commit(claim, kBytes);
  return true;
}

// The time of a live record that is made of parts with write_row() or write_payloads(): not before
// the thread's last one.
[[gnu::always_inline]] inline int64_t live_time() noexcept {
  SpscRing* ring = tls_ring;
  return ring == nullptr ? now_ticks() : ring->rising(now_ticks());
}

// Pop and end carry no text.
[[gnu::always_inline]] inline bool write_pop(const StreamRef& stream, int64_t time) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 16, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kPop, 0, stream_number(mode), 16));
  store_word(claim.data + 8, static_cast<uint64_t>(time));
  ring->commit(claim, 16);
  return true;
}
// kEnd: `value` is the range id; kCounter: the sample's bits; kNoValue: the reason.
template <RecordKind kKind>
[[gnu::always_inline]] inline bool write_two_words(const StreamRef& stream, uint32_t id,
                                                   int64_t time, uint64_t value) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 24, ring, claim)) return false;
  store_word(claim.data, make_header(kKind, id, stream_number(mode), 24));
  store_word(claim.data + 8, static_cast<uint64_t>(time));
  store_word(claim.data + 16, value);
  ring->commit(claim, 24);
  return true;
}

// A row of a user's schema. REQUIRES: row_bytes is the schema's size.
[[gnu::always_inline]] inline bool write_row(const StreamRef& stream, uint32_t schema,
                                             const void* row, uint32_t row_bytes) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  const uint64_t bytes = 8 + pad_to_record(row_bytes);
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) [[unlikely]]
    return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kEvent, schema, stream_number(mode),
                                     static_cast<uint32_t>(bytes)));
  std::memcpy(claim.data + 8, row, row_bytes);
  ring->commit(claim, bytes);
  return true;
}

// The same for a struct of a few words, which are copied one by one: a block would have to be in
// memory first, and vector loads of what was just stored in words wait for the store buffer.
template <size_t... kWord>
[[gnu::always_inline]] inline bool write_words(const StreamRef& stream, uint32_t schema,
                                               const void* row,
                                               std::index_sequence<kWord...>) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  constexpr uint64_t kBytes = 8 + 8 * sizeof...(kWord);
  static_assert(kBytes <= kAlwaysFitsBytes);
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), kBytes, ring, claim)) return false;
  const auto* from = static_cast<const uint8_t*>(row);
  store_word(claim.data, make_header(RecordKind::kEvent, schema, stream_number(mode), kBytes));
  (store_word(claim.data + 8 + 8 * kWord, load_word(from + 8 * kWord)), ...);
  ring->commit(claim, kBytes);
  return true;
}
template <typename T>
[[gnu::always_inline]] inline bool write_row_of(const StreamRef& stream, uint32_t schema,
                                                const T& row) noexcept {
  if constexpr (sizeof(T) % 8 == 0 && sizeof(T) <= 96)
    return write_words(stream, schema, &row, std::make_index_sequence<sizeof(T) / 8>());
  else
    return write_row(stream, schema, &row, sizeof(T));
}

// A row whose fields of variable length are copied behind it. REQUIRES: row_bytes is the schema's
// size, and each field of `layout` has the address of as many elements as it says.
bool write_flex_row(const StreamRef& stream, uint32_t schema, const void* row, uint32_t row_bytes,
                    const FlexLayout& layout) noexcept;

// Several payloads that make one event.
struct PayloadBytes {
  uint32_t schema;      // number of a definition; 0: `predefined` is what it is
  uint32_t predefined;  // NVTX_PAYLOAD_ENTRY_TYPE_*, NVTX_TYPE_PAYLOAD_SCHEMA_*
  const void* data;
  uint64_t bytes;
};
inline constexpr size_t kMaxPayloads = 64;
bool write_payloads(const StreamRef& stream, std::span<const PayloadBytes> payloads) noexcept;

// A sample of a counter group. REQUIRES: sample_bytes is the group's size.
[[gnu::always_inline]] inline bool write_sample(const StreamRef& stream, uint32_t counter,
                                                int64_t time, const void* sample,
                                                uint32_t sample_bytes) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  const uint64_t bytes = 16 + pad_to_record(sample_bytes);
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) [[unlikely]]
    return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kCounter, counter, stream_number(mode),
                                     static_cast<uint32_t>(bytes)));
  store_word(claim.data + 8, static_cast<uint64_t>(time));
  std::memcpy(claim.data + 16, sample, sample_bytes);
  ring->commit(claim, bytes);
  return true;
}
// The same, and a sample without a value, at the time of the call.
bool write_live_group(const StreamRef& stream, uint32_t counter, const void* sample,
                      uint32_t sample_bytes) noexcept;
bool write_live_no_value(const StreamRef& stream, uint32_t counter, uint64_t reason) noexcept;

// `count` rows, samples or sync points; split into records as large as the ring takes. Return how
// many were written; the rest was counted. `order`: NVTX's batch flags, or kDetectOrder.
uint64_t write_row_batch(const StreamRef& stream, uint32_t schema, const void* rows,
                         uint32_t row_bytes, uint64_t count, uint32_t order) noexcept;
struct SampleTimesOf {
  SampleForm form;
  const int64_t* each;  // kEach
  int64_t anchor;       // kFrom, kUntil
  int64_t interval;
};
uint64_t write_sample_batch(const StreamRef& stream, uint32_t counter, const SampleTimesOf& times,
                            const void* samples, uint32_t sample_bytes, uint64_t count,
                            uint32_t order) noexcept;
// `points`: pairs of source and destination time.
uint64_t write_sync_points(const StreamRef& stream, uint64_t source_time_domain,
                           uint64_t destination_time_domain, const int64_t* points,
                           uint64_t count) noexcept;
bool write_conversion(const StreamRef& stream, uint64_t source_time_domain,
                      uint64_t destination_time_domain, double slope, int64_t at_source,
                      int64_t at_destination) noexcept;

// A range id that no other thread of this process gives out; never 0.
uint64_t next_range_id() noexcept;

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RECORDER_H_
