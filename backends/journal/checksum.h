// SPDX-License-Identifier: Apache-2.0
//
// The checksum of a journal: XXH3-64. The only user of xxHash.
//
//   const std::span<const std::byte> parts[] = {prefix, rows};
//   header.checksum = checksum(seed, parts);
//
// Threads: any.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_CHECKSUM_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace ringscribe::journal {

// The checksum of `parts` as if they stood one after the other.
uint64_t checksum(uint64_t seed, std::span<const std::span<const std::byte>> parts) noexcept;

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_CHECKSUM_H_
