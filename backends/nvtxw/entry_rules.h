// SPDX-License-Identifier: Apache-2.0
//
// How the entries of a payload schema are read: the one place for what NVTX's headers say about
// it, and for what they leave open. The check of registrations (schema_layout), the journal's map
// of pointers (payload_map) and the decoder (model/schema) all follow it, so that they never
// disagree about where a value is.
//
// What the headers say:
//   - An offset that is not 0 counts as given, and so does the first entry's; 0 in a later entry
//     means "computed": behind the entry before, at the type's alignment capped by packAlign. In a
//     union it means "where all members lie".
//   - A static schema or union has padding at its end, as in C. A dynamic one has none: the next
//     row begins where the last entry ends.
//   - Text with a length and without an array flag is inline and fixed.
//
// What they leave open, and how it is read here:
//   - Text with neither a length nor a way to end is a pointer to zero-terminated text, in dynamic
//     schemas too: "0 selects the pointer/null-terminated form", and text that stands inline up to
//     its zero has a flag of its own.
//   - Text with DEEP_COPY is a pointer, whether POINTER is set or not: the flag speaks of what is
//     "pointed to by this payload entry value", and the headers set the "pointer and deep-copy
//     forms" of text beside the inline one. For other types DEEP_COPY does nothing without POINTER.
//   - An offset is 8 bytes wide, as the pointer is that it stands for; so all references of an
//     entry have one width, and a 32-bit producer is none of ours.
//   - The selector inside a union is one byte, the narrowest "integral type". On a little-endian
//     machine that reads every wider selector right too, up to 255 members, wherever the members
//     have given offsets or are aligned to the selector's true width. Its value is the index of
//     the member among all entries, the selector counted ("entry index"). Members with computed
//     offsets lie behind a selector that comes first, all at one place, aligned to the strictest
//     of them; a selector that comes later, without an offset of its own, lies behind them.
//   - Where several of POINTER, OFFSET_FROM_BASE and OFFSET_FROM_HERE are set, the first counts.
//
// Threads: pure functions.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_ENTRY_RULES_H_
#define RINGSCRIBE_BACKENDS_NVTXW_ENTRY_RULES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::nvtxw {

// Of a pointer or an offset in a payload.
inline constexpr uint32_t kReferenceBytes = 8;

// Where an entry's data is: in the payload, or where a reference in the payload says.
enum class EntryPlace : uint8_t { kInline, kPointer, kFromBase, kFromHere };

enum class EntryArray : uint8_t {
  kScalar,
  kFixed,           // as many elements as the detail says
  kZeroTerminated,  // up to an element of zeros
  kLengthIndex,     // as many as the entry says whose index the detail is
  kLengthPayload,   // as many as the payload says whose index the detail is
  kUnknown,         // an array flag that NVTX 3 does not have
};

struct EntryForm {
  EntryPlace place = EntryPlace::kInline;
  EntryArray array = EntryArray::kScalar;
};
EntryForm entry_form(uint64_t flags, uint64_t type, uint64_t detail) noexcept;

// What one element, or a whole entry, takes in its schema.
struct EntryRoom {
  uint64_t size = 0;  // in bytes, if is_known
  uint32_t alignment = 1;
  bool is_known = true;  // the same in every payload
};
// `element` is the room of one value of the entry's type; kFar stands for all that is larger.
EntryRoom entry_room(EntryForm form, uint64_t detail, EntryRoom element) noexcept;

struct EntryLayout {
  uint64_t offset = 0;  // in bytes, if offset_known
  uint64_t size = 0;    // in bytes, if size_known
  bool offset_known = false;
  bool size_known = false;
};

// No payload is that large: an offset or size of kFar is one that makes no sense.
inline constexpr uint64_t kFar = uint64_t{1} << 62;

struct PlacedEntries {
  std::vector<EntryLayout> entries;
  uint32_t alignment = 1;
  uint64_t data_end = 0;   // where the last entry of known place ends
  uint64_t size = 0;       // with the padding at the end, if all_known
  bool all_known = false;  // each payload has the same size
};
// `rooms` has one for each entry, from entry_room(). payloadStaticSize is not looked at.
PlacedEntries place_entries(uint64_t schema_type, uint64_t pack_align,
                            std::span<const nvtxPayloadSchemaEntry_t> entries,
                            std::span<const EntryRoom> rooms);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_ENTRY_RULES_H_
