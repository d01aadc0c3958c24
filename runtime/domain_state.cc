// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/domain_state.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/c_text.h"
#include "ringscribe/runtime/call_site.h"
#include "ringscribe/runtime/call_site_text.h"
#include "ringscribe/runtime/definition_key.h"
#include "ringscribe/runtime/owned_semantics.h"
#include "ringscribe/runtime/registration.h"

namespace ringscribe::runtime {

static_assert(kThreadScopeIds < NVTX_SCOPE_ID_DYNAMIC_START);

namespace {

// A name as a scope path takes it: '/', '[', ']' and '\' escaped.
String escaped(std::string_view name) {
  String result;
  for (const char c : name) {
    if (c == '/' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

String process_path(int64_t id, std::string_view name) {
  return String("Process[") + String(std::to_string(id)) + ":" + escaped(to_valid_c_text(name)) +
         "]";
}

String own_process_path() {
  char name[64] = "process";
  if (FILE* file = std::fopen("/proc/self/comm", "re"); file != nullptr) {
    if (std::fgets(name, sizeof name, file) != nullptr) name[std::strcspn(name, "\n")] = '\0';
    std::fclose(file);
  }
  return process_path(::getpid(), name);
}

String thread_path(const SpscRing::Thread& thread) {
  const std::string_view name(thread.name, ::strnlen(thread.name, sizeof thread.name));
  return String("Thread[") + String(std::to_string(thread.number)) + ":" +
         String(std::to_string(thread.system_id)) + ":" + escaped(to_valid_c_text(name)) + "]";
}

int32_t register_scope(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                       const char* path, uint64_t parent, uint64_t id) {
  nvtxScopeAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.path = path;
  attr.parentScope = parent;
  attr.scopeId = id;
  uint64_t registered = id;
  return interface->ScopeRegister(domain, &attr, &registered);
}

}  // namespace

DomainState::DomainState(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t handle,
                         uint32_t number, std::string_view name, DefinitionTables* tables)
    : interface_(interface), handle_(handle), number_(number), name_(name), tables_(tables) {}

DomainState::~DomainState() {
  const std::lock_guard lock(tables_->mutex);
  for (Definition* definition : all_) {
    if (definition->kind == DefinitionKind::kString) tables_->strings.remove(definition->number);
    if (definition->kind == DefinitionKind::kSchema) tables_->schemas.remove(definition->number);
    if (definition->kind == DefinitionKind::kCounter) tables_->counters.remove(definition->number);
    destroy(definition);
  }
}

template <typename T>
T* DomainState::publish(T* definition, NumberedTable<T>* table, uint64_t id_base) {
  definition->domain = this;
  if (table != nullptr) {
    const std::lock_guard lock(tables_->mutex);
    definition->number = table->add(definition);
    if (definition->number == 0) {
      destroy(definition);
      return nullptr;
    }
    if (definition->static_id == 0) definition->static_id = id_base + definition->number;
  }
  enlist(definition);
  return definition;
}

void DomainState::enlist(Definition* definition) {
  all_.push_back(definition);
  pending_.push_back(definition);
  has_pending_.store(true, std::memory_order_relaxed);
  if (tables_->log != nullptr) tables_->log->add(LoggedDefinition{number_, definition});
}

bool DomainState::is_sound(const Definition& read) {
  // None of NVTX's types, none of the built-in schemas, none that there is.
  const uint64_t id = read.static_id;
  const bool is_type_id = id >= kFirstStaticId && id <= UINT32_MAX &&
                          (id < kOurStaticIds || id >= kUserSchemaIds) && !compiler_.knows(id);
  switch (read.kind) {
    case DefinitionKind::kSchema:
      return is_type_id && compiler_.could_have_made(static_cast<const SchemaDefinition&>(read));
    case DefinitionKind::kEnum: {
      const uint64_t size = static_cast<const EnumDefinition&>(read).size_bytes;
      return is_type_id && (size == 1 || size == 2 || size == 4 || size == 8);
    }
    default:
      return true;
  }
}

bool DomainState::restore(Definition* definition) {
  const std::lock_guard lock(mutex_);
  definition->domain = this;
  bool has_place = is_sound(*definition);
  if (has_place) {
    const std::lock_guard tables_lock(tables_->mutex);
    if (definition->kind == DefinitionKind::kString)
      has_place =
          tables_->strings.put(definition->number, static_cast<StringDefinition*>(definition));
    if (definition->kind == DefinitionKind::kSchema)
      has_place =
          tables_->schemas.put(definition->number, static_cast<SchemaDefinition*>(definition));
    if (definition->kind == DefinitionKind::kCounter)
      has_place =
          tables_->counters.put(definition->number, static_cast<CounterDefinition*>(definition));
  }
  if (has_place) {
    if (definition->kind == DefinitionKind::kSchema)
      compiler_.add(static_cast<SchemaDefinition&>(*definition));
    if (definition->kind == DefinitionKind::kEnum)
      compiler_.add(static_cast<EnumDefinition&>(*definition));
    enlist(definition);
  } else {
    destroy(definition);
  }
  return has_place;
}

namespace {

Status no_number(const char* what, std::string_view name) {
  return Status(ResultCode::kFailed, std::string("no number is left for ") + what + " \"" +
                                         std::string(name) +
                                         "\": this process has used 4 million of them");
}

}  // namespace

Status DomainState::check_static_id(IdSpace space, uint64_t id, const std::string& subject) {
  if (id == 0) return Status();
  if (id < kFirstStaticId || id >= kOurStaticIds)
    return Status(ResultCode::kInvalidArgument,
                  subject + ": static ID " + std::to_string(id) + " is not in [" +
                      std::to_string(kFirstStaticId) + ", " + std::to_string(kOurStaticIds) +
                      "); leave it out to get one");
  if (!static_ids_[space].emplace(id, true).second)
    return Status(ResultCode::kInvalidArgument, subject + ": static ID " + std::to_string(id) +
                                                    " is taken in this domain; give another");
  return Status();
}

Result<StringDefinition*> DomainState::string(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  auto* definition = make<StringDefinition>();
  definition->text = own_c_text(text);
  definition = publish(definition, &tables_->strings, 0);
  if (definition == nullptr) return no_number("registered string", text);
  definition->static_id = 0;  // NVTXW has none for strings
  strings_.emplace(String(text), definition);
  return definition;
}

uint32_t DomainState::category(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = categories_.find(name);
  if (found != categories_.end()) return static_cast<uint32_t>(found->second->static_id);
  auto* definition = make<CategoryDefinition>();
  definition->name = own_c_text(name);
  while (numbered_categories_.contains(next_category_)) ++next_category_;
  definition->static_id = next_category_++;
  publish<CategoryDefinition>(definition, nullptr, 0);
  categories_.emplace(String(name), definition);
  return static_cast<uint32_t>(definition->static_id);
}

Status DomainState::name_category(uint32_t id, std::string_view name) {
  const std::string subject = "category \"" + std::string(name) + "\"";
  if (id == 0)
    return Status(ResultCode::kInvalidArgument,
                  subject + ": number 0 means \"no category\" and takes no name");
  const std::lock_guard lock(mutex_);
  const auto found = numbered_categories_.find(id);
  if (found != numbered_categories_.end() && found->second->name != name)
    return Status(ResultCode::kInvalidArgument,
                  subject + ": number " + std::to_string(id) + " is already named \"" +
                      std::string(found->second->name) + "\" in this domain");
  for (const auto& [known, definition] : categories_)
    if (definition->static_id == id && known != name)
      return Status(ResultCode::kInvalidArgument,
                    subject + ": number " + std::to_string(id) + " was given to \"" +
                        std::string(known) + "\" by get_category; numbers below 2^30 are free");
  if (found != numbered_categories_.end()) return Status();
  auto* definition = make<CategoryDefinition>();
  definition->name = own_c_text(name);
  definition->static_id = id;
  publish<CategoryDefinition>(definition, nullptr, 0);
  numbered_categories_.emplace(id, definition);
  return Status();
}

Result<ScopeDefinition*> DomainState::scope(std::string_view path, uint64_t parent_id,
                                            uint64_t static_id) {
  const std::lock_guard lock(mutex_);
  String key = DefinitionKey().add(parent_id).add(static_id).add(path).take();
  const auto found = scopes_.find(key);
  if (found != scopes_.end()) return found->second;
  if (Status status = check_static_id(kScopeIds, static_id, "scope \"" + std::string(path) + "\"");
      !status.ok())
    return status;
  auto* definition = make<ScopeDefinition>();
  definition->path = own_c_text(path);
  definition->parent_id = parent_id;
  definition->static_id =
      static_id != 0 ? static_id
                     : kOurStaticIds + tables_->next_scope.fetch_add(1, std::memory_order_relaxed);
  publish<ScopeDefinition>(definition, nullptr, 0);
  scopes_.emplace(std::move(key), definition);
  return definition;
}

Result<SchemaDefinition*> DomainState::schema(const SchemaDescription& description, EventKind kind,
                                              uint64_t extra_flags) {
  const std::lock_guard lock(mutex_);
  return schema_locked(description, kind, extra_flags);
}

Result<SchemaDefinition*> DomainState::schema_locked(const SchemaDescription& description,
                                                     EventKind kind, uint64_t extra_flags) {
  // What is nested comes first; then types are numbers.
  Vector<SchemaEntry> entries(description.entries, description.entries + description.count);
  const std::string subject =
      "schema \"" + std::string(description.name == nullptr ? "" : description.name) + "\"";
  DefinitionKey key;
  key.add(description.name).add(static_cast<uint64_t>(kind)).add(extra_flags);
  key.add(description.row_bytes).add(static_cast<uint64_t>(description.type));
  key.add(description.pack_align).add(description.static_id);
  for (SchemaEntry& entry : entries) {
    if (entry.nested != nullptr) {
      Result<SchemaDefinition*> nested = schema_locked(*entry.nested, EventKind::kNone, 0);
      if (!nested.ok()) return nested.status().with_context(subject);
      entry.type = (*nested)->static_id;
    } else if (entry.enumeration != nullptr) {
      Result<EnumDefinition*> enumeration = enumeration_locked(*entry.enumeration);
      if (!enumeration.ok()) return enumeration.status().with_context(subject);
      entry.type = (*enumeration)->static_id;
    }
    entry.semantics.counter = with_equal_limits(entry.semantics.counter);
    if (Status status = check_semantics(
            entry.semantics.counter,
            subject + ", field \"" + (entry.name == nullptr ? "" : entry.name) + "\"");
        !status.ok())
      return status;
    key.add(entry.name).add(entry.description).add(entry.flags).add(entry.type).add(entry.detail);
    key.add(entry.offset).add(entry.is_flexible ? 1 : 0).add(entry.semantics);
  }
  String whole = key.take();
  const auto found = schemas_.find(whole);
  if (found != schemas_.end()) return found->second;
  SchemaDescription resolved = description;
  resolved.entries = entries.data();
  auto* definition = make<SchemaDefinition>();
  Status status = compiler_.compile(resolved, kind, extra_flags, *definition);
  if (status.ok()) status = check_static_id(kSchemaIds, description.static_id, subject);
  if (!status.ok()) {
    destroy(definition);
    return status;
  }
  definition->static_id = description.static_id;
  definition = publish(definition, &tables_->schemas, kUserSchemaIds);
  if (definition == nullptr) return no_number("schema", subject);
  compiler_.add(*definition);
  schemas_.emplace(std::move(whole), definition);
  return definition;
}

const SchemaDefinition* DomainState::find_schema(uint32_t number) const {
  const SchemaDefinition* schema = tables_->schemas.get(number);
  return schema != nullptr && schema->domain == this ? schema : nullptr;
}

Result<EnumDefinition*> DomainState::enumeration(const EnumDescription& description) {
  const std::lock_guard lock(mutex_);
  return enumeration_locked(description);
}

Result<EnumDefinition*> DomainState::enumeration_locked(const EnumDescription& description) {
  const std::string subject =
      "enum \"" + std::string(description.name == nullptr ? "" : description.name) + "\"";
  const uint32_t size = description.size_bytes;
  if (size != 1 && size != 2 && size != 4 && size != 8)
    return Status(ResultCode::kInvalidArgument,
                  subject + ": a size of " + std::to_string(size) + " bytes; use 1, 2, 4 or 8");
  if (description.count == 0)
    return Status(ResultCode::kInvalidArgument, subject + ": it has no values: give at least one");
  DefinitionKey key;
  key.add(description.name).add(size).add(description.static_id);
  const uint64_t above = size == 8 ? 0 : ~uint64_t{0} << (8 * size);
  for (size_t i = 0; i < description.count; ++i) {
    const EnumValue& value = description.values[i];
    // Negative values of a signed enum are given with their sign extended.
    const uint64_t sign_and_above = size == 8 ? 0 : above | (above >> 1);
    if ((value.value & above) != 0 && (value.value & sign_and_above) != sign_and_above)
      return Status(ResultCode::kInvalidArgument,
                    subject + ", value \"" + (value.name == nullptr ? "" : value.name) +
                        "\": " + std::to_string(value.value) + " does not fit into " +
                        std::to_string(size) + " bytes");
    key.add(value.name).add(value.value).add(value.is_flag ? 1 : 0);
  }
  String whole = key.take();
  const auto found = enums_.find(whole);
  if (found != enums_.end()) return found->second;
  if (Status status = check_static_id(kSchemaIds, description.static_id, subject); !status.ok())
    return status;
  auto* definition = make<EnumDefinition>();
  definition->name = own_c_text(description.name);
  definition->size_bytes = size;
  for (size_t i = 0; i < description.count; ++i) {
    const EnumValue& value = description.values[i];
    definition->values.push_back({own_c_text(value.name), value.value, value.is_flag});
  }
  definition->static_id =
      description.static_id != 0
          ? description.static_id
          : kUserEnumIds + tables_->next_enum.fetch_add(1, std::memory_order_relaxed);
  publish<EnumDefinition>(definition, nullptr, 0);
  compiler_.add(*definition);
  enums_.emplace(std::move(whole), definition);
  return definition;
}

Result<CounterDefinition*> DomainState::counter(std::string_view name,
                                                const CounterOptions& options) {
  const std::string subject = "counter \"" + std::string(name) + "\"";
  FieldSemantics semantics = options.semantics;
  semantics.counter = with_equal_limits(semantics.counter);
  DefinitionKey wanted;
  wanted.add(options.description).add(options.layout).add(options.scope_id).add(options.static_id);
  String key = wanted.add(semantics).take();
  const std::lock_guard lock(mutex_);
  StringMap<CounterDefinition*>& counters = options.is_twin ? twin_counters_ : counters_;
  const auto found = counters.find(name);
  if (found != counters.end()) {
    if (found->second->key == key) return found->second;
    const bool has_other_type = found->second->layout != options.layout;
    return Status(ResultCode::kInvalidArgument,
                  subject + " exists in domain \"" + std::string(name_) + "\" with " +
                      (has_other_type ? "values of another type: ask for it with that type"
                                      : "other options: ask for it with the same") +
                      ", or give this one another name");
  }
  if (Status status = check_semantics(semantics.counter, subject); !status.ok()) return status;
  if (Status status = check_static_id(kCounterIds, options.static_id, subject); !status.ok())
    return status;
  auto* definition = make<CounterDefinition>();
  definition->name = own_c_text(name);
  definition->description = own_c_text(options.description);
  definition->layout = options.layout;
  definition->sample_bytes = options.sample_bytes;
  definition->time_offset = options.time_offset;
  definition->scope_id = options.scope_id;
  definition->semantics = own(semantics);
  definition->static_id = options.static_id;
  definition->key = std::move(key);
  definition = publish(definition, &tables_->counters, kOurStaticIds);
  if (definition == nullptr) return no_number("counter", name);
  counters.emplace(String(name), definition);
  return definition;
}

Result<TimeDomainDefinition*> DomainState::time_domain(const TimeDomainDefinition& wanted) {
  const std::lock_guard lock(mutex_);
  String key = DefinitionKey()
                   .add(wanted.scope_id)
                   .add(wanted.timestamp_type)
                   .add(wanted.flags)
                   .add(static_cast<uint64_t>(wanted.ticks_per_second))
                   .add(wanted.start)
                   .add(wanted.static_id)
                   .take();
  // Two clocks may look alike: only a static ID makes them the same.
  if (wanted.static_id != 0) {
    const auto found = time_domains_.find(key);
    if (found != time_domains_.end()) return found->second;
  }
  if (wanted.ticks_per_second < 0)
    return Status(ResultCode::kInvalidArgument,
                  "time domain: ticks_per_second is " + std::to_string(wanted.ticks_per_second) +
                      "; give a positive number, or 0 if it is not known");
  if (Status status = check_static_id(kTimeDomainIds, wanted.static_id, "time domain");
      !status.ok())
    return status;
  auto* definition = make<TimeDomainDefinition>();
  definition->scope_id = wanted.scope_id;
  definition->timestamp_type = wanted.timestamp_type;
  definition->flags = wanted.flags;
  definition->ticks_per_second = wanted.ticks_per_second;
  definition->start = wanted.start;
  definition->static_id =
      wanted.static_id != 0
          ? wanted.static_id
          : kOurStaticIds + tables_->next_time_domain.fetch_add(1, std::memory_order_relaxed);
  publish<TimeDomainDefinition>(definition, nullptr, 0);
  time_domains_.emplace(std::move(key), definition);
  return definition;
}

void DomainState::resource(int32_t type, uint64_t identifier, std::string_view name) {
  const std::lock_guard lock(mutex_);
  auto* definition = make<ResourceDefinition>();
  definition->type = type;
  definition->identifier = identifier;
  definition->name = own_c_text(name);
  publish<ResourceDefinition>(definition, nullptr, 0);
}

void DomainState::register_pending() {
  Vector<Definition*> asked_for;
  {
    const std::lock_guard lock(mutex_);
    asked_for.swap(pending_);
    has_pending_.store(false, std::memory_order_relaxed);
  }
  for (Definition* definition : asked_for) try_once(*definition);
}

void DomainState::try_once(Definition& definition) {
  if (definition.is_tried) return;
  definition.is_tried = true;
  const int32_t result = register_definition(interface_, handle_, definition);
  definition.is_usable = result == NVTXW_RESULT_SUCCESS;
  note(result, registration_name(definition), definition_subject(definition));
}

uint64_t DomainState::ensure(BuiltinSchema schema) {
  const uint64_t id = kOurStaticIds + 1 + static_cast<uint64_t>(schema);
  const uint32_t bit = 1u << static_cast<uint32_t>(schema);
  if ((builtin_schemas_ & bit) == 0) {
    builtin_schemas_ |= bit;
    note(register_builtin_schema(interface_, handle_, schema, id), "SchemaRegister",
         "built-in schema");
  }
  return id;
}

uint64_t DomainState::ensure_thread_scope(const SpscRing::Thread& thread) {
  const uint64_t id = kThreadScopeIds + thread.number;
  if (thread.number < thread_scopes_.size() && thread_scopes_[thread.number]) return id;
  if (!has_process_scope_) {
    has_process_scope_ = true;
    const String path = tables_->process_id == 0
                            ? own_process_path()
                            : process_path(tables_->process_id, tables_->process_name);
    note(register_scope(interface_, handle_, path.c_str(), NVTX_SCOPE_ROOT, kProcessScopeId),
         "ScopeRegister", path);
  }
  if (thread.number >= thread_scopes_.size()) thread_scopes_.resize(thread.number + 64, false);
  thread_scopes_[thread.number] = true;
  const String path = thread_path(thread);
  note(register_scope(interface_, handle_, path.c_str(), kProcessScopeId, id), "ScopeRegister",
       path);
  return id;
}

const DomainState::SiteHandles& DomainState::learn_site(uint32_t site) {
  if (site >= sites_.size()) sites_.resize(site + 64);
  SiteHandles& handles = sites_[site];
  handles.is_known = true;
  const CallSiteText* text = find_call_site(site);
  if (text == nullptr) return handles;
  if (!text->message.empty()) handles.message = register_string(text->message);
  if (!text->category.empty()) {
    handles.category = category(text->category);
    register_pending();
  }
  handles.color = text->color;
  return handles;
}

uint64_t DomainState::register_string(std::string_view text) {
  nvtxStringHandle_t handle = nullptr;
  const int32_t result = interface_->StringRegister(handle_, String(text).c_str(), &handle);
  note(result, "StringRegister", text);
  return result == NVTXW_RESULT_SUCCESS ? reinterpret_cast<uint64_t>(handle) : 0;
}

void DomainState::note(int32_t result, const char* operation, std::string_view subject) {
  if (result == NVTXW_RESULT_SUCCESS || !failure_.ok()) return;
  failure_ = Status(static_cast<ResultCode>(result),
                    std::string(operation) + " of \"" + std::string(subject.substr(0, 200)) +
                        "\" in domain \"" + std::string(name_) + "\" was refused by the backend");
}

Status DomainState::take_failure() {
  Status taken = failure_;
  failure_ = Status();
  return taken;
}

}  // namespace ringscribe::runtime
