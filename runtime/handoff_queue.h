// SPDX-License-Identifier: Apache-2.0
//
// HandoffQueue: carries pointers between threads that know nothing of each other: new rings,
// free rings, definitions. What is recorded does not go through here. moodycamel's
// concurrentqueue, on the runtime's heap, is behind it.
//
//   HandoffQueue<SpscRing> free_rings;
//   free_rings.push(ring);                    // any thread
//   if (SpscRing* ring = free_rings.pop()) …  // any thread; nullptr when empty
//
// Orders: a push happens before the pop that returns its pointer.
// Threads: any, without lock. Lifetime: does not own what it carries.
#ifndef RINGSCRIBE_RUNTIME_HANDOFF_QUEUE_H_
#define RINGSCRIBE_RUNTIME_HANDOFF_QUEUE_H_

#include <cstddef>

namespace ringscribe::runtime {

class PointerQueue {
 public:
  PointerQueue();
  ~PointerQueue();
  PointerQueue(const PointerQueue&) = delete;
  PointerQueue& operator=(const PointerQueue&) = delete;
  void push(void* item) noexcept;
  void* pop() noexcept;
  // A number that was right at some moment during the call.
  size_t size_approx() const noexcept;

 private:
  struct Impl;
  Impl* impl_;
};

template <typename T>
class HandoffQueue {
 public:
  void push(T* item) noexcept { queue_.push(item); }
  T* pop() noexcept { return static_cast<T*>(queue_.pop()); }
  size_t size_approx() const noexcept { return queue_.size_approx(); }

 private:
  PointerQueue queue_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_HANDOFF_QUEUE_H_
