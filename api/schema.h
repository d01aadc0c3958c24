// SPDX-License-Identifier: Apache-2.0
//
// A user's struct as the layout of an event, from one declaration beside the struct, in the same
// namespace:
//
//   struct Item { int64_t start, end; ringscribe::FixedString<32> message; int64_t items; };
//   RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(items));
//
// Roles (nvtx.EntryKind): RANGE_BEGIN, RANGE_END and MARK are the event's times, of type int64_t in
// the stream's time domain; MESSAGE is its name, a FixedString or char array; FIELD is the rest.
//
// Fields may be integers, bool, float, double, enums (recorded as integers), FixedString, char
// arrays, arrays of numbers, Color, CategoryId and RangeId. The struct is trivially copyable and of
// standard layout. A wrong declaration is a compile error whose text says what is wrong; a kind
// that does not fit the roles is one where get_schema() is called.
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

#include "ringscribe/color.h"
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

namespace schema_internal {

// NVTX_PAYLOAD_ENTRY_TYPE_* (checked in domain.cc).
enum TypeNumber : uint64_t {
  kInt8 = 11,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat32 = 43,
  kFloat64 = 44,
  kRangeId = 67,
  kCategory = 68,
  kColor = 69,
  kUtf8 = 76,
};
inline constexpr uint64_t kFixedArray = 1u << 4;  // NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE

struct Type {
  uint64_t number = 0;  // 0: none fits
  uint64_t array_length = 0;
  uint64_t flags = 0;
};

template <typename T>
constexpr Type scalar_type() noexcept {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_enum_v<U>) {
    return scalar_type<std::underlying_type_t<U>>();
  } else if constexpr (std::is_integral_v<U> && sizeof(U) <= 8) {
    constexpr uint64_t kSize = sizeof(U) == 1 ? 0 : sizeof(U) == 2 ? 2 : sizeof(U) == 4 ? 4 : 6;
    constexpr bool kSigned = std::is_signed_v<U> && !std::is_same_v<U, bool>;
    return Type{kInt8 + kSize + (kSigned ? 0 : 1)};
  } else if constexpr (std::is_same_v<U, float>) {
    return Type{kFloat32};
  } else if constexpr (std::is_same_v<U, double>) {
    return Type{kFloat64};
  } else if constexpr (std::is_same_v<U, RangeId>) {
    return Type{kRangeId};
  } else if constexpr (std::is_same_v<U, CategoryId>) {
    return Type{kCategory};
  } else if constexpr (std::is_same_v<U, Color>) {
    return Type{kColor};
  } else {
    return Type{};
  }
}

template <typename T>
struct TypeOf {
  static constexpr Type value = scalar_type<T>();
};
template <size_t N>
struct TypeOf<FixedString<N>> {
  static constexpr Type value{kUtf8, N, 0};
};
template <size_t N>
struct TypeOf<char[N]> {
  static constexpr Type value{kUtf8, N, 0};
};
template <typename T, size_t N>
struct TypeOf<T[N]> {
  static constexpr Type value{scalar_type<T>().number, N, kFixedArray};
};
template <typename T, size_t N>
struct TypeOf<std::array<T, N>> {
  static constexpr Type value{scalar_type<T>().number, N, kFixedArray};
};

template <Role kRole, typename Member>
constexpr runtime::SchemaEntry entry(const char* name, size_t offset) noexcept {
  constexpr Type kType = TypeOf<std::remove_cv_t<Member>>::value;
  constexpr bool kIsTime =
      kRole == Role::kRangeBegin || kRole == Role::kRangeEnd || kRole == Role::kMark;
  static_assert(kType.number != 0,
                "RINGSCRIBE_SCHEMA: a field of this type cannot be recorded; use integers, floats, "
                "enums, FixedString, arrays of numbers, Color, CategoryId or RangeId");
  static_assert(!kIsTime || std::is_same_v<std::remove_cv_t<Member>, int64_t>,
                "RINGSCRIBE_SCHEMA: RANGE_BEGIN, RANGE_END and MARK take a field of type int64_t");
  static_assert(kRole != Role::kMessage || kType.number == kUtf8,
                "RINGSCRIBE_SCHEMA: MESSAGE takes a FixedString or an array of char");
  return runtime::SchemaEntry{name, static_cast<uint64_t>(kRole) | kType.flags, kType.number,
                              kType.array_length, offset};
}

