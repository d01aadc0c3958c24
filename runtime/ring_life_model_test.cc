// SPDX-License-Identifier: Apache-2.0
//
// A ring's life (thread_registry.h) in all interleavings: threads that adopt, fill and retire
// rings, and the flusher that collects, reads, hands on and destroys them. What was wrong once is
// found.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ringscribe/runtime/explore_states.h"

namespace ringscribe::runtime {
namespace {

// A ring has room for three records: the first of each owner names it.

constexpr int kRings = 4;
constexpr int kThreads = 2;
constexpr int kRoom = 3;
constexpr int8_t kNone = -1;

enum class Flaw { kNothing, kOneLink, kDestroyUnread, kRetireFirst };

struct Pile {  // of ring_pile.h: the top, and a link a ring
  int8_t top = kNone;
  std::array<int8_t, kRings> next = {kNone, kNone, kNone, kNone};
};

struct Life {
  struct Item {
    enum : int8_t { kNotMade, kMade, kDestroyed } state = kNotMade;
    int8_t owner = kNone;
    int8_t records = 0;    // unread
    int8_t events = 0;     // of them, without those that name a thread
    int8_t collected = 0;  // the flusher knows it
  };
  std::array<Item, kRings> rings = {};
  std::array<int8_t, kRings> free = {kNone, kNone, kNone, kNone};  // the queue, first in front
  Pile fresh, full;
  struct Thread {
    int8_t step = 0, ring = kNone, lives = 0;
  };
  std::array<Thread, kThreads> threads = {};
  int8_t written = 0, recorded = 0, lost = 0;
  int8_t flusher = 0, flusher_ring = 0;
  std::array<int8_t, kRings> taken = {kNone, kNone, kNone, kNone};
};

class LifeMachine {
 public:
  explicit LifeMachine(Flaw flaw) : flaw_(flaw) {}

  template <typename Put>
  std::string operator()(const Life& now, Put put) {
    wrong_.clear();
    bool is_over = true;
    for (size_t thread = 0; thread < kThreads; ++thread) {
      if (now.threads[thread].lives == 2) continue;
      is_over = false;
      Life next = now;
      act(next, static_cast<int8_t>(thread));
      put(next);
    }
    Life next = now;
    flush(next);
    // When all threads are gone, two rounds of the flusher read what there is.
    if (is_over) {
      Life last = now;
      for (int i = 0; i < 40; ++i) flush(last);
      if (last.recorded + last.lost != last.written && wrong_.empty())
        wrong_ = "events were neither recorded nor lost";
    } else {
      put(next);
    }
    return wrong_;
  }

 private:
  Life::Item& touch(Life& life, int8_t ring) {
    Life::Item& item = life.rings[static_cast<size_t>(ring)];
    if (item.state != Life::Item::kMade) wrong_ = "a ring is used that is not there";
    return item;
  }
  void push_free(Life& life, int8_t ring) {
    for (int8_t& place : life.free) {
      if (place == ring) wrong_ = "a ring is free twice";
      if (place != kNone) continue;
      place = ring;
      return;
    }
  }
  static int8_t pop_free(Life& life) {
    const int8_t first = life.free[0];
    std::rotate(life.free.begin(), life.free.begin() + 1, life.free.end());
    life.free.back() = kNone;
    return first;
  }
  void add(Life& life, bool is_full, int8_t ring) {
    Pile& pile = is_full ? life.full : life.fresh;
    // With one link for both piles, a ring in one of them loses its place.
    Pile& links = flaw_ == Flaw::kOneLink ? life.fresh : pile;
    links.next[static_cast<size_t>(ring)] = pile.top;
    pile.top = ring;
  }
  // The whole pile into `taken`.
  void take_all(Life& life, bool is_full) {
    Pile& pile = is_full ? life.full : life.fresh;
    Pile& links = flaw_ == Flaw::kOneLink ? life.fresh : pile;
    life.taken.fill(kNone);
    size_t count = 0;
    for (int8_t ring = pile.top; ring != kNone;) {
      if (count == kRings) {
        wrong_ = "a pile has a circle";
        break;
      }
      life.taken[count++] = ring;
      const int8_t next = links.next[static_cast<size_t>(ring)];
      links.next[static_cast<size_t>(ring)] = kNone;
      ring = next;
    }
    pile.top = kNone;
  }

