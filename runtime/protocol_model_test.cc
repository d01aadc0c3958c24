// SPDX-License-Identifier: Apache-2.0
//
// The two protocols on which no event is lost, as small state machines, in all interleavings:
//
//   the ring (spsc_ring.h)              producer, a signal handler that interrupts it anywhere, and
//                                       consumer; each of them sees the other's position late
//   a ring's life (thread_registry.h)   threads that adopt, fill and retire rings, and the flusher
//                                       that collects, reads, hands on and destroys them
//
// A machine's steps are the loads and stores of the code, in its order. An order that is broken
// here on purpose is found: the last test case of each machine.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

namespace ringscribe::runtime {
namespace {

// Visits every state that can be reached. `next(state, put)` calls put(state) for each successor,
// and returns what is wrong with `state`, "" if nothing is.
template <typename State, typename Next>
std::string explore(const State& first, Next next, size_t& states) {
  static_assert(std::is_trivially_copyable_v<State>);
  const auto bytes_of = [](const State& state) {
    return std::string(reinterpret_cast<const char*>(&state), sizeof state);
  };
  std::unordered_set<std::string> seen = {bytes_of(first)};
  std::vector<State> open = {first};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    const std::string wrong = next(state, [&](const State& successor) {
      if (seen.insert(bytes_of(successor)).second) open.push_back(successor);
    });
    if (!wrong.empty()) return wrong;
  }
  states = seen.size();
  return "";
}

// --- The ring. Positions count words; a record is one or two words and does not wrap.

constexpr int kCapacity = 4;
constexpr int kRecords = 6;
constexpr int8_t kFiller = 100;  // + its length

enum class Broken { kNothing, kLimitStays, kReleaseBeforeRead, kCommitBeforeWrite };

struct Ring {
  // Shared.
  int8_t write_pos = 0, read_pos = 0;
  std::array<int8_t, kCapacity> words = {};  // of a record: 2 * number + which word
  // Producer.
  int8_t limit = kCapacity, seen = 0;
  int8_t step = 0;  // of the record that is being written; 0: none
  int8_t size = 0, written = 0, claim_pos = 0, claim_limit = 0;
  int8_t number = 0;  // of records that were written, in the order of the commits
  int8_t attempts = 0, handlers = 0;
  // Consumer.
  int8_t reading = 0;  // 0: not; else it reads up to `readable`
  int8_t at = 0, readable = 0, seen_write_pos = 0;
  int8_t next_number = 0, next_word = 0;
  int8_t unused[4] = {};
};

class RingMachine {
 public:
  explicit RingMachine(Broken broken) : broken_(broken) {}

  template <typename Put>
  std::string operator()(const Ring& now, Put put) {
    wrong_.clear();
    produce(now, put);
    if (now.handlers < 2) handle(now, put);
    consume(now, put);
    return wrong_;
  }

 private:
  // I2: the word at `pos` has been read, or was never written.
  void check_free(const Ring& ring, int pos) {
    if (pos - ring.read_pos >= kCapacity) wrong_ = "a word is written that was not given back";
  }

  // claim_after_refresh(), with `seen` as its load of read_pos. False: no room.
  bool refresh(Ring& ring, int seen, int size) {
    ring.seen = static_cast<int8_t>(seen);
    const int full_at = seen + kCapacity;
    int pos = ring.write_pos;
    const int ring_end = (pos / kCapacity + 1) * kCapacity;
    if (ring_end - pos < size && ring_end + size <= full_at) {
      check_free(ring, pos);
      ring.words[static_cast<size_t>(pos % kCapacity)] =
          static_cast<int8_t>(kFiller + ring_end - pos);
      pos = ring_end;
      ring.write_pos = static_cast<int8_t>(pos);
    }
    const int room_end = std::min(full_at, (pos / kCapacity + 1) * kCapacity);
    ring.claim_pos = static_cast<int8_t>(pos);
    ring.claim_limit = static_cast<int8_t>(room_end);
    return room_end - pos >= size;
  }

