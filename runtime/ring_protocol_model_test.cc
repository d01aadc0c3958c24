// SPDX-License-Identifier: Apache-2.0
//
// The protocol of spsc_ring.h in all interleavings: producer, a signal handler that interrupts it
// anywhere, and consumer; each of them sees the other's position late. Orders that are broken on
// purpose are found.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "ringscribe/runtime/explore_states.h"

namespace ringscribe::runtime {
namespace {

// Positions count words; a record is one or two words and does not wrap.

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

}  // namespace
}  // namespace ringscribe::runtime
