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

void append(std::string& to, uint32_t code) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    to += kReplacement;
  } else if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0 | (code >> 6));
    to += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    to += static_cast<char>(0xE0 | (code >> 12));
    to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    to += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    to += static_cast<char>(0xF0 | (code >> 18));
    to += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    to += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    to += static_cast<char>(0x80 | (code & 0x3F));
  }
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

std::string utf16_to_utf8(const void* units, size_t count) {
  const auto unit = [units](size_t i) {
    uint16_t value;
    std::memcpy(&value, static_cast<const char*>(units) + i * sizeof value, sizeof value);
    return uint32_t{value};
  };
  std::string result;
  for (size_t i = 0; i < count; ++i) {
    uint32_t code = unit(i);
    const bool has_pair = code >= 0xD800 && code <= 0xDBFF && i + 1 < count &&
                          unit(i + 1) >= 0xDC00 && unit(i + 1) <= 0xDFFF;
    if (has_pair) code = 0x10000 + ((code - 0xD800) << 10) + (unit(++i) - 0xDC00);
    append(result, code);
  }
  return result;
}

std::string utf32_to_utf8(const void* units, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i) {
    uint32_t code;
    std::memcpy(&code, static_cast<const char*>(units) + i * sizeof code, sizeof code);
    append(result, code);
  }
  return result;
}

}  // namespace ringscribe::nvtxw
