// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/payload_map.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "ringscribe/backends/nvtxw/entry_types.h"

namespace ringscribe::journal {
namespace {

// Deeper nesting is a ring of schemas, or made to exhaust the stack.
constexpr int kDepthMax = 16;
// Rows of more numbers are not taken apart, and nested arrays may hold any number of nothing.
constexpr int kRowNumberSteps = 256;
// No payload is larger than a frame: sizes beyond that are unknown ones.
constexpr uint64_t kBytesMax = uint64_t{1} << 32;

using nvtxw::EntryArray;
using nvtxw::EntryPlace;
using nvtxw::kReferenceBytes;

uint64_t align_up(uint64_t value, uint64_t align) {
  return align <= 1 ? value : (value + align - 1) / align * align;
}

uint64_t times(uint64_t a, uint64_t b) { return b != 0 && a > kBytesMax / b ? kBytesMax : a * b; }

bool is_signed_integer(uint64_t type) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_CHAR:
    case NVTX_PAYLOAD_ENTRY_TYPE_SHORT:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT:
    case NVTX_PAYLOAD_ENTRY_TYPE_LONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_LONGLONG:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_INT64:
      return true;
    default:
      return false;
  }
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

Status refused(const char* what, uint64_t id, const std::string& why) {
  return Status(ResultCode::kInvalidArgument,
                std::string("cannot register ") + what + " " + std::to_string(id) + ": " + why);
}

}  // namespace

// Fills in what an entry's type is, from what is registered already. False if it is nothing.
bool PayloadMap::bind(uint32_t domain, Entry* entry) const {
  entry->form = nvtxw::entry_form(entry->flags, entry->type, entry->detail);
  const nvtxw::TypeSize predefined = nvtxw::predefined_type_size(entry->type);
  entry->unit = {predefined.size, predefined.alignment};
  if (const auto it = enum_bytes_.find(Key(domain, entry->type)); it != enum_bytes_.end()) {
    const bool is_size = it->second == 1 || it->second == 2 || it->second == 4 || it->second == 8;
    entry->unit = is_size ? Unit{it->second, static_cast<uint32_t>(it->second)} : Unit{};
  } else if (entry->nested = find(domain, entry->type); entry->nested != nullptr) {
    entry->unit = entry->nested->unit;
  } else if (entry->type >= NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    return false;
  }
  if (entry->form.place == EntryPlace::kPointer) {
    entry->kinds = kPointers;
  } else if (entry->form.place != EntryPlace::kInline) {
    entry->kinds = 0;
  } else if (entry->nested != nullptr) {
    entry->kinds = entry->nested->kinds;
  } else if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE) {
    entry->kinds = kStringHandles;
  } else if (entry->type == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID) {
    entry->kinds = kScopeIds;
  }
  return true;
}

Status PayloadMap::add_schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  const Key key(domain, attr.schemaId);
  if (schemas_.contains(key) || enum_bytes_.contains(key)) {
    return refused("schema", attr.schemaId, "its domain has a schema or enum of that ID already");
  }
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  Schema schema;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) schema.type = attr.type;
  const bool has_entries = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) && attr.entries != nullptr &&
                           has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES);
  for (size_t i = 0; has_entries && i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& given = attr.entries[i];
    Entry entry;
    entry.flags = given.flags;
    entry.type = given.type;
    entry.detail = given.arrayOrUnionDetail;
    if (!bind(domain, &entry)) {
      return refused("schema", attr.schemaId,
                     "its entry " + std::to_string(i) + " is of type " +
                         std::to_string(given.type) +
                         ", which is no registered schema or enum; register that one first");
    }
    schema.kinds |= entry.kinds;
    if (entry.nested != nullptr) schema.depth = std::max(schema.depth, entry.nested->depth + 1);
    schema.entries.push_back(entry);
  }
  if (schema.depth >= kDepthMax) {
    return refused(
        "schema", attr.schemaId,
        "schemas are nested deeper than " + std::to_string(kDepthMax) + "; use fewer levels");
  }
  const bool is_packed = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT);
  lay_out(attr, schema.entries.size(), is_packed ? attr.packAlign : 0, &schema);
  const bool has_size = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE) &&
                        schema.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC;
  if (has_size && attr.payloadStaticSize != 0) schema.unit.bytes = attr.payloadStaticSize;
  if (schema.unit.bytes >= kBytesMax) schema.unit.bytes = 0;
  schema.is_fixed = find_fixed_pointers(schema, &schema.pointers);
  schemas_.emplace(key, std::move(schema));
  return Status();
}

