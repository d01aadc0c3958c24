// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/traced_domain.h"

#include <mutex>
#include <string>
#include <utility>

#include "ringscribe/backends/nvtxw/entry_types.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe::inject {

namespace {

using runtime::Runtime;
using runtime::SchemaEntry;

// Our IDs lie in NVTX's static range; what programs get is of the dynamic one.
constexpr uint64_t kGivenOut = NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START;
static_assert(kGivenOut == NVTX_SCOPE_ID_DYNAMIC_START &&
              kGivenOut == NVTX_TIME_DOMAIN_ID_DYNAMIC_START &&
              kGivenOut == NVTX_COUNTER_ID_DYNAMIC_START);
constexpr uint64_t kFirstUserId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;

constexpr int kCountersOfOneName = 1000;

// Texts that are kept for good, a domain: later ones are copied by each call.
constexpr size_t kInternedBytesMax = size_t{16} << 20;

}  // namespace

TracedDomain::TracedDomain(std::shared_ptr<runtime::SessionState> session, uint32_t index,
                           std::string_view name, bool passes, const NameFilter* categories)
    : session_(std::move(session)), index_(index), name_(name), categories_(categories) {
  has_category_filter_ = !categories->is_empty();
  if (session_ == nullptr || !passes) return;
  Status status;
  state_ = Runtime::process().get_domain(*session_, name, status);
  if (state_ == nullptr) {
    fail(status);
    return;
  }
  number_ = state_->number();
  stream_ = open_stream(name.empty() ? "nvtx" : name, true, NVTX_SCOPE_NONE);
  is_enabled_ = stream_.number() != 0;
}

void TracedDomain::fail(const Status& status) const {
  runtime::log(runtime::LogLevel::kWarn, "domain \"%s\": %s", name_.c_str(),
               status.message().c_str());
}

runtime::StreamRef TracedDomain::open_stream(std::string_view name, bool is_live, uint64_t scope) {
  runtime::SessionState::NewStream wanted;
  wanted.name = name;
  wanted.domain = state_;
  wanted.time_domain = runtime::clock_time_domain(runtime::clock_kind());
  wanted.options.is_live = is_live;
  wanted.options.scope_id = scope;
  Status status;
  const runtime::StreamRef stream = Runtime::process().open_stream(*session_, wanted, status);
  if (!status.ok()) fail(status);
  return stream;
}

runtime::StreamRef TracedDomain::deferred_stream(uint64_t scope) {
  if (!is_enabled_) return runtime::closed_stream();
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = deferred_.find(scope); found != deferred_.end()) return found->second;
  }
  const std::unique_lock lock(mutex_);
  if (const auto found = deferred_.find(scope); found != deferred_.end()) return found->second;
  const std::string name =
      (name_.empty() ? std::string("nvtx") : std::string(name_)) + " (deferred" +
      (deferred_.empty() ? "" : " " + std::to_string(deferred_.size() + 1)) + ")";
  return deferred_.emplace(scope, open_stream(name, false, scope)).first->second;
}

void TracedDomain::add_timer(uint64_t time_domain, ProgramTimers::Read read, void* data,
                             bool is_safe_at_exit) {
  if (!is_enabled_ || read == nullptr) return;
  const uint64_t id = time_domain_id(time_domain);
  if (id == kUnknownId)
    return fail(refused("timer", std::to_string(time_domain),
                        "it is no time domain of this domain; register it before"));
  timers_.add({id, read, data, is_safe_at_exit}, deferred_stream(NVTX_SCOPE_NONE));
}

void TracedDomain::read_timers() {
  if (timers_.are_due()) [[unlikely]]
    timers_.read(deferred_stream(NVTX_SCOPE_NONE));
}

void TracedDomain::read_timers_at_exit() {
  if (timers_.are_any()) timers_.read_at_exit(deferred_stream(NVTX_SCOPE_NONE));
}

// --- Categories and texts.

bool TracedDomain::passes_category(uint32_t category) const {
  if (category == 0) return categories_->passes_nameless();
  const std::shared_lock lock(mutex_);
  const auto named = category_passes_.find(category);
  // One without a name is called by its number.
  return named != category_passes_.end() ? named->second
                                         : categories_->passes(std::to_string(category));
}

void TracedDomain::name_category(uint32_t category, std::string_view name) {
  if (has_category_filter_) {
    const std::unique_lock lock(mutex_);
    category_passes_[category] = categories_->passes(name, std::to_string(category));
  }
  if (!is_enabled_) return;
  if (const Status status = state_->name_category(category, name); !status.ok()) fail(status);
}

