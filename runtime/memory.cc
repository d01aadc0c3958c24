// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/memory.h"

#include <cstdio>
#include <cstdlib>

#ifndef RINGSCRIBE_SANITIZED
#include <mimalloc.h>
#endif

#include "ringscribe/runtime/no_reentry.h"

namespace ringscribe::runtime {

void* allocate(size_t bytes, size_t alignment) noexcept {
  const NoReentry mark;
#ifdef RINGSCRIBE_SANITIZED
  void* memory = nullptr;
  if (::posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, bytes) != 0)
    memory = nullptr;
#else
  void* memory = mi_malloc_aligned(bytes, alignment);
#endif
  if (memory == nullptr) {
    std::fprintf(stderr, "ringscribe: out of memory (%zu bytes)\n", bytes);
    std::abort();
  }
  return memory;
}

void deallocate(void* memory) noexcept {
  const NoReentry mark;
#ifdef RINGSCRIBE_SANITIZED
  std::free(memory);
#else
  mi_free(memory);
#endif
}

bool is_on_runtime_heap(const void* memory) noexcept {
#ifdef RINGSCRIBE_SANITIZED
  (void)memory;
  return false;
#else
  return mi_is_in_heap_region(memory);
#endif
}

}  // namespace ringscribe::runtime