template <typename T, size_t N>
struct Description {
  const char* name;
  std::array<runtime::SchemaEntry, N> entries;

  constexpr size_t count(Role role) const noexcept {
    constexpr uint64_t kTimeMask = 7u << 12, kMessageMask = 3u << 10;  // NVTX: bit fields
    const uint64_t mask = role == Role::kMessage ? kMessageMask : kTimeMask;
    size_t found = 0;
    for (const runtime::SchemaEntry& one : entries)
      found += (one.flags & mask) == static_cast<uint64_t>(role) ? 1 : 0;
    return found;
  }
  constexpr size_t count_range_ids() const noexcept {
    size_t found = 0;
    for (const runtime::SchemaEntry& one : entries) found += one.type == kRangeId ? 1 : 0;
    return found;
  }
};

template <typename T, typename... Entries>
constexpr auto describe(const char* name, Entries... entries) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>,
                "RINGSCRIBE_SCHEMA: the struct must be trivially copyable and of standard layout");
  return Description<T, sizeof...(Entries)>{name, {entries...}};
}

template <typename D>
constexpr bool roles_are_unique(const D& description) noexcept {
  return description.count(Role::kRangeBegin) <= 1 && description.count(Role::kRangeEnd) <= 1 &&
         description.count(Role::kMark) <= 1 && description.count(Role::kMessage) <= 1;
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
    if (!is_half && kSchema.count_range_ids() != 0)
      only_the_kinds_start_and_end_take_a_field_of_type_RangeId();
  }
};

}  // namespace schema_internal
}  // namespace ringscribe

// Describes `type` to get_schema(); at namespace scope, in the namespace of `type`. The words
// RANGE_BEGIN, RANGE_END, MARK, MESSAGE and FIELD are no macros of ours, and macros of those names
// do no harm: each word is glued to a prefix before it could be expanded.
#define RINGSCRIBE_SCHEMA(type, ...)                                                            \
  [[maybe_unused]] constexpr auto ringscribe_schema_of(const type*) noexcept {                  \
    using Self = type;                                                                          \
    constexpr auto kDescription = ::ringscribe::schema_internal::describe<Self>(                \
        #type, RINGSCRIBE_SCHEMA_1(RINGSCRIBE_ROLE_##__VA_ARGS__));                             \
    static_assert(::ringscribe::schema_internal::roles_are_unique(kDescription),                \
                  "RINGSCRIBE_SCHEMA: each of RANGE_BEGIN, RANGE_END, MARK and MESSAGE may be " \
                  "given once");                                                                \
    static_assert(::ringscribe::schema_internal::marks_are_no_ranges(kDescription),             \
                  "RINGSCRIBE_SCHEMA: an event is a MARK or a range, not both");                \
    return kDescription;                                                                        \
  }                                                                                             \
  static_assert(true)  // takes the semicolon

#define RINGSCRIBE_ROLE_ENTRY(role, member)                                               \
  ::ringscribe::schema_internal::entry<::ringscribe::Role::role, decltype(Self::member)>( \
      #member, offsetof(Self, member))
#define RINGSCRIBE_ROLE_RANGE_BEGIN(member) RINGSCRIBE_ROLE_ENTRY(kRangeBegin, member)
#define RINGSCRIBE_ROLE_RANGE_END(member) RINGSCRIBE_ROLE_ENTRY(kRangeEnd, member)
#define RINGSCRIBE_ROLE_MARK(member) RINGSCRIBE_ROLE_ENTRY(kMark, member)
#define RINGSCRIBE_ROLE_MESSAGE(member) RINGSCRIBE_ROLE_ENTRY(kMessage, member)
#define RINGSCRIBE_ROLE_FIELD(member) RINGSCRIBE_ROLE_ENTRY(kField, member)

// Walks the list; each step glues the prefix to the next word. 32 fields at most.
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
  entry __VA_OPT__(, RINGSCRIBE_SCHEMA_takes_at_most_32_fields)

#endif  // RINGSCRIBE_API_SCHEMA_H_
