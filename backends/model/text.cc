// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/text.h"

#include <cstdint>
#include <cstdio>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::model {
std::string_view valid_utf8(std::string_view text, Arena& arena) {
  return nvtxw::is_valid_utf8(text) ? text : arena.copy(nvtxw::to_valid_utf8(text));
}

std::string valid_utf8_copy(std::string_view text) { return nvtxw::to_valid_utf8(text); }

std::string_view utf16_to_utf8(const std::byte* data, size_t unit_count, Arena& arena) {
  if (unit_count == 0) return {};
  char* to = arena.bytes(unit_count * nvtxw::kUtf8PerUtf16);
  return {to, nvtxw::utf16_to_utf8(data, unit_count, to)};
}

std::string_view utf32_to_utf8(const std::byte* data, size_t unit_count, Arena& arena) {
  if (unit_count == 0) return {};
  char* to = arena.bytes(unit_count * nvtxw::kUtf8PerUtf32);
  return {to, nvtxw::utf32_to_utf8(data, unit_count, to)};
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
