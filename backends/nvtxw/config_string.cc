// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/config_string.h"

namespace ringscribe::nvtxw {

namespace {

std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view kSpace = " \t\v";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

bool has_key(const SessionConfig& config, std::string_view key) noexcept {
  for (const auto& [known, value] : config.other)
    if (known == key) return true;
  return false;
}

}  // namespace

SessionConfig parse_session_config(std::string_view session_name, std::string_view text) {
  SessionConfig config;
  config.name = std::string(session_name);
  while (!text.empty()) {
    const size_t end = text.find_first_of("|\n\r");
    const std::string_view entry = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const size_t equals = entry.find('=');
    if (entry.empty() || entry.starts_with('#')) continue;
    if (equals == std::string_view::npos) {
      config.not_entries.emplace_back(entry);
      continue;
    }
    const std::string_view key = trim(entry.substr(0, equals));
    const std::string_view value = trim(entry.substr(equals + 1));
    if (key.empty() || value.empty()) continue;
    if (key == "format") {
      if (config.format.empty()) config.format = std::string(value);
    } else if (key == "output") {
      if (config.output.empty()) config.output = std::string(value);
    } else if (!has_key(config, key)) {
      config.other.emplace_back(key, value);
    }
  }
  return config;
}

Status append_config(std::string* text, std::string_view key, std::string_view value) {
  const std::string_view forbidden("|\r\n\0", 4);
  const bool is_bad = key.empty() || value.empty() || trim(key) != key || trim(value) != value ||
                      key.find('=') != std::string_view::npos || key.starts_with('#') ||
                      key.find_first_of(forbidden) != std::string_view::npos ||
                      value.find_first_of(forbidden) != std::string_view::npos;
  if (is_bad)
    return Status(ResultCode::kInvalidArgument,
                  "configuration entry '" + std::string(key) + "' = \"" + std::string(value) +
                      "\" cannot be written as one entry: it is empty, or has a '|', line break, "
                      "zero, or blank at an end; use another value");
  if (!text->empty()) *text += '\n';
  *text += std::string(key) + "=" + std::string(value);
  return Status();
}

}  // namespace ringscribe::nvtxw
