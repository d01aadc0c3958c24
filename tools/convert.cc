// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/convert.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/nvtxw/backend_format.h"
#include "ringscribe/backends/nvtxw/config_string.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/tools/recording/recording.h"

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

Status refuse(const std::string& journal, const std::string& why) {
  return Status(ResultCode::kInvalidArgument, "cannot convert \"" + journal + "\": " + why);
}

// The file name of a journal with another extension.
std::string name_of(const fs::path& journal, std::string_view extension) {
  const bool is_named_so = journal.extension() == journal::kExtension;
  return (is_named_so ? journal.stem() : journal.filename()).string() + std::string(extension);
}

// A path in which no '%' is a pattern.
std::string literal(const std::string& path) {
  std::string pattern;
  for (const char c : path) pattern.append(c == '%' ? 2 : 1, c);
  return pattern;
}

std::string output_of(const fs::path& journal, const std::string& output,
                      std::string_view extension) {
  const std::string name = name_of(journal, extension);
  if (output.empty()) return literal((journal.parent_path() / name).string());
  std::error_code ignored;
  const bool is_folder =
      output.ends_with('/') || (fs::is_directory(output, ignored) && !output.ends_with(extension));
  return is_folder ? output + (output.ends_with('/') ? "" : "/") + literal(name) : output;
}

// Whether an output of that name, or one of its parts, would take the journal's place.
bool would_overwrite(const fs::path& journal, const fs::path& output) {
  std::error_code ignored;
  for (const char* ending : {"", ".part"}) {
    if (fs::equivalent(journal, output.string() + ending, ignored)) return true;
  }
  const std::string name = journal.filename().string();
  return fs::equivalent(fs::absolute(journal).parent_path(), fs::absolute(output).parent_path(),
                        ignored) &&
         name.starts_with(output.stem().string() + "-") &&
         name.ends_with(output.extension().string());
}

// Gives up a conversion: what it has written goes, and so does what ending it writes.
void discard(nvtxw::SessionBackend& target) {
  const auto remove = [&target] {
    std::error_code ignored;
    for (const std::string& path : target.written().paths) {
      fs::remove_all(path, ignored);
      for (const char* ending : {"-wal", "-shm"}) fs::remove(path + ending, ignored);  // SQLite's
    }
  };
  remove();
  static_cast<void>(target.end());
  remove();
}

uint64_t bytes_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return fs::is_regular_file(path, ignored) ? fs::file_size(path, ignored) : 0;
  }
  uint64_t sum = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored)) sum += entry.file_size(ignored);
  return sum;
}

Result<nvtxw::SessionConfig> config_of(const std::string& journal, const ConvertOptions& options) {
  Result<journal::JournalInfo> info = check_recording(journal);
  if (!info.ok()) return info.status();
  nvtxw::SessionConfig config = nvtxw::parse_session_config(info->session_name, options.config);
  if (!config.format.empty() || !config.output.empty())
    return refuse(journal, "its configuration says format or output, for which there are options");
  const nvtxw::FormatTable& formats = backend_formats();
  const nvtxw::BackendFormat* format = nvtxw::format_of_path(formats, options.output);
  if (!options.format.empty()) {
    format = find_backend_format(options.format);
  } else if (format == nullptr) {
    format = find_backend_format(formats.default_format);
  }
  config.format = format == nullptr ? options.format : format->name;
  if (format == nullptr) return config;  // open_backend() says which there are
  config.is_written_on_a_thread = options.threads > 1;
  config.output = output_of(journal, options.output, format->extension);
  const std::string path = output::output_path(config.output, config.name, format->extension);
  if (!format->extension.empty() && would_overwrite(journal, path))
    return refuse(journal, "the output \"" + path + "\" would overwrite it; give another with -o");
  return config;
}

}  // namespace

Result<Converted> convert(const std::string& journal, const ConvertOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  Result<nvtxw::SessionConfig> config = config_of(journal, options);
  if (!config.ok()) return config.status();
  Result<std::unique_ptr<nvtxw::SessionBackend>> target =
      nvtxw::open_backend(backend_formats(), std::move(*config));
  if (!target.ok()) return target.status();
  Result<journal::ReplaySummary> replayed =
      journal::replay(journal, **target, {.stop = options.stop, .progress = options.progress});
  if (!replayed.ok()) return replayed.status();
  Converted result;
  result.stopped = replayed->stopped;
  if (result.stopped) {
    discard(**target);
    return result;
  }
  const nvtxw::Written written = (*target)->written();
  result.paths = written.paths;
  result.events = written.events;
  result.lost = written.lost;
  result.frames = replayed->frames;
  result.warning = warning_of(*replayed);
  if (!replayed->end_status.ok()) return replayed->end_status;
  for (const std::string& path : result.paths) result.bytes += bytes_of(path);
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  result.seconds = spent.count();
  return result;
}

std::string summary_line(const Converted& converted) {
  std::string line;
  if (converted.paths.empty()) {
    line = "no file";
  } else {
    line = converted.paths.front();
    if (converted.paths.size() > 1)
      line += " to " + converted.paths.back() + " (" + std::to_string(converted.paths.size()) +
              " parts)";
  }
  line += ": " + (converted.events ? std::to_string(*converted.events) + " events"
                                   : std::to_string(converted.frames) + " frames");
  line += ", " + std::to_string(converted.bytes) + " bytes, ";
  line += converted.lost == 0 ? "none" : std::to_string(converted.lost) + " events";
  char seconds[32] = {};
  std::snprintf(seconds, sizeof(seconds), " lost, %.2f s", converted.seconds);
  return line + seconds;
}

}  // namespace ringscribe::tools