Status PayloadMap::add_enum(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  const Key key(domain, attr.schemaId);
  const bool sized = (attr.fieldMask & NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE) != 0;
  if (schemas_.contains(key) || !enum_bytes_.emplace(key, sized ? attr.sizeOfEnum : 0).second) {
    return refused("enum", attr.schemaId, "its domain has a schema or enum of that ID already");
  }
  return Status();
}

void PayloadMap::add_counter(uint32_t domain, const nvtxCounterAttr_t& attr) {
  counter_schemas_.insert_or_assign(Key(domain, attr.counterId), attr.schemaId);
}

uint64_t PayloadMap::counter_schema(uint32_t domain, uint64_t counter) const {
  const auto it = counter_schemas_.find(Key(domain, counter));
  return it == counter_schemas_.end() ? 0 : it->second;
}

const PayloadMap::Schema* PayloadMap::find(uint32_t domain, uint64_t id) const {
  const auto it = schemas_.find(Key(domain, id));
  return it == schemas_.end() ? nullptr : &it->second;
}

// The places of the entries as far as they are the same in every payload, and the size and
// alignment of the whole.
void PayloadMap::lay_out(const nvtxPayloadSchemaAttr_t& attr, size_t entry_count, uint64_t pack,
                         Schema* schema) {
  std::vector<nvtxw::EntryRoom> rooms;
  rooms.reserve(entry_count);
  for (const Entry& entry : schema->entries) {
    const nvtxw::EntryRoom element = {entry.unit.bytes, entry.unit.align, entry.unit.bytes != 0};
    rooms.push_back(nvtxw::entry_room(entry.form, entry.detail, element));
  }
  const nvtxw::PlacedEntries placed =
      nvtxw::place_entries(schema->type, pack, {attr.entries, entry_count}, rooms);
  for (size_t i = 0; i < entry_count; ++i) {
    Entry& entry = schema->entries[i];
    entry.offset = placed.entries[i].offset;
    entry.has_offset = placed.entries[i].offset_known;
    entry.align = rooms[i].alignment;
    if (pack != 0) entry.align = static_cast<uint32_t>(std::min<uint64_t>(entry.align, pack));
  }
  schema->unit = {placed.all_known ? placed.size : 0, placed.alignment};
}

bool PayloadMap::may_hold(uint32_t domain, uint64_t schema, uint8_t kinds) const {
  const Schema* found = find(domain, schema);
  return found != nullptr && (found->kinds & kinds) != 0;
}

