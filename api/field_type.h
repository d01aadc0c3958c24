// SPDX-License-Identifier: Apache-2.0
//
// The types that a field of a struct with RINGSCRIBE_SCHEMA may have, and what each is for NVTX:
// integers (of 128 bits, too), bool, floating point numbers (float16.h has those of 16 bits), enums
// (with names: enum.h), std::byte, pointers (recorded as addresses); FixedString and arrays of
// char, char8_t, char16_t or char32_t as text; RegisteredString, Color, CategoryId, RangeId,
// ScopeId, ProcessId, ThreadId; other structs with RINGSCRIBE_SCHEMA; arrays of all of those but
// text; and Text and Array<T>, whose length is known only at run time (flexible.h).
#ifndef RINGSCRIBE_API_FIELD_TYPE_H_
#define RINGSCRIBE_API_FIELD_TYPE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "ringscribe/color.h"
#include "ringscribe/entry_type.h"
#include "ringscribe/enum.h"
#include "ringscribe/event_args.h"
#include "ringscribe/flexible.h"
#include "ringscribe/float16.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe {

// Text of at most N bytes inside a struct. A literal that is longer does not compile; text made at
// run time is cut at a UTF-8 character, and was_cut() says so.
template <size_t N>
struct FixedString {
  char bytes[N] = {};

  constexpr FixedString() noexcept = default;
  template <size_t M>
  constexpr FixedString(const char (&literal)[M]) noexcept {  // NOLINT: implicit on purpose
    static_assert(M - 1 <= N, "this text is longer than the FixedString that it goes into");
    for (size_t i = 0; i + 1 < M; ++i) bytes[i] = literal[i];
  }
  constexpr FixedString(std::string_view text) noexcept {  // NOLINT: implicit on purpose
    size_t size = text.size() < N ? text.size() : N;
    if (size < text.size())
      while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
    for (size_t i = 0; i < size; ++i) bytes[i] = text[i];
  }
  constexpr std::string_view view() const noexcept {
    size_t size = 0;
    while (size < N && bytes[size] != '\0') ++size;
    return std::string_view(bytes, size);
  }
  // True if `text` did not fit into this.
  constexpr bool was_cut(std::string_view text) const noexcept {
    return view().size() < text.size();
  }
};

// Correlates a start with its end; see Stream::write_start.
struct RangeId {
  uint64_t value = 0;
};
// A category's number as a field of a struct; see Domain::get_category.
struct CategoryId {
  uint32_t value = 0;
};

// Scopes, processes and threads as fields of a struct: where the event happened.
struct ScopeId {
  uint64_t value = 0;  // Scope::id()
};
struct ProcessId {
  uint32_t value = 0;
};
struct ProcessId64 {
  uint64_t value = 0;
};
struct ThreadId {
  uint32_t value = 0;  // the system's
};
struct ThreadId64 {
  uint64_t value = 0;
};

namespace schema_internal {

// NVTX_PAYLOAD_ENTRY_FLAG_* (checked in domain.cc).
inline constexpr uint64_t kFixedArray = 1u << 4;
inline constexpr uint64_t kHide = 1u << 9;

template <typename T>
concept DescribedStruct =
    std::is_class_v<T> && requires(const T* type) { ringscribe_schema_of(type); };

// The predefined type of a number or attribute; kInvalid if none fits.
template <typename T>
constexpr EntryType scalar_type() noexcept {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<U, std::byte>) {
    return EntryType::kByte;
  } else if constexpr (std::is_enum_v<U>) {
    return scalar_type<std::underlying_type_t<U>>();
  } else if constexpr (std::is_same_v<U, bool>) {
    return EntryType::kUint8;
  } else if constexpr (std::is_same_v<U, char>) {
    return EntryType::kChar;
  } else if constexpr (std::is_same_v<U, wchar_t>) {
    return EntryType::kWchar;
  } else if constexpr (std::is_same_v<U, char8_t>) {
    return EntryType::kChar8;
  } else if constexpr (std::is_same_v<U, char16_t>) {
    return EntryType::kChar16;
  } else if constexpr (std::is_same_v<U, char32_t>) {
    return EntryType::kChar32;
  } else if constexpr (std::is_integral_v<U> && sizeof(U) <= 8) {
    constexpr uint64_t kSize = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 2 : sizeof(U) == 4 ? 4 : 6;
    return static_cast<EntryType>(static_cast<uint64_t>(EntryType::kInt8) + kSize +
                                  (std::is_signed_v<U> ? 0 : 1));
#ifdef __SIZEOF_INT128__
  } else if constexpr (std::is_same_v<U, __int128>) {
    return EntryType::kInt128;
  } else if constexpr (std::is_same_v<U, unsigned __int128>) {
    return EntryType::kUint128;
#endif
#ifdef __FLT16_MAX__
  } else if constexpr (std::is_same_v<U, _Float16>) {
    return EntryType::kFloat16;
#endif
#ifdef __STDCPP_BFLOAT16_T__
  } else if constexpr (std::is_same_v<U, decltype(0.0bf16)>) {
    return EntryType::kBfloat16;
#endif
  } else if constexpr (std::is_same_v<U, Float16>) {
    return EntryType::kFloat16;
  } else if constexpr (std::is_same_v<U, Bfloat16>) {
    return EntryType::kBfloat16;
  } else if constexpr (std::is_same_v<U, float>) {
    return EntryType::kFloat32;
  } else if constexpr (std::is_same_v<U, double>) {
    return EntryType::kFloat64;
  } else if constexpr (std::is_same_v<U, long double>) {
    return EntryType::kLongDouble;
  } else if constexpr (std::is_pointer_v<U>) {
    return EntryType::kAddress;
  } else if constexpr (std::is_same_v<U, RegisteredString>) {
    return EntryType::kRegisteredString;
  } else if constexpr (std::is_same_v<U, RangeId>) {
    return EntryType::kRangeId;
  } else if constexpr (std::is_same_v<U, CategoryId>) {
    return EntryType::kCategory;
  } else if constexpr (std::is_same_v<U, Color>) {
    return EntryType::kColorArgb;
  } else if constexpr (std::is_same_v<U, ScopeId>) {
    return EntryType::kScopeId;
  } else if constexpr (std::is_same_v<U, ProcessId>) {
    return EntryType::kPid32;
  } else if constexpr (std::is_same_v<U, ProcessId64>) {
    return EntryType::kPid64;
  } else if constexpr (std::is_same_v<U, ThreadId>) {
    return EntryType::kTid32;
  } else if constexpr (std::is_same_v<U, ThreadId64>) {
    return EntryType::kTid64;
  } else {
    return EntryType::kInvalid;
  }
}

