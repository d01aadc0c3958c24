// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run_report.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace ringscribe::tools {
namespace {

// Takes digits and a tab off the front of `text`.
bool take_number(std::string_view& text, uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || after == end || *after != '\t') return false;
  text.remove_prefix(static_cast<size_t>(after - text.data()) + 1);
  return true;
}

Status failure(const std::string& what, int error) {
  return Status(ResultCode::kFailed, what + ": " + std::generic_category().message(error) +
                                         " (errno " + std::to_string(error) +
                                         "); let TMPDIR name a folder that this user may write");
}

}  // namespace

Report parse_report(std::string_view text) {
  Report report;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view rest = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ReportLine line;
    if (take_number(rest, line.pid) && take_number(rest, line.events) &&
        take_number(rest, line.lost)) {
      line.output = rest;
      report.lines.push_back(std::move(line));
    } else {
      ++report.unreadable;
    }
  }
  return report;
}

std::string without_folder(std::string_view path, std::string_view folder) {
  if (path.size() > folder.size() + 1 && path.starts_with(folder) && path[folder.size()] == '/')
    path.remove_prefix(folder.size() + 1);
  return std::string(path);
}

std::string sentence(const ReportLine& line, std::string_view folder) {
  const std::string where = line.output.empty()
                                ? "process " + std::to_string(line.pid) + ", no output"
                                : without_folder(line.output, folder);
  return where + ": " + std::to_string(line.events) +
         (line.events == 1 ? " event, " : " events, ") + std::to_string(line.lost) + " lost";
}

Result<ReportFile> ReportFile::create() {
  const char* temporary = secure_getenv("TMPDIR");
  std::error_code error;
  std::string name = std::filesystem::absolute(
                         temporary == nullptr || *temporary == '\0' ? "/tmp" : temporary, error)
                         .string() +
                     "/ringscribe-run-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    return failure("cannot make the temporary folder \"" + name + "\"", errno);
  ReportFile file;
  file.folder_ = name;
  const int fd = open(file.path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return failure("cannot create \"" + file.path() + "\"", errno);
  close(fd);
  return file;
}

ReportFile::ReportFile(ReportFile&& other) noexcept { *this = std::move(other); }

ReportFile& ReportFile::operator=(ReportFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  return *this;
}

ReportFile::~ReportFile() {
  if (folder_.empty()) return;
  unlink(path().c_str());
  rmdir(folder_.c_str());
}

std::string ReportFile::read() const {
  std::ifstream file(path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace ringscribe::tools
