// SPDX-License-Identifier: Apache-2.0
//
// The arguments that Python's nvtx.writer would name: message, colour, category.
//
//   stream.write_mark(100, {.message = "My Mark", .color = ringscribe::color::green,
//                           .category = "hot"});
//
// Text is copied during the call, so it may be made at run time. Bytes that are not UTF-8, and
// zeros, come out as U+FFFD. A null pointer and an empty text mean: no message.
#ifndef RINGSCRIBE_API_EVENT_ARGS_H_
#define RINGSCRIBE_API_EVENT_ARGS_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ringscribe/color.h"
#include "ringscribe/runtime/reference.h"

namespace ringscribe {

// A text that a domain was told of once (Domain::get_registered_string) and that events of the
// same domain use by number: cheaper than text where a message repeats. Cheap to copy.
class RegisteredString {
 public:
  constexpr RegisteredString() noexcept = default;
  // False for a default-made one and one that could not be registered: it means no message.
  constexpr bool ok() const noexcept { return !reference_.is_none(); }

 private:
  friend class Domain;
  friend class Stream;
  friend struct Message;
  constexpr explicit RegisteredString(runtime::Reference reference) noexcept
      : reference_(reference) {}

  runtime::Reference reference_;
};

struct Message {
  std::string_view text;
  RegisteredString registered;

  constexpr Message() noexcept = default;
  constexpr Message(std::nullptr_t) noexcept {}  // NOLINT: implicit on purpose, as all here
  constexpr Message(const char* zero_terminated) noexcept  // NOLINT
      : text(zero_terminated != nullptr ? std::string_view(zero_terminated) : std::string_view()) {}
  constexpr Message(std::string_view view) noexcept : text(view) {}            // NOLINT
  Message(const std::string& string) noexcept : text(string) {}                // NOLINT
  constexpr Message(RegisteredString string) noexcept : registered(string) {}  // NOLINT
};

// A category by number or by name. Names get a number of the domain on first use; that look-up
// takes a lock, so where it counts ask Domain::get_category once.
struct Category {
  uint32_t id = 0;  // 0: no category
  std::string_view name;

  constexpr Category() noexcept = default;
  template <std::integral T>
  constexpr Category(T number) noexcept : id(static_cast<uint32_t>(number)) {}  // NOLINT
  constexpr Category(const char* zero_terminated) noexcept                      // NOLINT
      : name(zero_terminated != nullptr ? std::string_view(zero_terminated) : std::string_view()) {}
  constexpr Category(std::string_view view) noexcept : name(view) {}  // NOLINT
};

struct EventArgs {
  Message message = {};
  Color color = {};
  Category category = {};
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_EVENT_ARGS_H_
