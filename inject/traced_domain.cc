// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/traced_domain.h"

#include <cstring>
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

// Between two readings of the program's clocks.
constexpr uint64_t kTimerReadNs = 100'000'000;

constexpr int kCountersOfOneName = 1000;

// Texts that are kept for good, a domain: later ones are copied by each call.
constexpr size_t kInternedBytesMax = size_t{16} << 20;

using EventRow = TracedDomain::EventRow;
constexpr uint64_t kTimeAt = offsetof(EventRow, time), kMessageAt = offsetof(EventRow, message),
                   kColorAt = offsetof(EventRow, color), kCategoryAt = offsetof(EventRow, category),
                   kRangeIdAt = offsetof(EventRow, range_id), kValueAt = offsetof(EventRow, value);

SchemaEntry entry_of(const char* name, uint64_t type, uint64_t offset, uint64_t flags = 0) {
  return SchemaEntry{name, flags, type, 0, offset};
}

uint64_t type_of(TracedDomain::Value value) {
  constexpr uint64_t kTypes[] = {
      0,
      NVTX_PAYLOAD_ENTRY_TYPE_UINT64,
      NVTX_PAYLOAD_ENTRY_TYPE_INT64,
      NVTX_PAYLOAD_ENTRY_TYPE_DOUBLE,
      NVTX_PAYLOAD_ENTRY_TYPE_UINT32,
      NVTX_PAYLOAD_ENTRY_TYPE_INT32,
      NVTX_PAYLOAD_ENTRY_TYPE_FLOAT,
  };
  return kTypes[static_cast<size_t>(value)];
}

uint64_t array_form(uint64_t flags) { return NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_TYPE(flags); }

uint32_t code_unit_bytes(uint64_t type) {
  return type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF16   ? 2
         : type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32 ? 4
                                                         : 1;
}

CounterLimit limit_of(int64_t type, const nvtxCounterLimit_t& limit) {
  if (type == NVTX_COUNTER_LIMIT_I64) return CounterLimit(limit.i64);
  if (type == NVTX_COUNTER_LIMIT_U64) return CounterLimit(limit.u64);
  if (type == NVTX_COUNTER_LIMIT_F64) return CounterLimit(limit.f64);
  return CounterLimit();
}

Status refused(const char* what, std::string_view name, const std::string& why) {
  return Status(ResultCode::kInvalidArgument,
                std::string(what) + " \"" + std::string(name) + "\": " + why);
}

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

void TracedDomain::write_timer_point(const Timer& timer) {
  // In between two readings of ours.
  const int64_t before = runtime::now_ticks();
  const int64_t theirs = timer.read(timer.data);
  const int64_t ours = before + (runtime::now_ticks() - before) / 2;
  const int64_t point[] = {theirs, ours};
  runtime::write_sync_points(deferred_stream(NVTX_SCOPE_NONE), timer.time_domain,
                             runtime::clock_time_domain(runtime::clock_kind()), point, 1);
}

void TracedDomain::add_timer(uint64_t time_domain, ReadTimer read, void* data,
                             bool is_safe_at_exit) {
  if (!is_enabled_ || read == nullptr) return;
  const uint64_t id = time_domain_id(time_domain);
  if (id == kUnknownId)
    return fail(refused("timer", std::to_string(time_domain),
                        "it is no time domain of this domain; register it before"));
  const Timer timer{id, read, data, is_safe_at_exit};
  write_timer_point(timer);
  const std::unique_lock lock(mutex_);
  timers_.push_back(timer);
  next_timer_read_ns_.store(runtime::monotonic_now_ns() + kTimerReadNs, std::memory_order_relaxed);
}

void TracedDomain::read_timers() {
  uint64_t due = next_timer_read_ns_.load(std::memory_order_relaxed);
  if (due == UINT64_MAX) [[likely]]
    return;
  const uint64_t now = runtime::monotonic_now_ns();
  if (now < due || !next_timer_read_ns_.compare_exchange_strong(due, now + kTimerReadNs,
                                                                std::memory_order_relaxed))
    return;
  runtime::Vector<Timer> timers;
  {
    const std::shared_lock lock(mutex_);
    timers = timers_;
  }
  for (const Timer& timer : timers) write_timer_point(timer);
}

