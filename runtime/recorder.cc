// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/recorder.h"

#include <algorithm>
#include <cerrno>

#include "ringscribe/runtime/wake_up.h"

namespace ringscribe::runtime {

namespace {

constinit std::atomic<const RecorderContext*> g_context{nullptr};
const RecorderContext* context() noexcept { return g_context.load(std::memory_order_acquire); }

// True while the thread is getting its ring.
thread_local constinit bool tls_is_adopting = false;
LossCause no_ring_cause() noexcept {
  return tls_is_adopting ? LossCause::kNested : LossCause::kMemoryLimit;
}

// Range ids: the thread's number above, a count of the thread's below.
thread_local constinit uint64_t tls_last_range = 0;

// Policy block: naps until the claim succeeds or the time is over.
bool wait_for_room(const RecorderContext& all, SpscRing* ring, uint64_t bytes,
                   SpscRing::Claim& claim) noexcept {
  constexpr uint64_t kShortestNapNs = 20'000, kLongestNapNs = 1'000'000;
  const uint64_t begin = monotonic_now_ns();
  uint64_t nap_ns = kShortestNapNs;
  while (true) {
    all.wake_up->wake();
    pause_for(nap_ns);
    if (ring->claim_after_refresh(bytes, 0, claim)) return true;
    if (all.block_timeout_ns != 0 && monotonic_now_ns() - begin >= all.block_timeout_ns)
      return false;
    if (!all.flusher_runs(all.flusher)) return false;
    nap_ns = std::min(nap_ns * 2, kLongestNapNs);
  }
}

}  // namespace

bool fits_or_count(const StreamRef& stream, uint64_t bytes) noexcept {
  const RecorderContext* all = context();
  SpscRing* ring = tls_ring != nullptr ? tls_ring : adopt_ring();
  if (all == nullptr || ring == nullptr) return true;  // the claim finds out, and counts
  if (bytes <= ring->max_record_bytes()) return true;
  return count_loss(stream, LossCause::kTooLarge);
}

void set_recorder_context(const RecorderContext* context) noexcept {
  g_context.store(context, std::memory_order_release);
}

bool count_loss(const StreamRef& stream, LossCause cause, uint64_t count) noexcept {
  const RecorderContext* all = context();
  if (all != nullptr && stream.number != 0) all->streams->count_loss(stream.number, cause, count);
  return false;
}

bool admit_or_refuse(const StreamRef& stream, bool live) noexcept {
  const RecorderContext* all = context();
  if (all == nullptr) return false;
  if (!all->streams->is_open(stream)) return count_loss(stream, LossCause::kStreamClosed);
  if (live) return count_loss(stream, LossCause::kInvalid);
  // An ordered stream belongs to one thread at a time: before it changes hands, all that the last
  // owner wrote has to leave its ring.
  if (ThreadRegistry::thread_number() == 0 && adopt_ring() == nullptr)
    return count_loss(stream, no_ring_cause());
  const uint32_t self = ThreadRegistry::thread_number();
  std::atomic<uint32_t>& owner = all->streams->owner(stream.number);
  // Relaxed: the application orders the threads that share such a stream.
  const uint32_t last = owner.load(std::memory_order_relaxed);
  if (last != self) {
    if (last != 0 && tls_must_not_wait) return count_loss(stream, LossCause::kNested);
    if (last != 0) all->flush(all->flusher);
    owner.store(self, std::memory_order_relaxed);
  }
  return true;
}

SpscRing* adopt_ring() noexcept {
  const RecorderContext* all = context();
  // A call that interrupts the adoption (malloc hook, signal handler) must not adopt a second ring.
  if (all == nullptr || tls_is_adopting) return nullptr;
  if (tls_ring != nullptr) return tls_ring;
  const int saved_errno = errno;
  tls_is_adopting = true;
  SpscRing* ring = all->threads->adopt();
  tls_is_adopting = false;
  errno = saved_errno;
  return ring;
}

bool claim_slow(uint16_t stream, uint64_t bytes, SpscRing*& ring, SpscRing::Claim& claim) noexcept {
  const RecorderContext& all = *context();
  if (ring == nullptr) {
    ring = adopt_ring();
    if (ring == nullptr) {
      all.streams->count_loss(stream, no_ring_cause());
      return false;
    }
    if (bytes > ring->max_record_bytes()) {
      all.streams->count_loss(stream, LossCause::kTooLarge);
      return false;
    }
    if (ring->claim(bytes, claim)) return true;
  }
  if (claim.limit == 0) {  // I4: this call interrupts a record of this thread
    all.streams->count_loss(stream, LossCause::kNested);
    return false;
  }
  if (bytes > ring->max_record_bytes()) {
    ring->restore(claim);
    all.streams->count_loss(stream, LossCause::kTooLarge);
    return false;
  }
  const int saved_errno = errno;
  const uint64_t watermark = ring->capacity() * all.watermark_percent / 100;
  bool has_room = ring->claim_after_refresh(bytes, watermark, claim);
  if (watermark != 0 && ring->used() >= watermark) all.wake_up->wake();
  if (!has_room && all.block && !tls_must_not_wait && all.flusher_runs(all.flusher))
    has_room = wait_for_room(all, ring, bytes, claim);
  errno = saved_errno;
  if (has_room) return true;
  ring->restore(claim);
  all.streams->count_loss(stream, LossCause::kRingFull);
  return false;
}

namespace {

// Like write_text_record, but the time is taken while the record is being written.
template <RecordKind kKind>
bool write_live_text(const StreamRef& stream, const TextAttributes& attributes) noexcept {
  if (!may_write_live(stream)) return false;
  const uint64_t bytes = 16 + kTextAttributeBytes + pad_to_record(attributes.text.size());
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream.number, bytes, ring, claim)) return false;
  store_word(claim.data, make_header(kKind, 0, stream.number, static_cast<uint32_t>(bytes)));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  store_text(claim.data + 16, attributes);
  ring->commit(claim, bytes);
  return true;
}

}  // namespace

