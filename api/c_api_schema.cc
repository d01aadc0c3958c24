// SPDX-License-Identifier: Apache-2.0
//
// The C API's enums, schemas and counters.
#include <cstring>

#include "ringscribe/c_api_error.h"
#include "ringscribe/c_api_handles.h"
#include "ringscribe/c_api_options.h"

using namespace ringscribe;
using c_api::fail_invalid;
using c_api::fail_null;
using c_api::read_options;
using c_api::read_struct;
using c_api::report;
using c_api::text;

namespace {

constexpr const char* kNeedsDomain = "give what ringscribe_session_get_domain gave out";
constexpr const char* kNeedsOut = "give the address of a pointer that receives the handle";

CounterLimit limit_of(const ringscribe_limit& limit) {
  switch (limit.type) {
    case RINGSCRIBE_LIMIT_INT64:
      return limit.value.as_int64;
    case RINGSCRIBE_LIMIT_UINT64:
      return limit.value.as_uint64;
    case RINGSCRIBE_LIMIT_DOUBLE:
      return limit.value.as_double;
    default:
      return {};
  }
}

// `given` may be nullptr: then nothing is said.
bool read_semantics(const char* function, const ringscribe_counter_semantics* given,
                    CounterSemantics& semantics) {
  ringscribe_counter_semantics known = RINGSCRIBE_COUNTER_SEMANTICS_INIT;
  if (!read_options(function, "semantics", given, known)) return false;
  for (const ringscribe_limit* limit : {&known.min, &known.max}) {
    if (limit->type <= RINGSCRIBE_LIMIT_DOUBLE) continue;
    fail_invalid(function, "a limit of the counter has the type " + std::to_string(limit->type) +
                               ": give one of RINGSCRIBE_LIMIT_*");
    return false;
  }
  semantics.unit = text(known.unit);
  semantics.min = limit_of(known.min);
  semantics.max = limit_of(known.max);
  semantics.value_type = static_cast<CounterValueType>(known.value_type);
  semantics.interpolation = static_cast<CounterInterpolation>(known.interpolation);
  semantics.unit_scale_numerator = known.unit_scale_numerator;
  semantics.unit_scale_denominator = known.unit_scale_denominator;
  semantics.normalize = known.normalize != 0;
  return true;
}

// Reads the fields of one schema, so that each sentence can name schema and field.
class FieldReader {
 public:
  FieldReader(const ringscribe_domain* domain, const char* schema)
      : domain_(domain), schema_(schema) {}

  bool read(const ringscribe_field& given, Field& field) {
    name_ = text(given.name);
    if (given.array > RINGSCRIBE_ARRAY_LENGTH_PAYLOAD)
      return fail("has the array form " + std::to_string(given.array) +
                  ": give one of RINGSCRIBE_ARRAY_*");
    if (given.storage > RINGSCRIBE_STORAGE_FLEXIBLE)
      return fail("has the storage " + std::to_string(given.storage) +
                  ": give one of RINGSCRIBE_STORAGE_*");
    field.name = name_;
    field.role = static_cast<Role>(given.role);
    field.array = static_cast<ArrayForm>(given.array);
    field.storage = static_cast<Storage>(given.storage);
    field.length = given.length;
    field.offset = given.offset;
    field.description = text(given.description);
    field.hide = given.hide != 0;
    return read_type(given, field) && read_meaning(given, field.semantics);
  }

 private:
  bool fail(const std::string& what) {
    fail_invalid("ringscribe_domain_get_schema",
                 "field \"" + std::string(name_) + "\" of schema \"" + schema_ + "\" " + what);
    return false;
  }

  // A handle of the field's; nullptr: none is given.
  template <typename Handle>
  bool is_own(const Handle* handle, const char* what) {
    if (handle == nullptr || handle->domain == nullptr || handle->domain == domain_) return true;
    return fail(std::string("has a ") + what +
                " of another domain: get one from the domain of the schema");
  }

  bool read_type(const ringscribe_field& given, Field& field) {
    const int given_types = (given.type != 0 ? 1 : 0) + (given.schema != nullptr ? 1 : 0) +
                            (given.enumeration != nullptr ? 1 : 0);
    if (given_types != 1)
      return fail("has " + std::string(given_types == 0 ? "no type" : "more than one type") +
                  ": give one of `type`, `schema` and `enumeration`");
    if (!is_own(given.schema, "schema") || !is_own(given.enumeration, "enum")) return false;
    field.type = static_cast<EntryType>(given.type);
    if (given.schema != nullptr) field.type = given.schema->value;
    if (given.enumeration != nullptr) field.type = given.enumeration->value;
    return true;
  }

