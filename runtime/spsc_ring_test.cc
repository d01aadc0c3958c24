// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/spsc_ring.h"

#include <catch2/catch.hpp>
#include <memory>
#include <thread>
#include <vector>

namespace ringscribe::runtime {
namespace {

struct Destroy {
  void operator()(SpscRing* ring) const { SpscRing::destroy(ring); }
};
using RingOwner = std::unique_ptr<SpscRing, Destroy>;

constexpr uint64_t kCapacity = 4096;
RingOwner make_ring() { return RingOwner(SpscRing::create(kCapacity, false)); }

// Writes one record of `bytes` with `value` in its second word. False if there is no room.
bool write(SpscRing& ring, uint32_t bytes, uint64_t value, uint64_t watermark = 0) {
  SpscRing::Claim claim;
  if (!ring.claim(bytes, claim) && !ring.claim_after_refresh(bytes, watermark, claim)) {
    ring.restore(claim);
    return false;
  }
  store_word(claim.data, make_header(RecordKind::kMark, 1, 1, bytes));
  if (bytes > 8) store_word(claim.data + 8, value);
  ring.commit(claim, bytes);
  return true;
}

// Reads all records but fillers; the values of their second words.
std::vector<uint64_t> read_all(SpscRing& ring) {
  std::vector<uint64_t> values;
  const uint64_t end = ring.readable();
  uint64_t pos = ring.read_pos();
  while (pos != end) {
    const uint8_t* data = ring.at(pos);
    const Header header = parse_header(load_word(data));
    if (header.kind != RecordKind::kFiller)
      values.push_back(header.record_bytes > 8 ? load_word(data + 8) : 0);
    pos += header.record_bytes;
  }
  ring.release(pos);
  return values;
}

TEST_CASE("an empty ring has nothing to read") { CHECK(read_all(*make_ring()).empty()); }

TEST_CASE("what is written is read, in order") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < 10; ++i) REQUIRE(write(*ring, 16, i));
  CHECK(read_all(*ring) == std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST_CASE("a ring takes exactly its capacity, and not a word more") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < kCapacity / 16; ++i) REQUIRE(write(*ring, 16, i));
  CHECK_FALSE(write(*ring, 8, 0));
  CHECK(read_all(*ring).size() == kCapacity / 16);
  CHECK(write(*ring, 8, 0));
}

TEST_CASE("a record that would cross the end goes to the front, behind a filler") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < kCapacity / 16 - 1; ++i) REQUIRE(write(*ring, 16, i));
  REQUIRE(read_all(*ring).size() == kCapacity / 16 - 1);  // 16 bytes are left before the end
  REQUIRE(write(*ring, 24, 77));
  CHECK(ring->readable() == kCapacity + 24);
  CHECK(read_all(*ring) == std::vector<uint64_t>{77});
}

TEST_CASE("a record that ends exactly at the end needs no filler") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < kCapacity / 16 - 2; ++i) REQUIRE(write(*ring, 16, i));
  read_all(*ring);
  REQUIRE(write(*ring, 32, 5));
  CHECK(ring->readable() == kCapacity);
  CHECK(read_all(*ring) == std::vector<uint64_t>{5});
}

TEST_CASE("one byte short of room is no room, and nothing is written") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < kCapacity / 16 - 1; ++i) REQUIRE(write(*ring, 16, i));
  const uint64_t before = ring->readable();
  CHECK_FALSE(write(*ring, 24, 1));
  CHECK(ring->readable() == before);
  CHECK(write(*ring, 16, 2));
}

TEST_CASE("a call that interrupts a record finds no room and leaves the record whole") {
  const RingOwner ring = make_ring();
  SpscRing::Claim outer, nested;
  REQUIRE(ring->claim(16, outer));
  CHECK_FALSE(ring->claim(16, nested));
  CHECK(nested.limit == 0);
  store_word(outer.data, make_header(RecordKind::kMark, 1, 1, 16));
  store_word(outer.data + 8, 42);
  ring->commit(outer, 16);
  CHECK(read_all(*ring) == std::vector<uint64_t>{42});
  CHECK(write(*ring, 16, 43));
}

TEST_CASE("with a watermark the producer comes by when the ring has filled to it") {
  const RingOwner ring = make_ring();
  SpscRing::Claim claim;
  // The first claim knows no watermark yet: refresh sets it.
  REQUIRE(ring->claim_after_refresh(16, kCapacity / 2, claim));
  store_word(claim.data, make_header(RecordKind::kMark, 1, 1, 16));
  ring->commit(claim, 16);
  uint64_t fast = 1;
  while (ring->claim(16, claim)) {
    store_word(claim.data, make_header(RecordKind::kMark, 1, 1, 16));
    ring->commit(claim, 16);
    ++fast;
  }
  CHECK(fast * 16 == kCapacity / 2);
  CHECK(ring->used() == kCapacity / 2);
  CHECK(ring->claim_after_refresh(16, kCapacity / 2, claim));
}

TEST_CASE("timestamps of a thread rise even when the clock stands still or goes back") {
  const RingOwner ring = make_ring();
  ring->set_time(INT64_MIN / 2, 3);
  CHECK(ring->rising(100) == 100);
  CHECK(ring->rising(100) == 103);
  CHECK(ring->rising(50) == 106);
  CHECK(ring->rising(200) == 200);
}

TEST_CASE("the ring goes round and round without losing its place") {
  const RingOwner ring = make_ring();
  uint64_t expected = 0;
  for (int lap = 0; lap < 3000; ++lap) {
    for (int i = 0; i < 7; ++i) REQUIRE(write(*ring, 24, expected + static_cast<uint64_t>(i)));
    for (const uint64_t value : read_all(*ring)) REQUIRE(value == expected++);
  }
  CHECK(ring->readable() > 10 * kCapacity);
}

