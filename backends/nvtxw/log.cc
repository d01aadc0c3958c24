// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/log.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_set>

namespace ringscribe::nvtxw {
namespace {

constexpr int kNotRead = -1;

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const char lower = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
    if (lower != b[i]) return false;
  }
  return true;
}

void write_line(std::string_view sentence) noexcept {
  std::fprintf(stderr, "ringscribe: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
}

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

struct SaidBefore {
  std::mutex mutex;
  std::unordered_set<std::string> kinds;
};

// Leaked: a backend may be called until the very end of the process.
SaidBefore& said_before() {
  static auto* said = new SaidBefore;
  return *said;
}

}  // namespace

bool parse_log_level(std::string_view text, LogLevel* level) noexcept {
  constexpr std::string_view kNames[] = {"off", "error", "warn", "info"};
  for (int i = 0; i < 4; ++i) {
    if (!equals_ignoring_case(text, kNames[i])) continue;
    *level = static_cast<LogLevel>(i);
    return true;
  }
  return false;
}

LogLevel log_level() noexcept {
  // Two threads that read it at once store the same.
  static std::atomic<int> cached{kNotRead};
  const int known = cached.load(std::memory_order_relaxed);
  if (known != kNotRead) return static_cast<LogLevel>(known);
  LogLevel level = LogLevel::kWarn;
  const char* text = secure_getenv("RINGSCRIBE_LOG");
  if (text != nullptr && *text != '\0' && !parse_log_level(text, &level)) {
    std::fprintf(stderr,
                 "ringscribe: RINGSCRIBE_LOG is '%s'; off, error, warn and info are accepted; "
                 "warn is used instead\n",
                 text);
  }
  cached.store(static_cast<int>(level), std::memory_order_relaxed);
  return level;
}

void log_line(LogLevel level, std::string_view sentence) noexcept {
  if (level <= log_level()) write_line(sentence);
}

std::string failure_kind(std::string_view text) {
  std::string kind;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    const size_t close = c == '\'' ? text.find('\'', i + 1) : std::string_view::npos;
    if (close != std::string_view::npos) {
      kind.push_back('#');
      i = close + 1;
    } else if (is_digit(c)) {
      kind.push_back('#');
      while (i < text.size() && is_digit(text[i])) ++i;
    } else {
      kind.push_back(c);
      ++i;
    }
  }
  return kind;
}

void log_failure_once(const char* operation, const Status& status) noexcept {
  if (status.ok() || log_level() < LogLevel::kError) return;
  try {
    std::string kind = operation + (": " + failure_kind(status.message()));
    SaidBefore& said = said_before();
    {
      const std::lock_guard lock(said.mutex);
      if (said.kinds.size() >= kFailureKindsMax || !said.kinds.insert(std::move(kind)).second) {
        return;
      }
    }
    write_line(operation + (": " + status.to_string()));
  } catch (...) {
    // Out of memory: the result code still tells the caller.
  }
}

}  // namespace ringscribe::nvtxw