Pointee PayloadMap::pointee_of(const Entry& entry) {
  Pointee pointee;
  pointee.deep_copy = (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
  pointee.is_text = nvtxw::is_string_type(entry.type);
  pointee.unit_bytes = entry.unit.bytes;
  pointee.count = 1;
  if (entry.nested != nullptr && (entry.nested->kinds & kPointers) != 0) {
    pointee.nested_schema = entry.type;
  }
  switch (entry.form.array) {
    case EntryArray::kScalar:
      break;
    case EntryArray::kFixed:
      pointee.count = entry.detail;
      break;
    case EntryArray::kZeroTerminated:
      pointee.zero_terminated = true;
      break;
    // The length stands in another entry (see the walker), or in another payload, whose meaning
    // is not ours to know.
    default:
      pointee.unit_bytes = 0;
      break;
  }
  return pointee;
}

// True if no byte of a payload says where another one is: there is nothing to walk.
bool PayloadMap::find_fixed_pointers(const Schema& schema, FixedPointers* found) {
  const uint64_t size = schema.unit.bytes;
  if (schema.type != NVTX_PAYLOAD_SCHEMA_TYPE_STATIC || size == 0) return false;
  for (const Entry& entry : schema.entries) {
    const bool is_inline = entry.form.place == EntryPlace::kInline;
    const bool is_array = entry.form.array == EntryArray::kFixed;
    if (!is_array && entry.form.array != EntryArray::kScalar &&
        (is_inline || entry.form.array != EntryArray::kZeroTerminated)) {
      return false;
    }
    const bool is_simple = entry.nested == nullptr || (entry.nested->is_fixed && entry.kinds == 0);
    if (!entry.has_offset || (is_inline && !is_simple)) return false;
    const uint64_t bytes =
        is_inline ? times(entry.unit.bytes, is_array ? entry.detail : 1) : kReferenceBytes;
    if ((is_inline && entry.unit.bytes == 0) || entry.offset > size || bytes > size - entry.offset)
      return false;
    if (entry.form.place == EntryPlace::kPointer)
      found->slots.push_back({SlotKind::kPointer, entry.offset, pointee_of(entry)});
  }
  std::vector<size_t> places;
  for (const PayloadSlot& slot : found->slots) places.push_back(slot.offset);
  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i)
    if (places[i] - places[i - 1] < kReferenceBytes) return false;
  found->payload_bytes = size;
  return true;
}

const FixedPointers* PayloadMap::fixed_pointers(uint32_t domain, uint64_t schema) const {
  const Schema* found = find(domain, schema);
  return found != nullptr && found->is_fixed ? &found->pointers : nullptr;
}

// One walk over one payload.
struct PayloadMap::Walker {
  std::span<const std::byte> bytes;
  const std::function<void(const PayloadSlot&)>& visit;
  // Bounds the work that a few bytes of hostile schema can ask for.
  uint64_t steps_left;

  struct Placed {
    uint64_t offset = 0;
    uint64_t bytes = 0;  // of one unit
    uint64_t count = 0;
    uint64_t type = 0;
  };

  bool fits(uint64_t offset, uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }

