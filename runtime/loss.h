// SPDX-License-Identifier: Apache-2.0
//
// Why a call that was written is not in the output (DESIGN D9): recorded + lost = written.
#ifndef RINGSCRIBE_RUNTIME_LOSS_H_
#define RINGSCRIBE_RUNTIME_LOSS_H_

#include <cstddef>
#include <cstdint>

namespace ringscribe {

enum class LossCause : uint8_t {
  kRingFull,      // the thread's ring had no room (policy drop, or block after its timeout)
  kTooLarge,      // larger than a quarter of the ring, or than 512 KiB
  kMemoryLimit,   // the thread has no ring: RINGSCRIBE_MEMORY_LIMIT is used up
  kStreamClosed,  // the stream was closed, or its session ended
  kNested,        // called while this thread was writing a record (signal handler, malloc hook)
  kRejected,      // the backend refused it (its sentence is in the status of flush() and end())
  kInvalid,       // a definition of another domain, a row of the wrong size, a live call on an
                  // explicit-time stream
};
inline constexpr size_t kLossCauses = 7;

constexpr const char* loss_cause_name(LossCause cause) noexcept {
  constexpr const char* kNames[kLossCauses] = {"ring full",     "too large", "memory limit",
                                               "stream closed", "nested",    "rejected by backend",
                                               "invalid"};
  return kNames[static_cast<size_t>(cause)];
}

}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_LOSS_H_
