// SPDX-License-Identifier: Apache-2.0
//
// Counter: a named number that is sampled over time. Registered once in a domain
// (Domain::get_counter), then sampled on any stream of that domain. Cheap to copy.
#ifndef RINGSCRIBE_API_COUNTER_H_
#define RINGSCRIBE_API_COUNTER_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ringscribe/scope.h"

namespace ringscribe {

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

struct CounterOptions {
  std::string_view description = {};
  std::string_view unit = {};      // as the viewer shows it, such as "bytes"
  std::optional<double> min = {};  // limits for drawing; samples may exceed them
  std::optional<double> max = {};
  Scope scope = {};
};

class Counter {
 public:
  constexpr Counter() noexcept = default;
  // False for a default-made one and one that could not be had (Domain::status() says why);
  // samples of it are counted as invalid.
  constexpr bool ok() const noexcept { return number_ != 0; }
  constexpr bool is_floating() const noexcept { return is_floating_; }

 private:
  friend class Domain;
  friend class Stream;
  constexpr Counter(uint32_t number, uint32_t domain, bool is_floating) noexcept
      : number_(number), domain_(domain), is_floating_(is_floating) {}

  // The 8 bytes that stand for `value` in a record.
  template <Number T>
  constexpr uint64_t bits(T value) const noexcept {
    if (is_floating_) return std::bit_cast<uint64_t>(static_cast<double>(value));
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }

  uint32_t number_ = 0;
  uint32_t domain_ = 0;
  bool is_floating_ = false;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_COUNTER_H_
