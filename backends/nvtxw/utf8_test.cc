// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/utf8.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <utility>
#include <vector>

namespace ringscribe::nvtxw {
namespace {

using namespace std::string_literals;

TEST_CASE("characters at the edges of each length are valid") {
  for (const char* text :
       {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    INFO(text);
    CHECK(is_valid_utf8(text));
    CHECK(to_valid_utf8(text) == text);
  }
  CHECK(is_valid_utf8("a\0b"s));
}

TEST_CASE("each maximal subpart that is no character becomes one replacement") {
  const std::string r = "\xEF\xBF\xBD";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\x80", r},                          // lone continuation
      {"\xC0\xAF", r + r},                  // overlong: two lone bytes
      {"\xE0\x80\xAF", r + r + r},          // overlong of three
      {"\xED\xA0\x80", r + r + r},          // surrogate
      {"\xF4\x90\x80\x80", r + r + r + r},  // above U+10FFFF
      {"\xF5", r},                          //
      {"\xE2\x82", r},                      // cut at the end: one subpart
      {"\xF0\x9F\x98", r},                  //
      {"\xF0\x9F\x98"
       "a",
       r + "a"},  // cut in the middle
      {"a\xE2\x82\xE2\x82\xAC", "a" + r + "\xE2\x82\xAC"},
      {"\xC3(", r + "("},
      {"12345678\xFF"
       "12345678",
       "12345678" + r + "12345678"},
  };
  for (const auto& [in, out] : cases) {
    CHECK_FALSE(is_valid_utf8(in));
    CHECK(to_valid_utf8(in) == out);
    CHECK(is_valid_utf8(to_valid_utf8(in)));
  }
}

TEST_CASE("an invalid byte is found at every position of the eight-byte steps") {
  for (size_t size = 1; size < 35; ++size) {
    for (size_t at = 0; at < size; ++at) {
      std::string text(size, 'x');
      CHECK(is_valid_utf8(text));
      text[at] = '\xFF';
      CHECK_FALSE(is_valid_utf8(text));
    }
  }
}

TEST_CASE("a cut never falls inside a character") {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // 1, 2, 3, 4, 1 bytes
  const std::vector<size_t> expected = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (size_t max = 0; max < expected.size(); ++max) {
    INFO(max);
    CHECK(floor_to_utf8_boundary(text, max) == expected[max]);
  }
}

TEST_CASE("invalid text is cut where asked") {
  CHECK(floor_to_utf8_boundary("\x80\x80\x80\x80\x80", 3) == 3);
  CHECK(floor_to_utf8_boundary("ab\xE2(", 3) == 3);
}

TEST_CASE("UTF-16 with surrogate pairs, lone surrogates and odd alignment") {
  const char16_t units[] = {u'A', 0xE9, 0x20AC, 0xD83D, 0xDE00, 0xD800, u'B', 0xDC00, 0xD800};
  char buffer[sizeof units + 1];
  std::memcpy(buffer + 1, units, sizeof units);
  CHECK(utf16_to_utf8(buffer + 1, 9) ==
        "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBD"
        "B\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(utf16_to_utf8(nullptr, 0).empty());
}

TEST_CASE("UTF-32 with numbers that are no characters") {
  const uint32_t units[] = {'A', 0x20AC, 0x1F600, 0x10FFFF, 0x110000, 0xD800, 0};
  CHECK(utf32_to_utf8(units, 7) ==
        "A\xE2\x82\xAC\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF\xEF\xBF\xBD\xEF\xBF\xBD\0"s);
}

}  // namespace
}  // namespace ringscribe::nvtxw
