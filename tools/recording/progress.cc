// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recording/progress.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace ringscribe::tools {
namespace {

constexpr std::chrono::milliseconds kBefore{500};
constexpr std::chrono::milliseconds kBetween{100};

std::string amount(double bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  std::array<char, 32> text = {};
  std::snprintf(text.data(), text.size(), bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes,
                kUnits[unit]);
  return text.data();
}

}  // namespace

std::string progress_line(const std::string& name, uint64_t bytes_done, uint64_t bytes,
                          double seconds) {
  const auto done = static_cast<double>(bytes_done);
  const auto all = static_cast<double>(std::max(bytes, bytes_done));
  const double rate = seconds > 0 ? done / seconds : 0;
  std::string line = name + "  ";
  if (bytes != 0) line += std::to_string(static_cast<int>(100 * done / all)) + " %  ";
  line += amount(done) + (bytes != 0 ? " of " + amount(all) : "") + "  " + amount(rate) + "/s";
  if (bytes != 0 && rate > 0)
    line += "  " + std::to_string(static_cast<int64_t>(std::ceil((all - done) / rate))) + " s left";
  return line;
}

Progress::Progress(const std::string& path)
    : name_(std::filesystem::path(path).filename()), is_shown_(::isatty(STDERR_FILENO) == 1) {
  std::error_code error;
  bytes_ = std::filesystem::file_size(path, error);
  if (error) bytes_ = 0;
}

Progress::~Progress() {
  if (is_written_) std::fputs("\r\x1b[K", stderr);
}

void Progress::operator()(uint64_t bytes_done) {
  if (!is_shown_) return;
  const Clock::time_point now = Clock::now();
  if (now - begin_ < kBefore || now - last_ < kBetween) return;
  last_ = now;
  is_written_ = true;
  const std::chrono::duration<double> spent = now - begin_;
  std::fprintf(stderr, "\r\x1b[K%s",
               progress_line(name_, bytes_done, bytes_, spent.count()).c_str());
}

}  // namespace ringscribe::tools
