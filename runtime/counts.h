// SPDX-License-Identifier: Apache-2.0
//
// Counts: what became of the calls of a session or stream. recorded + lost() = written.
#ifndef RINGSCRIBE_RUNTIME_COUNTS_H_
#define RINGSCRIBE_RUNTIME_COUNTS_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/runtime/loss.h"

namespace ringscribe {

struct Counts {
  uint64_t recorded = 0;
  uint64_t lost_by_cause[kLossCauses] = {};  // index: LossCause

  uint64_t lost(LossCause cause) const noexcept {
    return lost_by_cause[static_cast<size_t>(cause)];
  }
  uint64_t lost() const noexcept {
    uint64_t sum = 0;
    for (const uint64_t count : lost_by_cause) sum += count;
    return sum;
  }
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_COUNTS_H_