uint32_t TracedDomain::intern(std::string_view text, const char*& kept) {
  kept = nullptr;
  if (!is_enabled_) return 0;
  {
    const std::unique_lock lock(mutex_);
    if (interned_bytes_ + text.size() > kInternedBytesMax) return 0;
    interned_bytes_ += text.size();
  }
  Result<runtime::StringDefinition*> string = state_->string(text);
  if (!string.ok()) return 0;
  // A text that had to be mended is not found again by its bytes.
  if ((*string)->text == text) kept = (*string)->text.c_str();
  return (*string)->number;
}

uint64_t TracedDomain::string_handle(std::string_view text) {
  // What is not recorded has a handle, too: programs may look whether it is 0.
  if (!is_enabled_) return uint64_t{0xFFFFFFFF} << 32 | 1;
  Result<runtime::StringDefinition*> string = state_->string(text);
  if (!string.ok()) return fail(string.status()), 0;
  return runtime::Reference::of((*string)->number, number_).word;
}

const char* TracedDomain::string_text(nvtxStringHandle_t handle) const {
  const runtime::StringDefinition* string =
      Runtime::process().tables().strings.get(string_number(handle));
  return string == nullptr || string->domain != state_ ? "" : string->text.c_str();
}

void TracedDomain::name_resource(int32_t type, uint64_t identifier, std::string_view name) {
  if (is_enabled_) state_->resource(type, identifier, name);
}

// --- IDs.

uint64_t TracedDomain::type_id(uint64_t id) const {
  if (id < kFirstUserId) return id;
  if (const SchemaUse* schema = schemas_.find(id); schema != nullptr) return schema->id;
  const std::shared_lock lock(mutex_);
  const auto named = enums_.find(id);
  return named != enums_.end() ? named->second : kUnknownId;
}

uint64_t TracedDomain::time_domain_id(uint64_t id) const {
  if (id == NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED)
    return runtime::clock_time_domain(runtime::clock_kind());
  if (id < kFirstUserId) return id;
  const std::shared_lock lock(mutex_);
  const auto found = time_domains_.find(id);
  return found != time_domains_.end() ? found->second : kUnknownId;
}

uint64_t TracedDomain::scope_id(uint64_t id) const {
  // NVTX Writer does not resolve what is current: the process is known, the rest says nothing.
  if (id == NVTX_SCOPE_CURRENT_SW_PROCESS) return runtime::kProcessScopeId;
  if (id > NVTX_SCOPE_ROOT && id < NVTX_SCOPE_ID_STATIC_START) return NVTX_SCOPE_NONE;
  if (id < NVTX_SCOPE_ID_STATIC_START) return id;
  const std::shared_lock lock(mutex_);
  const auto found = scopes_.find(id);
  return found != scopes_.end() ? found->second : kUnknownId;
}

namespace {

// The ID that the program gets: its own static one, or one of ours.
bool take_id(uint64_t wanted, uint64_t ours, const char* what, std::string_view name, uint64_t& id,
             Status& status) {
  id = wanted != 0 ? wanted : kGivenOut + ours;
  if (wanted == 0 || (wanted >= kFirstUserId && wanted < kGivenOut)) return true;
  status = refused(what, name,
                   "static ID " + std::to_string(wanted) +
                       " is not in NVTX's static range [2^24, 2^32); give 0 to get one");
  return false;
}

Status taken(const char* what, std::string_view name, uint64_t id) {
  return refused(what, name, "ID " + std::to_string(id) + " is taken in this domain");
}

}  // namespace

// --- Layouts.