bool write_live_mark(const StreamRef& stream, const TextAttributes& attributes) noexcept {
  return write_live_text<RecordKind::kMark>(stream, attributes);
}

bool write_live_push(const StreamRef& stream, const TextAttributes& attributes) noexcept {
  return write_live_text<RecordKind::kPush>(stream, attributes);
}

bool write_live_pop(const StreamRef& stream) noexcept {
  if (!may_write_live(stream)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream.number, 16, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kPop, 0, stream.number, 16));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  ring->commit(claim, 16);
  return true;
}

namespace {

// Splits `count` items of `item_bytes` into records. fill(data, first, n) writes n items from item
// `first` on behind the record's two fixed words.
template <typename Fill>
uint64_t write_batch(const StreamRef& stream, RecordKind kind, uint32_t id, uint64_t item_bytes,
                     uint64_t count, uint32_t flags, Fill fill) noexcept {
  if (stream.number == 0) return 0;
  uint64_t written = 0, done = 0;
  while (done < count) {
    if (!may_write(stream)) {  // has counted one
      count_loss(stream, LossCause::kStreamClosed, count - done - 1);
      break;
    }
    if (tls_ring == nullptr && adopt_ring() == nullptr) {
      count_loss(stream, no_ring_cause(), count - done);
      break;
    }
    const uint64_t room = std::max<uint64_t>((tls_ring->max_record_bytes() - 16) / item_bytes, 1);
    const uint64_t items = std::min(room, count - done);
    const uint64_t bytes = 16 + pad_to_record(items * item_bytes);
    if (bytes > tls_ring->max_record_bytes()) {
      count_loss(stream, LossCause::kTooLarge, count - done);
      break;
    }
    SpscRing* ring;
    SpscRing::Claim claim;
    if (begin_record(stream.number, bytes, ring, claim)) {
      store_word(claim.data, make_header(kind, id, stream.number, static_cast<uint32_t>(bytes)));
      store_word(claim.data + 8, pack_words(static_cast<uint32_t>(items), flags));
      fill(claim.data + 16, done, items);
      ring->commit(claim, bytes);
      written += items;
    } else {  // has counted one
      count_loss(stream, LossCause::kRingFull, items - 1);
    }
    done += items;
  }
  return written;
}

}  // namespace

uint64_t write_row_batch(const StreamRef& stream, uint32_t schema, const void* rows,
                         uint32_t row_bytes, uint64_t count, uint32_t flags) noexcept {
  const auto* from = static_cast<const uint8_t*>(rows);
  return write_batch(stream, RecordKind::kEventBatch, schema, row_bytes, count, flags,
                     [&](uint8_t* to, uint64_t first, uint64_t items) {
                       std::memcpy(to, from + first * row_bytes, items * row_bytes);
                     });
}

uint64_t write_sample_batch(const StreamRef& stream, uint32_t counter, const int64_t* times,
                            const void* samples, uint32_t sample_bytes, uint64_t count,
                            uint32_t flags) noexcept {
  const auto* from = static_cast<const uint8_t*>(samples);
  return write_batch(stream, RecordKind::kCounterBatch, counter, 8 + sample_bytes, count, flags,
                     [&](uint8_t* to, uint64_t first, uint64_t items) {
                       std::memcpy(to, times + first, items * 8);
                       std::memcpy(to + items * 8, from + first * sample_bytes,
                                   items * sample_bytes);
                     });
}

uint64_t next_range_id() noexcept {
  if (tls_last_range == 0) {
    if (ThreadRegistry::thread_number() == 0) adopt_ring();
    tls_last_range = uint64_t{ThreadRegistry::thread_number()} << 32;
  }
  return ++tls_last_range;
}

}  // namespace ringscribe::runtime