  bool read_meaning(const ringscribe_field& given, FieldSemantics& semantics) {
    if (!is_own(given.time_domain, "time domain") || !is_own(given.scope, "scope")) return false;
    if (!read_semantics("ringscribe_domain_get_schema", given.counter, semantics.counter))
      return false;
    if (given.time_domain != nullptr) semantics.time_domain_id = given.time_domain->value.id();
    if (given.scope != nullptr) semantics.scope_id = given.scope->value.id();
    if (given.correlation == nullptr) return true;
    ringscribe_correlation known = RINGSCRIBE_CORRELATION_INIT;
    if (!read_options("ringscribe_domain_get_schema", "correlation", given.correlation, known))
      return false;
    std::memcpy(semantics.correlation.uuid, known.uuid, sizeof known.uuid);
    semantics.correlation.display_name = text(known.display_name);
    semantics.correlation.role = known.role;
    return true;
  }

  const ringscribe_domain* domain_;
  const char* schema_;
  std::string_view name_;
};

// The fields lie as far from each other as the first one's struct_size says.
bool read_fields(const ringscribe_domain* domain, const char* schema, const ringscribe_field* given,
                 size_t count, runtime::Vector<Field>& fields) {
  const auto* at = reinterpret_cast<const unsigned char*>(given);
  FieldReader reader(domain, schema);
  for (size_t i = 0; i < count; ++i) {
    ringscribe_field known = RINGSCRIBE_FIELD_INIT;
    size_t struct_size;
    std::memcpy(&struct_size, at, sizeof struct_size);
    if (struct_size != given->struct_size) {
      fail_invalid("ringscribe_domain_get_schema",
                   "fields[" + std::to_string(i) + "].struct_size is " +
                       std::to_string(struct_size) + ", that of fields[0] is " +
                       std::to_string(given->struct_size) +
                       ": initialise each with RINGSCRIBE_FIELD_INIT");
      return false;
    }
    if (!read_struct("ringscribe_domain_get_schema", "fields", at, &known, sizeof known))
      return false;
    if (!reader.read(known, fields.emplace_back())) return false;
    at += struct_size;
  }
  return true;
}

bool read_counter_options(const char* function, const ringscribe_counter_options* given,
                          CounterOptions& options) {
  ringscribe_counter_options known = RINGSCRIBE_COUNTER_OPTIONS_INIT;
  CounterSemantics semantics;
  if (!read_options(function, "options", given, known) ||
      !read_semantics(function, known.semantics, semantics))
    return false;
  options.description = text(known.description);
  options.unit = semantics.unit;
  options.min = semantics.min;
  options.max = semantics.max;
  options.value_type = semantics.value_type;
  options.interpolation = semantics.interpolation;
  options.unit_scale_numerator = semantics.unit_scale_numerator;
  options.unit_scale_denominator = semantics.unit_scale_denominator;
  options.normalize = semantics.normalize;
  if (known.scope != nullptr) options.scope = known.scope->value;
  if (known.time_domain != nullptr) options.time_domain = known.time_domain->value;
  options.static_id = known.static_id;
  return true;
}

const ringscribe_counter* keep_counter(ringscribe_domain* domain, const char* name,
                                       const AnyCounter& any, const Counter& of_number) {
  const std::lock_guard lock(domain->mutex);
  ringscribe_counter*& handle = domain->counters.at(name);
  if (handle == nullptr)
    handle = runtime::make<ringscribe_counter>(ringscribe_counter{any, of_number, domain});
  return handle;
}

}  // namespace

