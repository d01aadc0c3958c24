// SPDX-License-Identifier: Apache-2.0
//
// The names of an enum's values, for fields of that type, from one declaration beside the enum, in
// the same namespace:
//
//   enum class Side : uint8_t { buy, sell };
//   RINGSCRIBE_ENUM(Side, buy, sell);
//   enum Access : uint32_t { read = 1, write = 2 };
//   RINGSCRIBE_FLAGS(Access, read, write);  // values that are combined as bits
//
// A field of an enum without such a declaration is recorded as an integer.
#ifndef RINGSCRIBE_API_ENUM_H_
#define RINGSCRIBE_API_ENUM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe {

// An enum that was described at run time (Domain::get_enum), as the type of a field.
class Enum {
 public:
  constexpr Enum() noexcept = default;
  constexpr bool ok() const noexcept { return id_ != 0; }
  // The ID for NVTX.
  constexpr uint64_t id() const noexcept { return id_; }

 private:
  friend class Domain;
  uint64_t id_ = 0;
  uint32_t domain_ = 0;
};

struct EnumValue {
  const char* name;
  uint64_t value;
  bool is_flag = false;
};

namespace enum_internal {

template <typename E>
concept Described = std::is_enum_v<E> && requires(const E* type) { ringscribe_enum_of(type); };

template <typename E>
constexpr runtime::EnumValue value(const char* name, E enumerator, bool is_flag) noexcept {
  using Unsigned = std::make_unsigned_t<std::underlying_type_t<E>>;
  return {name, static_cast<uint64_t>(static_cast<Unsigned>(enumerator)), is_flag};
}

template <typename... Values>
constexpr auto list(const char* name, Values... values) noexcept {
  struct {
    const char* name;
    std::array<runtime::EnumValue, sizeof...(Values)> values;
  } result{name, {values...}};
  return result;
}

template <typename E>
inline constexpr auto kListOf = ringscribe_enum_of(static_cast<const E*>(nullptr));
template <typename E>
inline constexpr runtime::EnumDescription kDescriptionOf{kListOf<E>.name, kListOf<E>.values.data(),
                                                         kListOf<E>.values.size(), sizeof(E)};

}  // namespace enum_internal
}  // namespace ringscribe

#define RINGSCRIBE_ENUM(type, ...) RINGSCRIBE_ENUM_OF(type, false, __VA_ARGS__)
#define RINGSCRIBE_FLAGS(type, ...) RINGSCRIBE_ENUM_OF(type, true, __VA_ARGS__)

#define RINGSCRIBE_ENUM_OF(type, are_flags, first, ...)                                 \
  [[maybe_unused]] constexpr auto ringscribe_enum_of(const type*) noexcept {            \
    using Self = type;                                                                  \
    constexpr bool kAreFlags = are_flags;                                               \
    return ::ringscribe::enum_internal::list(                                           \
        #type, ::ringscribe::enum_internal::value<Self>(#first, Self::first, kAreFlags) \
                   __VA_OPT__(RINGSCRIBE_EXPAND(RINGSCRIBE_ENUM_REST(__VA_ARGS__))));   \
  }                                                                                     \
  static_assert(true)  // takes the semicolon

// One enumerator, then the rest by rescanning: the preprocessor's way to loop (340 at most).
#define RINGSCRIBE_ENUM_REST(first, ...)                                     \
  , ::ringscribe::enum_internal::value<Self>(#first, Self::first, kAreFlags) \
        __VA_OPT__(RINGSCRIBE_ENUM_AGAIN RINGSCRIBE_PARENTHESES(__VA_ARGS__))
#define RINGSCRIBE_ENUM_AGAIN() RINGSCRIBE_ENUM_REST
#define RINGSCRIBE_PARENTHESES ()
#define RINGSCRIBE_EXPAND(...) \
  RINGSCRIBE_EXPAND_3(RINGSCRIBE_EXPAND_3(RINGSCRIBE_EXPAND_3(RINGSCRIBE_EXPAND_3(__VA_ARGS__))))
#define RINGSCRIBE_EXPAND_3(...) \
  RINGSCRIBE_EXPAND_2(RINGSCRIBE_EXPAND_2(RINGSCRIBE_EXPAND_2(RINGSCRIBE_EXPAND_2(__VA_ARGS__))))
#define RINGSCRIBE_EXPAND_2(...) \
  RINGSCRIBE_EXPAND_1(RINGSCRIBE_EXPAND_1(RINGSCRIBE_EXPAND_1(RINGSCRIBE_EXPAND_1(__VA_ARGS__))))
#define RINGSCRIBE_EXPAND_1(...) __VA_ARGS__

#endif  // RINGSCRIBE_API_ENUM_H_
