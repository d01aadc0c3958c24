// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/spsc_ring.h"

#include <sys/mman.h>

#include <algorithm>

namespace ringscribe::runtime {

namespace {
constexpr uint64_t kObjectBytes = 4096;  // of the page behind a ring's memory
static_assert(sizeof(SpscRing) <= kObjectBytes);
}  // namespace

SpscRing* SpscRing::create(uint64_t capacity_bytes, bool huge_pages,
                           uint64_t touched_bytes) noexcept {
  // The object's page is behind the memory: newer kernels begin such mappings at a huge page's
  // place, and the memory is to have it.
  void* const mapping = ::mmap(nullptr, capacity_bytes + kObjectBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  auto* const memory = static_cast<uint8_t*>(mapping);
  const bool is_whole = touched_bytes >= capacity_bytes;
  // A refusal costs speed only, so its result does not matter. A huge page is zeroed all at once,
  // which a thread that waits for its ring does not want to see.
  if (huge_pages && is_whole) (void)::madvise(memory, capacity_bytes, MADV_HUGEPAGE);
  // Touch the pages now, so that no recording call takes a page fault.
  auto* bytes = static_cast<volatile uint8_t*>(memory);
  for (uint64_t at = 0; at < std::min(touched_bytes, capacity_bytes); at += 4096) bytes[at] = 0;
  auto* ring = ::new (memory + capacity_bytes) SpscRing();
  ring->base_ = memory;
  ring->lap_base_ = reinterpret_cast<uint64_t>(memory);
  ring->mask_ = capacity_bytes - 1;
  ring->limit_ = capacity_bytes;
  ring->is_touched_ = is_whole;
  return ring;
}

SpscRing* SpscRing::create_in_file(int fd, uint64_t capacity_bytes, uint64_t head_bytes,
                                   uint64_t number) noexcept {
  // MAP_POPULATE, so that no recording call takes a page fault at first.
  void* memory = ::mmap(nullptr, head_bytes + capacity_bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_POPULATE, fd, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* ring = ::new (memory) SpscRing();
  ring->base_ = static_cast<uint8_t*>(memory) + head_bytes;
  ring->lap_base_ = reinterpret_cast<uint64_t>(ring->base_);
  ring->mask_ = capacity_bytes - 1;
  ring->limit_ = capacity_bytes;
  ring->file_number_ = number;
  return ring;
}

void SpscRing::touch_rest() noexcept {
  if (is_touched_) return;
  is_touched_ = true;
  // Piece by piece: it holds a lock of the kernel that a thread which maps memory waits for. From
  // Linux 5.14 on; before it, the producer takes the faults.
#ifdef MADV_POPULATE_WRITE
  constexpr uint64_t kPieceBytes = 16 * 1024;
  for (uint64_t at = 0; at < capacity(); at += kPieceBytes)
    (void)::madvise(base_ + at, std::min(kPieceBytes, capacity()), MADV_POPULATE_WRITE);
#endif
}

void SpscRing::destroy(SpscRing* ring) noexcept {
  uint8_t* const base = ring->base_;
  const size_t capacity = ring->capacity();
  if (ring->file_number_ == 0) {
    ::munmap(base, capacity + kObjectBytes);
  } else {
    ::munmap(ring, static_cast<size_t>(base - reinterpret_cast<uint8_t*>(ring)) + capacity);
  }
}

bool SpscRing::claim_after_refresh(uint64_t bytes, uint64_t watermark_bytes,
                                   Claim& claim) noexcept {
  read_pos_seen_ = read_pos_.load(std::memory_order_acquire);  // P2
  const uint64_t full_at = read_pos_seen_ + capacity();        // I1
  claim.pos = write_pos_.load(std::memory_order_relaxed);
  const uint64_t ring_end = (claim.pos | mask_) + 1;
  if (ring_end - claim.pos < bytes && ring_end + bytes <= full_at) {
    const auto rest = static_cast<uint32_t>(ring_end - claim.pos);  // I3; at most a record's size
    store_word(base_ + (claim.pos & mask_), make_header(RecordKind::kFiller, 0, 0, rest));
    claim.pos = ring_end;
    write_pos_.store(claim.pos, std::memory_order_release);  // P1
  }
  const uint64_t next_end = (claim.pos | mask_) + 1;  // the limit never lies in the next lap (I5)
  const uint64_t room_end = std::min(full_at, next_end);
  claim.limit = room_end;
  if (used() < watermark_bytes) {
    const uint64_t wake_at = read_pos_seen_ + watermark_bytes;
    claim.limit = std::max(std::min(room_end, wake_at), claim.pos + bytes);
    claim.limit = std::min(claim.limit, room_end);
  }
  // Also where this record finds no room: the new limit may do for a smaller one.
  lap_base_ = reinterpret_cast<uint64_t>(base_) - (claim.pos & ~mask_);
  if (room_end < claim.pos + bytes) return false;
  claim = claim_at(claim.pos, claim.limit);
  return true;
}

}  // namespace ringscribe::runtime
