// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

#include "ringscribe/backends/journal/compact_decoder.h"
#include "ringscribe/backends/journal/compact_encoder.h"
#include "ringscribe/backends/journal/compact_format.h"
#include "ringscribe/backends/journal/frame_format.h"

using namespace ringscribe::journal;

namespace {

using Bytes = std::vector<std::byte>;

ColumnWidths columns(std::vector<uint8_t> widths) {
  ColumnWidths result;
  result.bytes = std::move(widths);
  for (const uint8_t width : result.bytes) result.row_bytes += width;
  return result;
}

Bytes bytes_of(std::span<const uint64_t> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return Bytes(bytes.begin(), bytes.end());
}

// Decodes from memory that ends where the decoder may look last.
bool decode(Bytes compact, Bytes* plain) {
  const size_t size = compact.size();
  compact.resize(size + kPackSlack);
  CompactDecoder decoder;
  std::span<std::byte> found;
  if (!decoder.decode(std::span(compact).first(size), &found)) return false;
  CHECK(reinterpret_cast<uintptr_t>(found.data()) % 16 == 0);
  plain->assign(found.begin(), found.end());
  return true;
}

Bytes compact_table(const Bytes& rows, const ColumnWidths& widths) {
  CompactEncoder encoder;
  encoder.begin();
  encoder.table(rows, widths);
  const auto made = encoder.end();
  CHECK(encoder.plain_bytes() == padded(rows.size()));
  return Bytes(made.begin(), made.end());
}

// The size of the compact form of what comes out again as it went in.
size_t round_trip(const Bytes& rows, const ColumnWidths& widths) {
  const Bytes compact = compact_table(rows, widths);
  Bytes expected = rows;
  expected.resize(padded(rows.size()));
  Bytes found;
  REQUIRE(decode(compact, &found));
  if (found != expected) FAIL("rows differ");
  return compact.size();
}

}  // namespace

TEST_CASE("rows of any numbers come out as they went in, whatever their columns") {
  std::mt19937_64 random(2);
  const uint8_t kWidths[] = {1, 2, 4, 8};
  for (int round = 0; round < 400; ++round) {
    std::vector<uint8_t> list(1 + random() % 9);
    for (uint8_t& width : list) width = kWidths[random() % 4];
    const ColumnWidths widths = columns(list);
    const size_t rows = 1 + random() % 400;
    Bytes bytes(rows * widths.row_bytes);
    // Each column has its own habit: it stays, creeps, jumps, or follows its neighbour.
    size_t offset = 0;
    for (const uint8_t width : list) {
      const auto habit = random() % 6;
      uint64_t value = random();
      const unsigned step_bits = static_cast<unsigned>(random() % 64);
      for (size_t i = 0; i < rows; ++i) {
        if (habit == 1) value += random() >> step_bits;
        if (habit == 2) value = random();
        if (habit == 3 && random() % 100 == 0) value -= 1;
        if (habit == 5) value = (random() % 16 + (i < 300 ? 0 : 1)) * 0x9E3779B97F4A7C15u;
        if (habit == 4) value = i * 1000 + (random() & 1);
        std::memcpy(&bytes[i * widths.row_bytes + offset], &value, width);
      }
      offset += width;
    }
    round_trip(bytes, widths);
  }
}

TEST_CASE("the extremes of every width come out as they went in") {
  for (const uint8_t width : std::initializer_list<uint8_t>{1, 2, 4, 8}) {
    Bytes bytes;
    for (const uint64_t value : {uint64_t{0}, UINT64_MAX, uint64_t{1} << 63, uint64_t{INT64_MAX},
                                 uint64_t{0x80}, uint64_t{0x8000}, uint64_t{0x80000000}}) {
      const size_t at = bytes.size();
      bytes.resize(at + width);
      std::memcpy(&bytes[at], &value, width);
    }
    for (size_t rows = 1; rows <= bytes.size() / width; ++rows) {
      round_trip(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(rows * width)),
                 columns({width}));
    }
  }
}

TEST_CASE("numbers of 64 random bits cost hardly more than themselves") {
  std::mt19937_64 random(3);
  std::vector<uint64_t> numbers(1280);
  for (uint64_t& number : numbers) number = random();
  CHECK(round_trip(bytes_of(numbers), columns({8})) < numbers.size() * 8 + 10 * 13 + 16);
}

TEST_CASE("rows that are all alike cost a byte a block") {
  std::vector<uint64_t> numbers(2 * 128 * 100, 77);
  // Of the first block there is the number as well.
  CHECK(round_trip(bytes_of(numbers), columns({8, 8})) < 100 + 20);
}

TEST_CASE("times that rise by 50 to 80 cost five bits each") {
  std::mt19937_64 random(4);
  std::vector<uint64_t> numbers;
  for (uint64_t time = 1ull << 50; numbers.size() < 4096; time += 50 + random() % 31) {
    numbers.push_back(time);
  }
  CHECK(round_trip(bytes_of(numbers), columns({8})) < 4096 * 5 / 8 + 32 * 4 + 32);
}

