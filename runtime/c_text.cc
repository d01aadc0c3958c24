// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/c_text.h"

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::runtime {

bool is_valid_c_text(std::string_view text) noexcept {
  return text.find('\0') == std::string_view::npos && nvtxw::is_valid_utf8(text);
}

std::string to_valid_c_text(std::string_view text) {
  std::string valid(nvtxw::to_valid_utf8(text));
  for (size_t at = valid.find('\0'); at != std::string::npos; at = valid.find('\0', at))
    valid.replace(at, 1, "\xEF\xBF\xBD");
  return valid;
}

String own_c_text(std::string_view text) {
  return is_valid_c_text(text) ? String(text) : String(std::string_view(to_valid_c_text(text)));
}

String own_c_text(const char* text) {
  return own_c_text(std::string_view(text == nullptr ? "" : text));
}

}  // namespace ringscribe::runtime
