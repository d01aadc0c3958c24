// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/backend_format.h"

#include <algorithm>
#include <string>

#include "ringscribe/backends/nvtxw/config_string.h"
#include "ringscribe/backends/nvtxw/log.h"

namespace ringscribe::nvtxw {
namespace {

Result<const BackendFormat*> find_format(const FormatTable& table, const std::string& name) {
  std::string accepted;
  for (const BackendFormat& format : table.formats) {
    if (format.name == name) return &format;
    accepted += (accepted.empty() ? "" : ", ") + std::string(format.name);
  }
  return Status(ResultCode::kInvalidArgument,
                "the configuration's format is '" + name +
                    "', and there is no such backend: " + "use one of " + accepted + ".");
}

// The one whose extension the output has, else the default.
std::string_view implied_format(const FormatTable& table, const std::string& output) {
  const BackendFormat* format = format_of_path(table, output);
  return format == nullptr ? table.default_format : format->name;
}

void warn_of_ignored(const FormatTable& table, const SessionConfig& config,
                     const BackendFormat& format) {
  for (const std::string& text : config.not_entries)
    log_line(LogLevel::kWarn, "session '" + config.name + "': '" + text +
                                  "' in the configuration is ignored: an entry is KEY=VALUE");
  std::string unknown;
  for (const auto& [key, value] : config.other) {
    const auto is_in = [&key](std::span<const std::string_view> keys) {
      return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    if (is_in(format.keys) || is_in(table.through_keys)) continue;
    unknown += (unknown.empty() ? "'" : ", '") + key + "'";
  }
  if (unknown.empty()) return;
  std::string known = "format, output";
  for (const std::string_view key : format.keys) known += ", " + std::string(key);
  log_line(LogLevel::kWarn, "session '" + config.name + "': format " + config.format +
                                " does not know the configuration key " + unknown +
                                " and ignores it; known are " + known);
}

}  // namespace

const BackendFormat* format_of_path(const FormatTable& table, std::string_view path) {
  for (const BackendFormat& format : table.formats)
    if (!format.extension.empty() && path.ends_with(format.extension)) return &format;
  return nullptr;
}

Result<std::unique_ptr<SessionBackend>> open_backend(const FormatTable& table,
                                                     std::string_view session_name,
                                                     std::string_view config) {
  return open_backend(table, parse_session_config(session_name, config));
}

Result<std::unique_ptr<SessionBackend>> open_backend(const FormatTable& table,
                                                     SessionConfig config) {
  if (config.format.empty()) config.format = implied_format(table, config.output);
  Result<const BackendFormat*> format = find_format(table, config.format);
  if (!format.ok()) return format.status();
  warn_of_ignored(table, config, **format);
  return table.through != nullptr ? table.through(table, **format, config)
                                  : (*format)->open(config);
}

}  // namespace ringscribe::nvtxw
