// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/bit_pack.h"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace ringscribe::journal;

TEST_CASE("eight numbers of every width come out as they went in, in as many bytes as bits") {
  std::mt19937_64 random(1);
  for (unsigned width = 0; width <= 64; ++width) {
    if (!is_pack_width(width)) continue;
    for (int round = 0; round < 20; ++round) {
      std::array<uint64_t, 8> numbers{};
      for (uint64_t& number : numbers) {
        const uint64_t any = round == 0 ? UINT64_MAX : random();
        number = width == 0 ? 0 : any >> (64 - width);
      }
      std::array<uint8_t, 64 + kPackSlack> bytes{};
      CHECK(pack_eight(numbers.data(), width, bytes.data()) == bytes.data() + width);
      // What is behind them does not count.
      for (size_t i = width; i < bytes.size(); ++i) bytes[i] = 0xAA;
      std::array<uint64_t, 8> found{};
      unpack_eight(bytes.data(), width, found.data());
      CHECK(found == numbers);
    }
  }
}

TEST_CASE("packed numbers stand where the format says") {
  const std::array<uint64_t, 8> numbers = {1, 2, 3, 4, 5, 6, 7, 0};
  std::array<uint8_t, 3 + kPackSlack> bytes{};
  pack_eight(numbers.data(), 3, bytes.data());
  // 000'111'110'101'100'011'010'001
  CHECK(bytes[0] == 0xD1);
  CHECK(bytes[1] == 0x58);
  CHECK(bytes[2] == 0x1F);
}

TEST_CASE("widths between 58 and 63 are stored with 64") {
  CHECK(pack_width(57) == 57);
  CHECK(pack_width(58) == 64);
  CHECK(!is_pack_width(58));
  CHECK(!is_pack_width(65));
}

TEST_CASE("varints hold every number of 64 bits and nothing more") {
  std::vector<uint64_t> numbers = {0, 1, 127, 128, 16383, 16384, UINT64_MAX};
  for (unsigned bit = 0; bit < 64; ++bit) numbers.push_back(uint64_t{1} << bit);
  for (const uint64_t number : numbers) {
    std::array<uint8_t, kVarintBytesMax> bytes{};
    const uint8_t* end = put_varint(number, bytes.data());
    uint64_t found = 0;
    CHECK(get_varint(bytes.data(), end, &found) == end);
    CHECK(found == number);
    // One byte short.
    CHECK(get_varint(bytes.data(), end - 1, &found) == nullptr);
    CHECK(unzigzag(zigzag(number)) == number);
  }
  const std::array<uint8_t, 10> too_large = {255, 255, 255, 255, 255, 255, 255, 255, 255, 2};
  uint64_t found = 0;
  CHECK(get_varint(too_large.data(), too_large.data() + 10, &found) == nullptr);
  const std::array<uint8_t, 11> endless = {128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 0};
  CHECK(get_varint(endless.data(), endless.data() + 11, &found) == nullptr);
}

TEST_CASE("numbers near zero become small ones") {
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(static_cast<uint64_t>(-1)) == 1);
  CHECK(zigzag(1) == 2);
  CHECK(zigzag(static_cast<uint64_t>(INT64_MIN)) == UINT64_MAX);
}
