// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/checksum.h"

#include <catch2/catch.hpp>
#include <vector>

using ringscribe::journal::checksum;

namespace {

uint64_t of(uint64_t seed, const std::vector<std::vector<std::byte>>& parts) {
  std::vector<std::span<const std::byte>> spans(parts.begin(), parts.end());
  return checksum(seed, spans);
}

}  // namespace

TEST_CASE("the checksum is XXH3-64 with its published value for no input") {
  CHECK(of(0, {}) == 0x2D06800538D394C2u);
  CHECK(of(0, {{}}) == 0x2D06800538D394C2u);
}

TEST_CASE("the checksum does not depend on where the parts are cut") {
  for (const size_t size : {1u, 16u, 17u, 240u, 241u, 1024u, 5000u}) {
    std::vector<std::byte> whole(size);
    for (size_t i = 0; i < size; ++i) whole[i] = static_cast<std::byte>(i * 7);
    const uint64_t expected = of(42, {whole});
    for (const size_t cut : {size_t{0}, size_t{1}, size / 2, size}) {
      const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(cut);
      CHECK(of(42, {{whole.begin(), middle}, {}, {middle, whole.end()}}) == expected);
    }
    CHECK(of(43, {whole}) != expected);
    whole.back() ^= std::byte{1};
    CHECK(of(42, {whole}) != expected);
  }
}
