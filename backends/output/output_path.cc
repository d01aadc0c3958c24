// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_path.h"

#include <unistd.h>

#include <ctime>

namespace ringscribe::output {
namespace {

constexpr size_t kFileNameBytesMax = 200;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_' || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
}

// A plain file name made of `text`: it names no folder, hides nothing and is never empty.
std::string plain_name(std::string_view text, std::string_view if_empty) {
  if (text.size() > kFileNameBytesMax) {
    size_t size = kFileNameBytesMax;
    // A UTF-8 character is not cut in the middle: its following bytes begin with the bits 10.
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
    text = text.substr(0, size == 0 ? kFileNameBytesMax : size);
  }
  std::string name(text.empty() ? if_empty : text);
  for (char& c : name) {
    if (!is_plain(c)) c = '_';
  }
  if (name.front() == '.') name.front() = '_';
  return name;
}

std::string host_name() {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0) name[0] = '\0';
  return plain_name(name, "host");
}

std::string utc_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  if (gmtime_r(&now, &parts) == nullptr) return "0";
  char text[32] = {};
  return std::string(text, std::strftime(text, sizeof(text), "%Y%m%dT%H%M%SZ", &parts));
}

}  // namespace

std::string output_path(std::string_view pattern, std::string_view session_name,
                        std::string_view extension) {
  if (pattern.empty()) return plain_name(session_name, "session").append(extension);
  std::string path;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char key = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (key) {
      case 'p':
        path += std::to_string(getpid());
        break;
      case 'h':
        path += host_name();
        break;
      case 't':
        path += utc_time();
        break;
      case '%':
        path += '%';
        break;
      // Anything else stands for itself, a '%' too.
      default:
        path += pattern[i];
        continue;
    }
    ++i;
  }
  return path;
}

}  // namespace ringscribe::output
