// SPDX-License-Identifier: Apache-2.0
//
// A user's struct as the layout of an event, from one declaration beside the struct, in the same
// namespace:
//
//   struct Item { int64_t start, end; ringscribe::FixedString<32> message; int64_t items; };
//   RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(items));
//
// Roles (nvtx.EntryKind): RANGE_BEGIN, RANGE_END and MARK are the event's times, of type int64_t in
// the stream's time domain; MESSAGE is its name, any text; FIELD is the rest. In a counter group:
// COUNTER is a value, TIMESTAMP the sample's time, if it carries one.
//
// Fields may be integers (of 128 bits, too), bool, floating point numbers (float16.h has those of
// 16 bits), enums (with names: enum.h), std::byte, pointers (recorded as addresses), FixedString
// and arrays of char, char8_t, char16_t or char32_t as text, RegisteredString, Color, CategoryId,
// RangeId, ScopeId, ProcessId, ThreadId, other structs with RINGSCRIBE_SCHEMA, arrays of all of
// those but text, and Text and Array<T>, whose length is known only at run time (flexible.h). The
// struct is trivially copyable and of standard layout. A wrong declaration is a compile error whose
// text says what is wrong; a kind that does not fit the roles is one where get_schema() is called.
//
// Behind a field's name stand, if need be, .description = "…" and .hide = true (FIELD), or the
// members of CounterSemantics (COUNTER): COUNTER(used, .unit = "bytes", .min = 0).
//
// Which roles a kind needs: a mark MARK; a complete range RANGE_BEGIN and RANGE_END; a push or
// start RANGE_BEGIN; a pop or end RANGE_END; start and end a RangeId field, too (the rules of
// nvtx.writer's Domain.get_schema).
#ifndef RINGSCRIBE_API_SCHEMA_H_
#define RINGSCRIBE_API_SCHEMA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

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

// What may stand behind a FIELD's name.
struct FieldOptions {
  const char* description = nullptr;
  bool hide = false;  // viewers should not show it
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

  constexpr bool is_known() const noexcept {
    return type != EntryType::kInvalid || nested != nullptr || enumeration != nullptr;
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
    if (entry.is_flexible || (entry.nested != nullptr && is_flexible(*entry.nested))) return true;
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

template <Role kRole, typename Member>
constexpr runtime::SchemaEntry entry(const char* name, size_t offset) noexcept {
  constexpr Type kType = TypeOf<std::remove_cv_t<Member>>::value;
  constexpr bool kIsTime = kRole == Role::kRangeBegin || kRole == Role::kRangeEnd ||
                           kRole == Role::kMark || kRole == Role::kTimestamp;
  static_assert(kType.is_known(),
                "RINGSCRIBE_SCHEMA: a field of this type cannot be recorded; see the list of types "
                "at the head of schema.h. A struct needs a RINGSCRIBE_SCHEMA of its own first");
  static_assert(
      !kIsTime || std::is_same_v<std::remove_cv_t<Member>, int64_t>,
      "RINGSCRIBE_SCHEMA: RANGE_BEGIN, RANGE_END, MARK and TIMESTAMP take a field of type "
      "int64_t");
  static_assert(kRole != Role::kMessage || kType.is_text,
                "RINGSCRIBE_SCHEMA: MESSAGE takes a FixedString, an array of char, a Text or a "
                "RegisteredString");
  static_assert(kRole != Role::kCounter || (kType.nested == nullptr && kType.length == 0 &&
                                            !kType.is_flexible && !kType.is_text),
                "RINGSCRIBE_SCHEMA: COUNTER takes a number");
  runtime::SchemaEntry result{name, static_cast<uint64_t>(kRole) | kType.flags,
                              static_cast<uint64_t>(kType.type), kType.length, offset};
  result.nested = kType.nested;
  result.enumeration = kType.enumeration;
  result.is_flexible = kType.is_flexible;
  return result;
}
constexpr runtime::SchemaEntry with(runtime::SchemaEntry entry, const FieldOptions& options = {}) {
  entry.description = options.description;
  if (options.hide) entry.flags |= kHide;
  return entry;
}
constexpr runtime::SchemaEntry with_semantics(runtime::SchemaEntry entry,
                                              const CounterSemantics& semantics = {}) {
  entry.semantics.counter = semantics;
  return entry;
}

template <typename T, size_t N>
struct Description {
  const char* name;
  std::array<runtime::SchemaEntry, N> entries;

  constexpr size_t count(Role role) const noexcept {
    constexpr uint64_t kTimeMask = 7u << 12, kMessageMask = 3u << 10;  // NVTX: bit fields
    const bool is_low = role == Role::kMessage || role == Role::kTimestamp;
    const uint64_t mask = is_low ? kMessageMask : kTimeMask;
    size_t found = 0;
    for (const runtime::SchemaEntry& one : entries)
      found += (one.flags & mask) == static_cast<uint64_t>(role) ? 1 : 0;
    return found;
  }
  constexpr size_t count_range_ids() const noexcept {
    size_t found = 0;
    for (const runtime::SchemaEntry& one : entries)
      found += one.type == static_cast<uint64_t>(EntryType::kRangeId) ? 1 : 0;
    return found;
  }
};

template <typename T, typename... Entries>
constexpr auto describe(const char* name, Entries... entries) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>,
                "RINGSCRIBE_SCHEMA: the struct must be trivially copyable and of standard layout");
  Description<T, sizeof...(Entries)> description{name, {entries...}};
  // By offset, since NVTX takes an offset of 0 for "computed" in all entries but the first.
  std::array<runtime::SchemaEntry, sizeof...(Entries)>& list = description.entries;
  for (size_t i = 1; i < list.size(); ++i)
    for (size_t j = i; j > 0 && list[j].offset < list[j - 1].offset; --j)
      std::swap(list[j], list[j - 1]);
  return description;
}

