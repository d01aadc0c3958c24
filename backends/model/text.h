// SPDX-License-Identifier: Apache-2.0
//
// Text: turns the string encodings of NVTX payloads into valid UTF-8.
//
// Every sink may rely on valid UTF-8 (protobuf and JSON readers refuse anything else), and no
// producer has to be believed: what is not valid becomes U+FFFD (nvtxw/utf8.h). Here the results
// go to an arena, because messages come as text of some encoding with every event.
//
//   std::string_view name = valid_utf8(bytes, arena);   // `bytes` itself if nothing is wrong
//
// Threads: pure functions on the arena that is handed in. Lifetime: results live as long as the
// arena's content, or as the input where it is returned itself.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TEXT_H_
#define RINGSCRIBE_BACKENDS_MODEL_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "ringscribe/backends/model/arena.h"

namespace ringscribe::model {

// `text` itself if it is valid, else a repaired copy in `arena`.
std::string_view valid_utf8(std::string_view text, Arena& arena);
// The same as an owned string, for names that are kept.
std::string valid_utf8_copy(std::string_view text);

// `unit_count` code units at `data` (any alignment, native byte order) as UTF-8 in `arena`.
std::string_view utf16_to_utf8(const std::byte* data, size_t unit_count, Arena& arena);
std::string_view utf32_to_utf8(const std::byte* data, size_t unit_count, Arena& arena);

// "0x" and two digits a byte; after `kHexBytesMax` bytes "... (N bytes)".
inline constexpr size_t kHexBytesMax = 4096;
std::string_view hex_text(const std::byte* data, size_t size, Arena& arena);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TEXT_H_
