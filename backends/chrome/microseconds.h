// SPDX-License-Identifier: Apache-2.0
//
// Times and durations as the format has them: microseconds. They are written as an integer and
// exactly three decimals, from integers alone: a double would lose nanoseconds of today's date.
//
//   char text[kMicrosecondsMax];
//   char* end = put_microseconds(text, -1);  // "-0.001"
#ifndef RINGSCRIBE_BACKENDS_CHROME_MICROSECONDS_H_
#define RINGSCRIBE_BACKENDS_CHROME_MICROSECONDS_H_

#include <charconv>
#include <cstddef>
#include <cstdint>

namespace ringscribe::chrome {

inline constexpr size_t kMicrosecondsMax = 32;  // a sign, 17 digits, a point, 3 digits

// Writes at most kMicrosecondsMax characters; returns their end.
inline char* put_duration(char* to, uint64_t ns) noexcept {
  to = std::to_chars(to, to + kMicrosecondsMax - 5, ns / 1000).ptr;
  const auto rest = static_cast<unsigned>(ns % 1000);
  *to++ = '.';
  *to++ = static_cast<char>('0' + rest / 100);
  *to++ = static_cast<char>('0' + rest / 10 % 10);
  *to++ = static_cast<char>('0' + rest % 10);
  return to;
}

inline char* put_microseconds(char* to, int64_t ns) noexcept {
  if (ns >= 0) return put_duration(to, static_cast<uint64_t>(ns));
  *to++ = '-';
  return put_duration(to, 0 - static_cast<uint64_t>(ns));
}

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_MICROSECONDS_H_
