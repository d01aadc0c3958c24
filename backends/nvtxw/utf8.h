// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: what may go into an output, and how other encodings become it. Pure functions.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_UTF8_H_
#define RINGSCRIBE_BACKENDS_NVTXW_UTF8_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace ringscribe::nvtxw {

// Whether `text` is well-formed (Unicode 15, table 3-7): no overlong forms, surrogates, or values
// above U+10FFFF.
bool is_valid_utf8(std::string_view text) noexcept;
// Each maximal part of an ill-formed sequence becomes U+FFFD (Unicode 15, section 3.9).
std::string to_valid_utf8(std::string_view text);
// The largest size of at most `bytes_max` at which `text` may be cut without cutting a character;
// where the text around is no UTF-8, `bytes_max` itself.
size_t floor_to_utf8_boundary(std::string_view text, size_t bytes_max) noexcept;
// From `count` code units, which need not be aligned. Lone surrogates and values above U+10FFFF
// become U+FFFD.
std::string utf16_to_utf8(const void* units, size_t count);
std::string utf32_to_utf8(const void* units, size_t count);
// The same into `to`, which has room for kUtf8PerUtf16 or kUtf8PerUtf32 bytes a unit. Return the
// bytes written.
inline constexpr size_t kUtf8PerUtf16 = 3;  // a pair makes 4 bytes of 2 units
inline constexpr size_t kUtf8PerUtf32 = 4;
size_t utf16_to_utf8(const void* units, size_t count, char* to) noexcept;
size_t utf32_to_utf8(const void* units, size_t count, char* to) noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_UTF8_H_