uint64_t TracedDomain::register_schema(const nvtxPayloadSchemaAttr_t& given) {
  if (!is_enabled_) return kGivenOut;
  const nvtxPayloadSchemaAttr_t attr = without_what_the_mask_leaves_out(given);
  const std::string_view name = attr.name == nullptr ? "" : attr.name;
  SchemaUse use;
  runtime::Vector<SchemaEntry> entries;
  if (Status status = convert_entries(*this, attr, entries, use); !status.ok())
    return fail(status.with_context("schema \"" + std::string(name) + "\"")), 0;
  const runtime::SchemaDescription description{
      attr.name,
      entries.data(),
      entries.size(),
      attr.type == NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC ? 0 : attr.payloadStaticSize,
      static_cast<SchemaType>(attr.type),
      attr.packAlign};
  if (attr.type < NVTX_PAYLOAD_SCHEMA_TYPE_STATIC ||
      attr.type > NVTX_PAYLOAD_SCHEMA_TYPE_UNION_WITH_INTERNAL_SELECTOR)
    return fail(refused(
               "schema", name,
               "type " + std::to_string(attr.type) + " is none of NVTX_PAYLOAD_SCHEMA_TYPE_*")),
           0;
  EventKind kind = event_kind_of(attr);
  const uint64_t extra_flags = flags_beside_kind(attr);
  Result<runtime::SchemaDefinition*> made = state_->schema(description, kind, extra_flags);
  if (!made.ok() && kind != EventKind::kNone) {
    // Its fields make no such event by themselves; as a payload of one they may.
    kind = EventKind::kNone;
    made = state_->schema(description, kind, extra_flags);
  }
  if (!made.ok()) return fail(made.status()), 0;
  use.number = (*made)->number;
  use.id = (*made)->static_id;
  use.row_bytes = (*made)->row_bytes;
  use.kind = kind;
  uint64_t id;
  Status status;
  if (!take_id(attr.schemaId, use.id, "schema", name, id, status)) return fail(status), 0;
  const std::unique_lock lock(mutex_);
  find_places(*this, attr, **made, use);
  const SchemaUse* const known = schemas_.find(id);
  if ((known != nullptr && known->number != use.number) || enums_.contains(id))
    return fail(taken("schema", name, id)), 0;
  if (known == nullptr) schemas_.add(id, &schema_uses_.emplace_back(std::move(use)));
  return id;
}

uint64_t TracedDomain::register_enum(const nvtxPayloadEnumAttr_t& attr) {
  if (!is_enabled_) return kGivenOut;
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  runtime::Vector<runtime::EnumValue> values;
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES) && attr.entries != nullptr &&
      has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES))
    for (size_t i = 0; i < attr.numEntries; ++i)
      values.push_back({attr.entries[i].name, attr.entries[i].value, attr.entries[i].isFlag != 0});
  const char* const name = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME) ? attr.name : nullptr;
  const size_t size = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE) ? attr.sizeOfEnum : 0;
  Result<runtime::EnumDefinition*> made = state_->enumeration(
      {name, values.data(), values.size(), static_cast<uint32_t>(size > 8 ? 9 : size)});
  if (!made.ok()) return fail(made.status()), 0;
  uint64_t id;
  Status status;
  const uint64_t wanted = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID) ? attr.schemaId : 0;
  if (!take_id(wanted, (*made)->static_id, "enum", name == nullptr ? "" : name, id, status))
    return fail(status), 0;
  const std::unique_lock lock(mutex_);
  const auto found = enums_.find(id);
  if ((found != enums_.end() && found->second != (*made)->static_id) ||
      schemas_.find(id) != nullptr)
    return fail(taken("enum", name == nullptr ? "" : name, id)), 0;
  enums_.emplace(id, (*made)->static_id);
  return id;
}

uint64_t TracedDomain::register_scope(const nvtxScopeAttr_t& attr) {
  if (!is_enabled_) return kGivenOut;
  const std::string_view path = attr.path == nullptr ? "" : attr.path;
  const uint64_t parent = scope_id(attr.parentScope);
  if (parent == kUnknownId)
    return fail(refused("scope", path,
                        "its parent " + std::to_string(attr.parentScope) +
                            " is no scope of this domain; register it before")),
           NVTX_SCOPE_NONE;
  Result<runtime::ScopeDefinition*> made = state_->scope(path, parent, 0);
  if (!made.ok()) return fail(made.status()), NVTX_SCOPE_NONE;
  uint64_t id;
  Status status;
  if (!take_id(attr.scopeId, (*made)->static_id, "scope", path, id, status))
    return fail(status), NVTX_SCOPE_NONE;
  const std::unique_lock lock(mutex_);
  if (scopes_.emplace(id, (*made)->static_id).first->second != (*made)->static_id)
    return fail(taken("scope", path, id)), NVTX_SCOPE_NONE;
  return id;
}

uint64_t TracedDomain::register_time_domain(const nvtxTimeDomainAttr_t& attr) {
  if (!is_enabled_) return kGivenOut;
  runtime::TimeDomainDefinition wanted;
  const uint64_t scope = scope_id(attr.scopeId);
  wanted.scope_id = scope == kUnknownId ? uint64_t{NVTX_SCOPE_NONE} : scope;
  wanted.timestamp_type = attr.timestampTypeId;
  wanted.flags = attr.timerFlags;
  wanted.ticks_per_second = attr.timerResolution;
  wanted.start = attr.timerStart;
  Result<runtime::TimeDomainDefinition*> made = state_->time_domain(wanted);
  if (!made.ok()) return fail(made.status()), NVTX_TIME_DOMAIN_ID_NONE;
  uint64_t id;
  Status status;
  if (!take_id(attr.timeDomainId, (*made)->static_id, "time domain", "", id, status))
    return fail(status), NVTX_TIME_DOMAIN_ID_NONE;
  const std::unique_lock lock(mutex_);
  if (time_domains_.emplace(id, (*made)->static_id).first->second != (*made)->static_id)
    return fail(taken("time domain", "", id)), NVTX_TIME_DOMAIN_ID_NONE;
  return id;
}

