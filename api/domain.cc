// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/domain.h"

#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/entry_types.h"
#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/runtime.h"
#include "ringscribe/runtime/session_state.h"

namespace ringscribe {

static_assert(static_cast<int>(EntryType::kInt8) == NVTX_PAYLOAD_ENTRY_TYPE_INT8);
static_assert(static_cast<int>(EntryType::kUint64) == NVTX_PAYLOAD_ENTRY_TYPE_UINT64);
static_assert(static_cast<int>(EntryType::kChar32) == NVTX_PAYLOAD_ENTRY_TYPE_CHAR32);
static_assert(static_cast<int>(EntryType::kByte) == NVTX_PAYLOAD_ENTRY_TYPE_BYTE);
static_assert(static_cast<int>(EntryType::kUint128) == NVTX_PAYLOAD_ENTRY_TYPE_UINT128);
static_assert(static_cast<int>(EntryType::kFloat16) == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT16);
static_assert(static_cast<int>(EntryType::kFloat64) == NVTX_PAYLOAD_ENTRY_TYPE_FLOAT64);
static_assert(static_cast<int>(EntryType::kBfloat16) == NVTX_PAYLOAD_ENTRY_TYPE_BF16);
static_assert(static_cast<int>(EntryType::kRangeId) == NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID);
static_assert(static_cast<int>(EntryType::kScopeId) == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID);
static_assert(static_cast<int>(EntryType::kTid64) == NVTX_PAYLOAD_ENTRY_TYPE_TID_UINT64);
static_assert(static_cast<int>(EntryType::kUtf32) == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32);
static_assert(static_cast<int>(EntryType::kRegisteredString) ==
              NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE);
static_assert(static_cast<int>(EntryType::kUnionSelector) ==
              NVTX_PAYLOAD_ENTRY_TYPE_UNION_SELECTOR);
static_assert(static_cast<int>(EntryType::kRaw) == NVTX_TYPE_PAYLOAD_SCHEMA_RAW);
static_assert(static_cast<int>(EntryType::kReferenced) == NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED);
static_assert(schema_internal::kFixedArray == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE);
static_assert(schema_internal::kHide == NVTX_PAYLOAD_ENTRY_FLAG_HIDE);
static_assert(static_cast<int>(ArrayForm::kLengthPayload) << 4 ==
              NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX);
static_assert(static_cast<int>(PredefinedScope::kCurrentSwInnermost) ==
              NVTX_SCOPE_CURRENT_SW_INNERMOST);
static_assert(static_cast<int>(PredefinedScope::kCurrentVm) == NVTX_SCOPE_CURRENT_VM);
static_assert(static_cast<int>(TimestampType::kGpuGlobaltimer) ==
              NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER);
static_assert(static_cast<int>(TimestampType::kCppFileClock) == NVTX_TIMESTAMP_TYPE_CPP_FILE_CLOCK);
static_assert(static_cast<int>(TimestampType::kCpuClockThreadCputime) ==
              NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_THREAD_CPUTIME_ID);
static_assert(static_cast<int>(TimerStart::kWinFiletime) == NVTX_TIMER_START_WIN_FILETIME);
static_assert(static_cast<int>(BatchOrdering::kUnsorted) == NVTX_BATCH_FLAG_UNSORTED);
static_assert(static_cast<int>(BatchOrdering::kSortedPerScope) ==
              NVTX_BATCH_FLAG_TIME_SORTED_PER_SCOPE);
static_assert(static_cast<int>(BatchOrdering::kDetect) == runtime::kDetectOrder);
static_assert(static_cast<int>(CounterNoValueReason::kUnavailable) ==
              NVTX_COUNTER_SAMPLE_UNAVAILABLE);
static_assert(static_cast<uint32_t>(ResourceType::kGenericThreadPosix) ==
              NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX);
static_assert(Scope::root().id() == NVTX_SCOPE_ROOT && Scope().id() == NVTX_SCOPE_NONE);
static_assert(sizeof(RegisteredString) == 8);

namespace {

bool is_predefined(uint64_t scope) noexcept { return scope < runtime::kFirstStaticId; }
bool is_current(uint64_t scope) noexcept { return is_predefined(scope) && scope > NVTX_SCOPE_ROOT; }

}  // namespace

void Domain::fail(ResultCode code, const std::string& sentence) {
  runtime::log(runtime::LogLevel::kWarn, "%s", sentence.c_str());
  if (status_.ok()) status_ = Status(code, sentence);
}

void Domain::fail(const Status& status) { fail(status.code(), status.message()); }

bool Domain::is_usable(const char* what, std::string_view subject) {
  if (session_ == nullptr || state_ == nullptr) return false;  // off, or failed before
  // Nobody may be left to release the parent's locks.
  if (runtime::Runtime::process().is_forked_child()) return false;
  if (!session_->is_ended()) return true;
  fail(ResultCode::kInvalidArgument, std::string(what) + " \"" + std::string(subject) +
                                         "\": session \"" + std::string(session_->name()) +
                                         "\" has ended");
  return false;
}

RegisteredString Domain::get_registered_string(std::string_view text) {
  if (!is_usable("registered string", text)) return RegisteredString();
  Result<runtime::StringDefinition*> definition = state_->string(text);
  if (!definition.ok()) return fail(definition.status()), RegisteredString();
  return RegisteredString(runtime::Reference::of((*definition)->number, number_));
}

Category Domain::get_category(std::string_view name) {
  if (!is_usable("category", name) || name.empty()) return Category();
  return Category(state_->category(name));
}

void Domain::name_category(uint32_t id, std::string_view name) {
  if (!is_usable("category", name)) return;
  if (Status status = state_->name_category(id, name); !status.ok()) fail(status);
}

bool Domain::is_own(const Scope& scope, const char* what, std::string_view subject) {
  const std::string head = std::string(what) + " \"" + std::string(subject) + "\": ";
  if (scope.domain_ != 0 && scope.domain_ != number_) {
    fail(ResultCode::kInvalidArgument,
         head + "its scope is of another domain; use get_scope() of this one");
    return false;
  }
  if (is_current(scope.id())) {
    fail(ResultCode::kInvalidArgument,
         head + "scope " + std::to_string(scope.id()) +
             " (kCurrent…) is resolved while a program runs and cannot be used here (NVTXW)");
    return false;
  }
  if (scope.domain_ == 0 && !is_predefined(scope.id()) &&
      scope.id() >= NVTX_SCOPE_ID_DYNAMIC_START) {
    fail(ResultCode::kInvalidArgument, head + "scope ID " + std::to_string(scope.id()) +
                                           " is not in NVTX's static range [2^24, 2^32)");
    return false;
  }
  return true;
}

bool Domain::is_own(const TimeDomain& time, const char* what, std::string_view subject) {
  if (time.domain_ == 0 || time.domain_ == number_) return true;
  fail(ResultCode::kInvalidArgument,
       std::string(what) + " \"" + std::string(subject) +
           "\": its time domain is of another domain; use get_time_domain() of this one");
  return false;
}

Scope Domain::get_scope(std::string_view path, Scope parent) {
  return get_scope(path, ScopeOptions{.parent = parent});
}

Scope Domain::get_scope(std::string_view path, const ScopeOptions& options) {
  if (!is_usable("scope", path)) return Scope();
  const Scope& parent = options.parent;
  if (parent.domain_ != 0 && parent.domain_ != number_) {
    fail(ResultCode::kInvalidArgument,
         "scope \"" + std::string(path) + "\": its parent is of another domain");
    return Scope();
  }
  const bool is_anchor =
      parent.id() == NVTX_SCOPE_CURRENT_HW_MACHINE || parent.id() == NVTX_SCOPE_CURRENT_VM;
  if (is_current(parent.id()) && !is_anchor) {
    fail(ResultCode::kInvalidArgument,
         "scope \"" + std::string(path) + "\": predefined scope " + std::to_string(parent.id()) +
             " cannot be a parent; use kNone, kRoot, kCurrentHwMachine or kCurrentVm");
    return Scope();
  }
  Result<runtime::ScopeDefinition*> definition =
      state_->scope(path, parent.id(), options.static_id);
  if (!definition.ok()) return fail(definition.status()), Scope();
  return Scope((*definition)->static_id, number_);
}

void Domain::register_resource(ResourceType type, uint64_t identifier, std::string_view name) {
  if (is_usable("resource", name)) state_->resource(static_cast<int32_t>(type), identifier, name);
}

TimeDomain Domain::get_time_domain(const TimeDomainOptions& options) {
  if (!is_usable("time domain", "") || !is_own(options.scope, "time domain", ""))
    return TimeDomain();
  runtime::TimeDomainDefinition wanted;
  wanted.static_id = options.static_id;
  wanted.scope_id = options.scope.id();
  wanted.timestamp_type = static_cast<uint64_t>(options.type);
  if (options.is_monotonic) wanted.flags |= NVTX_TIMER_FLAG_CLOCK_MONOTONIC;
  if (options.is_steady) wanted.flags |= NVTX_TIMER_FLAG_CLOCK_STEADY;
  wanted.ticks_per_second = options.ticks_per_second;
  wanted.start = static_cast<uint64_t>(options.start);
  Result<runtime::TimeDomainDefinition*> definition = state_->time_domain(wanted);
  if (!definition.ok()) return fail(definition.status()), TimeDomain();
  return TimeDomain((*definition)->static_id, number_);
}

// --- Counters.

AnyCounter Domain::register_counter(std::string_view name, uint64_t layout, uint32_t sample_bytes,
                                    const runtime::SchemaDefinition* group,
                                    const CounterOptions& options) {
  AnyCounter counter;
  if (!is_own(options.scope, "counter", name) || !is_own(options.time_domain, "counter", name))
    return counter;
  runtime::DomainState::CounterOptions wanted;
  wanted.description = options.description;
  wanted.layout = layout;
  wanted.sample_bytes = sample_bytes;
  wanted.scope_id = options.scope.id();
  wanted.static_id = options.static_id;
  wanted.semantics.time_domain_id = options.time_domain.id();
  wanted.semantics.counter = {options.unit,
                              options.min,
                              options.max,
                              options.value_type,
                              options.interpolation,
                              options.unit_scale_numerator,
                              options.unit_scale_denominator,
                              options.normalize};
  if (group != nullptr) wanted.time_offset = group->time_offset;
  Result<runtime::CounterDefinition*> definition = state_->counter(name, wanted);
  if (!definition.ok()) return fail(definition.status()), counter;
  counter.reference_ = runtime::Reference::of((*definition)->number, number_);
  counter.sample_bytes_ = sample_bytes;
  counter.has_embedded_time_ = group != nullptr && group->has_timestamp;
  return counter;
}

Counter Domain::get_counter(std::string_view name, EntryType type, const CounterOptions& options) {
  Counter counter;
  if (!is_usable("counter", name)) return counter;
  const auto number = static_cast<uint64_t>(type);
  const nvtxw::TypeSize size = nvtxw::predefined_type_size(number);
  if (!nvtxw::is_number_type(number) || size.size == 0 || size.size > 8) {
    fail(ResultCode::kInvalidArgument,
         "counter \"" + std::string(name) + "\": entry type " + std::to_string(number) +
             " is no number of up to 64 bits; use one such as EntryType::kInt64");
    return counter;
  }
  static_cast<AnyCounter&>(counter) = register_counter(name, number, size.size, nullptr, options);
  if (counter.ok()) counter.type_ = type;
  return counter;
}

AnyCounter Domain::get_counter(std::string_view name, const AnySchema& schema,
                               const CounterOptions& options) {
  if (!is_usable("counter", name)) return AnyCounter();
  const runtime::SchemaDefinition* group = schema.reference_.domain() == number_
                                               ? state_->find_schema(schema.reference_.number())
                                               : nullptr;
  const char* wrong = nullptr;
  if (group == nullptr)
    wrong = "its schema is not of this domain; use get_schema() of this one";
  else if ((group->flags & NVTX_PAYLOAD_SCHEMA_FLAG_MARK) != 0 ||
           (group->flags & NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP) == 0)
    wrong = "its schema is none of a counter group; give SchemaOptions::is_counter_group";
  else if (group->row_bytes == 0 || group->flexible != nullptr)
    wrong = "samples of a counter group have one size: use fields of fixed length";
  if (wrong != nullptr) {
    fail(ResultCode::kInvalidArgument, "counter \"" + std::string(name) + "\": " + wrong);
    return AnyCounter();
  }
  return register_counter(name, schema.id_, group->row_bytes, group, options);
}

AnyCounter Domain::get_counter_group(std::string_view name,
                                     const runtime::SchemaDescription& layout,
                                     const CounterOptions& options) {
  if (!is_usable("counter", name)) return AnyCounter();
  // All numbers of the struct but the time are counters, as in nvtx.writer.
  std::vector<runtime::SchemaEntry> entries(layout.entries, layout.entries + layout.count);
  for (runtime::SchemaEntry& entry : entries) {
    const bool is_number = nvtxw::is_number_type(entry.type) && entry.nested == nullptr;
    if (static_cast<Role>(entry.flags & ~schema_internal::kHide) == Role::kField && is_number)
      entry.flags |= static_cast<uint64_t>(Role::kCounter);
  }
  runtime::SchemaDescription group = layout;
  group.entries = entries.data();
  const AnySchema schema =
      get_schema(group, EventKind::kNone, NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP);
  return schema.ok() ? get_counter(name, schema, options) : AnyCounter();
}

// --- Layouts of events.

AnySchema Domain::get_schema(const runtime::SchemaDescription& description, EventKind kind,
                             uint64_t extra_flags) {
  AnySchema schema;
  if (!is_usable("schema", description.name)) return schema;
  Result<runtime::SchemaDefinition*> definition = state_->schema(description, kind, extra_flags);
  if (!definition.ok()) return fail(definition.status()), schema;
  schema.id_ = (*definition)->static_id;
  schema.flexible_ = (*definition)->flexible;
  schema.reference_ = runtime::Reference::of((*definition)->number, number_);
  if (kind != EventKind::kNone) schema.event_ = schema.reference_;
  schema.row_bytes_ = (*definition)->row_bytes;
  schema.kind_ = kind;
  return schema;
}

AnySchema Domain::get_schema(std::string_view name, std::span<const Field> fields,
                             const SchemaOptions& options) {
  const std::string schema_name = runtime::to_valid_c_text(name);
  std::vector<std::string> texts;  // zero-terminated copies, which the entries point to
  texts.reserve(2 * fields.size());
  std::vector<runtime::SchemaEntry> entries;
  for (const Field& field : fields) {
    texts.push_back(runtime::to_valid_c_text(field.name));
    texts.push_back(runtime::to_valid_c_text(field.description));
    runtime::SchemaEntry entry{};
    entry.name = texts[texts.size() - 2].c_str();
    entry.description = texts.back().c_str();
    entry.flags = static_cast<uint64_t>(field.role) | (static_cast<uint64_t>(field.array) << 4);
    if (field.hide) entry.flags |= schema_internal::kHide;
    if (field.storage == Storage::kPointer) entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    if (field.storage == Storage::kOffsetFromBase)
      entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE;
    if (field.storage == Storage::kOffsetFromHere)
      entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE;
    entry.is_flexible = field.storage == Storage::kFlexible;
    entry.type = field.type.id();
    entry.detail = field.length;
    entry.offset = field.offset;
    entry.semantics = field.semantics;
    entries.push_back(entry);
  }
  if (options.is_counter_group && options.kind != EventKind::kNone) {
    if (is_usable("schema", name))
      fail(ResultCode::kInvalidArgument,
           "schema \"" + schema_name + "\": a counter group is no event; leave its kind out");
    return AnySchema();
  }
  runtime::SchemaDescription description{schema_name.c_str(), entries.data(), entries.size(),
                                         options.row_bytes,   options.type,   options.pack_align,
                                         options.static_id};
  uint64_t flags = 0;
  if (options.is_referenced) flags |= NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED;
  if (options.is_counter_group) flags |= NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
  return get_schema(description, options.kind, flags);
}

Enum Domain::get_enum(std::string_view name, std::span<const EnumValue> values, uint32_t size_bytes,
                      uint64_t static_id) {
  Enum result;
  if (!is_usable("enum", name)) return result;
  const std::string enum_name = runtime::to_valid_c_text(name);
  std::vector<runtime::EnumValue> copies;
  for (const EnumValue& value : values) copies.push_back({value.name, value.value, value.is_flag});
  Result<runtime::EnumDefinition*> definition =
      state_->enumeration({enum_name.c_str(), copies.data(), copies.size(), size_bytes, static_id});
  if (!definition.ok()) return fail(definition.status()), result;
  result.id_ = (*definition)->static_id;
  result.domain_ = number_;
  return result;
}

}  // namespace ringscribe
