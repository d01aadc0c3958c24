// SPDX-License-Identifier: Apache-2.0
//
// One line on stderr, if the knob RINGSCRIBE_LOG lets its level through. Never called while
// recording. Threads: any.
#ifndef RINGSCRIBE_RUNTIME_LOG_H_
#define RINGSCRIBE_RUNTIME_LOG_H_

namespace ringscribe::runtime {

enum class LogLevel : int { kOff = 0, kError = 1, kWarn = 2, kInfo = 3 };

void set_log_level(LogLevel level) noexcept;
// Writes "ringscribe: ", the formatted text and a line end.
void log(LogLevel level, const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_LOG_H_
