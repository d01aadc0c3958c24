// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/tsdl_text.h"

#include <cstdint>

#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::ctf {
namespace {

constexpr size_t kIdentifierBytesMax = 128;
constexpr std::string_view kNulText = "\xE2\x90\x80";  // U+2400

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void append_without_nul(std::string& out, std::string_view text) {
  for (size_t nul = 0; (nul = text.find('\0')) != std::string_view::npos;
       text.remove_prefix(nul + 1)) {
    out.append(text.substr(0, nul)).append(kNulText);
  }
  out.append(text);
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string valid;
  append_without_nul(valid, nvtxw::is_valid_utf8(text) ? text : nvtxw::to_valid_utf8(text));
  std::string out = "\"";
  for (const char c : valid) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') {
      out.append("\\").append(1, c);
    } else if (byte < 0x20 || byte == 0x7f) {
      // Three octal digits: a digit that follows is not taken for one of them.
      out += '\\';
      for (const unsigned shift : {6U, 3U, 0U}) out += static_cast<char>('0' + (byte >> shift & 7));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string comment(std::string_view text) {
  std::string literal = quoted(text);
  for (size_t at = 0; (at = literal.find("*/", at)) != std::string::npos;) {
    literal.insert(at + 1, " ");
  }
  return " /* " + literal + " */";
}

void append_text(std::string& out, std::string_view text) {
  if (!nvtxw::is_valid_utf8(text)) {
    append_without_nul(out, nvtxw::to_valid_utf8(text));
  } else {
    append_without_nul(out, text);
  }
  out += '\0';
}

std::string_view cut_text(std::string_view text, size_t bytes_max) noexcept {
  if (text.size() <= bytes_max) return text;
  return text.substr(0, nvtxw::floor_to_utf8_boundary(text, bytes_max));
}

std::string FieldNames::add(std::string_view name) {
  std::string base = "_";
  bool is_inside = false;  // of a character of several bytes, which is one '_'
  for (const char c : name) {
    if (base.size() == kIdentifierBytesMax) break;
    const bool goes_on = (static_cast<uint8_t>(c) & 0xC0) == 0x80;
    if (!goes_on || !is_inside) base += is_plain(c) ? c : '_';
    is_inside = static_cast<uint8_t>(c) >= 0x80;
  }
  if (base == "_") base = "_unnamed";
  return unique(base);
}

std::string FieldNames::add_length(const std::string& identifier) {
  return unique("_" + identifier + "_length");
}

std::string FieldNames::unique(const std::string& base) {
  std::string name = base;
  for (int number = 2; !used_.insert(name).second; ++number) {
    name = base + "_" + std::to_string(number);
  }
  return name;
}

}  // namespace ringscribe::ctf
