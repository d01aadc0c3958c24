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
// Which types fields may have: field_type.h. The struct is trivially copyable and of standard
// layout. A wrong declaration is a compile error whose text says what is wrong; a kind that does
// not fit the roles is one where get_schema() is called.
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
#include <type_traits>
#include <utility>

#include "ringscribe/entry_type.h"
#include "ringscribe/field_type.h"
#include "ringscribe/runtime/schema_entry.h"
#include "ringscribe/schema_list.h"

namespace ringscribe {

// What may stand behind a FIELD's name.
struct FieldOptions {
  const char* description = nullptr;
  bool hide = false;  // viewers should not show it
};

namespace schema_internal {

template <Role kRole, typename Member>
constexpr runtime::SchemaEntry entry(const char* name, size_t offset) noexcept {
  constexpr Type kType = TypeOf<std::remove_cv_t<Member>>::value;
  constexpr bool kIsTime = kRole == Role::kRangeBegin || kRole == Role::kRangeEnd ||
                           kRole == Role::kMark || kRole == Role::kTimestamp;
  static_assert(kType.is_known(),
                "RINGSCRIBE_SCHEMA: a field of this type cannot be recorded; see the list of types "
                "at the head of field_type.h. A struct needs a RINGSCRIBE_SCHEMA of its own first");
  static_assert(
      !kIsTime || std::is_same_v<std::remove_cv_t<Member>, int64_t>,
      "RINGSCRIBE_SCHEMA: RANGE_BEGIN, RANGE_END, MARK and TIMESTAMP take a field of type "
      "int64_t");
  static_assert(kRole != Role::kMessage || kType.is_text,
                "RINGSCRIBE_SCHEMA: MESSAGE takes a FixedString, an array of char, a Text or a "
                "RegisteredString");
  static_assert(kRole != Role::kCounter ||
                    (!kType.is_nested && kType.length == 0 && !kType.is_flexible && !kType.is_text),
                "RINGSCRIBE_SCHEMA: COUNTER takes a number");
  runtime::SchemaEntry result{name, static_cast<uint64_t>(kRole) | kType.flags,
                              static_cast<uint64_t>(kType.type), kType.length, offset};
  result.nested = kType.nested;
  result.is_nested = kType.is_nested;
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

#endif  // RINGSCRIBE_API_SCHEMA_H_
