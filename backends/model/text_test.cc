// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/text.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ringscribe/backends/model/arena.h"

namespace ringscribe::model {
namespace {

const std::byte* bytes(const void* data) { return static_cast<const std::byte*>(data); }

TEST_CASE("valid text is returned itself, without a copy") {
  Arena arena;
  const std::string text = "Grüße, 世界 🎉";
  CHECK(valid_utf8(text, arena).data() == text.data());
}

TEST_CASE("broken text is repaired and the rest of it kept") {
  Arena arena;
  CHECK(valid_utf8("a\xFFz", arena) == "a\xEF\xBF\xBDz");
  CHECK(valid_utf8_copy("cut \xE4\xB8") == "cut \xEF\xBF\xBD");
}

TEST_CASE("UTF-16 pairs become one character and lone halves the replacement character") {
  Arena arena;
  const char16_t pair[] = {u'A', 0xD83C, 0xDF89, u'ß'};
  CHECK(utf16_to_utf8(bytes(pair), 4, arena) == "A🎉ß");
  const char16_t lone[] = {0xDF89, 0xD83C};
  CHECK(utf16_to_utf8(bytes(lone), 2, arena) == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(utf16_to_utf8(nullptr, 0, arena).empty());
}

TEST_CASE("UTF-32 is read at any alignment, and what is no character is replaced") {
  Arena arena;
  const char32_t text[] = {U'é', U'🎉', 0x110000, 0xD800, U'z'};
  std::vector<std::byte> shifted(sizeof(text) + 1);
  std::memcpy(shifted.data() + 1, text, sizeof(text));
  CHECK(utf32_to_utf8(shifted.data() + 1, 5, arena) == "é🎉\xEF\xBF\xBD\xEF\xBF\xBDz");
}

TEST_CASE("hex text says how much it leaves out") {
  Arena arena;
  const uint8_t few[] = {0x00, 0xAB, 0x7F};
  CHECK(hex_text(bytes(few), 3, arena) == "0x00ab7f");
  CHECK(hex_text(bytes(few), 0, arena) == "0x");
  const std::vector<std::byte> many(kHexBytesMax + 1);
  const std::string_view text = hex_text(many.data(), many.size(), arena);
  CHECK(text.size() == 2 + 2 * kHexBytesMax + std::strlen("... (4097 bytes)"));
  CHECK(text.ends_with("00... (4097 bytes)"));
  CHECK(hex_text(many.data(), kHexBytesMax, arena).size() == 2 + 2 * kHexBytesMax);
}

TEST_CASE("an arena gives distinct, aligned memory and uses it again after a reset") {
  Arena arena;
  std::vector<char*> given;
  for (int i = 0; i < 100; ++i) {
    given.push_back(arena.bytes(33));
    std::memset(given.back(), i, 33);
    CHECK(reinterpret_cast<uintptr_t>(given.back()) % alignof(std::max_align_t) == 0);
  }
  for (int i = 0; i < 100; ++i) {
    CHECK(given[static_cast<size_t>(i)][0] == static_cast<char>(i));
    CHECK(given[static_cast<size_t>(i)][32] == static_cast<char>(i));
  }
  arena.reset();
  char* first = arena.bytes(33);
  arena.reset();
  CHECK(arena.bytes(33) == first);  // one chunk that fits all is kept
}

}  // namespace
}  // namespace ringscribe::model