  std::optional<uint64_t> integer(const Placed& placed, uint64_t index) const {
    const uint64_t size = placed.bytes;
    const uint64_t offset = placed.offset + size * index;
    if ((size != 1 && size != 2 && size != 4 && size != 8) || !fits(offset, size)) return {};
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, size);
    const bool negative = (value >> (size * 8 - 1)) != 0;
    return negative && is_signed_integer(placed.type) ? 0 : value;
  }

  // The number of units of an entry whose length stands in an entry before it.
  std::optional<uint64_t> length(const Entry& entry, const std::vector<Placed>& before) const {
    if (entry.detail >= before.size()) return {};
    const Placed& source = before[entry.detail];
    if (source.count == 0 || source.count > 64) return {};
    uint64_t product = 1;
    for (uint64_t i = 0; i < source.count; ++i) {
      const std::optional<uint64_t> one = integer(source, i);
      if (!one) return {};
      product = times(product, *one);
    }
    return product;
  }

  std::optional<uint64_t> zero_terminated(uint64_t offset, uint64_t unit) const {
    if (unit == 0) return {};
    uint64_t count = 0;
    while (fits(offset + count * unit, unit)) {
      const bool zero = is_zero(bytes.subspan(offset + count * unit, unit));
      ++count;
      if (zero) break;
    }
    // A payload may end before the terminator; what is left is the array.
    return count;
  }

  std::optional<uint64_t> count_of(const Entry& entry, uint64_t offset,
                                   const std::vector<Placed>& before) const {
    switch (entry.form.array) {
      case EntryArray::kScalar:
        return 1;
      case EntryArray::kFixed:
        return entry.detail;
      case EntryArray::kLengthIndex:
        return length(entry, before);
      case EntryArray::kZeroTerminated:
        return zero_terminated(offset, entry.unit.bytes);
      default:
        return {};
    }
  }

  // Visits the units of an inline entry; returns its end.
  std::optional<uint64_t> units(const Entry& entry, const Placed& at, uint64_t selector) {
    if (at.bytes != 0) {
      const uint64_t size = times(at.bytes, at.count);
      if (!fits(at.offset, size)) return {};
      if (entry.kinds == 0) return at.offset + size;
    }
    // A unit without slots must have a size, and so has every one that is no schema.
    if (entry.nested == nullptr && at.bytes != 8) return {};
    uint64_t end = at.offset;
    for (uint64_t i = 0; i < at.count; ++i) {
      if (steps_left == 0) return {};
      --steps_left;
      const uint64_t offset = at.bytes != 0 ? at.offset + i * at.bytes : end;
      if (entry.nested != nullptr) {
        const std::optional<uint64_t> used = schema(*entry.nested, offset, selector);
        if (!used) return {};
        end = at.bytes != 0 ? offset + at.bytes : *used;
      } else {
        visit(
            {entry.kinds == kScopeIds ? SlotKind::kScopeId : SlotKind::kStringHandle, offset, {}});
        end = offset + 8;
      }
    }
    return end;
  }

  // The value of the entry that selects the member of `entry`; it may come later in `around`.
  std::optional<uint64_t> external_selector(const Entry& entry, const Schema& around, uint64_t base,
                                            const std::vector<Placed>& before) const {
    if (entry.detail < before.size()) return integer(before[entry.detail], 0);
    if (entry.detail >= around.entries.size()) return {};
    const Entry& selector = around.entries[entry.detail];
    if (!selector.has_offset || selector.form.place != EntryPlace::kInline) return {};
    return integer({base + selector.offset, selector.unit.bytes, 1, selector.type}, 0);
  }

  // Visits one entry of `around`, which begins at `base`, and appends it to `before`; returns its
  // end.
  std::optional<uint64_t> visit_entry(const Entry& entry, const Schema& around, uint64_t base,
                                      uint64_t start, std::vector<Placed>* before) {
    if (steps_left == 0) return {};
    --steps_left;
    if (entry.form.place != EntryPlace::kInline) {
      if (!fits(start, kReferenceBytes)) return {};
      if (entry.form.place == EntryPlace::kPointer) {
        visit({SlotKind::kPointer, start, pointee(entry, *before)});
      }
      before->push_back({});
      return start + kReferenceBytes;
    }
    const std::optional<uint64_t> count = count_of(entry, start, *before);
    if (!count) return {};
    uint64_t selector = UINT64_MAX;
    if (entry.nested != nullptr && entry.nested->type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION) {
      const std::optional<uint64_t> chosen = external_selector(entry, around, base, *before);
      if (!chosen) return {};
      selector = *chosen;
    }
    before->push_back({start, entry.unit.bytes, *count, entry.type});
    return units(entry, before->back(), selector);
  }

  Pointee pointee(const Entry& entry, const std::vector<Placed>& before) const {
    Pointee result = pointee_of(entry);
    if (entry.form.array == EntryArray::kLengthIndex) {
      const std::optional<uint64_t> count = length(entry, before);
      result.unit_bytes = count ? entry.unit.bytes : 0;
      result.count = count.value_or(0);
    }
    return result;
  }

  std::optional<uint64_t> internal_selector(const Schema& schema, uint64_t base) const {
    for (const Entry& entry : schema.entries) {
      if (entry.type != NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR) continue;
      return integer({base + entry.offset, entry.unit.bytes, 1, entry.type}, 0);
    }
    return {};
  }

  std::optional<uint64_t> union_schema(const Schema& schema, uint64_t base, uint64_t selector) {
    if (schema.unit.bytes == 0 || !fits(base, schema.unit.bytes)) return {};
    if (schema.type == NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR) {
      const std::optional<uint64_t> chosen = internal_selector(schema, base);
      if (!chosen) return {};
      selector = *chosen;
    }
    if (selector < schema.entries.size()) {
      const Entry& member = schema.entries[selector];
      std::vector<Placed> before;
      if (!fits(base, member.offset) ||
          !visit_entry(member, schema, base, base + member.offset, &before)) {
        return {};
      }
    }
    return base + schema.unit.bytes;
  }

  std::optional<uint64_t> schema(const Schema& schema, uint64_t base, uint64_t selector) {
    if (schema.type != NVTX_PAYLOAD_SCHEMA_TYPE_STATIC &&
        schema.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC) {
      return union_schema(schema, base, selector);
    }
    std::vector<Placed> before;
    uint64_t end = base;
    for (const Entry& entry : schema.entries) {
      const uint64_t offset = entry.has_offset ? entry.offset : align_up(end - base, entry.align);
      if (!fits(base, offset)) return {};
      const std::optional<uint64_t> next = visit_entry(entry, schema, base, base + offset, &before);
      if (!next) return {};
      end = *next;
    }
    if (schema.unit.bytes == 0) return end;
    return fits(base, schema.unit.bytes) ? base + schema.unit.bytes : std::max(end, base);
  }
};

