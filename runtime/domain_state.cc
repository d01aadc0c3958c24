// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/domain_state.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "ringscribe/backends/nvtxw/utf8.h"
#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/call_site.h"
#include "ringscribe/runtime/call_site_text.h"

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

String process_path() {
  char name[64] = "process";
  if (FILE* file = std::fopen("/proc/self/comm", "re"); file != nullptr) {
    if (std::fgets(name, sizeof name, file) != nullptr) name[std::strcspn(name, "\n")] = '\0';
    std::fclose(file);
  }
  return String("Process[") + String(std::to_string(::getpid())) + ":" +
         escaped(nvtxw::to_valid_utf8(name)) + "]";
}

String thread_path(const SpscRing::Thread& thread) {
  const std::string_view name(thread.name, ::strnlen(thread.name, sizeof thread.name));
  return String("Thread[") + String(std::to_string(thread.number)) + ":" +
         String(std::to_string(thread.system_id)) + ":" + escaped(nvtxw::to_valid_utf8(name)) + "]";
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
    definition->static_id = id_base + definition->number;
  }
  all_.push_back(definition);
  pending_.push_back(definition);
  return definition;
}

StringDefinition* DomainState::string(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const auto found = strings_.find(text);
  if (found != strings_.end()) return found->second;
  auto* definition = make<StringDefinition>();
  definition->text = String(std::string_view(nvtxw::to_valid_utf8(text)));
  definition = publish(definition, &tables_->strings, 0);
  if (definition != nullptr) strings_.emplace(String(text), definition);
  return definition;
}

uint32_t DomainState::category(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = categories_.find(name);
  if (found != categories_.end()) return static_cast<uint32_t>(found->second->static_id);
  auto* definition = make<CategoryDefinition>();
  definition->name = String(std::string_view(nvtxw::to_valid_utf8(name)));
  definition->static_id = next_category_++;
  publish<CategoryDefinition>(definition, nullptr, 0);
  categories_.emplace(String(name), definition);
  return static_cast<uint32_t>(definition->static_id);
}

ScopeDefinition* DomainState::scope(std::string_view path, uint64_t parent_id) {
  const std::lock_guard lock(mutex_);
  String key = String(std::to_string(parent_id)) + '/' + String(path);
  const auto found = scopes_.find(key);
  if (found != scopes_.end()) return found->second;
  auto* definition = make<ScopeDefinition>();
  definition->path = String(std::string_view(nvtxw::to_valid_utf8(path)));
  definition->parent_id = parent_id;
  definition->static_id =
      kOurStaticIds + tables_->next_scope.fetch_add(1, std::memory_order_relaxed);
  publish<ScopeDefinition>(definition, nullptr, 0);
  scopes_.emplace(std::move(key), definition);
  return definition;
}

SchemaDefinition* DomainState::schema(std::string_view name, const SchemaEntry* entries,
                                      size_t entry_count, uint32_t row_bytes, EventKind kind) {
  const std::lock_guard lock(mutex_);
  // The layout is part of the key: two structs of one name in different places stay apart.
  String key = String(name) + '\0' + String(std::to_string(static_cast<int>(kind))) + ' ' +
               String(std::to_string(row_bytes));
  for (size_t i = 0; i < entry_count; ++i)
    key += '\0' + String(entries[i].name) + ' ' + String(std::to_string(entries[i].flags)) + ' ' +
           String(std::to_string(entries[i].type)) + ' ' +
           String(std::to_string(entries[i].array_length)) + ' ' +
           String(std::to_string(entries[i].offset));
  const auto found = schemas_.find(key);
  if (found != schemas_.end()) return found->second;
  auto* definition = make<SchemaDefinition>();
  definition->name = String(name);
  definition->event_kind = kind;
  definition->row_bytes = row_bytes;
  definition->entries.assign(entries, entries + entry_count);
  definition->entry_names.reserve(entry_count);
  for (SchemaEntry& copy : definition->entries)
    copy.name = definition->entry_names.emplace_back(copy.name).c_str();
  definition = publish(definition, &tables_->schemas, kUserSchemaIds);
  if (definition != nullptr) schemas_.emplace(std::move(key), definition);
  return definition;
}

CounterDefinition* DomainState::counter(std::string_view name, const CounterOptions& options) {
  const std::lock_guard lock(mutex_);
  const auto found = counters_.find(name);
  if (found != counters_.end())
    return found->second->value_type == options.value_type ? found->second : nullptr;
  auto* definition = make<CounterDefinition>();
  definition->name = String(std::string_view(nvtxw::to_valid_utf8(name)));
  definition->description = String(std::string_view(nvtxw::to_valid_utf8(options.description)));
  definition->unit = String(std::string_view(nvtxw::to_valid_utf8(options.unit)));
  definition->value_type = options.value_type;
  definition->scope_id = options.scope_id;
  definition->has_min = options.has_min;
  definition->has_max = options.has_max;
  definition->min = options.min;
  definition->max = options.max;
  definition = publish(definition, &tables_->counters, kOurStaticIds);
  if (definition != nullptr) counters_.emplace(String(name), definition);
  return definition;
}

