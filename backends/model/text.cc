// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/text.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace ringscribe::model {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr uint32_t kInvalid = UINT32_MAX;

uint8_t byte_at(std::string_view text, size_t i) { return static_cast<uint8_t>(text[i]); }

// Reads the character that begins at `pos` and moves `pos` behind it. A broken one gives kInvalid
// and moves past its valid beginning, at least one byte.
uint32_t next_character(std::string_view text, size_t& pos) {
  const uint8_t first = byte_at(text, pos++);
  if (first < 0x80) return first;
  const int following = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4) return kInvalid;
  uint32_t code = first & (0x3Fu >> following);
  for (int i = 0; i < following; ++i) {
    if (pos >= text.size()) return kInvalid;
    const uint8_t next = byte_at(text, pos);
    // The first following byte decides about overlong forms, surrogates and the upper limit.
    uint8_t low = 0x80;
    uint8_t high = 0xBF;
    if (i == 0 && first == 0xE0) low = 0xA0;
    if (i == 0 && first == 0xED) high = 0x9F;
    if (i == 0 && first == 0xF0) low = 0x90;
    if (i == 0 && first == 0xF4) high = 0x8F;
    if (next < low || next > high) return kInvalid;
    code = (code << 6) | (next & 0x3Fu);
    ++pos;
  }
  return code;
}

// Writes at most 4 bytes; returns how many.
size_t put_character(uint32_t code, char* to) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = kReplacement;
  if (code < 0x80) {
    to[0] = static_cast<char>(code);
    return 1;
  }
  const size_t following = code >= 0x10000 ? 3 : code >= 0x800 ? 2 : 1;
  constexpr uint32_t kLead[4] = {0, 0xC0, 0xE0, 0xF0};
  for (size_t i = following; i > 0; --i) {
    to[i] = static_cast<char>(0x80 | (code & 0x3F));
    code >>= 6;
  }
  to[0] = static_cast<char>(kLead[following] | code);
  return following + 1;
}

// How many bytes at the front are ASCII for sure: whole words of eight.
size_t ascii_prefix(std::string_view text) {
  size_t pos = 0;
  for (; pos + 8 <= text.size(); pos += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + pos, 8);
    if ((word & 0x8080808080808080u) != 0) break;
  }
  return pos;
}

// REQUIRES: room for 3 bytes for each byte of `text` at `to`.
size_t repair(std::string_view text, char* to) {
  size_t size = 0;
  for (size_t pos = 0; pos < text.size();)
    size += put_character(next_character(text, pos), to + size);
  return size;
}

template <typename Unit>
uint32_t unit_at(const std::byte* data, size_t i) {
  Unit unit;
  std::memcpy(&unit, data + i * sizeof(Unit), sizeof(Unit));
  return unit;
}

}  // namespace

bool is_valid_utf8(std::string_view text) noexcept {
  for (size_t pos = ascii_prefix(text); pos < text.size();) {
    if (next_character(text, pos) == kInvalid) return false;
  }
  return true;
}

std::string_view valid_utf8(std::string_view text, Arena& arena) {
  if (is_valid_utf8(text)) return text;
  char* to = arena.bytes(text.size() * 3);
  return {to, repair(text, to)};
}

std::string valid_utf8_copy(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string result(text.size() * 3, '\0');
  result.resize(repair(text, result.data()));
  return result;
}

std::string_view utf16_to_utf8(const std::byte* data, size_t unit_count, Arena& arena) {
  if (unit_count == 0) return {};
  char* to = arena.bytes(unit_count * 3);  // a pair makes 4 bytes of 2 units
  size_t size = 0;
  for (size_t i = 0; i < unit_count; ++i) {
    uint32_t code = unit_at<uint16_t>(data, i);
    if (code >= 0xD800 && code <= 0xDBFF && i + 1 < unit_count) {
      const uint32_t low = unit_at<uint16_t>(data, i + 1);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        ++i;
      }
    }
    size += put_character(code, to + size);
  }
  return {to, size};
}

std::string_view utf32_to_utf8(const std::byte* data, size_t unit_count, Arena& arena) {
  if (unit_count == 0) return {};
  char* to = arena.bytes(unit_count * 4);
  size_t size = 0;
  for (size_t i = 0; i < unit_count; ++i) {
    size += put_character(unit_at<uint32_t>(data, i), to + size);
  }
  return {to, size};
}

std::string_view hex_text(const std::byte* data, size_t size, Arena& arena) {
  constexpr char kDigits[] = "0123456789abcdef";
  constexpr size_t kTailMax = 40;
  const size_t shown = size < kHexBytesMax ? size : kHexBytesMax;
  char* to = arena.bytes(2 + shown * 2 + kTailMax);
  size_t at = 0;
  to[at++] = '0';
  to[at++] = 'x';
  for (size_t i = 0; i < shown; ++i) {
    const auto value = static_cast<uint8_t>(data[i]);
    to[at++] = kDigits[value >> 4];
    to[at++] = kDigits[value & 15];
  }
  if (shown < size) {
    at += static_cast<size_t>(std::snprintf(to + at, kTailMax, "... (%zu bytes)", size));
  }
  return {to, at};
}

}  // namespace ringscribe::model