void TracedDomain::read_timers_at_exit() {
  // A thread that died with the lock must not hold the exit.
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const runtime::Vector<Timer> timers = std::exchange(timers_, {});
  lock.unlock();
  for (const Timer& timer : timers)
    if (timer.is_safe_at_exit) write_timer_point(timer);
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

uint64_t TracedDomain::type_id(uint64_t type) const {
  if (type < kFirstUserId) return type;
  if (const SchemaUse* schema = schemas_.find(type); schema != nullptr) return schema->id;
  const std::shared_lock lock(mutex_);
  const auto named = enums_.find(type);
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

constexpr uint64_t kSchemaKind = uint64_t{15} << 3;

}  // namespace

// --- Layouts.

void TracedDomain::convert_semantics(const nvtxSemanticsHeader_t* header,
                                     FieldSemantics& to) const {
  // A list that is longer than there are kinds is a ring.
  for (int links = 0; header != nullptr && links < 64; ++links, header = header->next) {
    if (header->semanticId == NVTX_SEMANTIC_ID_COUNTERS_V1 &&
        header->structSize >= sizeof(nvtxSemanticsCounter_t)) {
      const auto& from = *reinterpret_cast<const nvtxSemanticsCounter_t*>(header);
      CounterSemantics& counter = to.counter;
      if (from.unit != nullptr) counter.unit = from.unit;
      if ((from.flags & NVTX_COUNTER_FLAG_LIMIT_MIN) != 0)
        counter.min = limit_of(from.limitType, from.min);
      if ((from.flags & NVTX_COUNTER_FLAG_LIMIT_MAX) != 0)
        counter.max = limit_of(from.limitType, from.max);
      counter.value_type = static_cast<CounterValueType>(from.flags & NVTX_COUNTER_FLAG_VALUETYPES);
      counter.interpolation =
          static_cast<CounterInterpolation>(from.flags & NVTX_COUNTER_FLAG_INTERPOLATIONS);
      counter.unit_scale_numerator = from.unitScaleNumerator;
      counter.unit_scale_denominator = from.unitScaleDenominator;
      counter.normalize = (from.flags & NVTX_COUNTER_FLAG_NORMALIZE) != 0;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_TIME_V1 &&
               header->structSize >= sizeof(nvtxSemanticsTime_t)) {
      const uint64_t id =
          time_domain_id(reinterpret_cast<const nvtxSemanticsTime_t*>(header)->timeDomainId);
      to.time_domain_id = id == kUnknownId ? 0 : id;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_SCOPE_V1 &&
               header->structSize >= sizeof(nvtxSemanticsScope_t)) {
      const uint64_t id = scope_id(reinterpret_cast<const nvtxSemanticsScope_t*>(header)->scopeId);
      to.scope_id = id == kUnknownId ? 0 : id;
    } else if (header->semanticId == NVTX_SEMANTIC_ID_CORRELATION_V1 &&
               header->structSize >= sizeof(nvtxSemanticsCorrelation_t)) {
      const auto& from = *reinterpret_cast<const nvtxSemanticsCorrelation_t*>(header);
      static_assert(sizeof from.correlationDomainUuid == sizeof to.correlation.uuid);
      std::memcpy(to.correlation.uuid, from.correlationDomainUuid, sizeof to.correlation.uuid);
      if (from.displayName != nullptr) to.correlation.display_name = from.displayName;
      to.correlation.role = from.role;
    }
  }
}

namespace {

bool is_deep_copied(const nvtxPayloadSchemaAttr_t& attr, const nvtxPayloadSchemaEntry_t& entry) {
  return ((attr.flags & NVTX_PAYLOAD_SCHEMA_FLAG_DEEP_COPY) != 0 &&
          (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0) ||
         (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) != 0;
}

// Fields that the mask does not name are zero, as NVTX has it.
nvtxPayloadSchemaAttr_t masked(const nvtxPayloadSchemaAttr_t& attr) {
  nvtxPayloadSchemaAttr_t result{};
  const auto has = [&](uint64_t field) { return (attr.fieldMask & field) != 0; };
  result.fieldMask = attr.fieldMask;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) result.name = attr.name;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) result.type = attr.type;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) result.flags = attr.flags;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES)) result.entries = attr.entries;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES)) result.numEntries = attr.numEntries;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE))
    result.payloadStaticSize = attr.payloadStaticSize;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ALIGNMENT)) result.packAlign = attr.packAlign;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID)) result.schemaId = attr.schemaId;
  if (result.entries == nullptr) result.numEntries = 0;
  return result;
}

}  // namespace