ringscribe_result ringscribe_domain_get_enum(ringscribe_domain* domain, const char* name,
                                             const ringscribe_enum_value* values,
                                             size_t value_count, uint32_t size_bytes,
                                             uint64_t static_id, const ringscribe_enum** enum_out) {
  if (enum_out == nullptr) return fail_null(__func__, "enum_out", kNeedsOut);
  *enum_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the enum a name");
  if (values == nullptr && value_count != 0)
    return fail_null(__func__, "values", "give as many as value_count says");
  runtime::Vector<EnumValue> wanted;
  for (size_t i = 0; i < value_count; ++i) {
    if (values[i].name == nullptr) return fail_null(__func__, "a value's name", "name each value");
    wanted.push_back({values[i].name, values[i].value, values[i].is_flag != 0});
  }
  Domain attempt = domain->value;
  const Enum result = attempt.get_enum(name, wanted, size_bytes, static_id);
  if (!attempt.ok()) return report(attempt.status());
  const std::lock_guard lock(domain->mutex);
  *enum_out = domain->enums.get(result.id(), result, domain);
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_domain_get_schema(ringscribe_domain* domain, const char* name,
                                               const ringscribe_field* fields, size_t field_count,
                                               const ringscribe_schema_options* options,
                                               const ringscribe_schema** schema_out) {
  if (schema_out == nullptr) return fail_null(__func__, "schema_out", kNeedsOut);
  *schema_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the schema a name");
  if (fields == nullptr && field_count != 0)
    return fail_null(__func__, "fields", "give as many as field_count says");
  ringscribe_schema_options known = RINGSCRIBE_SCHEMA_OPTIONS_INIT;
  runtime::Vector<Field> wanted;
  if (!read_options(__func__, "options", options, known) ||
      !read_fields(domain, name, fields, field_count, wanted))
    return RINGSCRIBE_INVALID_ARGUMENT;
  if (known.kind > RINGSCRIBE_KIND_RANGE_END || known.kind == 1)
    return fail_invalid(__func__, "options->kind is " + std::to_string(known.kind) +
                                      ": give one of RINGSCRIBE_KIND_*");
  if (known.type < RINGSCRIBE_SCHEMA_STATIC ||
      known.type > RINGSCRIBE_SCHEMA_UNION_WITH_INTERNAL_SELECTOR)
    return fail_invalid(__func__, "options->type is " + std::to_string(known.type) +
                                      ": give one of RINGSCRIBE_SCHEMA_*");
  SchemaOptions how;
  how.kind = static_cast<EventKind>(known.kind);
  how.type = static_cast<SchemaType>(known.type);
  how.row_bytes = known.row_bytes;
  how.pack_align = known.pack_align;
  how.is_referenced = known.is_referenced != 0;
  how.is_counter_group = known.is_counter_group != 0;
  how.static_id = known.static_id;
  Domain attempt = domain->value;
  const AnySchema schema = attempt.get_schema(name, wanted, how);
  if (!attempt.ok()) return report(attempt.status());
  const std::lock_guard lock(domain->mutex);
  *schema_out = domain->schemas.get(schema.id(), schema, domain);
  return RINGSCRIBE_SUCCESS;
}

size_t ringscribe_schema_row_bytes(const ringscribe_schema* schema) {
  return schema != nullptr ? schema->value.row_bytes() : 0;
}

ringscribe_result ringscribe_domain_get_counter(ringscribe_domain* domain, const char* name,
                                                uint64_t type,
                                                const ringscribe_counter_options* options,
                                                const ringscribe_counter** counter_out) {
  if (counter_out == nullptr) return fail_null(__func__, "counter_out", kNeedsOut);
  *counter_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the counter a name");
  CounterOptions wanted;
  if (!read_counter_options(__func__, options, wanted)) return RINGSCRIBE_INVALID_ARGUMENT;
  Domain attempt = domain->value;
  const Counter counter = attempt.get_counter(name, static_cast<EntryType>(type), wanted);
  if (!attempt.ok()) return report(attempt.status());
  *counter_out = keep_counter(domain, name, counter, counter);
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_domain_get_counter_group(ringscribe_domain* domain, const char* name,
                                                      const ringscribe_schema* schema,
                                                      const ringscribe_counter_options* options,
                                                      const ringscribe_counter** counter_out) {
  if (counter_out == nullptr) return fail_null(__func__, "counter_out", kNeedsOut);
  *counter_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the counter group a name");
  if (schema == nullptr)
    return fail_null(__func__, "schema", "give what ringscribe_domain_get_schema gave out");
  CounterOptions wanted;
  if (!read_counter_options(__func__, options, wanted)) return RINGSCRIBE_INVALID_ARGUMENT;
  Domain attempt = domain->value;
  const AnyCounter group = attempt.get_counter(name, schema->value, wanted);
  if (!attempt.ok()) return report(attempt.status());
  *counter_out = keep_counter(domain, name, group, Counter());
  return RINGSCRIBE_SUCCESS;
}

size_t ringscribe_counter_sample_bytes(const ringscribe_counter* counter) {
  return counter != nullptr ? counter->value.sample_bytes() : 0;
}

int ringscribe_counter_has_embedded_time(const ringscribe_counter* counter) {
  return counter != nullptr && counter->value.has_embedded_time() ? 1 : 0;
}
