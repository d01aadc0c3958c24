// SPDX-License-Identifier: Apache-2.0
//
// The layout of a record in a ring (DESIGN D3). All records begin at a multiple of 8 with one
// 64-bit header word:
//
//   bit 63            37 36      32 31              16 15               0
//       |  id (27)      | kind (5) | length / 8 (16)  | stream number(16)|
//
// What follows, in 8-byte words:
//
//   kFiller      nothing that is read: closes the ring at its end
//   kThread      thread number (32) and system thread id (32), name (16 bytes, zero-padded)
//   kMark        time [text]
//   kRange       begin, end [text]              a complete push/pop range
//   kStartEnd    begin, end [text]              a complete start/end range
//   kPush        time [text]
//   kPop         time                           id: pops that were lost before it, of ranges
//                within its own (low 6 bits) and of those right around it (next 6): they end here
//   kStart       time, range id [text]
//   kEnd         time, range id
//   kCounter     time, value (8 bytes, or the group's bytes padded)      id: counter definition
//   kNoValue     time, reason                                            id: counter definition
//   kCounterBatch  count (32), flags (32), times, values padded          id: counter definition
//                flags: SampleForm, and NVTX's batch flags or kDetectOrder from bit 8 on; times:
//                one a sample, or none, or time and interval, as the form says
//   kEvent       the row, padded                                         id: schema definition
//   kEventBatch  count (32), flags (32, as above), the rows, padded      id: schema definition
//   kFlexEvent   bytes behind the row (32), 0 (32); the row, padded;     id: schema definition
//                those bytes: what the row's fields of variable length hold (flex_layout.h)
//   kPayloads    count (32), 0 (32); for each payload schema number (32) and predefined type (32),
//                bytes, the address that it had; then the payloads, each padded
//   kSyncPoints  count (32), 0 (32), source and destination time domain, pairs of times
//   kConversion  source and destination time domain, slope, two times
//
// [text]: with id != 0 the call site of that number holds message, colour and category, or, with
// kRegisteredStringId, the registered string of the other bits is the message; and nothing follows.
// With id == 0 two words follow: colour (32) and category (32); bytes of inline
// text (32) and number of a registered string (32); then the text, padded with zeros.
#ifndef RINGSCRIBE_RUNTIME_RECORD_H_
#define RINGSCRIBE_RUNTIME_RECORD_H_

#include <cstdint>
#include <cstring>

namespace ringscribe::runtime {

enum class RecordKind : uint8_t {
  kFiller = 0,
  kThread,
  kMark,
  kRange,
  kStartEnd,
  kPush,
  kPop,
  kStart,
  kEnd,
  kCounter,
  kNoValue,
  kCounterBatch,
  kEvent,
  kEventBatch,
  kFlexEvent,
  kPayloads,
  kSyncPoints,
  kConversion,
};

// Of a kPop's id.
inline constexpr uint32_t kMissedPopsBits = 6;
inline constexpr uint32_t kMissedPopsMax = (1u << kMissedPopsBits) - 1;

// Where the times of a kCounterBatch are.
enum class SampleForm : uint8_t {
  kEmbedded = 0,  // in the samples
  kEach = 1,
  kFrom = 2,   // time of the first, interval
  kUntil = 3,  // time of the last, interval
};
inline constexpr uint32_t kDetectOrder = 255;  // the flusher looks whether the times are sorted

constexpr uint32_t batch_flags(SampleForm form, uint32_t order) noexcept {
  return static_cast<uint32_t>(form) | (order << 8);
}
constexpr SampleForm form_of(uint32_t flags) noexcept {
  return static_cast<SampleForm>(flags & 0xFFu);
}
constexpr uint32_t order_of(uint32_t flags) noexcept { return flags >> 8; }

inline constexpr uint32_t kRecordAlignment = 8;
inline constexpr uint32_t kMaxRecordBytes = 0xFFFFu * kRecordAlignment;
inline constexpr uint32_t kMaxRecordId = (1u << 27) - 1;
inline constexpr uint32_t kTextAttributeBytes = 16;
// In the id of a record with text; numbers of call sites and strings are below it.
inline constexpr uint32_t kRegisteredStringId = 1u << 26;

constexpr uint64_t pad_to_record(uint64_t bytes) noexcept {
  return (bytes + kRecordAlignment - 1) & ~uint64_t{kRecordAlignment - 1};
}

[[gnu::always_inline]] constexpr uint64_t make_header(RecordKind kind, uint32_t id, uint16_t stream,
                                                      uint32_t record_bytes) noexcept {
  return (uint64_t{id} << 37) | (uint64_t{static_cast<uint8_t>(kind)} << 32) |
         (uint64_t{record_bytes / kRecordAlignment} << 16) | stream;
}

struct Header {
  RecordKind kind;
  uint32_t id;
  uint16_t stream;
  uint32_t record_bytes;
};

constexpr Header parse_header(uint64_t word) noexcept {
  return Header{static_cast<RecordKind>((word >> 32) & 31u), static_cast<uint32_t>(word >> 37),
                static_cast<uint16_t>(word),
                static_cast<uint32_t>((word >> 16) & 0xFFFFu) * kRecordAlignment};
}

[[gnu::always_inline]] inline uint64_t load_word(const uint8_t* from) noexcept {
  uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
[[gnu::always_inline]] inline void store_word(uint8_t* to, uint64_t word) noexcept {
  std::memcpy(to, &word, sizeof word);
}
constexpr uint64_t pack_words(uint32_t low, uint32_t high) noexcept {
  return low | (uint64_t{high} << 32);
}
constexpr uint32_t low_word(uint64_t word) noexcept { return static_cast<uint32_t>(word); }
constexpr uint32_t high_word(uint64_t word) noexcept { return static_cast<uint32_t>(word >> 32); }

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RECORD_H_
