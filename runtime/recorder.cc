// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/recorder.h"

#include <algorithm>
#include <bit>
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

// Why the thread's last record was lost; for the rest of a batch.
thread_local constinit LossCause tls_last_cause = LossCause::kInvalid;

// Range ids: the thread's number above, a count of the thread's below.
thread_local constinit uint64_t tls_last_range = 0;

bool may_block(const RecorderContext& all, uint16_t stream) noexcept {
  const StreamOverflow overflow = all.streams->overflow(stream);
  return overflow == StreamOverflow::kAsProcess ? all.block : overflow == StreamOverflow::kBlock;
}

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

void keep_open_range(SpscRing& ring, const StreamRef& stream, CallSite& site,
                     int64_t begin) noexcept {
  uint32_t id = site.id();
  if (id == 0) id = register_call_site(site);
  OpenRanges& open = *ring.open_ranges();
  if (id == 0 || open.depth >= OpenRanges::kMax) return;
  open.ranges[open.depth] = {make_header(RecordKind::kPush, id, stream.number(), 16), begin};
  std::atomic_signal_fence(std::memory_order_seq_cst);  // a depth never counts half a range
  ++open.depth;
}

void drop_open_range(SpscRing& ring, int64_t begin) noexcept {
  OpenRanges& open = *ring.open_ranges();
  // Those that began later and are still there ended where nothing could be recorded.
  uint32_t depth = open.depth;
  while (depth > 0 && open.ranges[depth - 1].begin > begin) --depth;
  if (depth > 0 && open.ranges[depth - 1].begin == begin) --depth;
  open.depth = depth;
}

void set_recorder_context(const RecorderContext* context) noexcept {
  g_context.store(context, std::memory_order_release);
}

bool count_loss(const StreamRef& stream, LossCause cause, uint64_t count) noexcept {
  const RecorderContext* all = context();
  tls_last_cause = cause;
  if (all != nullptr && stream.number() != 0)
    all->streams->count_loss(stream.number(), cause, count);
  return false;
}

void set_stream_overflow(const StreamRef& stream, StreamOverflow overflow) noexcept {
  const RecorderContext* all = context();
  if (all != nullptr && stream.number() != 0 && all->streams->is_open(stream))
    all->streams->set_overflow(stream.number(), overflow);
}

void note_invalid(const StreamRef& stream, InvalidCall what) noexcept {
  const RecorderContext* all = context();
  if (all != nullptr && stream.number() != 0) all->streams->note_invalid(stream.number(), what);
}

bool count_invalid(const StreamRef& stream, InvalidCall what, uint64_t count) noexcept {
  note_invalid(stream, what);
  return count_loss(stream, LossCause::kInvalid, count);
}

bool admit_or_refuse(const StreamRef& stream, bool live) noexcept {
  const RecorderContext* all = context();
  if (all == nullptr) return false;
  if (!all->streams->is_open(stream)) return count_loss(stream, LossCause::kStreamClosed);
  if (live) return count_invalid(stream, InvalidCall::kLive);
  // An ordered stream belongs to one thread at a time: before it changes hands, all that the last
  // owner wrote has to leave its ring.
  if (ThreadRegistry::thread_number() == 0 && adopt_ring() == nullptr)
    return count_loss(stream, no_ring_cause());
  const uint32_t self = ThreadRegistry::thread_number();
  std::atomic<uint32_t>& owner = all->streams->owner(stream.number());
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
  bool is_new = false;
  SpscRing* ring = all->threads->adopt(is_new);
  tls_is_adopting = false;
  // A ring that was made just now has memory that the flusher is to touch before it is needed, and
  // there is no spare for the next thread.
  if (is_new) all->wake_up->wake();
  errno = saved_errno;
  return ring;
}