TEST_CASE("the end of a range is told from its begin") {
  std::mt19937_64 random(5);
  std::vector<uint64_t> numbers;
  for (uint64_t time = 1ull << 50; numbers.size() < 2 * 4096;) {
    numbers.push_back(time);
    numbers.push_back(time + random() % 16);
    time += random() % 65536;
  }
  CHECK(round_trip(bytes_of(numbers), columns({8, 8})) < 4096 * (16 + 4) / 8 + 32 * 8 + 48);
}

TEST_CASE("a few values that lie far apart cost four bits each, and the block's list of them") {
  std::mt19937_64 random(7);
  std::vector<uint64_t> numbers;
  for (int i = 0; i < 1280; ++i) numbers.push_back(random() % 16 * 0x9E3779B97F4A7C15u);
  CHECK(round_trip(bytes_of(numbers), columns({8})) <= 10 * (64 + 3 + 16 * 8) + 24);
  // A seventeenth value is one too many.
  numbers[100] = 5;
  CHECK(round_trip(bytes_of(numbers), columns({8})) > 1280 * 8);
}

TEST_CASE("literals, words and tables come one after the other, each padded") {
  CompactEncoder encoder;
  for (int round = 0; round < 2; ++round) {  // the second time in memory that was used before
    encoder.begin();
    const Bytes eleven(11, std::byte{7});
    const Bytes sparse = bytes_of(std::vector<uint64_t>{0, 1, 0xFF00, UINT64_MAX});
    encoder.words(sparse);
    encoder.table(eleven, columns({1}));
    encoder.literal(eleven);
    encoder.literal({});
    encoder.words(eleven);
    const auto made = encoder.end();
    CHECK(encoder.plain_bytes() == 32 + 16 + 16 + 16);
    Bytes expected = sparse;
    for (int i = 0; i < 3; ++i) {
      expected.insert(expected.end(), eleven.begin(), eleven.end());
      expected.resize(padded(expected.size()));
    }
    Bytes found;
    REQUIRE(decode(Bytes(made.begin(), made.end()), &found));
    CHECK(found == expected);
  }
}

TEST_CASE("a compact payload cut or changed at any byte is refused or makes bounded bytes") {
  std::mt19937_64 random(6);
  std::vector<uint64_t> numbers(3 * 300);
  uint64_t time = 0;
  for (size_t i = 0; i < numbers.size(); i += 3) {
    numbers[i] = time += random() % 1000;
    numbers[i + 1] = time + random() % 10;
    numbers[i + 2] = random();
  }
  CompactEncoder encoder;
  encoder.begin();
  encoder.words(bytes_of(std::vector<uint64_t>{1, 2, 3}));
  encoder.table(bytes_of(numbers), columns({8, 8, 4, 2, 1, 1}));
  encoder.literal(bytes_of(std::vector<uint64_t>{4}));
  const auto made = encoder.end();
  const Bytes whole(made.begin(), made.end());
  Bytes found;
  for (size_t size = 0; size < whole.size(); ++size) {
    if (decode(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), &found)) {
      FAIL("cut at " << size);
    }
  }
  size_t decoded = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    for (const int flip : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      Bytes changed = whole;
      changed[i] ^= static_cast<std::byte>(flip);
      if (!decode(changed, &found)) continue;
      ++decoded;
      CHECK(found.size() <= whole.size() * kBlockRows * kColumnsMax * 8);
    }
  }
  CHECK(decoded > 1000);
}

TEST_CASE("what no encoder writes is refused") {
  const auto refused = [](std::vector<int> values) {
    Bytes bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    Bytes found;
    return !decode(bytes, &found);
  };
  CHECK(!refused({0}));
  CHECK(refused({}));
  CHECK(refused({9, 0}));                                       // an unknown piece
  CHECK(refused({1, 9, 1, 0}));                                 // a literal that is cut
  CHECK(refused({1, 1, 1, 0}));                                 // not padded
  CHECK(!refused({1, 1, 1, 4, 7, 0}));                          // padded
  CHECK(refused({4, 9, 1, 7, 0, 0}));                           // more zeros than padding
  CHECK(refused({2, 1, 3, 1}));                                 // a word that is cut
  CHECK(!refused({3, 1, 1, 3, 5, 0, 0}));                       // one row of one number
  CHECK(refused({3, 1, 0, 0, 0}));                              // no columns
  CHECK(refused({3, 1, 65, 0, 0}));                             // too many
  CHECK(refused({3, 1, 1, 3, 5, 2, 0}));                        // a column beyond the last
  CHECK(!refused({3, 1, 1, 3, 5, 1, 0, 0, 0}));                 // a difference of 0 from 0
  CHECK(refused({3, 1, 1, 3, 5, 1, 0x80, 0, 0}));               // no column to the left
  CHECK(!refused({3, 1, 1, 0, 5, 1, 0xC1, 1, 9, 0, 4, 7, 0}));  // a palette of one byte
  CHECK(refused({3, 1, 1, 0, 5, 1, 0xC5, 1, 9, 0, 0, 0, 0, 0, 4, 7, 0}));  // too wide a palette
  CHECK(refused({3, 1, 1, 0, 5, 1, 0xC1, 17, 9, 0, 4, 7, 0}));             // too long a palette
  CHECK(refused({3, 1, 1, 3, 5, 1, 59, 0, 0}));                            // an unknown width
  CHECK(refused({3, 0xFF, 0xFF, 0xFF, 15, 1, 3, 5, 0, 0, 0}));             // more rows than blocks
}