// Records check themselves: the value rises by one, and each word of the body is a mix of it.
uint64_t mix(uint64_t value) { return value * 0x9E3779B97F4A7C15ull + 1; }

TEST_CASE("a large record that finds no room leaves the place of a smaller one right") {
  const RingOwner ring = make_ring();
  for (uint64_t i = 0; i < kCapacity / 16; ++i) REQUIRE(write(*ring, 16, i));
  ring->release(ring->read_pos() + 32);  // the end is reached, and 32 bytes are free behind it
  CHECK_FALSE(write(*ring, 64, 0));
  SpscRing::Claim claim;
  REQUIRE(ring->claim(16, claim));
  CHECK(claim.pos == kCapacity);
  CHECK(claim.data == ring->at(kCapacity));
  ring->restore(claim);
}

// Every sequence of writes of some sizes and reads, from just before the ring's end on: what is
// claimed lies where the reader looks for it, is inside the ring, and is not yet to be read.
class EverySequence {
 public:
  void run(uint64_t before_end, bool is_full, int depth) {
    before_end_ = before_end;
    is_full_ = is_full;
    std::vector<int> steps;
    extend(depth, steps);
  }
  uint64_t sequences = 0;
  uint64_t wrong = 0;

 private:
  uint64_t before_end_ = 0;
  bool is_full_ = false;

  static constexpr uint32_t kSizes[] = {8, 16, 40, 1024, 2048};
  static constexpr int kReadOne = 5;
  static constexpr int kReadAll = 6;

  void extend(int depth, std::vector<int>& steps) {
    if (depth == 0) {
      ++sequences;
      wrong += !is_right(steps);
      return;
    }
    for (int step = 0; step <= kReadAll; ++step) {
      steps.push_back(step);
      extend(depth - 1, steps);
      steps.pop_back();
    }
  }

  bool is_right(const std::vector<int>& steps) const {
    const RingOwner ring = make_ring();
    while (ring->readable() != kCapacity - before_end_) {
      const uint64_t rest = kCapacity - before_end_ - ring->readable();
      write(*ring, static_cast<uint32_t>(rest < 1024 ? rest : 1024), 0);
    }
    if (!is_full_) read_all(*ring);
    for (const int step : steps) {
      if (step == kReadAll) read_all(*ring);
      if (step == kReadOne && ring->read_pos() != ring->readable()) {
        const Header header = parse_header(load_word(ring->at(ring->read_pos())));
        ring->release(ring->read_pos() + header.record_bytes);
      }
      if (step >= kReadOne) continue;
      const uint32_t bytes = kSizes[step];
      SpscRing::Claim claim;
      if (!ring->claim(bytes, claim) && !ring->claim_after_refresh(bytes, 0, claim)) {
        ring->restore(claim);
        continue;
      }
      const uint64_t place = claim.pos & (kCapacity - 1);
      if (claim.data != ring->at(claim.pos) || place + bytes > kCapacity ||
          claim.pos != ring->readable() || claim.pos + bytes - ring->read_pos() > kCapacity)
        return false;
      store_word(claim.data, make_header(RecordKind::kMark, 1, 1, bytes));
      ring->commit(claim, bytes);
    }
    return true;
  }
};

TEST_CASE("every short sequence around the ring's end keeps the invariants") {
  EverySequence every;
  for (const uint64_t before_end : {0, 8, 24, 1024}) {
    every.run(before_end, true, 5);
    every.run(before_end, false, 5);
  }
  CHECK(every.sequences == 8 * 16807);
  CHECK(every.wrong == 0);
}

TEST_CASE("under a racing reader no record is lost, torn, repeated or out of order") {
#ifdef RINGSCRIBE_SANITIZED
  constexpr uint64_t kRecords = 200'000;
#else
  constexpr uint64_t kRecords = 3'000'000;
#endif
  const RingOwner ring = make_ring();
  std::thread producer([&] {
    for (uint64_t i = 0; i < kRecords;) {
      const auto bytes = static_cast<uint32_t>(16 + 8 * (i % 9));
      SpscRing::Claim claim;
      if (!ring->claim(bytes, claim) && !ring->claim_after_refresh(bytes, 0, claim)) {
        ring->restore(claim);
        std::this_thread::yield();
        continue;
      }
      store_word(claim.data, make_header(RecordKind::kMark, 1, 1, bytes));
      store_word(claim.data + 8, i);
      for (uint32_t at = 16; at < bytes; at += 8) store_word(claim.data + at, mix(i + at));
      ring->commit(claim, bytes);
      ++i;
    }
  });
  uint64_t next = 0, wrong = 0;
  while (next < kRecords) {
    const uint64_t end = ring->readable();
    uint64_t pos = ring->read_pos();
    for (; pos != end;) {
      const uint8_t* data = ring->at(pos);
      const Header header = parse_header(load_word(data));
      pos += header.record_bytes;
      if (header.kind == RecordKind::kFiller) continue;
      const uint64_t value = load_word(data + 8);
      if (value != next || header.record_bytes != 16 + 8 * (value % 9)) ++wrong;
      for (uint32_t at = 16; at < header.record_bytes; at += 8)
        if (load_word(data + at) != mix(value + at)) ++wrong;
      ++next;
    }
    ring->release(pos);
    if (pos == end) std::this_thread::yield();
  }
  producer.join();
  CHECK(wrong == 0);
  CHECK(next == kRecords);
}

}  // namespace
}  // namespace ringscribe::runtime