bool make_room(uint16_t stream, uint64_t bytes, uint64_t limit) noexcept {
  const RecorderContext& all = *context();
  const auto lose = [&](LossCause cause) {
    tls_last_cause = cause;
    all.streams->count_loss(stream, cause);
    return false;
  };
  SpscRing* ring = tls_ring;
  const bool is_new = ring == nullptr;
  if (is_new) {
    ring = adopt_ring();
    if (ring == nullptr) return lose(no_ring_cause());
  } else if (limit == 0) {  // I4: this call interrupts a record of this thread
    return lose(LossCause::kNested);
  }
  SpscRing::Claim claim;
  claim.limit = limit;
  if (bytes > ring->max_record_bytes()) {
    if (!is_new) ring->restore(claim);
    return lose(LossCause::kTooLarge);
  }
  if (is_new) return true;  // the next claim finds out whether it is empty
  const int saved_errno = errno;
  const uint64_t watermark = ring->capacity() * all.watermark_percent / 100;
  bool has_room = ring->claim_after_refresh(bytes, watermark, claim);
  if (watermark != 0 && ring->used() >= watermark) all.wake_up->wake();
  if (!has_room && !tls_must_not_wait && may_block(all, stream) && all.flusher_runs(all.flusher))
    has_room = wait_for_room(all, ring, bytes, claim);
  errno = saved_errno;
  // With the new limit the next claim succeeds. A signal handler that takes the room in between is
  // found out by it, and we come back.
  ring->restore(claim);
  return has_room || lose(LossCause::kRingFull);
}

bool write_live_mark(const StreamRef& stream, const TextAttributes& attributes) noexcept {
  return write_live_text<RecordKind::kMark>(stream, attributes);
}

bool write_live_push(const StreamRef& stream, const TextAttributes& attributes) noexcept {
  return write_live_text<RecordKind::kPush>(stream, attributes);
}

bool write_live_pop(const StreamRef& stream) noexcept {
  return write_live_end<RecordKind::kPop>(stream);
}

namespace {

// Splits `count` items of `item_bytes` into records with `fixed_bytes` before the items, the header
// and the word with count and flags among them. fill(data, first, n) writes what stands behind that
// word: n items from item `first` on.
template <typename Fill>
uint64_t write_batch(const StreamRef& stream, RecordKind kind, uint32_t id, uint64_t fixed_bytes,
                     uint64_t item_bytes, uint64_t count, uint32_t flags, Fill fill) noexcept {
  if (stream.number() == 0) return 0;
  uint64_t written = 0, done = 0;
  while (done < count) {
    uint64_t mode;
    if (!admit(stream, mode)) {  // has counted one
      count_loss(stream, tls_last_cause, count - done - 1);
      break;
    }
    if (tls_ring == nullptr && adopt_ring() == nullptr) {
      count_loss(stream, no_ring_cause(), count - done);
      break;
    }
    const uint64_t max_bytes = tls_ring->max_record_bytes();
    const uint64_t room = std::max<uint64_t>((max_bytes - fixed_bytes) / item_bytes, 1);
    const uint64_t items = std::min(room, count - done);
    const uint64_t bytes = fixed_bytes + pad_to_record(items * item_bytes);
    if (bytes > max_bytes) {
      count_loss(stream, LossCause::kTooLarge, count - done);
      break;
    }
    SpscRing* ring;
    SpscRing::Claim claim;
    if (begin_record(stream_number(mode), bytes, ring, claim)) {
      store_word(claim.data,
                 make_header(kind, id, stream_number(mode), static_cast<uint32_t>(bytes)));
      store_word(claim.data + 8, pack_words(static_cast<uint32_t>(items), flags));
      fill(claim.data + 16, done, items);
      ring->commit(claim, bytes);
      written += items;
    } else {  // has counted one
      // A call waits for room once at most: where that was in vain, the rest is not tried.
      const bool has_waited =
          tls_last_cause == LossCause::kRingFull && may_block(*context(), stream.number());
      const uint64_t lost = has_waited ? count - done : items;
      count_loss(stream, tls_last_cause, lost - 1);
      done += lost - items;
    }
    done += items;
  }
  return written;
}

// Claims a record of `bytes` on an explicit stream and stores its header.
bool claim_record(const StreamRef& stream, RecordKind kind, uint32_t id, uint64_t bytes,
                  SpscRing*& ring, SpscRing::Claim& claim) noexcept {
  uint64_t mode;
  if (!admit(stream, mode)) return false;
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) return false;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  store_word(claim.data, make_header(kind, id, stream_number(mode), static_cast<uint32_t>(bytes)));
  return true;
}

