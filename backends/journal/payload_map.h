// SPDX-License-Identifier: Apache-2.0
//
// PayloadMap: where the values stand in a payload that mean something only in the process that
// wrote it: pointers, handles of registered strings, scope IDs. It learns the schemas and enums of
// a session and then walks payload bytes, static or dynamic, nested schemas and unions included.
//
//   PayloadMap map;
//   map.add_schema(domain, attr);
//   if (map.may_hold(domain, schema, PayloadMap::kPointers)) {
//     std::optional<size_t> used = map.walk(domain, schema, bytes, [](const PayloadSlot& slot)
//     {...});
//   }
//
// Threads: one at a time. Lifetime: owns copies of what it was given.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_PAYLOAD_MAP_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_PAYLOAD_MAP_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/entry_rules.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

enum class SlotKind : uint8_t { kPointer = 1, kStringHandle = 2, kScopeId = 4 };

// What a pointer points at, as far as it can be copied.
struct Pointee {
  bool deep_copy = false;        // may be anywhere in the writer's memory
  bool zero_terminated = false;  // else `count` units
  bool is_text = false;
  uint64_t unit_bytes = 0;  // 0: unknown
  uint64_t count = 0;
  uint64_t nested_schema = 0;  // units are payloads of this schema and hold pointers; else 0
  bool operator==(const Pointee&) const = default;
};

struct PayloadSlot {
  SlotKind kind;
  size_t offset;    // from the payload's begin; the 8 bytes there are in the payload
  Pointee pointee;  // kPointer only
};

// A number in a row whose size is the same in every payload.
struct RowNumber {
  uint64_t offset;
  uint8_t bytes;  // 1, 2, 4 or 8
};

// Where the pointers stand in payloads that all look alike, and what they point at.
struct FixedPointers {
  size_t payload_bytes = 0;
  std::vector<PayloadSlot> slots;  // of kind kPointer; they do not overlap
};

class PayloadMap {
 public:
  static constexpr uint8_t kPointers = static_cast<uint8_t>(SlotKind::kPointer);
  static constexpr uint8_t kStringHandles = static_cast<uint8_t>(SlotKind::kStringHandle);
  static constexpr uint8_t kScopeIds = static_cast<uint8_t>(SlotKind::kScopeId);

  // Both fail with kInvalidArgument if the ID is taken, and add_schema() if an entry refers to a
  // schema or enum that is not known yet: what a payload holds must not change afterwards.
  Status add_schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr);
  Status add_enum(uint32_t domain, const nvtxPayloadEnumAttr_t& attr);
  void add_counter(uint32_t domain, const nvtxCounterAttr_t& attr);
  // The schema of a counter; 0 if there is no such counter.
  uint64_t counter_schema(uint32_t domain, uint64_t counter) const;

  // True if payloads of `schema` can have slots of `kinds`. A predefined type as `schema` has none.
  bool may_hold(uint32_t domain, uint64_t schema, uint8_t kinds) const;
  // Calls `visit` for every slot, in order of the entries. Returns the bytes that the payload
  // takes of `bytes`, or nothing if its layout cannot be followed to the end: bytes are missing,
  // or the schema uses what cannot be laid out (see FORMAT.md, "Pointers").
  std::optional<size_t> walk(uint32_t domain, uint64_t schema, std::span<const std::byte> bytes,
                             const std::function<void(const PayloadSlot&)>& visit) const;
  // What walk() finds in every payload of `schema` that has all its bytes, whatever they are.
  // nullptr if it depends on them. Valid as long as the map.
  const FixedPointers* fixed_pointers(uint32_t domain, uint64_t schema) const;
  // The size of every payload of `schema`, or of a predefined type, and numbers in it whose places
  // are known; they may overlap, or lie beyond the size. Nothing if the size varies or there is no
  // such schema.
  std::optional<uint64_t> fixed_row(uint32_t domain, uint64_t schema,
                                    std::vector<RowNumber>* numbers) const;

 private:
  struct Schema;
  struct Unit {
    uint64_t bytes = 0;  // 0: of variable or unknown size
    uint32_t align = 1;
  };
  struct Entry {
    uint64_t flags = 0, type = 0, detail = 0;
    nvtxw::EntryForm form;
    Unit unit;                       // one element, or what a pointer points at
    const Schema* nested = nullptr;  // nullptr: a predefined type or an enum
    uint8_t kinds = 0;               // the slots that the entry itself can have
    // From nvtxw/entry_rules.h.
    uint64_t offset = 0;  // if has_offset; otherwise it follows from the entry before
    bool has_offset = false;
    uint32_t align = 1;
  };
  struct Schema {
    uint64_t type = 0;
    std::vector<Entry> entries;
    Unit unit;          // as a member of another schema
    uint8_t kinds = 0;  // those of all entries
    int depth = 0;      // of the nesting below
    bool is_fixed = false;
    FixedPointers pointers;  // if it is fixed
  };
  struct Walker;
  using Key = std::pair<uint32_t, uint64_t>;

  const Schema* find(uint32_t domain, uint64_t id) const;
  bool bind(uint32_t domain, Entry* entry) const;
  static void lay_out(const nvtxPayloadSchemaAttr_t& attr, size_t entry_count, uint64_t pack,
                      Schema* schema);
  static Pointee pointee_of(const Entry& entry);
  static bool find_fixed_pointers(const Schema& schema, FixedPointers* found);
  static void add_numbers(const Schema& schema, uint64_t base, int* steps_left,
                          std::vector<RowNumber>* numbers);

  std::map<Key, Schema> schemas_;
  std::map<Key, uint64_t> enum_bytes_;
  std::map<Key, uint64_t> counter_schemas_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_PAYLOAD_MAP_H_
