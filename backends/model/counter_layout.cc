// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/counter_layout.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

bool is_128_bit(TypeKind kind) { return kind == TypeKind::kInt128 || kind == TypeKind::kUint128; }

bool is_floating_type(TypeKind kind) {
  return kind == TypeKind::kFloat || kind == TypeKind::kBf16 || kind == TypeKind::kLongDouble ||
         kind == TypeKind::kFloat128 || is_128_bit(kind);
}

bool is_number(TypeKind kind) {
  if (kind == TypeKind::kTextHandle || kind == TypeKind::kUnionSelector) return false;
  return is_integer(kind) || is_floating_type(kind);
}

// Everything behind the type: the value as a floating number between -1 and 1.
double normalised(const Value& value, uint8_t size) {
  const double bits = size * 8.0;
  if (value.kind == ValueKind::kInt) {
    return std::max(-1.0, static_cast<double>(value.int_value) /
                              (std::ldexp(1.0, static_cast<int>(bits) - 1) - 1));
  }
  if (value.kind == ValueKind::kDouble) return value.double_value;
  return static_cast<double>(value.uint_value) / (std::ldexp(1.0, static_cast<int>(bits)) - 1);
}

double as_double(const Value& value) {
  if (value.kind == ValueKind::kDouble) return value.double_value;
  if (value.kind == ValueKind::kInt) return static_cast<double>(value.int_value);
  return static_cast<double>(value.uint_value);
}

// Walks a schema, nested ones too, and collects what can be counted.
class Collector {
 public:
  Collector(CounterLayout& layout, const CounterSemantics& inherited, Problems& problems)
      : layout_(layout), inherited_(inherited), problems_(problems) {}

  void walk(const Schema& schema, size_t base, const std::string& prefix,
            const std::string& description) {
    const auto is_flagged = [](const Step& step) { return step.role == Role::kCounter; };
    const bool has_flags = std::any_of(schema.steps.begin(), schema.steps.end(), is_flagged);
    for (const Step& step : schema.steps) {
      if (step.role == Role::kTime) {
        take_time(step, base);
        continue;
      }
      if (step.role == Role::kScope) {
        take_scope(step, base);
        continue;
      }
      if (step.role != Role::kCounter && step.semantics.scope != 0) {
        layout_.semantics_scope = step.semantics.scope;
      }
      if (has_flags && step.role != Role::kCounter) continue;
      // A schema around one value only says its type: the counter's own name is the better one.
      const bool is_alone = schema.steps.size() == 1 && schema.family != Family::kCounterGroup;
      const std::string name = is_alone || step.name.empty() ? prefix : prefix + "." + step.name;
      add(schema, step, base, name, step.description.empty() ? description : step.description);
    }
  }

  void add_value(const Step& step, size_t offset, const std::string& name,
                 const std::string& description) {
    CounterValue value;
    value.name = name;
    value.description = description;
    value.offset = offset;
    value.type = step.type;
    if (step.enumeration != nullptr) {
      value.type = {TypeKind::kInt, step.enumeration->size, step.enumeration->size};
    }
    value.time_domain = step.semantics.time_domain;
    if (step.role == Role::kCounter) value.scope = step.semantics.scope;
    value.semantics = step.semantics.has_counter ? step.semantics.counter : inherited_;
    layout_.values.push_back(std::move(value));
  }

 private:
  void add(const Schema& schema, const Step& step, size_t base, const std::string& name,
           const std::string& description) {
    const bool is_fixed = step.form == ArrayForm::kFixed;
    const bool has_place = step.has_offset && step.place == Place::kInline && !step.is_unknown &&
                           (is_fixed || step.form == ArrayForm::kScalar) && step.element_size != 0;
    const size_t count = is_fixed ? static_cast<size_t>(step.detail) : 1;
    const bool is_plain = step.nested != nullptr
                              ? !step.nested->is_union()
                              : step.enumeration != nullptr || is_number(step.type.kind);
    if (!has_place || !is_plain || count > kArrayValuesMax ||
        layout_.values.size() >= kArrayValuesMax * 4) {
      problems_.add("Entry '" + step.name + "' of counter schema " + schema.label() +
                    " is no number at a fixed place; it is left out.");
      return;
    }
    for (size_t i = 0; i < count; ++i) {
      const size_t offset = base + static_cast<size_t>(step.offset) + i * step.element_size;
      const std::string element = is_fixed ? name + "[" + std::to_string(i) + "]" : name;
      if (step.nested != nullptr) {
        walk(*step.nested, offset, element, description);
      } else {
        add_value(step, offset, element, description);
      }
    }
  }

  void take_time(const Step& step, size_t base) {
    const bool is_usable = step.has_offset && step.place == Place::kInline &&
                           step.form == ArrayForm::kScalar && is_number(step.type.kind);
    if (!is_usable || layout_.time.is_present) return;
    layout_.time = {true, base + static_cast<size_t>(step.offset), step.type,
                    step.semantics.time_domain};
  }