struct FlexData {
  const void* data;
  uint64_t bytes;         // of the elements
  uint64_t padded_bytes;  // in the record, with the zero behind text
};

// What a field of variable length holds. More than any record takes is cut to that, so that sums
// cannot overflow; the record is then too large.
FlexData flex_data(const uint8_t* row, const FlexField& field) noexcept {
  const uint64_t count = load_word(row + field.offset);
  const uint64_t address = load_word(row + field.offset + 8);
  if (count == 0 || address == 0) return {nullptr, 0, field.is_text ? 8u : 0u};
  const uint64_t bytes = count > kMaxRecordBytes / field.element_bytes
                             ? uint64_t{kMaxRecordBytes} + 8
                             : count * field.element_bytes;
  return {reinterpret_cast<const void*>(address), bytes,
          pad_to_record(bytes + (field.is_text ? 1 : 0))};
}

// The bytes, and zeros up to the next multiple of 8.
void store_padded(uint8_t* to, const void* data, uint64_t bytes) noexcept {
  if (bytes == 0) return;
  store_word(to + pad_to_record(bytes) - 8, 0);
  std::memcpy(to, data, bytes);
}

}  // namespace

bool write_flex_row(const StreamRef& stream, uint32_t schema, const void* row, uint32_t row_bytes,
                    const FlexLayout& layout) noexcept {
  const auto* from = static_cast<const uint8_t*>(row);
  uint64_t flex_bytes = 0;
  for (const FlexField& field : layout.fields) flex_bytes += flex_data(from, field).padded_bytes;
  const uint64_t padded_row = pad_to_record(row_bytes);
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!claim_record(stream, RecordKind::kFlexEvent, schema, 16 + padded_row + flex_bytes, ring,
                    claim))
    return false;
  store_word(claim.data + 8, pack_words(static_cast<uint32_t>(flex_bytes), 0));
  uint8_t* const to = claim.data + 16;
  store_padded(to, row, row_bytes);
  uint64_t at = 0;
  for (const FlexField& field : layout.fields) {
    const FlexData flex = flex_data(from, field);
    if (flex.padded_bytes != 0) store_word(to + padded_row + at + flex.padded_bytes - 8, 0);
    if (flex.bytes != 0) std::memcpy(to + padded_row + at, flex.data, flex.bytes);
    store_word(to + field.offset, flex.bytes / field.element_bytes);
    store_word(to + field.offset + 8, at);
    at += flex.padded_bytes;
  }
  ring->commit(claim, 16 + padded_row + flex_bytes);
  return true;
}

bool write_payloads(const StreamRef& stream, std::span<const PayloadBytes> payloads) noexcept {
  uint64_t bytes = 16;
  for (const PayloadBytes& payload : payloads)
    bytes += 24 + pad_to_record(std::min<uint64_t>(payload.bytes, kMaxRecordBytes));
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!claim_record(stream, RecordKind::kPayloads, 0, bytes, ring, claim)) return false;
  store_word(claim.data + 8, pack_words(static_cast<uint32_t>(payloads.size()), 0));
  uint8_t* head = claim.data + 16;
  uint8_t* body = head + 24 * payloads.size();
  for (const PayloadBytes& payload : payloads) {
    store_word(head, pack_words(payload.schema, payload.predefined));
    store_word(head + 8, payload.bytes);
    store_word(head + 16, reinterpret_cast<uint64_t>(payload.data));
    store_padded(body, payload.data, payload.bytes);
    head += 24;
    body += pad_to_record(payload.bytes);
  }
  ring->commit(claim, bytes);
  return true;
}

bool write_live_group(const StreamRef& stream, uint32_t counter, const void* sample,
                      uint32_t sample_bytes) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  const uint64_t bytes = 16 + pad_to_record(sample_bytes);
  if (bytes > kAlwaysFitsBytes && !fits_or_count(stream, bytes)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), bytes, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kCounter, counter, stream_number(mode),
                                     static_cast<uint32_t>(bytes)));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  store_padded(claim.data + 16, sample, sample_bytes);
  ring->commit(claim, bytes);
  return true;
}