void DomainState::register_pending() {
  Vector<Definition*> asked_for;
  {
    const std::lock_guard lock(mutex_);
    asked_for.swap(pending_);
  }
  for (Definition* definition : asked_for) try_once(*definition);
}

bool DomainState::ensure(Definition& definition) {
  if (!definition.is_tried) register_pending();
  return definition.is_usable;
}

void DomainState::try_once(Definition& definition) {
  if (definition.is_tried) return;
  definition.is_tried = true;
  definition.is_usable = register_now(definition) == NVTXW_RESULT_SUCCESS;
}

int32_t DomainState::register_now(Definition& definition) {
  switch (definition.kind) {
    case DefinitionKind::kString: {
      auto& string = static_cast<StringDefinition&>(definition);
      string.handle = register_string(string.text);
      return string.handle != 0 ? NVTXW_RESULT_SUCCESS : NVTXW_RESULT_FAILED;
    }
    case DefinitionKind::kCategory: {
      auto& category = static_cast<CategoryDefinition&>(definition);
      const int32_t result = interface_->CategoryRegister(
          handle_, static_cast<uint32_t>(category.static_id), category.name.c_str());
      note(result, "CategoryRegister", category.name);
      return result;
    }
    case DefinitionKind::kScope: {
      auto& scope = static_cast<ScopeDefinition&>(definition);
      const int32_t result =
          register_scope(interface_, handle_, scope.path.c_str(), scope.parent_id, scope.static_id);
      note(result, "ScopeRegister", scope.path);
      return result;
    }
    case DefinitionKind::kSchema: {
      auto& schema = static_cast<SchemaDefinition&>(definition);
      Vector<nvtxPayloadSchemaEntry_t> entries;
      for (const SchemaEntry& from : schema.entries)
        entries.push_back(
            schema_entry(from.name, from.flags, from.type, from.offset, from.array_length));
      const nvtxPayloadSchemaAttr_t attr =
          static_schema(schema.name.c_str(), schema_flags(schema.event_kind), entries.data(),
                        entries.size(), schema.row_bytes, schema.static_id);
      uint64_t registered = schema.static_id;
      const int32_t result = interface_->SchemaRegister(handle_, &attr, &registered);
      note(result, "SchemaRegister", schema.name);
      return result;
    }
    case DefinitionKind::kCounter: {
      auto& counter = static_cast<CounterDefinition&>(definition);
      nvtxSemanticsCounter_t semantics{};
      semantics.header.structSize = sizeof semantics;
      semantics.header.semanticId = NVTX_SEMANTIC_ID_COUNTERS_V1;
      semantics.header.version = NVTX_COUNTER_SEMANTIC_VERSION;
      semantics.unit = counter.unit.c_str();
      semantics.unitScaleNumerator = semantics.unitScaleDenominator = 1;
      if (counter.has_min) semantics.flags |= NVTX_COUNTER_FLAG_LIMIT_MIN;
      if (counter.has_max) semantics.flags |= NVTX_COUNTER_FLAG_LIMIT_MAX;
      if (semantics.flags != 0) semantics.limitType = NVTX_COUNTER_LIMIT_F64;
      semantics.min.f64 = counter.min;
      semantics.max.f64 = counter.max;
      nvtxCounterAttr_t attr{};
      attr.structSize = sizeof attr;
      attr.schemaId = counter.value_type;
      attr.name = counter.name.c_str();
      attr.description = counter.description.empty() ? nullptr : counter.description.c_str();
      attr.scopeId = counter.scope_id;
      if (!counter.unit.empty() || semantics.flags != 0) attr.semantics = &semantics.header;
      attr.counterId = counter.static_id;
      uint64_t registered = counter.static_id;
      const int32_t result = interface_->CounterRegister(handle_, &attr, &registered);
      note(result, "CounterRegister", counter.name);
      return result;
    }
  }
  return NVTXW_RESULT_INVALID_ARGUMENT;
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
    const String path = process_path();
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

const DomainState::SiteHandles& DomainState::ensure_site(uint32_t site) {
  if (site >= sites_.size()) sites_.resize(site + 64);
  SiteHandles& handles = sites_[site];
  if (handles.is_known) return handles;
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
