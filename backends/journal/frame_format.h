// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a journal that do not depend on what was recorded: the file header and the frame
// header. FORMAT.md draws them and gives an example.
//
// Threads, lifetime: constants and plain values.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FRAME_FORMAT_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FRAME_FORMAT_H_

#include <cstddef>
#include <cstdint>

namespace ringscribe::journal {

// A reader refuses a newer major version. A newer minor version may add frame types, codecs, and
// fields at the end of a payload; a reader skips what it does not know. Version 1 has the plain
// codec only; what uses the compact one says 2, as nobody who lacks it would see a batch.
inline constexpr uint16_t kMajorVersion = 2;
inline constexpr uint16_t kMajorVersionPlain = 1;
inline constexpr uint16_t kMinorVersion = 0;

// The first byte is no text; the line ends reveal a transfer that translated them.
inline constexpr unsigned char kMagic[8] = {0xD7, 'R', 'S', 'J', '\r', '\n', 0x1A, '\n'};
inline constexpr uint32_t kByteOrderMark = 0x01020304;

struct FileHeader {
  unsigned char magic[8];
  uint16_t major;
  uint16_t minor;
  uint32_t byte_order;  // kByteOrderMark in the writer's byte order
  // Sizes of the types whose size depends on the machine: payload rows hold them as they are.
  uint8_t pointer_bytes;
  uint8_t long_bytes;
  uint8_t wchar_bytes;
  uint8_t long_double_bytes;
  uint32_t checksum;  // low half of XXH3-64, seed 0, of the 20 bytes before
};
static_assert(sizeof(FileHeader) == 24);

enum class FrameType : uint8_t {
  kSession = 1,
  kDomain = 2,
  kCategory = 3,
  kString = 4,
  kResource = 5,
  kScope = 6,
  kSchema = 7,
  kEnum = 8,
  kCounter = 9,
  kTimeDomain = 10,
  kStreamOpen = 11,
  kStreamClose = 12,
  kEvent = 16,
  kEventBatch = 17,
  kCounterSample = 18,
  kCounterNoValue = 19,
  kCounterBatch = 20,
  kSyncPoints = 21,
  kConversionFactor = 22,
  kEnd = 31,
};

enum class FrameCodec : uint8_t {
  kPlain = 0,    // the payload as FORMAT.md describes it for the frame's type
  kCompact = 1,  // what makes that payload: see compact_format.h
};

struct FrameHeader {
  uint8_t type;
  uint8_t codec;
  uint16_t reserved;       // 0
  uint32_t payload_bytes;  // a multiple of 8
  uint64_t checksum;       // XXH3-64 of the payload; its seed is the 8 bytes before
};
static_assert(sizeof(FrameHeader) == 16);

inline constexpr uint32_t kPayloadBytesMax = 0xFFFFFFF0;

// Every part of a payload begins at a multiple of 8, so that rows can be handed on where they are.
constexpr uint64_t padded(uint64_t bytes) { return (bytes + 7) & ~uint64_t{7}; }

// A pointer in a payload is stored as 1 + the number of the region that it points into, and the
// offset there; NULL is 0.
inline constexpr unsigned kRegionShift = 48;
inline constexpr uint32_t kRegionsMax = 0xFFFE;

struct StoredPointer {
  uint32_t region;
  uint64_t offset;
};
constexpr uint64_t pack(StoredPointer pointer) {
  return (uint64_t{pointer.region} + 1) << kRegionShift | pointer.offset;
}
// REQUIRES: packed is not 0 and has a region.
constexpr StoredPointer unpack(uint64_t packed) {
  return {static_cast<uint32_t>(packed >> kRegionShift) - 1,
          packed & ((uint64_t{1} << kRegionShift) - 1)};
}

// Where `count` pointers stand in a region, `stride` bytes apart.
struct PointerRun {
  uint32_t region;
  uint32_t first;
  uint32_t stride;
  uint32_t count;
};
static_assert(sizeof(PointerRun) == 16);

struct EventPrefix {
  uint32_t stream;
  uint32_t payload_count;
  uint32_t run_count;
  uint32_t extra_bytes;
  // Then: payload_count StoredPayload, run_count PointerRun, the payloads, the extra region.
};
static_assert(sizeof(EventPrefix) == 16);

// Behind a guarded region stand at least 8 zero bytes, so that a text in it that lacks its
// terminator has one. Regions of frames whose schemas hold pointers are guarded.
inline constexpr uint32_t kGuardBytes = 8;

inline constexpr uint32_t kPayloadWasNull = 1;  // the pointer was NULL
inline constexpr uint32_t kPayloadIsGuarded = 2;

struct StoredPayload {
  uint64_t schema;
  uint32_t bytes;
  uint32_t flags;
};
static_assert(sizeof(StoredPayload) == 16);

inline constexpr uint32_t kBatchRowsWereNull = 1;
inline constexpr uint32_t kBatchFlexWasNull = 2;
inline constexpr uint32_t kBatchIsGuarded = 4;  // the rows and the flexible data

struct EventBatchPrefix {
  uint32_t stream;
  uint32_t run_count;
  uint64_t schema;
  uint64_t scope;
  uint64_t batch_flags;
  uint32_t rows_bytes;
  uint32_t flex_bytes;
  uint64_t flex_offset;
  uint32_t extra_bytes;
  uint32_t flags;
  // Then: run_count PointerRun, the rows, the usable flexible data, the extra region.
};
static_assert(sizeof(EventBatchPrefix) == 56);
// The bytes before the usable flexible data are not recorded; a reader puts zeros there.
inline constexpr uint64_t kFlexOffsetMax = uint64_t{64} << 20;

struct CounterSamplePrefix {
  uint32_t stream;
  uint32_t data_bytes;
  int64_t timestamp;
  uint64_t counter;
};
static_assert(sizeof(CounterSamplePrefix) == 24);

struct CounterNoValuePayload {
  uint32_t stream;
  uint32_t reason;
  int64_t timestamp;
  uint64_t counter;
};
static_assert(sizeof(CounterNoValuePayload) == 24);

inline constexpr uint32_t kCounterTimestampsWereNull = 1;

struct CounterBatchPrefix {
  uint32_t stream;
  uint32_t flags;
  uint64_t counter;
  uint64_t batch_flags;
  uint32_t counters_bytes;
  uint32_t timestamps_bytes;
  // Then: the samples, the timestamps.
};
static_assert(sizeof(CounterBatchPrefix) == 32);

struct SyncPointsPrefix {
  uint32_t stream;
  uint32_t count;
  uint64_t source;
  uint64_t destination;
  // Then: count pairs of timestamps.
};
static_assert(sizeof(SyncPointsPrefix) == 24);

struct ConversionFactorPayload {
  uint32_t stream;
  uint32_t reserved;
  uint64_t source;
  uint64_t destination;
  double slope;
  int64_t source_timestamp;
  int64_t destination_timestamp;
};
static_assert(sizeof(ConversionFactorPayload) == 48);

struct EndPayload {
  uint64_t frames;              // before this one
  uint64_t null_pointers;       // pointers that led out of their event and became NULL
  uint64_t skipped_extensions;  // semantics and extensions of a kind that this version cannot keep
};
static_assert(sizeof(EndPayload) == 24);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FRAME_FORMAT_H_