bool write_live_no_value(const StreamRef& stream, uint32_t counter, uint64_t reason) noexcept {
  uint64_t mode;
  if (!admit_live(stream, mode)) return false;
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!begin_record(stream_number(mode), 24, ring, claim)) return false;
  store_word(claim.data, make_header(RecordKind::kNoValue, counter, stream_number(mode), 24));
  store_word(claim.data + 8, static_cast<uint64_t>(ring->rising(now_ticks())));
  store_word(claim.data + 16, reason);
  ring->commit(claim, 24);
  return true;
}

uint64_t write_row_batch(const StreamRef& stream, uint32_t schema, const void* rows,
                         uint32_t row_bytes, uint64_t count, uint32_t order) noexcept {
  const auto* from = static_cast<const uint8_t*>(rows);
  return write_batch(stream, RecordKind::kEventBatch, schema, 16, row_bytes, count,
                     batch_flags(SampleForm::kEmbedded, order),
                     [&](uint8_t* to, uint64_t first, uint64_t items) {
                       std::memcpy(to, from + first * row_bytes, items * row_bytes);
                     });
}

uint64_t write_sample_batch(const StreamRef& stream, uint32_t counter, const SampleTimesOf& times,
                            const void* samples, uint32_t sample_bytes, uint64_t count,
                            uint32_t order) noexcept {
  const auto* from = static_cast<const uint8_t*>(samples);
  const bool has_each = times.form == SampleForm::kEach;
  const bool has_pair = times.form == SampleForm::kFrom || times.form == SampleForm::kUntil;
  return write_batch(
      stream, RecordKind::kCounterBatch, counter, has_pair ? 32 : 16,
      sample_bytes + (has_each ? 8u : 0u), count, batch_flags(times.form, order),
      [&](uint8_t* to, uint64_t first, uint64_t items) {
        if (has_each) {
          std::memcpy(to, times.each + first, items * 8);
          to += items * 8;
        } else if (has_pair) {
          // Unsigned, so that a time beyond the range wraps as the backend's own sum does.
          const uint64_t steps = times.form == SampleForm::kFrom ? first : count - (first + items);
          const uint64_t distance = steps * static_cast<uint64_t>(times.interval);
          const auto anchor = static_cast<uint64_t>(times.anchor);
          store_word(to, times.form == SampleForm::kFrom ? anchor + distance : anchor - distance);
          store_word(to + 8, static_cast<uint64_t>(times.interval));
          to += 16;
        }
        std::memcpy(to, from + first * sample_bytes, items * sample_bytes);
      });
}

uint64_t write_sync_points(const StreamRef& stream, uint64_t source_time_domain,
                           uint64_t destination_time_domain, const int64_t* points,
                           uint64_t count) noexcept {
  return write_batch(stream, RecordKind::kSyncPoints, 0, 32, 16, count, 0,
                     [&](uint8_t* to, uint64_t first, uint64_t items) {
                       store_word(to, source_time_domain);
                       store_word(to + 8, destination_time_domain);
                       std::memcpy(to + 16, points + 2 * first, items * 16);
                     });
}

bool write_conversion(const StreamRef& stream, uint64_t source_time_domain,
                      uint64_t destination_time_domain, double slope, int64_t at_source,
                      int64_t at_destination) noexcept {
  SpscRing* ring;
  SpscRing::Claim claim;
  if (!claim_record(stream, RecordKind::kConversion, 0, 48, ring, claim)) return false;
  store_word(claim.data + 8, source_time_domain);
  store_word(claim.data + 16, destination_time_domain);
  store_word(claim.data + 24, std::bit_cast<uint64_t>(slope));
  store_word(claim.data + 32, static_cast<uint64_t>(at_source));
  store_word(claim.data + 40, static_cast<uint64_t>(at_destination));
  ring->commit(claim, 48);
  return true;
}

uint64_t next_range_id() noexcept {
  if (tls_last_range == 0) {
    if (ThreadRegistry::thread_number() == 0) adopt_ring();
    tls_last_range = uint64_t{ThreadRegistry::thread_number()} << 32;
  }
  return ++tls_last_range;
}

}  // namespace ringscribe::runtime
