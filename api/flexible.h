// SPDX-License-Identifier: Apache-2.0
//
// Fields of variable length in a user's struct: a text or an array that is made at run time.
//
//   struct Query { int64_t begin, end; ringscribe::Text sql; ringscribe::Array<float> row_ms; };
//   RINGSCRIBE_SCHEMA(Query, RANGE_BEGIN(begin), RANGE_END(end), MESSAGE(sql), FIELD(row_ms));
//   stream.write_event(queries, Query{t0, t1, sql_string, row_times});
//
// They point to the caller's memory, which is copied by the call that writes the struct; it need
// not live longer. In NVTX's terms they go through flexible batch data (nvtxEventBatch_t).
#ifndef RINGSCRIBE_API_FLEXIBLE_H_
#define RINGSCRIBE_API_FLEXIBLE_H_

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>

namespace ringscribe {

// UTF-8. Bytes that are not, and zeros, come out as U+FFFD.
struct Text {
  uint64_t size_bytes = 0;
  const char* data = nullptr;

  constexpr Text() noexcept = default;
  constexpr Text(std::string_view text) noexcept  // NOLINT: implicit on purpose, as all here
      : size_bytes(text.size()), data(text.data()) {}
  constexpr Text(const char* zero_terminated) noexcept  // NOLINT
      : Text(zero_terminated != nullptr ? std::string_view(zero_terminated) : std::string_view()) {}
  template <typename S>
    requires(std::is_convertible_v<const S&, std::string_view> &&
             !std::is_convertible_v<const S&, const char*>)
  constexpr Text(const S& text) noexcept : Text(std::string_view(text)) {}  // NOLINT
};

// Of numbers, enums, or structs with RINGSCRIBE_SCHEMA.
template <typename T>
struct Array {
  static_assert(std::is_trivially_copyable_v<T>, "the elements of an Array are copied as bytes");
  uint64_t count = 0;
  const T* data = nullptr;

  constexpr Array() noexcept = default;
  constexpr Array(const T* first, size_t elements) noexcept : count(elements), data(first) {}
  template <std::ranges::contiguous_range R>
    requires(std::is_same_v<std::ranges::range_value_t<R>, T>)
  constexpr Array(const R& range) noexcept  // NOLINT: implicit on purpose
      : count(std::ranges::size(range)), data(std::ranges::data(range)) {}
};

static_assert(sizeof(Text) == 16 && offsetof(Text, data) == 8 && sizeof(Array<char>) == 16);

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_FLEXIBLE_H_
