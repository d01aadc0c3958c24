// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/log.h"

#include <atomic>
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
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "ringscribe: %s\n", line);
}

}  // namespace ringscribe::runtime
