// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/entry_rules.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace ringscribe::nvtxw {
namespace {

constexpr uint64_t kText = NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8;
constexpr uint64_t kI32 = NVTX_PAYLOAD_ENTRY_TYPE_INT32;
constexpr uint64_t kSelector = NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR;
constexpr uint64_t kPointer = NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
constexpr uint64_t kBase = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE;
constexpr uint64_t kHere = NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;
constexpr uint64_t kDeep = NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY;
constexpr uint64_t kFixed = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
constexpr uint64_t kZero = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
constexpr uint64_t kLength = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX;

std::string form(uint64_t flags, uint64_t type, uint64_t detail) {
  const EntryForm found = entry_form(flags, type, detail);
  const char* places[] = {"inline", "pointer", "base", "here"};
  const char* arrays[] = {"one", "fixed", "zero", "index", "payload", "unknown"};
  return std::string(places[static_cast<int>(found.place)]) + " " +
         arrays[static_cast<int>(found.array)];
}

TEST_CASE("text is inline with a length or an array flag, else a pointer to its zero") {
  CHECK(form(0, kText, 5) == "inline fixed");
  CHECK(form(kFixed, kText, 5) == "inline fixed");
  CHECK(form(kZero, kText, 0) == "inline zero");
  CHECK(form(kLength, kText, 0) == "inline index");
  CHECK(form(0, kText, 0) == "pointer zero");
  CHECK(form(kFixed, kText, 0) == "pointer zero");
  CHECK(form(kPointer, kText, 0) == "pointer zero");
  CHECK(form(kPointer, kText, 5) == "pointer fixed");
  CHECK(form(kBase, kText, 0) == "base zero");
}

TEST_CASE("a deep copy of text is a pointer, of other types only with the flag for it") {
  CHECK(form(kDeep, kText, 0) == "pointer zero");
  CHECK(form(kDeep, kText, 5) == "pointer fixed");
  CHECK(form(kDeep | kZero, kText, 0) == "pointer zero");
  CHECK(form(kDeep | kLength, kText, 0) == "pointer index");
  CHECK(form(kDeep | kHere, kText, 5) == "here fixed");
  CHECK(form(kDeep, kI32, 0) == "inline one");
  CHECK(form(kDeep | kPointer | kFixed, kI32, 2) == "pointer fixed");
}

TEST_CASE("of several places the first counts, and unknown array flags are told") {
  CHECK(form(kPointer | kBase | kHere, kI32, 0) == "pointer one");
  CHECK(form(kBase | kHere, kI32, 0) == "base one");
  for (const uint64_t array : std::initializer_list<uint64_t>{5, 6, 7}) {
    CHECK(form(array << 4, kI32, 0) == "inline unknown");
    CHECK(form(array << 4, kText, 0) == "inline unknown");
  }
}

TEST_CASE("references have one width, and lengths that make no sense are far") {
  const EntryRoom element{4, 4, true};
  for (const EntryPlace place :
       {EntryPlace::kPointer, EntryPlace::kFromBase, EntryPlace::kFromHere}) {
    const EntryRoom room = entry_room({place, EntryArray::kFixed}, 100, element);
    CHECK(room.size == 8);
    CHECK(room.alignment == 8);
    CHECK(room.is_known);
  }
  CHECK(entry_room({EntryPlace::kInline, EntryArray::kFixed}, 3, element).size == 12);
  const EntryRoom empty = entry_room({EntryPlace::kInline, EntryArray::kFixed}, 0, element);
  CHECK(empty.is_known);
  CHECK(empty.size == 0);
  CHECK(entry_room({EntryPlace::kInline, EntryArray::kFixed}, UINT64_MAX, element).size == kFar);
  CHECK_FALSE(entry_room({EntryPlace::kInline, EntryArray::kZeroTerminated}, 0, element).is_known);
}

// Entries of (type, offset) and rooms of their natural size.
std::vector<uint64_t> offsets(uint64_t schema_type,
                              const std::vector<std::pair<uint64_t, uint64_t>>& given,
                              const std::vector<EntryRoom>& rooms, uint64_t* size,
                              uint64_t pack = 0) {
  std::vector<nvtxPayloadSchemaEntry_t> entries;
  for (const auto& [type, offset] : given) {
    entries.push_back({0, type, nullptr, nullptr, 0, offset, nullptr, nullptr});
  }
  const PlacedEntries placed = place_entries(schema_type, pack, entries, rooms);
  *size = placed.size;
  std::vector<uint64_t> result;
  for (const EntryLayout& one : placed.entries) result.push_back(one.offset);
  return result;
}

TEST_CASE("a static schema is padded at its end, a dynamic one is not") {
  const std::vector<EntryRoom> rooms = {{8, 8, true}, {1, 1, true}};
  uint64_t size = 0;
  CHECK(offsets(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, {{1, 0}, {1, 0}}, rooms, &size) ==
        std::vector<uint64_t>{0, 8});
  CHECK(size == 16);
  offsets(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, {{1, 0}, {1, 0}}, rooms, &size, 2);
  CHECK(size == 10);
  offsets(NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC, {{1, 0}, {1, 0}}, rooms, &size);
  CHECK(size == 9);
}

TEST_CASE("members of a union lie at its begin, behind a first selector, before a later one") {
  constexpr uint64_t kInternal = NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR;
  const EntryRoom selector{1, 1, true}, small{2, 2, true}, large{8, 4, true};
  using Offsets = std::vector<uint64_t>;
  uint64_t size = 0;
  CHECK(offsets(NVTX_PAYLOAD_SCHEMA_TYPE_UNION, {{1, 0}, {1, 0}}, {small, large}, &size) ==
        Offsets{0, 0});
  CHECK(size == 8);
  CHECK(offsets(kInternal, {{kSelector, 0}, {1, 0}, {1, 0}}, {selector, small, large}, &size) ==
        Offsets{0, 4, 4});
  CHECK(size == 12);
  CHECK(offsets(kInternal, {{kSelector, 5}, {1, 2}, {1, 0}}, {selector, small, large}, &size) ==
        Offsets{5, 2, 8});
  CHECK(offsets(kInternal, {{1, 0}, {1, 0}, {kSelector, 0}}, {small, large, selector}, &size) ==
        Offsets{0, 0, 8});
  CHECK(size == 12);
}

TEST_CASE("offsets and sizes beyond any payload become far, and nothing wraps around") {
  uint64_t size = 0;
  const EntryRoom wide{kFar, 8, true};
  CHECK(offsets(NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, {{1, UINT64_MAX}, {1, 0}, {1, 0}},
                {wide, wide, wide}, &size) == std::vector<uint64_t>{kFar, kFar, kFar});
  CHECK(size == kFar);
}

}  // namespace
}  // namespace ringscribe::nvtxw