;

template <typename T>
inline constexpr bool kIsFlexible = is_flexible(SchemaOf<T>::value);

template <typename D>
constexpr bool roles_are_unique(const D& description) noexcept {
  return description.count(Role::kRangeBegin) <= 1 && description.count(Role::kRangeEnd) <= 1 &&
         description.count(Role::kMark) <= 1 && description.count(Role::kMessage) <= 1 &&
         description.count(Role::kTimestamp) <= 1;
}
template <typename D>
constexpr bool counters_are_no_events(const D& description) noexcept {
  const bool is_group =
      description.count(Role::kCounter) != 0 || description.count(Role::kTimestamp) != 0;
  return !is_group ||
         (description.count(Role::kMark) == 0 && description.count(Role::kRangeBegin) == 0 &&
          description.count(Role::kRangeEnd) == 0 && description.count(Role::kMessage) == 0);
}
template <typename D>
constexpr bool marks_are_no_ranges(const D& description) noexcept {
  return description.count(Role::kMark) == 0 ||
         (description.count(Role::kRangeBegin) == 0 && description.count(Role::kRangeEnd) == 0);
}

// Not constexpr: a call of one of these stops the compilation with its name in the message.
void this_kind_needs_exactly_one_MARK_and_no_range_role();
void this_kind_needs_RANGE_BEGIN_and_RANGE_END();
void this_kind_needs_RANGE_BEGIN_and_neither_RANGE_END_nor_MARK();
void this_kind_needs_RANGE_END_and_neither_RANGE_BEGIN_nor_MARK();
void this_kind_needs_exactly_one_field_of_type_RangeId();
void only_the_kinds_start_and_end_take_a_field_of_type_RangeId();

// An EventKind that was checked against the roles of T, at compile time.
template <typename T>
struct KindFor {
  EventKind kind;

  consteval KindFor(EventKind wished) : kind(wished) {  // NOLINT: implicit on purpose
    constexpr auto kSchema = ringscribe_schema_of(static_cast<const T*>(nullptr));
    constexpr size_t kBegins = kSchema.count(Role::kRangeBegin);
    constexpr size_t kEnds = kSchema.count(Role::kRangeEnd);
    constexpr size_t kMarks = kSchema.count(Role::kMark);
    switch (wished) {
      case EventKind::kNone:
        break;
      case EventKind::kMark:
        if (kMarks != 1) this_kind_needs_exactly_one_MARK_and_no_range_role();
        break;
      case EventKind::kRangePushPop:
      case EventKind::kRangeStartEnd:
        if (kBegins != 1 || kEnds != 1) this_kind_needs_RANGE_BEGIN_and_RANGE_END();
        break;
      case EventKind::kRangePush:
      case EventKind::kRangeStart:
        if (kBegins != 1 || kEnds != 0 || kMarks != 0)
          this_kind_needs_RANGE_BEGIN_and_neither_RANGE_END_nor_MARK();
        break;
      case EventKind::kRangePop:
      case EventKind::kRangeEnd:
        if (kEnds != 1 || kBegins != 0 || kMarks != 0)
          this_kind_needs_RANGE_END_and_neither_RANGE_BEGIN_nor_MARK();
        break;
    }
    const bool is_half = wished == EventKind::kRangeStart || wished == EventKind::kRangeEnd;
    if (is_half && kSchema.count_range_ids() != 1)
      this_kind_needs_exactly_one_field_of_type_RangeId();
    if (!is_half && wished != EventKind::kNone && kSchema.count_range_ids() != 0)
      only_the_kinds_start_and_end_take_a_field_of_type_RangeId();
  }
};

}  // namespace schema_internal
}  // namespace ringscribe