std::optional<size_t> PayloadMap::walk(uint32_t domain, uint64_t schema,
                                       std::span<const std::byte> bytes,
                                       const std::function<void(const PayloadSlot&)>& visit) const {
  const Schema* found = find(domain, schema);
  if (found == nullptr) return bytes.size();
  Walker walker{bytes, visit, bytes.size() * 16 + 65536};
  const std::optional<uint64_t> end = walker.schema(*found, 0, UINT64_MAX);
  return end ? std::optional<size_t>(*end) : std::nullopt;
}

void PayloadMap::add_numbers(const Schema& schema, uint64_t base, int* steps_left,
                             std::vector<RowNumber>* numbers) {
  for (const Entry& entry : schema.entries) {
    if (!entry.has_offset) return;
    const bool is_inline = entry.form.place == EntryPlace::kInline;
    const uint64_t bytes = is_inline ? entry.unit.bytes : kReferenceBytes;
    const bool is_array = is_inline && entry.form.array == EntryArray::kFixed;
    // Text and arrays of small numbers are better taken eight bytes at a time.
    if (is_array && (bytes < 4 || nvtxw::is_string_type(entry.type))) continue;
    if (is_inline && !is_array && entry.form.array != EntryArray::kScalar) continue;
    const uint64_t count = is_array ? entry.detail : 1;
    for (uint64_t i = 0; i < count; ++i) {
      if ((*steps_left)-- <= 0) return;
      const uint64_t offset = base + entry.offset + i * bytes;
      if (is_inline && entry.nested != nullptr) {
        add_numbers(*entry.nested, offset, steps_left, numbers);
      } else if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        numbers->push_back({offset, static_cast<uint8_t>(bytes)});
      }
    }
  }
}

std::optional<uint64_t> PayloadMap::fixed_row(uint32_t domain, uint64_t schema,
                                              std::vector<RowNumber>* numbers) const {
  const Schema* found = find(domain, schema);
  if (found == nullptr) {
    const uint64_t bytes = nvtxw::predefined_type_size(schema).size;
    return bytes == 0 ? std::nullopt : std::optional<uint64_t>(bytes);
  }
  if (found->unit.bytes == 0) return std::nullopt;
  int steps_left = kRowNumberSteps;
  add_numbers(*found, 0, &steps_left, numbers);
  return found->unit.bytes;
}

}  // namespace ringscribe::journal