  void take_scope(const Step& step, size_t base) {
    const bool is_usable =
        step.has_offset && step.place == Place::kInline && step.form == ArrayForm::kScalar;
    if (!is_usable) return;
    CounterScope& taken =
        step.purpose == Role::kCounter ? layout_.counter_scope : layout_.general_scope;
    taken = {true, base + static_cast<size_t>(step.offset)};
  }

  CounterLayout& layout_;
  const CounterSemantics& inherited_;
  Problems& problems_;
};

bool is_inside(std::span<const std::byte> sample, size_t offset, size_t size) {
  return offset <= sample.size() && size <= sample.size() - offset;
}

}  // namespace

bool CounterValue::is_floating() const {
  return is_floating_type(type.kind) || semantics.normalize || semantics.scale_denominator != 1;
}

bool CounterValue::read(std::span<const std::byte> sample, CounterSample& out,
                        bool& is_exact) const {
  is_exact = true;
  if (!is_inside(sample, offset, type.size)) return false;
  const std::byte* data = sample.data() + offset;
  Value value;
  if (is_128_bit(type.kind)) {
    value.kind = ValueKind::kDouble;
    value.double_value = int128_double(data, type.kind == TypeKind::kInt128);
  } else if (!read_number(type, data, value)) {
    return false;
  }
  out.is_floating = is_floating();
  if (out.is_floating) {
    const double number = semantics.normalize ? normalised(value, type.size) : as_double(value);
    out.double_value = number * static_cast<double>(semantics.scale_numerator) /
                       static_cast<double>(semantics.scale_denominator);
    return true;
  }
  out.int_value = saturate_to_int64(value);
  is_exact = value.kind == ValueKind::kInt || value.uint_value <= static_cast<uint64_t>(INT64_MAX);
  if (semantics.scale_numerator == 1) return true;
  const bool negative = out.int_value < 0;
  if (semantics.scale_numerator > static_cast<uint64_t>(INT64_MAX) ||
      __builtin_mul_overflow(out.int_value, static_cast<int64_t>(semantics.scale_numerator),
                             &out.int_value)) {
    out.int_value = negative ? INT64_MIN : INT64_MAX;
    is_exact = false;
  }
  return true;
}

double CounterValue::scaled(double limit) const {
  return limit * static_cast<double>(semantics.scale_numerator) /
         static_cast<double>(semantics.scale_denominator);
}

uint64_t CounterScope::read(std::span<const std::byte> sample) const {
  uint64_t scope = NVTX_SCOPE_NONE;
  if (is_present && is_inside(sample, offset, sizeof(scope))) {
    std::memcpy(&scope, sample.data() + offset, sizeof(scope));
  }
  return scope;
}

bool CounterLayout::has_one_scope() const {
  const auto is_scoped = [](const CounterValue& value) { return value.scope != 0; };
  return !counter_scope.is_present && !general_scope.is_present && semantics_scope == 0 &&
         std::none_of(values.begin(), values.end(), is_scoped);
}

uint64_t CounterLayout::scope_of(const CounterValue& value,
                                 std::span<const std::byte> sample) const {
  for (const uint64_t found :
       {counter_scope.read(sample), value.scope, general_scope.read(sample), semantics_scope}) {
    if (found != NVTX_SCOPE_NONE) return found;
  }
  return scope;
}

bool CounterTime::read(std::span<const std::byte> sample, int64_t& time) const {
  if (!is_present || !is_inside(sample, offset, type.size)) return false;
  Value value;
  if (!read_number(type, sample.data() + offset, value)) return false;
  time = saturate_to_int64(value);
  return true;
}

CounterLayout lay_out_counter(const nvtxCounterAttr_t& attr, const Definitions& definitions,
                              uint32_t domain, Problems& problems) {
  CounterLayout layout;
  layout.domain = domain;
  layout.id = attr.counterId;
  layout.scope = attr.scopeId;
  const Semantics semantics = read_semantics(attr.semantics);
  layout.time_domain = semantics.time_domain;
  const std::string name = valid_utf8_copy(attr.name == nullptr ? "" : attr.name);
  const std::string description =
      valid_utf8_copy(attr.description == nullptr ? "" : attr.description);
  Collector collector(layout, semantics.counter, problems);
  Step single;
  if (attr.schemaId < NVTX_PAYLOAD_SCHEMA_ID_STATIC_START) {
    single.type = type_info(attr.schemaId);
    layout.sample_size = single.type.size;
  } else if (const Schema* schema = definitions.schema(domain, attr.schemaId)) {
    layout.sample_size = schema->size;
    collector.walk(*schema, 0, name, description);
    return layout;
  } else if (const Enumeration* enumeration = definitions.enumeration(domain, attr.schemaId)) {
    single.enumeration = enumeration;
    layout.sample_size = enumeration->size;
  }
  if (layout.sample_size == 0 || (single.enumeration == nullptr && !is_number(single.type.kind))) {
    layout.sample_size = 0;
    problems.add("Counter '" + name + "' has schema " + std::to_string(attr.schemaId) +
                 ", which is no number type and not registered; its samples are left out.");
    return layout;
  }
  collector.add_value(single, 0, name, description);
  return layout;
}

}  // namespace ringscribe::model
