// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/entry_rules.h"

#include <algorithm>
#include <cstddef>

#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::nvtxw {
namespace {

EntryPlace place_of(uint64_t flags) noexcept {
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) return EntryPlace::kPointer;
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE) != 0) return EntryPlace::kFromBase;
  if ((flags & NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE) != 0) return EntryPlace::kFromHere;
  return EntryPlace::kInline;
}

EntryArray array_of(uint64_t flags) noexcept {
  switch (NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(flags)) {
    case 0:
      return EntryArray::kScalar;
    case NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE:
      return EntryArray::kFixed;
    case NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED:
      return EntryArray::kZeroTerminated;
    case NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX:
      return EntryArray::kLengthIndex;
    case NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX:
      return EntryArray::kLengthPayload;
    default:
      return EntryArray::kUnknown;
  }
}

uint64_t near(uint64_t value) noexcept { return std::min(value, kFar); }

// Both at most kFar, so that nothing overflows.
uint64_t align_up(uint64_t value, uint64_t alignment) noexcept {
  const uint64_t over = alignment <= 1 ? 0 : value % alignment;
  return over == 0 ? value : near(value + (alignment - over));
}

bool is_union(uint64_t schema_type) noexcept {
  return schema_type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION ||
         schema_type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR;
}

uint64_t capped(uint64_t alignment, uint64_t pack_align) noexcept {
  return pack_align == 0 ? alignment : std::min(alignment, pack_align);
}

// Where what has no given offset lies in a union.
struct UnionPlaces {
  uint64_t member = 0;
  uint64_t selector = 0;
};

bool is_selector(const nvtxPayloadSchemaEntry_t& entry) noexcept {
  return entry.type == NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR;
}

// Entries stand in memory order: a selector that comes first has the members behind it, one that
// comes later stands behind the members.
UnionPlaces union_places(uint64_t schema_type, uint64_t pack_align,
                         std::span<const nvtxPayloadSchemaEntry_t> entries,
                         std::span<const EntryRoom> rooms) noexcept {
  UnionPlaces places;
  if (schema_type != NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR) return places;
  uint64_t alignment = 1;
  uint64_t end = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (is_selector(entries[i])) continue;
    alignment = std::max(alignment, capped(rooms[i].alignment, pack_align));
    end = std::max(end, near(near(entries[i].offset) + near(rooms[i].size)));
  }
  if (!entries.empty() && is_selector(entries[0])) {
    places.member = align_up(near(near(entries[0].offset) + near(rooms[0].size)), alignment);
  } else {
    places.selector = end;
  }
  return places;
}

}  // namespace

EntryForm entry_form(uint64_t flags, uint64_t type, uint64_t detail) noexcept {
  EntryForm form{place_of(flags), array_of(flags)};
  if (!is_string_type(type)) return form;
  const bool is_deep_copy = (flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
  if (is_deep_copy && form.place == EntryPlace::kInline) form.place = EntryPlace::kPointer;
  if (form.array != EntryArray::kScalar && form.array != EntryArray::kFixed) return form;
  if (detail != 0) {
    form.array = EntryArray::kFixed;
    return form;
  }
  form.array = EntryArray::kZeroTerminated;
  if (form.place == EntryPlace::kInline) form.place = EntryPlace::kPointer;
  return form;
}

EntryRoom entry_room(EntryForm form, uint64_t detail, EntryRoom element) noexcept {
  if (form.place != EntryPlace::kInline) return {kReferenceBytes, kReferenceBytes, true};
  if (!element.is_known) return {0, element.alignment, false};
  if (form.array == EntryArray::kScalar) return element;
  if (form.array != EntryArray::kFixed) return {0, element.alignment, false};
  uint64_t size = 0;
  if (__builtin_mul_overflow(element.size, detail, &size)) size = kFar;
  return {near(size), element.alignment, true};
}

PlacedEntries place_entries(uint64_t schema_type, uint64_t pack_align,
                            std::span<const nvtxPayloadSchemaEntry_t> entries,
                            std::span<const EntryRoom> rooms) {
  PlacedEntries placed;
  placed.all_known = true;
  placed.entries.reserve(entries.size());
  const UnionPlaces in_union = union_places(schema_type, pack_align, entries, rooms);
  uint64_t cursor = 0;
  bool cursor_known = true;
  for (size_t i = 0; i < entries.size(); ++i) {
    const uint64_t alignment = capped(rooms[i].alignment, pack_align);
    placed.alignment = std::max(placed.alignment, static_cast<uint32_t>(alignment));
    EntryLayout at;
    at.size = near(rooms[i].size);
    at.size_known = rooms[i].is_known;
    if (i == 0 || entries[i].offset != 0) {
      at.offset = near(entries[i].offset);
      at.offset_known = true;
    } else if (is_union(schema_type)) {
      at.offset = is_selector(entries[i]) ? in_union.selector : in_union.member;
      at.offset_known = true;
    } else {
      at.offset = align_up(cursor, alignment);
      at.offset_known = cursor_known;
    }
    cursor = near(at.offset + at.size);
    cursor_known = at.offset_known && at.size_known;
    placed.all_known = placed.all_known && cursor_known;
    if (cursor_known) placed.data_end = std::max(placed.data_end, cursor);
    placed.entries.push_back(at);
  }
  const bool is_dynamic = schema_type == NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
  placed.size = is_dynamic ? placed.data_end : align_up(placed.data_end, placed.alignment);
  return placed;
}

}  // namespace ringscribe::nvtxw