// What is known of a field by its type alone.
struct Type {
  EntryType type = EntryType::kInvalid;
  uint64_t length = 0;
  uint64_t flags = 0;
  const runtime::SchemaDescription* nested = nullptr;
  const runtime::EnumDescription* enumeration = nullptr;
  bool is_flexible = false;
  bool is_text = false;
  // Said beside the pointers, because comparing addresses is no constant expression under
  // -fsanitize=undefined (GCC).
  bool is_nested = false;
  bool is_enumeration = false;

  constexpr bool is_known() const noexcept {
    return type != EntryType::kInvalid || is_nested || is_enumeration;
  }
};

// A struct's description as the runtime takes it.
template <typename T>
struct SchemaOf {
  static constexpr auto kDescription = ringscribe_schema_of(static_cast<const T*>(nullptr));
  static constexpr runtime::SchemaDescription value{kDescription.name, kDescription.entries.data(),
                                                    kDescription.entries.size(), sizeof(T)};
};

template <typename T>
constexpr Type one() noexcept {
  using U = std::remove_cv_t<T>;
  Type type;
  type.is_nested = DescribedStruct<U>;
  type.is_enumeration = !type.is_nested && enum_internal::Described<U>;
  if constexpr (DescribedStruct<U>)
    type.nested = &SchemaOf<U>::value;
  else if constexpr (enum_internal::Described<U>)
    type.enumeration = &enum_internal::kDescriptionOf<U>;
  else
    type.type = scalar_type<U>();
  return type;
}
template <typename T>
constexpr Type array_of(size_t length) noexcept {
  Type type = one<T>();
  type.length = length;
  type.flags = kFixedArray;
  return type;
}
constexpr Type text(EntryType unit, size_t length) noexcept {
  Type type;
  type.type = unit;
  type.length = length;
  type.is_text = true;
  return type;
}
constexpr bool is_flexible(const runtime::SchemaDescription& schema) noexcept {
  for (size_t i = 0; i < schema.count; ++i) {
    const runtime::SchemaEntry& entry = schema.entries[i];
    if (entry.is_flexible || (entry.is_nested && is_flexible(*entry.nested))) return true;
  }
  return false;
}

template <typename T>
constexpr Type flexible() noexcept {
  if constexpr (DescribedStruct<T>)
    static_assert(!is_flexible(SchemaOf<T>::value),
                  "RINGSCRIBE_SCHEMA: the elements of an Array have a fixed length");
  Type type = one<T>();
  type.is_flexible = true;
  return type;
}

template <typename T>
struct TypeOf {
  static constexpr Type value = one<T>();
};
template <size_t N>
struct TypeOf<FixedString<N>> {
  static constexpr Type value = text(EntryType::kUtf8, N);
};
template <size_t N>
struct TypeOf<char[N]> {
  static constexpr Type value = text(EntryType::kUtf8, N);
};
template <size_t N>
struct TypeOf<char8_t[N]> {
  static constexpr Type value = text(EntryType::kUtf8, N);
};
template <size_t N>
struct TypeOf<char16_t[N]> {
  static constexpr Type value = text(EntryType::kUtf16, N);
};
template <size_t N>
struct TypeOf<char32_t[N]> {
  static constexpr Type value = text(EntryType::kUtf32, N);
};
template <>
struct TypeOf<Text> {
  static constexpr Type value{EntryType::kUtf8, 0, 0, nullptr, nullptr, true, true};
};
template <typename T>
struct TypeOf<Array<T>> {
  static constexpr Type value = flexible<T>();
};
template <typename T, size_t N>
struct TypeOf<T[N]> {
  static constexpr Type value = array_of<T>(N);
};
template <typename T, size_t N>
struct TypeOf<std::array<T, N>> {
  static constexpr Type value = array_of<T>(N);
};
template <>
struct TypeOf<RegisteredString> {
  static constexpr Type value{EntryType::kRegisteredString, 0, 0, nullptr, nullptr, false, true};
};

}  // namespace schema_internal
}  // namespace ringscribe

#endif  // RINGSCRIBE_API_FIELD_TYPE_H_
