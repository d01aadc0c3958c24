// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/argument_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace ringscribe::testing {

namespace {

constexpr uintptr_t kPageBytes = 4096;

uint64_t hash_of(const uint8_t* bytes, size_t size) noexcept {
  uint64_t hash = 0xCBF29CE484222325ull;  // FNV-1a
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001B3ull;
  return hash;
}

const uint8_t* next_page(const uint8_t* at) noexcept {
  const uintptr_t address = reinterpret_cast<uintptr_t>(at);
  return at + (kPageBytes - address % kPageBytes);
}

}  // namespace

bool is_readable(const void* bytes, size_t size) noexcept {
  static const int file = memfd_create("is_readable", MFD_CLOEXEC);
  const auto* at = static_cast<const uint8_t*>(bytes);
  if (size != 0 && at + size < at) return false;
  for (const uint8_t* end = at + size; at < end; at = next_page(at))
    if (at == nullptr || pwrite(file, at, 1, 0) != 1) return false;
  return true;
}

bool ArgumentMemory::add(const void* bytes, size_t size) {
  if (!is_readable(bytes, size)) return false;
  const auto* first = static_cast<const uint8_t*>(bytes);
  ranges_.push_back({first, size, hash_of(first, size)});
  return true;
}

bool ArgumentMemory::add_text(const char* text) {
  const auto* first = reinterpret_cast<const uint8_t*>(text);
  const uint8_t* at = first;
  for (;;) {
    if (at == nullptr || !is_readable(at, 1)) return false;
    const uint8_t* page_end = next_page(at);
    at = std::find(at, page_end, uint8_t{0});
    if (at != page_end) return add(first, static_cast<size_t>(at - first) + 1);
  }
}

bool ArgumentMemory::has_changed() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [](const Range& range) {
    return hash_of(range.bytes, range.size) != range.hash;
  });
}

}  // namespace ringscribe::testing
