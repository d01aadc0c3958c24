// SPDX-License-Identifier: Apache-2.0
//
// Rotation: when a session's output goes on in a new file, as the key `rotate` of a configuration
// says: a size ("512MiB"), a time ("60s"), or both with a comma ("512MiB,60s").
//
//   Rotation rotation;
//   if (!read_rotation("512MiB", rotation)) ...
//   std::string path = part_path("out/trace.pftrace", 3);   // out/trace-0003.pftrace
//
// Threads: any.
#ifndef RINGSCRIBE_BACKENDS_OUTPUT_ROTATION_H_
#define RINGSCRIBE_BACKENDS_OUTPUT_ROTATION_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace ringscribe::output {

struct Rotation {
  uint64_t bytes = 0;  // 0: no bound
  int64_t ns = 0;      // 0: no bound
};

// A number and KiB, MiB or GiB, or s, min or h. False, and `rotation` unchanged, for anything else,
// for 0, for two of a kind, and for what is above 2^62.
bool read_rotation(std::string_view text, Rotation& rotation) noexcept;

// `path` with "-0001" and so on before its extension; parts count from 1.
std::string part_path(std::string_view path, uint32_t part);

}  // namespace ringscribe::output

#endif  // RINGSCRIBE_BACKENDS_OUTPUT_ROTATION_H_