uint32_t TracedDomain::layout_number(const EventLayout& layout) {
  std::atomic<uint32_t>& place = layouts_[layout_kind(layout.kind)][layout.has_inline_text ? 1 : 0]
                                         [static_cast<size_t>(layout.value)];
  if (const uint32_t number = place.load(std::memory_order_relaxed); number != 0) return number;
  Result<runtime::SchemaDefinition*> made = define(*state_, layout);
  if (!made.ok()) return fail(made.status()), 0;
  place.store((*made)->number, std::memory_order_relaxed);
  return (*made)->number;
}

// --- Counters.

bool TracedDomain::has_counter(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  return counter_names_.contains(name);
}

uint64_t TracedDomain::register_counter(const nvtxCounterAttr_t& attr) {
  if (!is_enabled_) return kGivenOut;
  const std::string_view name = attr.name == nullptr ? "" : attr.name;
  runtime::DomainState::CounterOptions wanted;
  if (attr.description != nullptr) wanted.description = attr.description;
  FieldSemantics semantics;
  convert_semantics(*this, attr.semantics, semantics);
  wanted.semantics = semantics;
  const uint64_t scope = scope_id(attr.scopeId);
  wanted.scope_id = scope == kUnknownId ? uint64_t{NVTX_SCOPE_NONE} : scope;
  CounterUse use;
  if (attr.schemaId < kFirstUserId) {
    use.type = attr.schemaId;
    const nvtxw::TypeSize size = nvtxw::predefined_type_size(attr.schemaId);
    if (!nvtxw::is_number_type(attr.schemaId) || size.size == 0 || size.size > 8)
      return fail(refused(
                 "counter", name,
                 "type " + std::to_string(attr.schemaId) + " is no number of up to 64 bits")),
             NVTX_COUNTER_ID_NONE;
    use.sample_bytes = static_cast<uint32_t>(size.size);
    wanted.layout = attr.schemaId;
  } else {
    const SchemaUse* schema = find_schema(attr.schemaId);
    const runtime::SchemaDefinition* group =
        schema != nullptr ? state_->find_schema(schema->number) : nullptr;
    if (group == nullptr || group->row_bytes == 0)
      return fail(refused("counter", name,
                          "schema " + std::to_string(attr.schemaId) +
                              " is none of this domain whose samples have one size")),
             NVTX_COUNTER_ID_NONE;
    use.sample_bytes = group->row_bytes;
    use.has_embedded_time = group->has_timestamp;
    wanted.layout = schema->id;
    wanted.time_offset = group->time_offset;
  }
  wanted.sample_bytes = use.sample_bytes;
  Result<runtime::CounterDefinition*> made = state_->counter(name, wanted);
  // NVTX tells counters apart by their IDs: several may have one name.
  for (int copy = 2; !made.ok() && has_counter(name) && copy <= kCountersOfOneName; ++copy)
    made = state_->counter(std::string(name) + " (" + std::to_string(copy) + ")", wanted);
  if (!made.ok()) return fail(made.status()), NVTX_COUNTER_ID_NONE;
  use.number = use.live_number = (*made)->number;
  const uint64_t clock = wanted.semantics.time_domain_id;
  if (clock != 0 && clock != runtime::clock_time_domain(runtime::clock_kind())) {
    wanted.semantics.time_domain_id = 0;
    wanted.is_twin = true;
    Result<runtime::CounterDefinition*> twin = state_->counter((*made)->name, wanted);
    if (!twin.ok()) return fail(twin.status()), NVTX_COUNTER_ID_NONE;
    use.live_number = (*twin)->number;
  }
  uint64_t id;
  Status status;
  if (!take_id(attr.counterId, (*made)->static_id, "counter", name, id, status))
    return fail(status), NVTX_COUNTER_ID_NONE;
  const std::unique_lock lock(mutex_);
  counter_names_.emplace(runtime::String(name), true);
  const CounterUse* const known = counters_.find(id);
  if (known == nullptr) counters_.add(id, &counter_uses_.emplace_back(use));
  if (known != nullptr && known->number != use.number)
    return fail(taken("counter", name, id)), NVTX_COUNTER_ID_NONE;
  return id;
}

}  // namespace ringscribe::inject
