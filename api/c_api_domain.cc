// SPDX-License-Identifier: Apache-2.0
//
// The C API's strings, categories, scopes, resources and time domains.
#include <bit>

#include "ringscribe/c_api_error.h"
#include "ringscribe/c_api_handles.h"
#include "ringscribe/c_api_options.h"

using namespace ringscribe;
using c_api::fail_invalid;
using c_api::fail_null;
using c_api::read_options;
using c_api::report;
using c_api::text;

namespace {

constexpr const char* kNeedsDomain = "give what ringscribe_session_get_domain gave out";
constexpr const char* kNeedsOut = "give the address of a pointer that receives the handle";

// What every domain knows, by NVTX's numbers.
constexpr ringscribe_scope kScopes[] = {
    {PredefinedScope::kNone, nullptr},
    {PredefinedScope::kRoot, nullptr},
    {PredefinedScope::kCurrentHwMachine, nullptr},
    {PredefinedScope::kCurrentHwSocket, nullptr},
    {PredefinedScope::kCurrentHwCpuPhysical, nullptr},
    {PredefinedScope::kCurrentHwCpuLogical, nullptr},
    {PredefinedScope::kCurrentHwInnermost, nullptr},
    {PredefinedScope::kCurrentHypervisor, nullptr},
    {PredefinedScope::kCurrentVm, nullptr},
    {PredefinedScope::kCurrentKernel, nullptr},
    {PredefinedScope::kCurrentContainer, nullptr},
    {PredefinedScope::kCurrentOs, nullptr},
    {PredefinedScope::kCurrentSwProcess, nullptr},
    {PredefinedScope::kCurrentSwThread, nullptr},
    {PredefinedScope::kCurrentSwInnermost, nullptr},
};
constexpr ringscribe_time_domain kTimeDomains[] = {
    {TimestampType::kNone, nullptr},
    {TimestampType::kToolProvided, nullptr},
    {TimestampType::kCpuTsc, nullptr},
    {TimestampType::kCpuTscNonvirtualized, nullptr},
    {TimestampType::kCpuClockRealtime, nullptr},
    {TimestampType::kCpuClockRealtimeCoarse, nullptr},
    {TimestampType::kCpuClockMonotonic, nullptr},
    {TimestampType::kCpuClockMonotonicRaw, nullptr},
    {TimestampType::kCpuClockMonotonicCoarse, nullptr},
    {TimestampType::kCpuClockBoottime, nullptr},
    {TimestampType::kCpuClockProcessCputime, nullptr},
    {TimestampType::kCpuClockThreadCputime, nullptr},
    {TimestampType::kWinQpc, nullptr},
    {TimestampType::kWinGstaft, nullptr},
    {TimestampType::kWinGstaftp, nullptr},
    {TimestampType::kCTime, nullptr},
    {TimestampType::kCClock, nullptr},
    {TimestampType::kCTimespecGet, nullptr},
    {TimestampType::kCppSteadyClock, nullptr},
    {TimestampType::kCppHighResolutionClock, nullptr},
    {TimestampType::kCppSystemClock, nullptr},
    {TimestampType::kCppUtcClock, nullptr},
    {TimestampType::kCppTaiClock, nullptr},
    {TimestampType::kCppGpsClock, nullptr},
    {TimestampType::kCppFileClock, nullptr},
    {TimestampType::kGpuGlobaltimer, nullptr},
};

template <typename Handle, size_t kCount>
const Handle* find_by_id(const Handle (&handles)[kCount], uint64_t id) {
  for (const Handle& handle : handles)
    if (handle.value.id() == id) return &handle;
  return nullptr;
}

}  // namespace

ringscribe_result ringscribe_domain_get_registered_string(ringscribe_domain* domain,
                                                          const char* text,
                                                          const ringscribe_string** string_out) {
  if (string_out == nullptr) return fail_null(__func__, "string_out", kNeedsOut);
  *string_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (text == nullptr) return fail_null(__func__, "text", "give the message");
  Domain attempt = domain->value;
  const RegisteredString string = attempt.get_registered_string(text);
  if (!attempt.ok()) return report(attempt.status());
  const std::lock_guard lock(domain->mutex);
  *string_out = domain->strings.get(std::bit_cast<uint64_t>(string), string, domain);
  return RINGSCRIBE_SUCCESS;
}

uint64_t ringscribe_string_bits(const ringscribe_string* string) {
  return string != nullptr ? std::bit_cast<uint64_t>(string->value) : 0;
}

ringscribe_result ringscribe_domain_get_category(ringscribe_domain* domain, const char* name,
                                                 uint32_t* category_out) {
  if (category_out == nullptr)
    return fail_null(__func__, "category_out", "give the address of a uint32_t");
  *category_out = 0;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the category a name");
  Domain attempt = domain->value;
  *category_out = attempt.get_category(name).id;
  return report(attempt.status());
}

