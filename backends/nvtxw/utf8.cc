// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/utf8.h"

#include <cstdint>
#include <cstring>

namespace ringscribe::nvtxw {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

uint8_t byte_at(std::string_view text, size_t at) noexcept {
  return static_cast<uint8_t>(text[at]);
}

// Length of the well-formed sequence at `at`; 0 if it is ill-formed, and then `bad` is the length
// of its maximal part (at least 1).
size_t sequence_at(std::string_view text, size_t at, size_t& bad) noexcept {
  const uint8_t first = byte_at(text, at);
  bad = 1;
  if (first < 0x80) return 1;
  size_t length = 0;
  uint8_t low = 0x80, high = 0xBF;  // bounds of the second byte
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  for (size_t i = 1; i < length; ++i) {
    if (at + i >= text.size()) return 0;
    const uint8_t byte = byte_at(text, at + i);
    if (byte < low || byte > high) return 0;
    low = 0x80;
    high = 0xBF;
    bad = i + 1;
  }
  return length;
}

// The number of bytes at the beginning that are ASCII, looked at eight at a time.
size_t ascii_prefix(std::string_view text, size_t at) noexcept {
  const size_t begin = at;
  while (at + 8 <= text.size()) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at - begin;
}

// Writes at most 4 bytes; returns how many.
size_t put_character(uint32_t code, char* to) noexcept {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
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

template <typename Unit>
uint32_t unit_at(const void* units, size_t i) noexcept {
  Unit unit;
  std::memcpy(&unit, static_cast<const char*>(units) + i * sizeof(Unit), sizeof(Unit));
  return unit;
}

}  // namespace

bool is_valid_utf8(std::string_view text) noexcept {
  for (size_t at = 0; at < text.size();) {
    at += ascii_prefix(text, at);
    if (at == text.size()) return true;
    size_t bad = 0;
    const size_t length = sequence_at(text, at, bad);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string result;
  result.reserve(text.size() + 16);
  for (size_t at = 0; at < text.size();) {
    size_t bad = 0;
    const size_t length = sequence_at(text, at, bad);
    if (length != 0) {
      result.append(text, at, length);
      at += length;
    } else {
      result += kReplacement;
      at += bad;
    }
  }
  return result;
}

size_t floor_to_utf8_boundary(std::string_view text, size_t bytes_max) noexcept {
  if (text.size() <= bytes_max) return text.size();
  // A character has at most three bytes behind its first.
  for (size_t back = 0; back <= 3 && back <= bytes_max; ++back) {
    const size_t at = bytes_max - back;
    if ((byte_at(text, at) & 0xC0u) == 0x80u) continue;
    size_t bad = 0;
    const size_t length = sequence_at(text, at, bad);
    return length > back ? at : bytes_max;
  }
  return bytes_max;
}

size_t utf16_to_utf8(const void* units, size_t count, char* to) noexcept {
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) {
    uint32_t code = unit_at<uint16_t>(units, i);
    if (code >= 0xD800 && code <= 0xDBFF && i + 1 < count) {
      const uint32_t low = unit_at<uint16_t>(units, i + 1);
      if (low >= 0xDC00 && low <= 0xDFFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        ++i;
      }
    }
    size += put_character(code, to + size);
  }
  return size;
}

size_t utf32_to_utf8(const void* units, size_t count, char* to) noexcept {
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) {
    size += put_character(unit_at<uint32_t>(units, i), to + size);
  }
  return size;
}

std::string utf16_to_utf8(const void* units, size_t count) {
  std::string result(count * kUtf8PerUtf16, '\0');
  result.resize(utf16_to_utf8(units, count, result.data()));
  return result;
}

std::string utf32_to_utf8(const void* units, size_t count) {
  std::string result(count * kUtf8PerUtf32, '\0');
  result.resize(utf32_to_utf8(units, count, result.data()));
  return result;
}

}  // namespace ringscribe::nvtxw
