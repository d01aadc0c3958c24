// SPDX-License-Identifier: Apache-2.0
//
// What a backend says on stderr: "ringscribe: " and one sentence a line, as far as the environment
// variable RINGSCRIBE_LOG (off, error, warn, info; default warn) lets it through.
//
// A failing call of the C interface returns only a number, so its sentence goes here; a producer
// that fails a million times alike is told once.
//
//   log_failure_once("EventWrite", status);
//
// Threads: any. Lifetime: what was already said is remembered until the process ends.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_LOG_H_
#define RINGSCRIBE_BACKENDS_NVTXW_LOG_H_

#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

enum class LogLevel : int { kOff = 0, kError = 1, kWarn = 2, kInfo = 3 };

// "off", "error", "warn" or "info" in any case; false, and `level` unchanged, for anything else.
bool parse_log_level(std::string_view text, LogLevel* level) noexcept;

// The level in force: read from the environment on the first call. A value that is none of the
// above is reported once and the default stands in for it.
LogLevel log_level() noexcept;

// Writes the line if `level` is let through.
void log_line(LogLevel level, std::string_view sentence) noexcept;

// Writes the failure as an error, unless one of the same kind was written before. Two failures
// are of one kind if they differ only in numbers and in what stands between quotes. After
// kFailureKindsMax kinds nothing more is written.
inline constexpr size_t kFailureKindsMax = 200;
void log_failure_once(const char* operation, const Status& status) noexcept;

// What makes the kind: `text` with each number and each quoted part replaced by '#'.
std::string failure_kind(std::string_view text);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_LOG_H_
