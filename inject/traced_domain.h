// SPDX-License-Identifier: Apache-2.0
//
// TracedDomain: a domain of NVTX on its way into a domain of the session, with a live stream for
// what is recorded at the time of the call. What a program registers in it is found again by the
// IDs that this gave out: those of NVTX's dynamic range, or the program's own static ones.
//
//   TracedDomain domain(session, index, "io", filters);
//   uint64_t id = domain.register_schema(attr);              // 0: refused, and said on stderr
//   const TracedDomain::SchemaUse* use = domain.find_schema(id);
//
// Threads: any. Registration takes a lock; schemas and counters are looked up without.
// Lifetime: until the process ends: programs keep handles beyond nvtxDomainDestroy.
#ifndef RINGSCRIBE_INJECT_TRACED_DOMAIN_H_
#define RINGSCRIBE_INJECT_TRACED_DOMAIN_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <shared_mutex>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/inject/event_layout.h"
#include "ringscribe/inject/id_table.h"
#include "ringscribe/inject/name_filter.h"
#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/inject/program_timers.h"
#include "ringscribe/inject/schema_conversion.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/reference.h"
#include "ringscribe/runtime/session_state.h"
#include "ringscribe/runtime/stream_table.h"

namespace ringscribe::inject {

class TracedDomain final : public ProgramIds {
 public:
  // `session` may be nullptr: then nothing is recorded, and all is registered in vain.
  TracedDomain(std::shared_ptr<runtime::SessionState> session, uint32_t index,
               std::string_view name, bool passes, const NameFilter* categories);
  TracedDomain(const TracedDomain&) = delete;
  TracedDomain& operator=(const TracedDomain&) = delete;

  uint32_t index() const noexcept { return index_; }
  const runtime::String& name() const noexcept { return name_; }
  // Whether events are recorded: the domain passes the filter, and its stream could be opened.
  bool is_enabled() const noexcept { return is_enabled_; }
  const runtime::StreamRef& stream() const noexcept { return stream_; }

  // Whether events of that category are recorded.
  [[gnu::always_inline]] bool passes(uint32_t category) const {
    return !has_category_filter_ || passes_category(category);
  }
  void name_category(uint32_t category, std::string_view name);

  // --- Texts.

  // The number of a registered string; 0 if there is none to be had.
  uint32_t intern(std::string_view text, const char*& kept);
  // A string handle: its number in the low half, the domain's in the high half.
  uint64_t string_handle(std::string_view text);
  // The number in a handle; 0 for one of another domain.
  [[gnu::always_inline]] uint32_t string_number(const void* handle) const noexcept {
    const auto word = reinterpret_cast<uint64_t>(handle);
    return word >> 32 == number_ ? static_cast<uint32_t>(word) : 0;
  }
  // The text of a handle; "" for one of another domain.
  const char* string_text(nvtxStringHandle_t handle) const;
  // As it stands in a row.
  uint64_t string_word(uint32_t number) const noexcept {
    return runtime::Reference::of(number, number_).word;
  }
  void name_resource(int32_t type, uint64_t identifier, std::string_view name);

  // --- Layouts.

  uint64_t register_schema(const nvtxPayloadSchemaAttr_t& attr);
  uint64_t register_enum(const nvtxPayloadEnumAttr_t& attr);
  uint64_t register_scope(const nvtxScopeAttr_t& attr);
  uint64_t register_time_domain(const nvtxTimeDomainAttr_t& attr);
  // --- ProgramIds.
  uint64_t type_id(uint64_t id) const override;
  uint64_t time_domain_id(uint64_t id) const override;
  uint64_t scope_id(uint64_t id) const override;
  const SchemaUse* find_schema(uint64_t id) const noexcept override { return schemas_.find(id); }

  // The number of the schema for a live event with payloads; 0 if there is none to be had.
  uint32_t layout_number(const EventLayout& layout);

  // --- Counters.

  struct CounterUse {
    uint32_t number = 0;
    // Of samples that are read now, by the recording's clock: another, if the counter has its own.
    uint32_t live_number = 0;
    uint32_t sample_bytes = 0;
    uint64_t type = 0;  // NVTX_PAYLOAD_ENTRY_TYPE_*; 0: a group
    bool has_embedded_time = false;
  };
  uint64_t register_counter(const nvtxCounterAttr_t& attr);
  const CounterUse* find_counter(uint64_t id) const noexcept { return counters_.find(id); }

  // --- Deferred events: a stream of explicit times for those whose scope is `scope`.
  runtime::StreamRef deferred_stream(uint64_t scope);
  // A clock of the program's: read now, and beside deferred events from then on, so that its time
  // domain can be converted; once more at exit if that `is_safe_at_exit`.
  void add_timer(uint64_t time_domain, ProgramTimers::Read read, void* data, bool is_safe_at_exit);
  void read_timers();
  void read_timers_at_exit();

 private:
  template <typename T>
  using IdMap = runtime::Map<uint64_t, T>;

  bool passes_category(uint32_t category) const;
  bool has_counter(std::string_view name) const;
  void fail(const Status& status) const;
  runtime::StreamRef open_stream(std::string_view name, bool is_live, uint64_t scope);

  const std::shared_ptr<runtime::SessionState> session_;
  const uint32_t index_;
  const runtime::String name_;
  runtime::DomainState* state_ = nullptr;
  uint32_t number_ = 0;
  bool is_enabled_ = false;
  bool has_category_filter_ = false;
  const NameFilter* const categories_;
  runtime::StreamRef stream_ = runtime::closed_stream();
  // Numbers; relaxed: constants once set.
  std::atomic<uint32_t> layouts_[kLayoutKinds][2][kPayloadValues] = {};

  mutable std::shared_mutex mutex_;
  runtime::Map<uint32_t, bool> category_passes_;  // of named ones
  // By the program's ID.
  IdTable<SchemaUse> schemas_;
  std::deque<SchemaUse> schema_uses_;
  IdMap<uint64_t> enums_, scopes_, time_domains_;
  IdTable<CounterUse> counters_;
  std::deque<CounterUse> counter_uses_;
  runtime::StringMap<bool> counter_names_;
  IdMap<runtime::StreamRef> deferred_;  // by scope
  ProgramTimers timers_;
  size_t interned_bytes_ = 0;
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_TRACED_DOMAIN_H_
