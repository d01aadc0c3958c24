// SPDX-License-Identifier: Apache-2.0
//
// Counter: a named number that is sampled over time. CounterGroup<T>: several of them that are
// sampled together, the fields of a struct with RINGSCRIBE_SCHEMA. Registered once in a domain
// (Domain::get_counter), then sampled on any stream of that domain. Cheap to copy.
//
//   Counter depth = domain.get_counter<int64_t>("depth", {.unit = "orders", .min = 0});
//   stream.write_counter_sample(depth, 100, 17);
//
//   struct Memory { int64_t used; double load; };
//   RINGSCRIBE_SCHEMA(Memory, COUNTER(used, .unit = "bytes"), COUNTER(load, .max = 1.0));
//   CounterGroup<Memory> memory = domain.get_counter<Memory>("memory");
//   stream.write_counter_sample(memory, 100, Memory{4096, 0.5});
#ifndef RINGSCRIBE_API_COUNTER_H_
#define RINGSCRIBE_API_COUNTER_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#include "ringscribe/entry_type.h"
#include "ringscribe/float16.h"
#include "ringscribe/runtime/reference.h"
#include "ringscribe/runtime/semantics.h"
#include "ringscribe/scope.h"
#include "ringscribe/time_domain.h"

namespace ringscribe {

template <typename T>
concept Number = std::integral<T> || std::floating_point<T>;

struct CounterOptions {
  std::string_view description = {};
  // CounterSemantics, for the counter as a whole.
  std::string_view unit = {};  // as the viewer shows it, such as "bytes"
  CounterLimit min = {};       // limits for drawing; samples may exceed them
  CounterLimit max = {};
  CounterValueType value_type = CounterValueType::kUnspecified;
  CounterInterpolation interpolation = CounterInterpolation::kUnspecified;
  uint64_t unit_scale_numerator = 1;
  uint64_t unit_scale_denominator = 1;
  bool normalize = false;

  Scope scope = {};
  TimeDomain time_domain = {};  // of the samples' times; none: the stream's
  uint64_t static_id = 0;       // in [2^24, 2^31); 0: one of ours
};

// Why a sample has no value (nvtx.CounterNoValueReason).
enum class CounterNoValueReason : uint8_t {
  kZero = 0,
  kUnchanged = 1,
  kUnavailable = 2,
};

// How the times of a batch are sorted (nvtx.BatchOrdering, with NVTX's numbers).
enum class BatchOrdering : uint8_t {
  kSorted = 0,
  kPartiallySorted = 1 << 1,
  kSortedPerScope = 2 << 1,
  kUnsorted = 3 << 1,
  kDetect = 255,  // not NVTX's: the flusher looks, and says kSorted or kUnsorted
};

// The times of a batch of samples: one a sample, or evenly spaced.
//   stream.write_counter_batch(c, values, times);
//   stream.write_counter_batch(c, values, SampleTimes::from(begin, interval));
class SampleTimes {
 public:
  enum class Form : uint8_t { kEmbedded, kEach, kFrom, kUntil };

  // In the samples themselves: a group with a TIMESTAMP field.
  constexpr SampleTimes() noexcept = default;
  template <std::ranges::contiguous_range R>
    requires(std::is_same_v<std::ranges::range_value_t<R>, int64_t>)
  constexpr SampleTimes(const R& times) noexcept  // NOLINT: implicit on purpose
      : form_(Form::kEach), each_(std::ranges::data(times), std::ranges::size(times)) {}
  // The first sample at `begin`, each next one `interval` later.
  static constexpr SampleTimes from(int64_t begin, int64_t interval) noexcept {
    return SampleTimes(Form::kFrom, begin, interval);
  }
  // The last sample at `end`, each one before `interval` earlier.
  static constexpr SampleTimes until(int64_t end, int64_t interval) noexcept {
    return SampleTimes(Form::kUntil, end, interval);
  }
  constexpr Form form() const noexcept { return form_; }
  constexpr std::span<const int64_t> each() const noexcept { return each_; }
  constexpr int64_t anchor() const noexcept { return anchor_; }
  constexpr int64_t interval() const noexcept { return interval_; }

 private:
  constexpr SampleTimes(Form form, int64_t anchor, int64_t interval) noexcept
      : form_(form), anchor_(anchor), interval_(interval) {}

  Form form_ = Form::kEmbedded;
  std::span<const int64_t> each_;
  int64_t anchor_ = 0;
  int64_t interval_ = 0;
};

// A counter or counter group without its C++ type.
class AnyCounter {
 public:
  constexpr AnyCounter() noexcept = default;
  // False for a default-made one and one that could not be had (Domain::status() says why);
  // samples of it are counted as invalid.
  constexpr bool ok() const noexcept { return !reference_.is_none(); }
  constexpr uint32_t sample_bytes() const noexcept { return sample_bytes_; }
  // The samples have a TIMESTAMP field: they are written with write_counter_batch, without times.
  constexpr bool has_embedded_time() const noexcept { return has_embedded_time_; }

 protected:
  friend class Domain;
  friend class Stream;
  runtime::Reference reference_;
  uint32_t sample_bytes_ = 0;
  EntryType type_ = EntryType::kInvalid;  // kInvalid: a group
  bool has_embedded_time_ = false;
};

// A counter of one number.
class Counter : public AnyCounter {
 public:
  constexpr EntryType type() const noexcept { return type_; }
  constexpr bool is_floating() const noexcept {
    return type_ == EntryType::kFloat64 || type_ == EntryType::kFloat32 ||
           type_ == EntryType::kFloat16 || type_ == EntryType::kBfloat16;
  }
  constexpr bool is_unsigned() const noexcept {
    return type_ == EntryType::kUint64 || type_ == EntryType::kUint32 ||
           type_ == EntryType::kUint16 || type_ == EntryType::kUint8;
  }

 private:
  friend class Stream;
  // The bytes that stand for `value` in a record. Numbers of other types are converted: floating
  // ones beyond 64 bits to the nearest integer there is, NaN to 0; integers as C does it.
  template <Number T>
  constexpr uint64_t bits(T value) const noexcept {
    if (type_ == EntryType::kInt64) [[likely]]
      return to_int64(value);
    if (type_ == EntryType::kFloat64) return std::bit_cast<uint64_t>(static_cast<double>(value));
    return other_bits(value);
  }
  template <Number T>
  constexpr uint64_t other_bits(T value) const noexcept {
    if (type_ == EntryType::kFloat32) return std::bit_cast<uint32_t>(static_cast<float>(value));
    if (type_ == EntryType::kFloat16) return Float16(static_cast<float>(value)).bits;
    if (type_ == EntryType::kBfloat16) return Bfloat16(static_cast<float>(value)).bits;
    if constexpr (std::is_floating_point_v<T>) {
      if (!(value >= T{0})) return is_unsigned() ? 0 : to_int64(value);
      return value < T{0x1p64} ? static_cast<uint64_t>(value) : ~uint64_t{0};
    } else {
      return static_cast<uint64_t>(value);
    }
  }
  template <Number T>
  static constexpr uint64_t to_int64(T value) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (value != value) return 0;
      if (value >= T{0x1p63}) return static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
      if (value < T{-0x1p63}) return static_cast<uint64_t>(std::numeric_limits<int64_t>::min());
    }
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  }
};

template <typename T>
class CounterGroup : public AnyCounter {};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_COUNTER_H_
