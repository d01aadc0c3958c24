// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/stream_table.h"

#include <sys/mman.h>

namespace ringscribe::runtime {

namespace {

constinit std::atomic<uint64_t> g_always_closed{0};
constexpr uint64_t kOpen = StreamRef::kOpenBit, kLive = kOpen << 1;
constexpr uint32_t kGenerationShift = 18, kGenerationMask = (1u << 14) - 1;
// No mode word has this value: its open bit is missing.
constexpr uint64_t kNeverEqual = uint64_t{kGenerationMask} << kGenerationShift;

void* map_zeros(size_t bytes) noexcept {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

StreamRef closed_stream() noexcept { return StreamRef{&g_always_closed, kNeverEqual, kNeverEqual}; }

StreamTable::StreamTable() noexcept {
  void* modes = map_zeros(kNumbers * sizeof(*modes_));
  void* counts = map_zeros(kNumbers * sizeof(Counts));
  if (modes == nullptr || counts == nullptr) return;
  // Kernels before 4.14 refuse; there the atfork handler alone keeps a child off.
  (void)::madvise(modes, kNumbers * sizeof(*modes_), MADV_WIPEONFORK);
  modes_ = static_cast<std::atomic<uint64_t>*>(modes);
  counts_ = static_cast<Counts*>(counts);
}

StreamTable::~StreamTable() {
  if (modes_ != nullptr) ::munmap(modes_, kNumbers * sizeof(*modes_));
  if (counts_ != nullptr) ::munmap(counts_, kNumbers * sizeof(Counts));
}

StreamRef StreamTable::open(uint32_t domain, bool live, bool ordered) noexcept {
  if (!ok()) return closed_stream();
  uint16_t number = 0;
  if (next_number_ < kNumbers) {
    number = static_cast<uint16_t>(next_number_++);
    generations_.resize(next_number_, 0);
  } else if (!free_numbers_.empty()) {
    number = free_numbers_.front();
    free_numbers_.erase(free_numbers_.begin());
    reuses_numbers_.store(true, std::memory_order_relaxed);
  } else {
    return closed_stream();
  }
  Counts& counts = counts_[number];
  for (std::atomic<uint64_t>& count : counts.lost) count.store(0, std::memory_order_relaxed);
  counts.owner.store(0, std::memory_order_relaxed);
  counts.invalid.store(InvalidCall::kNone, std::memory_order_relaxed);
  counts.overflow.store(StreamOverflow::kAsProcess, std::memory_order_relaxed);
  counts.ordered.store(ordered, std::memory_order_relaxed);
  // A handle 16,384 streams of its number old would be taken for the new one's: far beyond any
  // life.
  const uint64_t generation = ++generations_[number] & kGenerationMask;
  const uint64_t word =
      uint64_t{domain} << 32 | generation << kGenerationShift | kOpen | (live ? kLive : 0) | number;
  modes_[number].store(word, std::memory_order_relaxed);
  return StreamRef{&modes_[number], ordered ? word & ~kOpen : word, live ? word : word & ~kOpen};
}

void StreamTable::close(uint16_t number) noexcept {
  modes_[number].store(0, std::memory_order_relaxed);
}

void StreamTable::recycle(uint16_t number) noexcept { free_numbers_.push_back(number); }

bool StreamTable::is_open(const StreamRef& stream) const noexcept {
  return stream.mode->load(std::memory_order_relaxed) == stream.word();
}

uint64_t StreamTable::lost(uint16_t number) const noexcept {
  uint64_t sum = 0;
  for (const std::atomic<uint64_t>& count : counts_[number].lost)
    sum += count.load(std::memory_order_relaxed);
  return sum;
}

}  // namespace ringscribe::runtime