// Describes `type` to get_schema(); at namespace scope, in the namespace of `type`. The words
// RANGE_BEGIN, RANGE_END, MARK, MESSAGE and FIELD are no macros of ours, and macros of those names
// do no harm: each word is glued to a prefix before it could be expanded.
#define RINGSCRIBE_SCHEMA(type, ...)                                                              \
  [[maybe_unused]] constexpr auto ringscribe_schema_of(const type*) noexcept {                    \
    using Self = type;                                                                            \
    constexpr auto kDescription = ::ringscribe::schema_internal::describe<Self>(                  \
        #type, RINGSCRIBE_SCHEMA_1(RINGSCRIBE_ROLE_##__VA_ARGS__));                               \
    static_assert(::ringscribe::schema_internal::roles_are_unique(kDescription),                  \
                  "RINGSCRIBE_SCHEMA: each of RANGE_BEGIN, RANGE_END, MARK, MESSAGE and "         \
                  "TIMESTAMP may be given once");                                                 \
    static_assert(::ringscribe::schema_internal::marks_are_no_ranges(kDescription),               \
                  "RINGSCRIBE_SCHEMA: an event is a MARK or a range, not both");                  \
    static_assert(::ringscribe::schema_internal::counters_are_no_events(kDescription),            \
                  "RINGSCRIBE_SCHEMA: COUNTER and TIMESTAMP do not go with the roles of events"); \
    return kDescription;                                                                          \
  }                                                                                               \
  static_assert(true)  // takes the semicolon

#define RINGSCRIBE_ROLE_ENTRY(role, member)                                               \
  ::ringscribe::schema_internal::entry<::ringscribe::Role::role, decltype(Self::member)>( \
      #member, offsetof(Self, member))
#define RINGSCRIBE_ROLE_RANGE_BEGIN(member) RINGSCRIBE_ROLE_ENTRY(kRangeBegin, member)
#define RINGSCRIBE_ROLE_RANGE_END(member) RINGSCRIBE_ROLE_ENTRY(kRangeEnd, member)
#define RINGSCRIBE_ROLE_MARK(member) RINGSCRIBE_ROLE_ENTRY(kMark, member)
#define RINGSCRIBE_ROLE_MESSAGE(member) RINGSCRIBE_ROLE_ENTRY(kMessage, member)
#define RINGSCRIBE_ROLE_TIMESTAMP(member) RINGSCRIBE_ROLE_ENTRY(kTimestamp, member)
#define RINGSCRIBE_ROLE_FIELD(member, ...)                                  \
  ::ringscribe::schema_internal::with(RINGSCRIBE_ROLE_ENTRY(kField, member) \
                                          __VA_OPT__(, ::ringscribe::FieldOptions{__VA_ARGS__}))
#define RINGSCRIBE_ROLE_COUNTER(member, ...)                           \
  ::ringscribe::schema_internal::with_semantics(RINGSCRIBE_ROLE_ENTRY( \
      kCounter, member) __VA_OPT__(, ::ringscribe::CounterSemantics{__VA_ARGS__}))

// Walks the list; each step glues the prefix to the next word. 64 fields at most.
#define RINGSCRIBE_SCHEMA_1(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_2(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_2(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_3(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_3(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_4(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_4(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_5(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_5(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_6(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_6(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_7(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_7(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_8(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_8(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_9(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_9(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_10(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_10(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_11(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_11(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_12(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_12(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_13(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_13(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_14(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_14(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_15(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_15(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_16(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_16(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_17(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_17(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_18(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_18(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_19(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_19(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_20(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_20(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_21(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_21(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_22(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_22(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_23(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_23(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_24(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_24(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_25(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_25(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_26(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_26(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_27(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_27(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_28(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_28(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_29(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_29(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_30(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_30(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_31(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_31(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_32(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_32(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_33(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_33(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_34(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_34(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_35(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_35(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_36(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_36(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_37(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_37(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_38(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_38(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_39(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_39(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_40(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_40(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_41(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_41(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_42(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_42(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_43(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_43(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_44(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_44(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_45(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_45(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_46(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_46(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_47(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_47(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_48(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_48(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_49(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_49(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_50(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_50(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_51(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_51(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_52(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_52(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_53(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_53(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_54(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_54(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_55(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_55(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_56(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_56(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_57(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_57(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_58(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_58(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_59(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_59(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_60(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_60(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_61(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_61(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_62(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_62(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_63(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_63(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_64(RINGSCRIBE_ROLE_##__VA_ARGS__))
#define RINGSCRIBE_SCHEMA_64(entry, ...) \
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_takes_at_most_64_fields)

#endif  // RINGSCRIBE_API_SCHEMA_H_
