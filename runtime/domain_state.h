// SPDX-License-Identifier: Apache-2.0
//
// DomainState: a domain of a session. Two halves: what applications ask for by name (any thread,
// under a mutex that no recording thread takes but for a category given by name), and what the
// flusher has registered with the backend so far.
#ifndef RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_
#define RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/definition_log.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/numbered_table.h"
#include "ringscribe/runtime/schema_compiler.h"
#include "ringscribe/runtime/spsc_ring.h"

namespace ringscribe::runtime {

// Where records find definitions by number: one for the process, handed to whoever needs it.
struct DefinitionTables {
  DefinitionLog* log = nullptr;  // where all that is defined is written down, if anywhere
  // Whose threads the scopes are of; 0: this process's.
  int64_t process_id = 0;
  String process_name;
  std::mutex mutex;  // for add() and remove()
  NumberedTable<StringDefinition> strings;
  NumberedTable<SchemaDefinition> schemas;
  NumberedTable<CounterDefinition> counters;
  // IDs of ours that no record names by number.
  std::atomic<uint32_t> next_scope{1};
  std::atomic<uint32_t> next_enum{1};
  std::atomic<uint32_t> next_time_domain{1};
};

class DomainState {
 public:
  DomainState(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t handle, uint32_t number,
              std::string_view name, DefinitionTables* tables);
  ~DomainState();
  DomainState(const DomainState&) = delete;
  DomainState& operator=(const DomainState&) = delete;

  // --- Any thread. The same arguments give the same definition. A failure says what is wrong with
  // which argument, or that numbers are used up.
  Result<StringDefinition*> string(std::string_view text);
  // The category's ID. Named ones count from 2^30, clear of the numbers that applications use.
  uint32_t category(std::string_view name);
  Status name_category(uint32_t id, std::string_view name);
  Result<ScopeDefinition*> scope(std::string_view path, uint64_t parent_id, uint64_t static_id);
  Result<SchemaDefinition*> schema(const SchemaDescription& description, EventKind kind,
                                   uint64_t extra_flags);
  // The schema of that number, if it is of this domain; nullptr otherwise.
  const SchemaDefinition* find_schema(uint32_t number) const;
  Result<EnumDefinition*> enumeration(const EnumDescription& description);
  struct CounterOptions {
    std::string_view description = {};
    uint64_t layout = 0;  // NVTX_PAYLOAD_ENTRY_TYPE_* or the ID of a schema
    uint32_t sample_bytes = 8;
    uint32_t time_offset = 0;
    uint64_t scope_id = 0;
    FieldSemantics semantics = {};
    uint64_t static_id = 0;
    // One more of that name, for samples whose times are the stream's: the other has a time domain.
    bool is_twin = false;
  };
  // Fails, too, if the name is taken by a counter of another layout.
  Result<CounterDefinition*> counter(std::string_view name, const CounterOptions& options);
  Result<TimeDomainDefinition*> time_domain(const TimeDomainDefinition& wanted);
  void resource(int32_t type, uint64_t identifier, std::string_view name);

  // Takes a definition that another process logged, with its numbers. Owns it; false, and it is
  // destroyed, if no table has the number, or if no call of this class would have made it.
  bool restore(Definition* definition);

  // --- Flusher only.

  // Registers what was asked for since the last call, in order.
  void register_pending();
  // The same, cheap if there is nothing: for records that name IDs (scopes, time domains), which
  // may have been asked for after the step began.
  void register_what_records_name() {
    // Relaxed: the record that names it was published after it, and its reader has acquired that.
    if (has_pending_.load(std::memory_order_relaxed)) register_pending();
  }
  // True if the definition can be used now (registers it if it was not tried).
  // … and what was asked for before it.
  bool ensure(Definition& definition) {
    if (!definition.is_tried) register_pending();
    return definition.is_usable;
  }
  uint64_t ensure(BuiltinSchema schema);  // its schema id
  uint64_t ensure_thread_scope(const SpscRing::Thread& thread);
  // A call site's message as a registered string (0: no message) and its category's id.
  struct SiteHandles {
    uint64_t message = 0;
    uint32_t category = 0;
    uint32_t color = 0;
    bool is_known = false;
  };
  const SiteHandles& ensure_site(uint32_t site) {
    return site < sites_.size() && sites_[site].is_known ? sites_[site] : learn_site(site);
  }
  uint64_t register_string(std::string_view text);
  // The first failure of a registration since the last call.
  Status take_failure();

  const nvtxwInterface_v2_t* interface() const { return interface_; }
  nvtxDomainHandle_t handle() const { return handle_; }
  uint32_t number() const { return number_; }
  const String& name() const { return name_; }

 private:
  bool is_sound(const Definition& read);
  const SiteHandles& learn_site(uint32_t site);
  template <typename T>
  T* publish(T* definition, NumberedTable<T>* table, uint64_t id_base);
  void enlist(Definition* definition);
  Result<SchemaDefinition*> schema_locked(const SchemaDescription& description, EventKind kind,
                                          uint64_t extra_flags);
  Result<EnumDefinition*> enumeration_locked(const EnumDescription& description);
  // Which IDs must differ from each other: schemas and enums share theirs.
  enum IdSpace : size_t { kScopeIds, kSchemaIds, kCounterIds, kTimeDomainIds, kIdSpaces };
  Status check_static_id(IdSpace space, uint64_t id, const std::string& subject);
  void try_once(Definition& definition);
  void note(int32_t result, const char* operation, std::string_view subject);

  const nvtxwInterface_v2_t* interface_;
  nvtxDomainHandle_t handle_;
  uint32_t number_;
  String name_;
  DefinitionTables* tables_;

  // Any thread, under mutex_.
  std::mutex mutex_;
  StringMap<StringDefinition*> strings_;
  StringMap<CategoryDefinition*> categories_;
  StringMap<ScopeDefinition*> scopes_;
  StringMap<SchemaDefinition*> schemas_;  // by their whole description, as enums
  StringMap<EnumDefinition*> enums_;
  StringMap<CounterDefinition*> counters_;
  StringMap<CounterDefinition*> twin_counters_;
  StringMap<TimeDomainDefinition*> time_domains_;
  Map<uint32_t, CategoryDefinition*> numbered_categories_;
  Map<uint64_t, bool> static_ids_[kIdSpaces];  // the users'
  SchemaCompiler compiler_;
  uint32_t next_category_ = 1u << 30;
  Vector<Definition*> all_;
  Vector<Definition*> pending_;  // asked for and not yet tried, in order: what is referred to first
  std::atomic<bool> has_pending_{false};

  // Flusher only.
  Vector<SiteHandles> sites_;
  uint32_t builtin_schemas_ = 0;  // bit mask
  Vector<bool> thread_scopes_;
  bool has_process_scope_ = false;
  Status failure_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_
