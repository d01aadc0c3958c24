// SPDX-License-Identifier: Apache-2.0
//
// What a message or a name has to be before a backend gets it: valid UTF-8 (nvtxw3_event_helpers.h
// asks for it) without a zero inside, since it travels zero-terminated.
#ifndef RINGSCRIBE_RUNTIME_C_TEXT_H_
#define RINGSCRIBE_RUNTIME_C_TEXT_H_

#include <string>
#include <string_view>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

bool is_valid_c_text(std::string_view text) noexcept;
// Invalid bytes and zeros become U+FFFD; the rest stays.
std::string to_valid_c_text(std::string_view text);
// The same for a definition to keep; nullptr is "".
String own_c_text(std::string_view text);
String own_c_text(const char* text);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_C_TEXT_H_
