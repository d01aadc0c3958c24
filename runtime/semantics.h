// SPDX-License-Identifier: Apache-2.0
//
// What a value means beyond its type, as NVTX's semantic extensions have it, without NVTX's
// headers: counters (nvToolsExtSemanticsCounters.h), time, scope, correlation. The numbers are
// NVTX's and are checked against them in registration.cc.
//
// Threads: plain values. Lifetime: texts must live as long as the value; definitions copy them.
#ifndef RINGSCRIBE_RUNTIME_SEMANTICS_H_
#define RINGSCRIBE_RUNTIME_SEMANTICS_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace ringscribe {

// How a sample relates to the one before (nvtx.CounterValueType).
enum class CounterValueType : uint64_t {
  kUnspecified = 0,
  kAbsolute = 1u << 4,
  kDelta = 2u << 4,
  kDeltaSinceStart = 3u << 4,
};

// What the value is between two samples (nvtx.CounterInterpolation).
enum class CounterInterpolation : uint64_t {
  kUnspecified = 0,
  kPoint = 1u << 8,      // nothing
  kSinceLast = 2u << 8,  // this sample's, since the last one
  kUntilNext = 3u << 8,  // this sample's, until the next one
  kLinear = 4u << 8,
};

// A bound of a counter's values for drawing; samples may exceed it. Has the type of the number that
// it was made from, since NVTX has bounds of three types; both bounds must agree in it.
class CounterLimit {
 public:
  enum class Type : uint8_t { kNone = 0, kInt64 = 1, kUint64 = 2, kFloat64 = 3 };

  constexpr CounterLimit() noexcept = default;  // no bound
  template <typename T>
    requires(std::integral<T> || std::floating_point<T>)
  constexpr CounterLimit(T value) noexcept {  // NOLINT: implicit on purpose
    if constexpr (std::is_floating_point_v<T>) {
      type_ = Type::kFloat64;
      bits_ = std::bit_cast<uint64_t>(static_cast<double>(value));
    } else {
      type_ = std::is_signed_v<T> ? Type::kInt64 : Type::kUint64;
      bits_ = static_cast<uint64_t>(value);
    }
  }
  constexpr Type type() const noexcept { return type_; }
  constexpr bool has_value() const noexcept { return type_ != Type::kNone; }
  constexpr uint64_t bits() const noexcept { return bits_; }
  constexpr double as_double() const noexcept {
    if (type_ == Type::kFloat64) return std::bit_cast<double>(bits_);
    return type_ == Type::kInt64 ? static_cast<double>(static_cast<int64_t>(bits_))
                                 : static_cast<double>(bits_);
  }

 private:
  Type type_ = Type::kNone;
  uint64_t bits_ = 0;
};

// nvtx.CounterSemantics. Python's defaults are kAbsolute and kPoint; here nothing is claimed that
// the program does not say.
struct CounterSemantics {
  std::string_view unit = {};
  CounterLimit min = {};
  CounterLimit max = {};
  CounterValueType value_type = CounterValueType::kUnspecified;
  CounterInterpolation interpolation = CounterInterpolation::kUnspecified;
  uint64_t unit_scale_numerator = 1;  // the value in `unit` is sample * numerator / denominator
  uint64_t unit_scale_denominator = 1;
  bool normalize = false;  // integers: 0 to 1 (signed: -1 to 1) of the type's range

  constexpr bool is_empty() const noexcept {
    return unit.empty() && !min.has_value() && !max.has_value() &&
           value_type == CounterValueType::kUnspecified &&
           interpolation == CounterInterpolation::kUnspecified && unit_scale_numerator == 1 &&
           unit_scale_denominator == 1 && !normalize;
  }
};

// Fields of equal uuid and value belong together, in whatever domain (nvtxSemanticsCorrelation_t).
struct Correlation {
  uint8_t uuid[16] = {};
  std::string_view display_name = {};
  uint64_t role = 0;  // NVTX has defined no role yet

  constexpr bool is_empty() const noexcept {
    for (const uint8_t byte : uuid)
      if (byte != 0) return false;
    return true;
  }
};

// Of one field of a struct.
struct FieldSemantics {
  CounterSemantics counter = {};
  uint64_t time_domain_id = 0;  // of a timestamp; 0: the stream's
  uint64_t scope_id = 0;        // 0: none
  Correlation correlation = {};
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_RUNTIME_SEMANTICS_H_
