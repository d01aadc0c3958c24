// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recover.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/journal/continued_session.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/nvtxw/backend_format.h"
#include "ringscribe/backends/nvtxw/interface_table.h"

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

// The table of NVTXW whose next session is the one that stands here.
std::unique_ptr<nvtxw::SessionBackend>& handed_over() {
  static std::unique_ptr<nvtxw::SessionBackend> session;
  return session;
}
Result<std::unique_ptr<nvtxw::SessionBackend>> take_handed_over(const nvtxw::SessionConfig&) {
  return std::move(handed_over());
}
constexpr nvtxw::BackendFormat kHandedOver[] = {{"continued", "", take_handed_over, {}}};
constexpr nvtxw::FormatTable kTable = {kHandedOver, "continued"};

bool is_crash_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(path / "control", ignored)) &&
         fs::is_regular_file(fs::symlink_status(path / "definitions", ignored));
}

Status no_such(const std::string& path, const std::string& why) {
  return Status(ResultCode::kInvalidArgument, "\"" + path + "\": " + why);
}

std::string config_of(const RecoverOptions& options) {
  std::string config;
  if (!options.format.empty()) config = "format=" + options.format;
  if (!options.output.empty()) config += (config.empty() ? "output=" : "|output=") + options.output;
  return config;
}

}  // namespace

Result<std::vector<std::string>> find_crash_folders(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error))
    return no_such(path, error ? error.message() : "it is no folder");
  if (is_crash_folder(path)) return std::vector<std::string>{path};
  std::vector<std::pair<fs::file_time_type, std::string>> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.is_symlink(error) || !entry.is_directory(error) || !is_crash_folder(entry.path()))
      continue;
    found.emplace_back(entry.last_write_time(error), entry.path().string());
  }
  if (error) return no_such(path, error.message());
  if (found.empty())
    return no_such(path,
                   "no process has left anything in it: name the folder that "
                   "RINGSCRIBE_CRASH_DIR named, or one in it");
  std::sort(found.begin(), found.end());
  std::vector<std::string> folders;
  for (auto& [time, folder] : found) folders.push_back(std::move(folder));
  return folders;
}

Result<Recovered> recover_session(const runtime::DeadProcess& process,
                                  const runtime::DeadSession& session,
                                  const RecoverOptions& options) {
  Result<std::unique_ptr<nvtxw::SessionBackend>> target =
      nvtxw::open_backend(backend_formats(), session.name, config_of(options));
  if (!target.ok()) return target.status();
  auto continued = std::make_unique<journal::ContinuedSession>(std::move(*target));
  journal::ContinuedSession& parts = *continued;
  Recovered result;
  const auto warn = [&result](const std::string& text) {
    result.warning += (result.warning.empty() ? "" : "; ") + text;
  };
  if (!session.journal.empty()) {
    Result<journal::ReplaySummary> replayed =
        journal::replay(session.journal, parts, {.bytes_max = session.journal_bytes});
    if (replayed.ok()) {
      result.journal_frames = replayed->frames;
      if (replayed->damaged) warn(replayed->damage);
      if (replayed->rejected != 0)
        warn(std::to_string(replayed->rejected) +
             " calls were refused, the first: " + replayed->first_rejection.message());
    } else {
      warn(replayed.status().message());
    }
  }
  parts.begin_second_part();
  handed_over() = std::move(continued);
  Result<runtime::RecoveredRings> rings =
      runtime::recover_rings(process, session, *nvtxw::make_interface(&kTable));
  handed_over() = nullptr;
  if (!rings.ok()) return rings.status();
  result.rings = *rings;
  if (rings->unreadable_bytes != 0)
    warn(std::to_string(rings->unreadable_bytes) + " bytes of rings could not be read");
  if (rings->refused != 0) warn(std::to_string(rings->refused) + " events of rings were refused");
  return result;
}

Status remove_crash_folder(const std::string& folder) {
  if (Result<runtime::DeadProcess> process = runtime::read_crash_folder(folder); !process.ok())
    return process.status();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool is_ours = name == "lock" || name == "control" || name == "definitions" ||
                         name.starts_with("ring-") || name.starts_with("session-");
    if (is_ours) fs::remove(entry.path(), error);
  }
  fs::remove(folder, error);
  return error ? no_such(folder, "it cannot be removed: " + error.message()) : Status();
}

}  // namespace ringscribe::tools