Status TracedDomain::convert_entries(const nvtxPayloadSchemaAttr_t& attr,
                                     runtime::Vector<SchemaEntry>& entries, SchemaUse& use) const {
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const nvtxPayloadSchemaEntry_t& from = attr.entries[i];
    SchemaEntry entry{};
    entry.name = from.name;
    entry.description = from.description;
    entry.flags = from.flags;
    entry.type = type_id(from.type);
    entry.detail = from.arrayOrUnionDetail;
    // NVTX: 0 means "computed" for all but the first.
    entry.offset = i != 0 && from.offset == 0 ? runtime::kComputedOffset : from.offset;
    convert_semantics(from.semantics, entry.semantics);
    if (entry.type == kUnknownId)
      return refused("field", from.name == nullptr ? std::to_string(i) : from.name,
                     "type " + std::to_string(from.type) +
                         " is no schema or enum of this domain; register it before");
    const bool is_text = nvtxw::is_string_type(entry.type);
    const uint64_t form = array_form(entry.flags);
    // Text that has neither a length nor an array form is an address; in a dynamic schema it stands
    // there itself.
    if (is_text && form == 0 && entry.detail == 0) {
      entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
      if (attr.type != NVTX_PAYLOAD_SCHEMA_TYPE_DYNAMIC)
        entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    }
    // The copy is a payload beside this one, which is what a pointer without this flag means.
    if (is_deep_copied(attr, from)) entry.flags |= NVTX_PAYLOAD_ENTRY_FLAG_POINTER;
    entry.flags &= ~uint64_t{NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY};
    if (form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_PAYLOAD_INDEX) use.counts_payloads = true;
    if ((entry.flags & (NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_BASE |
                        NVTX_PAYLOAD_ENTRY_FLAG_OFFSET_FROM_HERE)) != 0)
      use.has_offsets = true;
    entries.push_back(entry);
  }
  return Status();
}

void TracedDomain::find_places(const nvtxPayloadSchemaAttr_t& attr,
                               const runtime::SchemaDefinition& schema, SchemaUse& use) const {
  // Nothing was added or moved: the definition's entries are those of `attr`.
  for (size_t i = 0; i < attr.numEntries; ++i) {
    const runtime::SchemaDefinition::Entry& entry = schema.entries[i];
    if (entry.place == runtime::kComputedOffset) continue;  // varies: there is no address
    const auto place = static_cast<uint32_t>(entry.place);
    const uint64_t form = array_form(entry.flags);
    const SchemaUse* const nested = schemas_.find(attr.entries[i].type);
    if ((entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) == 0) {
      if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID && form == 0) use.scopes.push_back(place);
      if (nested == nullptr) continue;
      const SchemaUse& inner = *nested;
      use.counts_payloads |= inner.counts_payloads;
      use.has_offsets |= inner.has_offsets;
      const bool is_array = form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE;
      for (uint64_t n = 0; n < (is_array ? entry.detail : 1); ++n) {
        const auto base = place + static_cast<uint32_t>(n) * inner.row_bytes;
        for (DeepCopy copy : inner.copies) {
          copy.offset += base;
          copy.count_offset += base;
          use.copies.push_back(copy);
        }
        for (const uint32_t scope : inner.scopes) use.scopes.push_back(base + scope);
      }
      continue;
    }
    if (!is_deep_copied(attr, attr.entries[i])) continue;
    DeepCopy copy;
    copy.offset = place;
    copy.element_bytes = nested != nullptr ? nested->row_bytes
                         : nvtxw::is_string_type(entry.type)
                             ? code_unit_bytes(entry.type)
                             : static_cast<uint32_t>(nvtxw::predefined_type_size(entry.type).size);
    if (copy.element_bytes == 0) continue;
    copy.is_terminated = form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED;
    copy.count = form == 0 && !nvtxw::is_string_type(entry.type) ? 1 : entry.detail;
    if (form == NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_LENGTH_INDEX) {
      if (entry.detail >= schema.entries.size()) continue;
      const runtime::SchemaDefinition::Entry& length = schema.entries[entry.detail];
      copy.count_bytes = static_cast<uint32_t>(nvtxw::predefined_type_size(length.type).size);
      if (length.place == runtime::kComputedOffset || copy.count_bytes == 0 ||
          copy.count_bytes > 8 || array_form(length.flags) != 0)
        continue;
      copy.count_offset = static_cast<uint32_t>(length.place);
    }
    use.copies.push_back(copy);
  }
}

