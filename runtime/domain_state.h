// SPDX-License-Identifier: Apache-2.0
//
// DomainState: a domain of a session. Two halves: what applications ask for by name (any thread,
// under a mutex that no recording thread takes but for a category given by name), and what the
// flusher has registered with the backend so far.
#ifndef RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_
#define RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/builtin_schemas.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/numbered_table.h"
#include "ringscribe/runtime/spsc_ring.h"

namespace ringscribe::runtime {

// Where records find definitions by number: one for the process, handed to whoever needs it.
struct DefinitionTables {
  std::mutex mutex;  // for add() and remove()
  NumberedTable<StringDefinition> strings;
  NumberedTable<SchemaDefinition> schemas;
  NumberedTable<CounterDefinition> counters;
  std::atomic<uint32_t> next_scope{1};
};

class DomainState {
 public:
  DomainState(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t handle, uint32_t number,
              std::string_view name, DefinitionTables* tables);
  ~DomainState();
  DomainState(const DomainState&) = delete;
  DomainState& operator=(const DomainState&) = delete;

  // --- Any thread. The same arguments give the same definition. nullptr: numbers are used up.
  StringDefinition* string(std::string_view text);
  // The category's ID. Named ones count from 2^30, clear of the numbers that applications use.
  uint32_t category(std::string_view name);
  ScopeDefinition* scope(std::string_view path, uint64_t parent_id);
  SchemaDefinition* schema(std::string_view name, const SchemaEntry* entries, size_t entry_count,
                           uint32_t row_bytes, EventKind kind);
  struct CounterOptions {
    std::string_view description, unit;
    uint64_t value_type = 0, scope_id = 0;
    bool has_min = false, has_max = false;
    double min = 0, max = 0;
  };
  // nullptr, too, if the name is taken by a counter of another type.
  CounterDefinition* counter(std::string_view name, const CounterOptions& options);

  // --- Flusher only.

  // Registers what was asked for since the last call, in order.
  void register_pending();
  // True if the definition can be used now (registers it if it was not tried).
  bool ensure(Definition& definition);    // and what was asked for before it
  uint64_t ensure(BuiltinSchema schema);  // its schema id
  uint64_t ensure_thread_scope(const SpscRing::Thread& thread);
  // A call site's message as a registered string (0: no message) and its category's id.
  struct SiteHandles {
    uint64_t message = 0;
    uint32_t category = 0;
    uint32_t color = 0;
    bool is_known = false;
  };
  const SiteHandles& ensure_site(uint32_t site);
  uint64_t register_string(std::string_view text);
  // The first failure of a registration since the last call.
  Status take_failure();

  const nvtxwInterface_v2_t* interface() const { return interface_; }
  nvtxDomainHandle_t handle() const { return handle_; }
  uint32_t number() const { return number_; }
  const String& name() const { return name_; }

 private:
  template <typename T>
  T* publish(T* definition, NumberedTable<T>* table, uint64_t id_base);
  void try_once(Definition& definition);
  int32_t register_now(Definition& definition);
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
  StringMap<SchemaDefinition*> schemas_;
  StringMap<CounterDefinition*> counters_;
  uint32_t next_category_ = 1u << 30;
  Vector<Definition*> all_;
  Vector<Definition*> pending_;  // asked for and not yet tried, in order: what is referred to first

  // Flusher only.
  Vector<SiteHandles> sites_;
  uint32_t builtin_schemas_ = 0;  // bit mask
  Vector<bool> thread_scopes_;
  bool has_process_scope_ = false;
  Status failure_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DOMAIN_STATE_H_
