// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/value_reader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

const Enumeration::Entry* find_entry(const Enumeration& enumeration, uint64_t number) {
  const auto found = std::lower_bound(
      enumeration.entries.begin(), enumeration.entries.end(), number,
      [](const Enumeration::Entry& entry, uint64_t value) { return entry.value < value; });
  const bool matches = found != enumeration.entries.end() && found->value == number;
  return matches ? &*found : nullptr;
}

Value text_value(std::string_view text) {
  Value value;
  value.kind = ValueKind::kText;
  value.text = text;
  return value;
}

}  // namespace

bool ValueReader::scalar(TypeInfo type, const std::byte* data, Value& value) {
  switch (type.kind) {
    case TypeKind::kInt128:
    case TypeKind::kUint128:
      value = text_value(int128_text(data, type.kind == TypeKind::kInt128, arena_));
      return true;
    case TypeKind::kTextHandle: {
      read_number(type, data, value);
      if (const std::string* text = definitions_.string(value.uint_value))
        value = text_value(*text);
      return true;
    }
    case TypeKind::kChar: {
      read_number(type, data, value);
      // A byte above ASCII is half of a character: shown as a number.
      if (type.size > 1 || value.uint_value < 0x80) value = text_value(text(type, data, 1));
      return true;
    }
    default:
      return read_number(type, data, value);
  }
}

std::string_view ValueReader::text(TypeInfo type, const std::byte* data, size_t count) {
  if (count == 0) return {};
  bool is_terminated = false;
  const size_t unit = type.size;
  const size_t length = count_until_zero(data, count * unit, unit, is_terminated);
  if (unit == 2) return utf16_to_utf8(data, length, arena_);
  if (unit == 4) return utf32_to_utf8(data, length, arena_);
  return valid_utf8({reinterpret_cast<const char*>(data), length}, arena_);
}

Value ValueReader::enumeration(const Enumeration& enumeration, const std::byte* data) {
  Value value;
  read_number({TypeKind::kUint, enumeration.size, enumeration.size}, data, value);
  const uint64_t number = value.uint_value;
  std::string_view name;
  if (const Enumeration::Entry* entry = find_entry(enumeration, number)) {
    name = entry->name;
  } else if (!enumeration.has_flags || !join_flags(enumeration, number, name)) {
    // Without a name: a set of flags has no sign, other enums are C's int.
    if (!enumeration.has_flags) {
      read_number({TypeKind::kInt, enumeration.size, enumeration.size}, data, value);
    }
    return value;
  }
  value.kind = ValueKind::kText;
  value.text = name;
  return value;
}

// False if `number` has bits that no flag names, or no bits.
bool ValueReader::join_flags(const Enumeration& enumeration, uint64_t number,
                             std::string_view& text) {
  uint64_t rest = number;
  size_t size = 0;
  const auto is_used = [&rest, number](const Enumeration::Entry& entry) {
    return entry.is_flag && entry.value != 0 && (entry.value & number) == entry.value &&
           (entry.value & rest) != 0;
  };
  // Large values first, so that a name for several bits is preferred to names of its parts.
  const auto& entries = enumeration.entries;
  for (size_t i = entries.size(); i > 0; --i) {
    if (!is_used(entries[i - 1])) continue;
    rest &= ~entries[i - 1].value;
    size += entries[i - 1].name.size() + 1;
  }
  if (rest != 0 || number == 0) return false;
  char* to = arena_.bytes(size);
  // The same walk again, written from the back: small values come first in the text.
  size_t at = size;
  rest = number;
  for (size_t i = entries.size(); i > 0; --i) {
    const Enumeration::Entry& entry = entries[i - 1];
    if (!is_used(entry)) continue;
    rest &= ~entry.value;
    at -= entry.name.size();
    std::copy(entry.name.begin(), entry.name.end(), to + at);
    to[--at] = '|';
  }
  text = {to + 1, size - 1};
  return true;
}

size_t count_until_zero(const std::byte* data, size_t available, size_t element_size,
                        bool& is_terminated) {
  is_terminated = false;
  if (element_size == 1) {
    const void* zero = available == 0 ? nullptr : std::memchr(data, 0, available);
    is_terminated = zero != nullptr;
    return zero == nullptr ? available
                           : static_cast<size_t>(static_cast<const std::byte*>(zero) - data);
  }
  const size_t count = available / element_size;
  for (size_t i = 0; i < count; ++i) {
    const std::byte* element = data + i * element_size;
    const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
    if (std::all_of(element, element + element_size, is_zero)) {
      is_terminated = true;
      return i;
    }
  }
  return count;
}

}  // namespace ringscribe::model
