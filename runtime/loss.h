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

// What a stream does when a thread's ring is full; RINGSCRIBE_OVERFLOW says it for the process.
enum class StreamOverflow : uint8_t {
  kAsProcess,
  kDrop,   // the newest event is lost, and counted
  kBlock,  // the thread waits, RINGSCRIBE_BLOCK_TIMEOUT at most
};

// What was wrong with a call that was counted as kInvalid, or recorded in part. The first one of each stream is said on
// stderr when the stream closes.
enum class InvalidCall : uint8_t {
  kNone,
  kArgument,
  kSchema,
  kSize,
  kPayloads,
  kBatch,
  kCounter,
  kTimes,
  kTimeDomain,
  kRegisteredString,
  kLive,
  kPayloadLeftOut,
};

constexpr const char* invalid_call_text(InvalidCall what) noexcept {
  switch (what) {
    case InvalidCall::kNone:
      return "";
    case InvalidCall::kArgument:
      return "an argument is NULL, has a struct_size that no version had, or is no number of its "
             "enum";
    case InvalidCall::kSchema:
      return "the schema could not be had, is of another domain, or has no event kind";
    case InvalidCall::kSize:
      return "as many bytes as the schema or counter has (row_bytes, sample_bytes) were not given";
    case InvalidCall::kPayloads:
      return "an event takes 1 to 64 payloads, each with a schema of the stream's domain or a "
             "predefined type, at least as many bytes as its schema's row, and no fields of "
             "variable length";
    case InvalidCall::kBatch:
      return "a batch takes whole rows of marks or complete ranges, of one fixed size";
    case InvalidCall::kCounter:
      return "the counter could not be had or is of another domain";
    case InvalidCall::kTimes:
      return "the times do not go with the counter: one a sample, and none for groups with a "
             "TIMESTAMP field";
    case InvalidCall::kTimeDomain:
      return "the time domain is of another domain, or there are no points";
    case InvalidCall::kRegisteredString:
      return "the registered string is of another domain";
    case InvalidCall::kLive:
      return "the call takes its own time, and the stream takes times that are given; use "
             "live_stream()";
    case InvalidCall::kPayloadLeftOut:
      return "a payload is of a schema that its domain does not have, or has fewer bytes than its "
             "schema's row, or is one too many: the event is there without it";
  }
  return "";
}

}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_LOSS_H_