ringscribe_result ringscribe_domain_name_category(ringscribe_domain* domain, uint32_t category,
                                                  const char* name) {
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the category a name");
  Domain attempt = domain->value;
  attempt.name_category(category, name);
  return report(attempt.status());
}

ringscribe_result ringscribe_domain_get_scope(ringscribe_domain* domain, const char* path,
                                              const ringscribe_scope_options* options,
                                              const ringscribe_scope** scope_out) {
  if (scope_out == nullptr) return fail_null(__func__, "scope_out", kNeedsOut);
  *scope_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (path == nullptr) return fail_null(__func__, "path", "give a path such as \"GPU[0]/queue\"");
  ringscribe_scope_options known = RINGSCRIBE_SCOPE_OPTIONS_INIT;
  if (!read_options(__func__, "options", options, known)) return RINGSCRIBE_INVALID_ARGUMENT;
  ScopeOptions wanted;
  if (known.parent != nullptr) wanted.parent = known.parent->value;
  wanted.static_id = known.static_id;
  Domain attempt = domain->value;
  const Scope scope = attempt.get_scope(path, wanted);
  if (!attempt.ok()) return report(attempt.status());
  const std::lock_guard lock(domain->mutex);
  *scope_out = domain->scopes.get(scope.id(), scope, domain);
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_domain_get_scope_by_static_id(ringscribe_domain* domain,
                                                           uint64_t static_id,
                                                           const ringscribe_scope** scope_out) {
  if (scope_out == nullptr) return fail_null(__func__, "scope_out", kNeedsOut);
  *scope_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (static_id < (uint64_t{1} << 24) || static_id >= (uint64_t{1} << 32))
    return fail_invalid(__func__, "static_id is " + std::to_string(static_id) +
                                      ": NVTX's static IDs are from 16777216 to 4294967295");
  const std::lock_guard lock(domain->mutex);
  *scope_out = domain->static_scopes.get(static_id, Scope::from_static_id(static_id), domain);
  return RINGSCRIBE_SUCCESS;
}

const ringscribe_scope* ringscribe_predefined_scope(uint64_t scope) {
  const ringscribe_scope* found = find_by_id(kScopes, scope);
  if (found == nullptr)
    fail_invalid(__func__,
                 "scope is " + std::to_string(scope) + ": give one of RINGSCRIBE_SCOPE_*");
  return found;
}

uint64_t ringscribe_scope_id(const ringscribe_scope* scope) {
  return scope != nullptr ? scope->value.id() : 0;
}

ringscribe_result ringscribe_domain_register_resource(ringscribe_domain* domain, int32_t type,
                                                      uint64_t identifier, const char* name) {
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (name == nullptr) return fail_null(__func__, "name", "give the resource a name");
  Domain attempt = domain->value;
  attempt.register_resource(static_cast<ResourceType>(type), identifier, name);
  return report(attempt.status());
}

ringscribe_result ringscribe_domain_get_time_domain(
    ringscribe_domain* domain, const ringscribe_time_domain_options* options,
    const ringscribe_time_domain** time_domain_out) {
  if (time_domain_out == nullptr) return fail_null(__func__, "time_domain_out", kNeedsOut);
  *time_domain_out = nullptr;
  if (domain == nullptr) return fail_null(__func__, "domain", kNeedsDomain);
  if (options == nullptr) return fail_null(__func__, "options", "say what clock it is");
  ringscribe_time_domain_options known = RINGSCRIBE_TIME_DOMAIN_OPTIONS_INIT;
  if (!read_options(__func__, "options", options, known)) return RINGSCRIBE_INVALID_ARGUMENT;
  TimeDomainOptions wanted;
  wanted.type = static_cast<TimestampType>(known.type);
  if (known.scope != nullptr) wanted.scope = known.scope->value;
  wanted.is_monotonic = known.is_monotonic != 0;
  wanted.is_steady = known.is_steady != 0;
  wanted.ticks_per_second = known.ticks_per_second;
  wanted.start = static_cast<TimerStart>(known.start);
  wanted.static_id = known.static_id;
  Domain attempt = domain->value;
  const TimeDomain time = attempt.get_time_domain(wanted);
  if (!attempt.ok()) return report(attempt.status());
  const std::lock_guard lock(domain->mutex);
  *time_domain_out = domain->time_domains.get(time.id(), time, domain);
  return RINGSCRIBE_SUCCESS;
}

const ringscribe_time_domain* ringscribe_predefined_time_domain(uint64_t type) {
  const ringscribe_time_domain* found = find_by_id(kTimeDomains, type);
  if (found == nullptr)
    fail_invalid(__func__,
                 "type is " + std::to_string(type) + ": give one of RINGSCRIBE_TIMESTAMP_*");
  return found;
}
