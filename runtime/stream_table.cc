// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/stream_table.h"

#include <sys/mman.h>

#include <utility>

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
  void* counts = map_zeros(kNumbers * sizeof(StreamCounts));
  if (modes == nullptr || counts == nullptr) return;
  // Kernels before 4.14 refuse; there the atfork handler alone keeps a child off.
  (void)::madvise(modes, kNumbers * sizeof(*modes_), MADV_WIPEONFORK);
  modes_ = static_cast<std::atomic<uint64_t>*>(modes);
  counts_ = static_cast<StreamCounts*>(counts);
}

StreamTable::~StreamTable() {
  if (modes_ != nullptr) ::munmap(modes_, kNumbers * sizeof(*modes_));
  if (counts_ != nullptr) ::munmap(counts_, kNumbers * sizeof(StreamCounts));
}

StreamRef StreamTable::open(uint32_t domain, bool live, bool ordered,
                            std::shared_ptr<SettledLosses> session) noexcept {
  if (!ok()) return closed_stream();
  uint16_t number = 0;
  const auto settled = lock_settled();
  if (next_number_ < kNumbers) {
    number = static_cast<uint16_t>(next_number_++);
    owners_.resize(next_number_);
  } else if (!free_numbers_.empty()) {
    number = free_numbers_.front();
    free_numbers_.pop_front();
  } else {
    return closed_stream();
  }
  Owner& owner = owners_[number];
  StreamCounts& counts = counts_[number];
  for (size_t cause = 0; cause < kLossCauses; ++cause) {
    // A late call may count at this moment: what is taken away has to be what is handed on.
    const uint64_t lost = counts.lost[cause].exchange(0, std::memory_order_relaxed);
    if (owner.session != nullptr) owner.session->lost[cause] += lost;
  }
  counts.owner.store(0, std::memory_order_relaxed);
  counts.invalid.store(InvalidCall::kNone, std::memory_order_relaxed);
  counts.overflow.store(StreamOverflow::kAsProcess, std::memory_order_relaxed);
  counts.ordered.store(ordered, std::memory_order_relaxed);
  // A handle 16,384 streams of its number old would be taken for the new one's: far beyond any
  // life.
  const uint64_t generation = ++owner.generation & kGenerationMask;
  const uint64_t word =
      uint64_t{domain} << 32 | generation << kGenerationShift | kOpen | (live ? kLive : 0) | number;
  owner.word = word;
  owner.session = std::move(session);
  modes_[number].store(word, std::memory_order_relaxed);
  return StreamRef{&modes_[number], ordered ? word & ~kOpen : word, live ? word : word & ~kOpen};
}

void StreamTable::add_losses(uint16_t number, Counts& counts) const noexcept {
  for (size_t cause = 0; cause < kLossCauses; ++cause)
    counts.lost_by_cause[cause] += counts_[number].lost[cause].load(std::memory_order_relaxed);
}

void StreamTable::close(uint16_t number) noexcept {
  modes_[number].store(0, std::memory_order_relaxed);
}

void StreamTable::recycle(uint16_t number) noexcept { free_numbers_.push_back(number); }

bool StreamTable::is_open(const StreamRef& stream) const noexcept {
  return stream.mode->load(std::memory_order_relaxed) == stream.word();
}

}  // namespace ringscribe::runtime
