// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/thread_registry.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "ringscribe/backends/nvtxw/utf8.h"
#include "ringscribe/runtime/clock.h"

namespace ringscribe::runtime {

thread_local constinit SpscRing* tls_ring = nullptr;
thread_local constinit bool tls_must_not_wait = false;

namespace {

constexpr size_t kThreadNameBytes = 16;
constexpr uint32_t kThreadRecordBytes = 16 + kThreadNameBytes;

// What a thread keeps over a change of ring. Trivially destructible.
struct ThreadIdentity {
  uint32_t number;
  bool is_named;
  char name[kThreadNameBytes];
};
thread_local constinit ThreadIdentity tls_identity{};

// The key's destructor runs after those of thread_local objects, so that these may record.
pthread_key_t g_exit_key;
pthread_once_t g_exit_key_once = PTHREAD_ONCE_INIT;

void make_exit_key() {
  pthread_key_create(&g_exit_key,
                     [](void* registry) { static_cast<ThreadRegistry*>(registry)->retire(); });
}

}  // namespace

ThreadRegistry::ThreadRegistry(const RingOptions& options) noexcept : options_(options) {
  pthread_once(&g_exit_key_once, make_exit_key);
}

ThreadRegistry::~ThreadRegistry() {
  if (tls_ring != nullptr) {
    pthread_setspecific(g_exit_key, nullptr);
    tls_ring = nullptr;
  }
  // Numbers are those of a registry: the thread gets a new one from the next.
  tls_identity = ThreadIdentity{};
  collect_new_rings();
  for (SpscRing* ring : rings_) destroy_ring(ring);
}

void ThreadRegistry::destroy_ring(SpscRing* ring) noexcept {
  if (ring->file_number() != 0) {
    options_.crash->destroy_ring(ring);
  } else {
    SpscRing::destroy(ring);
  }
}

uint32_t ThreadRegistry::thread_number() noexcept { return tls_identity.number; }

// The count is never above the limit, not even for a moment.
bool ThreadRegistry::take_memory(uint64_t bytes) noexcept {
  uint64_t taken = ring_memory_.load(std::memory_order_relaxed);
  do {
    if (taken + bytes > options_.memory_limit_bytes) return false;
  } while (!ring_memory_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
  return true;
}

SpscRing* ThreadRegistry::create_ring(uint64_t touched_bytes) noexcept {
  // Near the limit small rings are better than none.
  for (uint64_t bytes : {options_.ring_bytes, kSmallRingBytes}) {
    bytes = std::min(bytes, options_.ring_bytes);
    if (!take_memory(bytes)) continue;
    SpscRing* ring = nullptr;
    if (options_.crash != nullptr) ring = options_.crash->create_ring(bytes);
    if (ring == nullptr) ring = SpscRing::create(bytes, options_.huge_pages, touched_bytes);
    if (ring != nullptr) {
      new_rings_.add(ring);
      return ring;
    }
    ring_memory_.fetch_sub(bytes, std::memory_order_relaxed);
  }
  return nullptr;
}

SpscRing* ThreadRegistry::adopt(bool& is_new) noexcept {
  if (tls_identity.number == 0)
    tls_identity.number = next_thread_.fetch_add(1, std::memory_order_relaxed);
  if (!tls_identity.is_named)
    pthread_getname_np(pthread_self(), tls_identity.name, kThreadNameBytes);
  SpscRing* ring = free_rings_.pop();
  // A ring that is still full of its last owner's records has no room for the record that names
  // the new one, and without it this thread's records would be taken for the last owner's.
  if (ring != nullptr && !write_thread_record(ring)) {
    full_rings_.add(ring);
    ring = nullptr;
  }
  if (ring == nullptr) {
    // The caller waits for it: the flusher touches the rest.
    is_new = true;
    ring = create_ring(kTouchedAtOnceBytes);
    if (ring == nullptr || !write_thread_record(ring)) return nullptr;
  }
  ring->set_time(earliest_time_.load(std::memory_order_relaxed), options_.time_step);
  if (OpenRanges* open = ring->open_ranges(); open != nullptr) open->depth = 0;
  pthread_setspecific(g_exit_key, this);
  tls_ring = ring;
  return ring;
}

bool ThreadRegistry::write_thread_record(SpscRing* ring) noexcept {
  SpscRing::Claim claim;
  if (!ring->claim(kThreadRecordBytes, claim)) {
    if (claim.limit == 0) return false;  // nested: the record that is being written goes first
    if (!ring->claim_after_refresh(kThreadRecordBytes, 0, claim)) {
      ring->restore(claim);
      return false;
    }
  }
  store_word(claim.data, make_header(RecordKind::kThread, 0, 0, kThreadRecordBytes));
  store_word(claim.data + 8,
             pack_words(tls_identity.number, static_cast<uint32_t>(::syscall(SYS_gettid))));
  std::memcpy(claim.data + 16, tls_identity.name, kThreadNameBytes);
  ring->commit(claim, kThreadRecordBytes);
  return true;
}

void ThreadRegistry::retire() noexcept {
  SpscRing* ring = tls_ring;
  if (ring == nullptr) return;
  tls_ring = nullptr;
  if (OpenRanges* open = ring->open_ranges(); open != nullptr) open->depth = 0;
  free_rings_.push(ring);
}

void ThreadRegistry::set_thread_name(std::string_view name) noexcept {
  name = name.substr(0, nvtxw::floor_to_utf8_boundary(name, kThreadNameBytes - 1));
  std::memset(tls_identity.name, 0, kThreadNameBytes);
  std::memcpy(tls_identity.name, name.data(), name.size());
  tls_identity.is_named = true;
  // Where the ring is full just now, the name counts from the thread's next ring on.
  if (tls_ring != nullptr) (void)write_thread_record(tls_ring);
}

void ThreadRegistry::collect_new_rings() noexcept {
  new_rings_.take_all([this](SpscRing* ring) {
    ring->touch_rest();
    rings_.push_back(ring);
  });
}

void ThreadRegistry::keep_spares() noexcept {
  full_rings_.take_all([this](SpscRing* ring) { free_rings_.push(ring); });
  size_t free_now = free_rings_.size_approx();
  for (; free_now < options_.spares; ++free_now) {
    // Spares are a convenience: they stop at half of the limit.
    if (ring_memory_bytes() + options_.ring_bytes > options_.memory_limit_bytes / 2) break;
    SpscRing* ring = create_ring(options_.ring_bytes);
    if (ring == nullptr) break;
    free_rings_.push(ring);
  }
  for (; free_now > options_.spares; --free_now) {
    SpscRing* ring = free_rings_.pop();
    if (ring == nullptr) break;
    if (ring->readable() != ring->read_pos()) {
      free_rings_.push(ring);  // not drained yet: next step
      break;
    }
    collect_new_rings();
    rings_.erase(std::find(rings_.begin(), rings_.end(), ring));
    ring_memory_.fetch_sub(ring->capacity(), std::memory_order_relaxed);
    destroy_ring(ring);
  }
}

}  // namespace ringscribe::runtime
