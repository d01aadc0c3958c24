// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/text.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::model {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

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

template <typename Unit>
uint32_t unit_at(const std::byte* data, size_t i) {
  Unit unit;
  std::memcpy(&unit, data + i * sizeof(Unit), sizeof(Unit));
  return unit;
}

}  // namespace

std::string_view valid_utf8(std::string_view text, Arena& arena) {
  return nvtxw::is_valid_utf8(text) ? text : arena.copy(nvtxw::to_valid_utf8(text));
}

std::string valid_utf8_copy(std::string_view text) { return nvtxw::to_valid_utf8(text); }

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