  // adopt(), three records, retire(): a thread's life, twice.
  void act(Life& life, int8_t number) {
    Life::Thread& thread = life.threads[static_cast<size_t>(number)];
    const auto own = [&](int8_t ring) {
      Life::Item& item = touch(life, ring);
      if (item.owner != kNone) wrong_ = "a ring has two owners";
      item.owner = number;
      ++item.records;  // it names the thread
      thread.ring = ring;
    };
    switch (thread.step++) {
      case 0: {  // from the queue
        const int8_t ring = pop_free(life);
        if (ring == kNone) return;
        if (touch(life, ring).records >= kRoom) {
          add(life, true, ring);
        } else {
          own(ring);
          thread.step = 2;
        }
        return;
      }
      case 1: {  // a new one
        for (int8_t ring = 0; ring < kRings; ++ring) {
          Life::Item& item = life.rings[static_cast<size_t>(ring)];
          if (item.state != Life::Item::kNotMade) continue;
          item.state = Life::Item::kMade;
          own(ring);
          add(life, false, ring);
          return;
        }
        return;  // the memory limit: records are lost
      }
      case 2:
      case 3:
      case 4:
        ++life.written;
        if (thread.ring == kNone || touch(life, thread.ring).records >= kRoom) {
          ++life.lost;
        } else {
          ++touch(life, thread.ring).records;
          ++touch(life, thread.ring).events;
        }
        return;
      case 5:
        if (thread.ring == kNone) return;
        if (flaw_ == Flaw::kRetireFirst) {
          push_free(life, thread.ring);
        } else {
          touch(life, thread.ring).owner = kNone;
          push_free(life, thread.ring);
        }
        return;
      default:
        if (flaw_ == Flaw::kRetireFirst && thread.ring != kNone)
          touch(life, thread.ring).owner = kNone;
        thread.ring = kNone;
        thread.step = 0;
        ++thread.lives;
    }
  }

  // One thing at a time: collect; read each ring; full ones to the queue; destroy a spare.
  void flush(Life& life) {
    switch (life.flusher) {
      case 0:
        take_all(life, false);
        for (const int8_t ring : life.taken)
          if (ring != kNone) touch(life, ring).collected = 1;
        life.taken.fill(kNone);
        life.flusher = 1;
        life.flusher_ring = 0;
        return;
      case 1: {
        Life::Item& item = life.rings[static_cast<size_t>(life.flusher_ring)];
        if (item.collected != 0) read(life, life.flusher_ring);
        if (++life.flusher_ring == kRings) life.flusher = 2;
        return;
      }
      case 2:
        take_all(life, true);
        life.flusher = 3;
        return;
      case 3:
        for (int8_t& ring : life.taken)
          if (ring != kNone) push_free(life, ring);
        life.taken.fill(kNone);
        life.flusher = 4;
        return;
      default: {  // more than one spare: the first goes, if it is drained
        life.flusher = 0;
        if (life.free[1] == kNone) return;
        const int8_t ring = pop_free(life);
        Life::Item& item = touch(life, ring);
        if (item.records != 0 && flaw_ != Flaw::kDestroyUnread) {
          push_free(life, ring);
          return;
        }
        // It may still be new to the flusher: it is collected before it goes.
        const int8_t top = life.fresh.top;
        take_all(life, false);
        if (top != kNone)
          for (const int8_t other : life.taken)
            if (other != kNone) touch(life, other).collected = 1;
        life.taken.fill(kNone);
        item.state = Life::Item::kDestroyed;
        item.collected = 0;
        if (item.owner != kNone) wrong_ = "a ring is destroyed under its owner";
        return;
      }
    }
  }

  void read(Life& life, int8_t ring) {
    Life::Item& item = touch(life, ring);
    life.recorded = static_cast<int8_t>(life.recorded + item.events);
    item.records = item.events = 0;
  }

  const Flaw flaw_;
  std::string wrong_;
};

TEST_CASE("rings that threads hand on lose no event, and are not used when they are gone") {
  size_t states = 0;
  CHECK(explore(Life(), LifeMachine(Flaw::kNothing), states) == "");
  CHECK(states > 10'000);
}

TEST_CASE("the machine of a ring's life finds what was wrong once, or could be") {
  size_t states = 0;
  CHECK(explore(Life(), LifeMachine(Flaw::kOneLink), states) != "");
  CHECK(explore(Life(), LifeMachine(Flaw::kDestroyUnread), states) != "");
  CHECK(explore(Life(), LifeMachine(Flaw::kRetireFirst), states) != "");
}

}  // namespace
}  // namespace ringscribe::runtime
