// SPDX-License-Identifier: Apache-2.0
//
// BackendFormat: a backend as the key `format` of a session's configuration names it.
//
//   static constexpr BackendFormat kFormats[] = {{"null", "", open_null_session, {}}};
//   static constexpr FormatTable kTable = {kFormats, "null"};
//   Result<std::unique_ptr<SessionBackend>> session = open_backend(kTable, "run 7", "x=1");
//
// Threads: no state. Lifetime: a table is a constant of the program.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_BACKEND_FORMAT_H_
#define RINGSCRIBE_BACKENDS_NVTXW_BACKEND_FORMAT_H_

#include <memory>
#include <span>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_config.h"

namespace ringscribe::nvtxw {

struct BackendFormat {
  std::string_view name;       // value of the key `format`
  std::string_view extension;  // of its output, with its dot; "" if it writes none
  OpenSession open;
  std::span<const std::string_view> keys;  // what it knows besides `format` and `output`
};

struct FormatTable;
// What opens a session of a format in its place, to put something in front of it.
using OpenThrough = Result<std::unique_ptr<SessionBackend>> (*)(const FormatTable& table,
                                                                const BackendFormat& format,
                                                                const SessionConfig& config);

struct FormatTable {
  std::span<const BackendFormat> formats;
  std::string_view default_format;
  OpenThrough through = nullptr;
  std::span<const std::string_view> through_keys = {};  // what it knows of the configuration
};

// The format that the path's extension says; nullptr if none does.
const BackendFormat* format_of_path(const FormatTable& table, std::string_view path);

// Parses `config`, picks the format (key `format`, else the one whose extension the key `output`
// has, else the default) and opens a session of it. Keys that the format does not know are named in
// one warning, and so is what is no entry. Fails with kInvalidArgument for an unknown format,
// naming it and those that there are, else as the backend does.
Result<std::unique_ptr<SessionBackend>> open_backend(const FormatTable& table,
                                                     std::string_view session_name,
                                                     std::string_view config);

// The same with a configuration that is parsed already.
Result<std::unique_ptr<SessionBackend>> open_backend(const FormatTable& table,
                                                     SessionConfig config);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_BACKEND_FORMAT_H_
