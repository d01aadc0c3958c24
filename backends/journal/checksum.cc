// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ringscribe::journal {

uint64_t checksum(uint64_t seed, std::span<const std::span<const std::byte>> parts) noexcept {
  if (parts.size() == 1) return XXH3_64bits_withSeed(parts[0].data(), parts[0].size(), seed);
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset_withSeed(&state, seed);
  for (const std::span<const std::byte> part : parts) {
    if (!part.empty()) XXH3_64bits_update(&state, part.data(), part.size());
  }
  return XXH3_64bits_digest(&state);
}

}  // namespace ringscribe::journal
