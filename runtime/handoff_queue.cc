// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/handoff_queue.h"

#include <concurrentqueue/concurrentqueue.h>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

namespace {
struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
  static void* malloc(size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
  static void free(void* memory) { deallocate(memory); }
};
}  // namespace

struct PointerQueue::Impl {
  moodycamel::ConcurrentQueue<void*, Traits> queue;
};

PointerQueue::PointerQueue() : impl_(make<Impl>()) {}
PointerQueue::~PointerQueue() { destroy(impl_); }
void PointerQueue::push(void* item) noexcept { impl_->queue.enqueue(item); }
void* PointerQueue::pop() noexcept {
  void* item = nullptr;
  return impl_->queue.try_dequeue(item) ? item : nullptr;
}
size_t PointerQueue::size_approx() const noexcept { return impl_->queue.size_approx(); }

}  // namespace ringscribe::runtime
