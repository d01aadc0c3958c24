// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/handoff_queue.h"

#include <concurrentqueue/concurrentqueue.h>
#include <pthread.h>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

namespace {
struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
  static void* malloc(size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
  static void free(void* memory) { deallocate(memory); }
};

// The queue keeps a list for each thread id. A thread that gets the id of one that has ended goes
// on with its list: the system hands an id on only after its thread's end, which ThreadSanitizer
// does not see when neither of the two was joined by the other's maker.
class ThreadIdReuse {
#ifdef __SANITIZE_THREAD__
 public:
  ThreadIdReuse() { __tsan_acquire(reinterpret_cast<void*>(pthread_self())); }
  ~ThreadIdReuse() { __tsan_release(reinterpret_cast<void*>(pthread_self())); }
#else
 public:
  ThreadIdReuse() {}  // not trivial, or it would be an unused variable
#endif
};

}  // namespace

struct PointerQueue::Impl {
  moodycamel::ConcurrentQueue<void*, Traits> queue;
};

PointerQueue::PointerQueue() : impl_(make<Impl>()) {}
PointerQueue::~PointerQueue() { destroy(impl_); }
void PointerQueue::push(void* item) noexcept {
  const ThreadIdReuse reuse;
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(impl_);
#endif
  impl_->queue.enqueue(item);
}
void* PointerQueue::pop() noexcept {
  void* item = nullptr;
  const bool has_item = impl_->queue.try_dequeue(item);
#ifdef __SANITIZE_THREAD__
  // The queue hands a block that was read back to its writer by a fence, which ThreadSanitizer does
  // not know.
  __tsan_release(impl_);
#endif
  return has_item ? item : nullptr;
}
size_t PointerQueue::size_approx() const noexcept { return impl_->queue.size_approx(); }

}  // namespace ringscribe::runtime