  template <typename Put>
  void produce(const Ring& now, Put put) {
    Ring next = now;
    switch (now.step) {
      case 0:  // a record of one word or two: take the limit
        if (now.attempts == kRecords) return;
        for (const int8_t size : {int8_t{1}, int8_t{2}}) {
          next = now;
          ++next.attempts;
          next.size = size;
          next.claim_limit = now.limit;
          if (broken_ != Broken::kLimitStays) next.limit = 0;
          next.step = 1;
          put(next);
        }
        return;
      case 1:  // look at the own position
        next.claim_pos = now.write_pos;
        if (now.claim_limit - now.write_pos >= now.size) {
          next.step = 3;
          next.written = 0;
        } else {
          next.step = 2;
        }
        return put(next);
      case 2:  // look at the consumer's, which may be seen late
        for (int seen = now.seen; seen <= now.read_pos; ++seen) {
          next = now;
          next.step = refresh(next, seen, now.size) ? 3 : 5;
          next.written = 0;
          put(next);
        }
        return;
      case 3: {  // write a word
        if (broken_ == Broken::kCommitBeforeWrite && now.written == 0)
          next.write_pos = static_cast<int8_t>(now.claim_pos + now.size);
        check_free(now, now.claim_pos + now.written);
        next.words[static_cast<size_t>((now.claim_pos + now.written) % kCapacity)] =
            static_cast<int8_t>(2 * now.number + (now.size == 2 && now.written == 0 ? 1 : 0));
        if (++next.written == now.size) next.step = 4;
        return put(next);
      }
      case 4:  // commit
        next.write_pos = static_cast<int8_t>(now.claim_pos + now.size);
        ++next.number;
        next.step = 5;
        return put(next);
      default:  // put the limit back
        next.limit = now.claim_limit;
        next.step = 0;
        return put(next);
    }
  }

  // A signal handler runs to its end before the producer goes on. What it does is one step.
  template <typename Put>
  void handle(const Ring& now, Put put) {
    for (int seen = now.seen; seen <= now.read_pos; ++seen) {
      Ring next = now;
      ++next.handlers;
      const int8_t limit = now.limit;
      next.limit = 0;
      const int8_t pos_before = next.claim_pos, limit_before = next.claim_limit;
      next.claim_pos = now.write_pos;
      next.claim_limit = limit;
      if (limit - now.write_pos < 1) {
        if (limit == 0) {  // I4: nested; it is lost, and nothing else
          next.limit = now.limit;
          next.claim_pos = pos_before;
          next.claim_limit = limit_before;
          put(next);
          return;
        }
        if (!refresh(next, seen, 1)) {
          next.limit = next.claim_limit;
          next.claim_pos = pos_before;
          next.claim_limit = limit_before;
          put(next);
          continue;
        }
      }
      check_free(next, next.claim_pos);
      next.words[static_cast<size_t>(next.claim_pos % kCapacity)] =
          static_cast<int8_t>(2 * next.number);
      next.write_pos = static_cast<int8_t>(next.claim_pos + 1);
      ++next.number;
      next.limit = next.claim_limit;
      next.claim_pos = pos_before;
      next.claim_limit = limit_before;
      put(next);
    }
  }

  template <typename Put>
  void consume(const Ring& now, Put put) {
    Ring next = now;
    if (now.reading == 0) {  // the producer's position may be seen late, but never goes back
      for (int end = std::max(now.seen_write_pos, now.at); end <= now.write_pos; ++end) {
        if (!is_commit(now, end)) continue;
        next = now;
        next.readable = next.seen_write_pos = static_cast<int8_t>(end);
        if (end == now.at) continue;
        next.reading = 1;
        if (broken_ == Broken::kReleaseBeforeRead) next.read_pos = next.readable;
        put(next);
      }
      return;
    }
    if (now.at == now.readable) {  // give back
      next.read_pos = now.at;
      next.reading = 0;
      return put(next);
    }
    const int8_t word = now.words[static_cast<size_t>(now.at % kCapacity)];
    if (word > kFiller) {
      next.at = static_cast<int8_t>(now.at + word - kFiller);
      return put(next);
    }
    const int expected = 2 * now.next_number + (now.next_word == 0 ? word & 1 : 0);
    if (word != expected) {
      wrong_ = "a record is torn, repeated, lost or out of order";
      return;
    }
    ++next.at;
    if (now.next_word == 0 && (word & 1) != 0) {
      next.next_word = 1;
    } else {
      next.next_word = 0;
      ++next.next_number;
    }
    put(next);
  }

  // Positions that were published once: those between records.
  static bool is_commit(const Ring& ring, int end) {
    int pos = ring.at;
    while (pos < end) {
      const int8_t word = ring.words[static_cast<size_t>(pos % kCapacity)];
      pos += word > kFiller ? word - kFiller : 1 + (word & 1);
    }
    return pos == end;
  }

  const Broken broken_;
  std::string wrong_;
};

TEST_CASE("the ring loses, tears and repeats no record in any interleaving") {
  size_t states = 0;
  CHECK(explore(Ring(), RingMachine(Broken::kNothing), states) == "");
  CHECK(states > 100'000);
}

TEST_CASE("the ring's machine finds an order that is broken") {
  size_t states = 0;
  CHECK(explore(Ring(), RingMachine(Broken::kLimitStays), states) != "");
  CHECK(explore(Ring(), RingMachine(Broken::kReleaseBeforeRead), states) != "");
  CHECK(explore(Ring(), RingMachine(Broken::kCommitBeforeWrite), states) != "");
}

// --- A ring's life. A ring has room for three records: the first of each owner names it.

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
