// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/log.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

namespace ringscribe::runtime {

namespace {
// Relaxed everywhere: the level orders nothing.
constinit std::atomic<int> g_level{static_cast<int>(LogLevel::kWarn)};
}  // namespace

void set_log_level(LogLevel level) noexcept {
  g_level.store(static_cast<int>(level), std::memory_order_relaxed);
}

void log(LogLevel level, const char* format, ...) noexcept {
  if (static_cast<int>(level) > g_level.load(std::memory_order_relaxed)) return;
  // In one write(2), without stdio: a signal handler may have interrupted it.
  char line[1100] = "ringscribe: ";
  constexpr size_t kBegin = sizeof "ringscribe: " - 1;
  va_list arguments;
  va_start(arguments, format);
  const int wanted = std::vsnprintf(line + kBegin, sizeof line - kBegin - 1, format, arguments);
  va_end(arguments);
  if (wanted < 0) return;
  const size_t end = std::min(kBegin + static_cast<size_t>(wanted), sizeof line - 2);
  line[end] = '\n';
  const int saved_errno = errno;
  const ssize_t written = ::write(STDERR_FILENO, line, end + 1);
  (void)written;  // there is nowhere to say it
  errno = saved_errno;
}

}  // namespace ringscribe::runtime