uint64_t TracedDomain::register_schema(const nvtxPayloadSchemaAttr_t& given) {
  if (!is_enabled_) return kGivenOut;
  const nvtxPayloadSchemaAttr_t attr = masked(given);
  const std::string_view name = attr.name == nullptr ? "" : attr.name;
  SchemaUse use;
  runtime::Vector<SchemaEntry> entries;
  if (Status status = convert_entries(attr, entries, use); !status.ok())
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
  const uint64_t kind_bits = attr.flags & kSchemaKind;
  const bool is_group = kind_bits == NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
  auto kind = is_group ? EventKind::kNone : static_cast<EventKind>(kind_bits >> 3);
  if (kind > EventKind::kRangeEnd) kind = EventKind::kNone;
  uint64_t extra_flags = attr.flags & NVTX_PAYLOAD_SCHEMA_FLAG_REFERENCED;
  if (is_group) extra_flags |= NVTX_PAYLOAD_SCHEMA_FLAG_COUNTER_GROUP;
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
  find_places(attr, **made, use);
  const SchemaUse* const known = schemas_.find(id);
  if ((known != nullptr && known->number != use.number) || enums_.contains(id))
    return fail(refused("schema", name, "ID " + std::to_string(id) + " is taken in this domain")),
           0;
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
    return fail(refused("enum", name == nullptr ? "" : name,
                        "ID " + std::to_string(id) + " is taken in this domain")),
           0;
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
    return fail(refused("scope", path, "ID " + std::to_string(id) + " is taken in this domain")),
           NVTX_SCOPE_NONE;
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
    return fail(refused("time domain", std::to_string(id), "the ID is taken in this domain")),
           NVTX_TIME_DOMAIN_ID_NONE;
  return id;
}

uint32_t TracedDomain::layout_number(const EventLayout& layout) {
  const size_t kind = layout.kind == EventKind::kMark         ? 0
                      : layout.kind == EventKind::kRangePush  ? 1
                      : layout.kind == EventKind::kRangePop   ? 2
                      : layout.kind == EventKind::kRangeStart ? 3
                                                              : 4;
  std::atomic<uint32_t>& place =
      layouts_[kind][layout.has_inline_text ? 1 : 0][static_cast<size_t>(layout.value)];
  if (const uint32_t number = place.load(std::memory_order_relaxed); number != 0) return number;
  const bool is_end = layout.kind == EventKind::kRangePop || layout.kind == EventKind::kRangeEnd;
  runtime::Vector<SchemaEntry> entries;
  entries.push_back(entry_of("time", NVTX_PAYLOAD_ENTRY_TYPE_INT64, kTimeAt,
                             is_end ? NVTX_PAYLOAD_ENTRY_FLAG_RANGE_END
                             : layout.kind == EventKind::kMark
                                 ? NVTX_PAYLOAD_ENTRY_FLAG_MARK
                                 : NVTX_PAYLOAD_ENTRY_FLAG_RANGE_BEGIN));
  if (!is_end) {
    if (layout.has_inline_text)
      entries.push_back(entry_of("message", NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, kMessageAt,
                                 NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE |
                                     NVTX_PAYLOAD_ENTRY_FLAG_POINTER |
                                     NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_ZERO_TERMINATED));
    else
      entries.push_back(entry_of("message", NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE,
                                 kMessageAt, NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE));
    entries.push_back(entry_of("color", NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB, kColorAt));
    entries.push_back(entry_of("category", NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY, kCategoryAt));
  }
  if (layout.kind == EventKind::kRangeStart || layout.kind == EventKind::kRangeEnd)
    entries.push_back(entry_of("range id", NVTX_PAYLOAD_ENTRY_TYPE_RANGE_ID, kRangeIdAt));
  if (layout.value != Value::kNone)
    entries.push_back(entry_of("payload", type_of(layout.value), kValueAt));
  const runtime::SchemaDescription description{"NVTX event", entries.data(), entries.size(),
                                               sizeof(EventRow)};
  Result<runtime::SchemaDefinition*> made = state_->schema(description, layout.kind, 0);
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
  convert_semantics(attr.semantics, semantics);
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
    return fail(refused("counter", name, "ID " + std::to_string(id) + " is taken in this domain")),
           NVTX_COUNTER_ID_NONE;
  return id;
}

}  // namespace ringscribe::inject
