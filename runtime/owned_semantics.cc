// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/owned_semantics.h"

#include "ringscribe/runtime/c_text.h"

namespace ringscribe::runtime {

Status check_semantics(const CounterSemantics& semantics, const std::string& subject) {
  const auto wrong = [&](const char* what) {
    return Status(ResultCode::kInvalidArgument, subject + ": " + what);
  };
  if (semantics.unit_scale_numerator == 0 || semantics.unit_scale_denominator == 0)
    return wrong("unit_scale_numerator and unit_scale_denominator must be at least 1");
  if (!semantics.min.has_value() || !semantics.max.has_value()) return Status();
  if (semantics.min.type() != semantics.max.type())
    return wrong("min and max must be of one type: both signed, both unsigned, or both floating");
  if (semantics.min.as_double() > semantics.max.as_double())
    return wrong("min is greater than max");
  return Status();
}

CounterSemantics with_equal_limits(CounterSemantics semantics) {
  using Type = CounterLimit::Type;
  const auto agree = [](CounterLimit& one, const CounterLimit& other) {
    if (one.type() != Type::kInt64) return;
    const auto value = static_cast<int64_t>(one.bits());
    if (other.type() == Type::kFloat64) one = CounterLimit(static_cast<double>(value));
    if (other.type() == Type::kUint64 && value >= 0) one = CounterLimit(one.bits());
  };
  agree(semantics.min, semantics.max);
  agree(semantics.max, semantics.min);
  return semantics;
}

OwnedSemantics own(const FieldSemantics& semantics) {
  OwnedSemantics result;
  result.unit = own_c_text(semantics.counter.unit);
  result.correlation_name = own_c_text(semantics.correlation.display_name);
  result.values = semantics;
  result.values.counter.unit = {};
  result.values.correlation.display_name = {};
  return result;
}

}  // namespace ringscribe::runtime
