// SPDX-License-Identifier: Apache-2.0
//
// RingPile: rings on their way to the flusher, from threads that may be in a signal handler:
// without lock and without memory of its own.
//
//   RingPile<&SpscRing::next_new> pile;
//   pile.add(ring);                                          // any thread, any signal handler
//   pile.take_all([](SpscRing* ring) { rings.push_back(ring); });   // first added, first taken
//
// Orders: add() releases (R1), take_all() acquires (R1): what was written to a ring before it was
// added is seen. A whole pile is taken at once, so no ring can come back between two looks (ABA).
// Lifetime: does not own; a ring is in a pile once at most, and in two only by different members.
#ifndef RINGSCRIBE_RUNTIME_RING_PILE_H_
#define RINGSCRIBE_RUNTIME_RING_PILE_H_

#include <atomic>

#include "ringscribe/runtime/spsc_ring.h"

namespace ringscribe::runtime {

// `kNext`: the member by which its rings hang together.
template <SpscRing* SpscRing::* kNext>
class RingPile {
 public:
  void add(SpscRing* ring) noexcept {
    ring->*kNext = top_.load(std::memory_order_relaxed);
    while (!top_.compare_exchange_weak(ring->*kNext, ring, std::memory_order_release,
                                       std::memory_order_relaxed)) {
    }
  }

  template <typename Visit>
  void take_all(Visit visit) {
    SpscRing* ring = top_.exchange(nullptr, std::memory_order_acquire);
    SpscRing* first = nullptr;
    while (ring != nullptr) {
      SpscRing* const next = ring->*kNext;
      ring->*kNext = first;
      first = ring;
      ring = next;
    }
    while (first != nullptr) {
      SpscRing* const next = first->*kNext;  // the visitor may add it to another pile
      visit(first);
      first = next;
    }
  }

 private:
  std::atomic<SpscRing*> top_{nullptr};
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RING_PILE_H_
