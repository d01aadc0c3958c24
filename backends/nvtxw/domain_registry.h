// SPDX-License-Identifier: Apache-2.0
//
// DomainRegistry: what has been registered in one domain, and the rules of NVTXW that calls are
// checked against. It keeps IDs and sizes, no names: those are the backend's.
//
// A registration is checked first (which picks the final ID and changes nothing), then handed to
// the backend, and added only when the backend took it:
//
//   Result<SchemaRegistration> schema = registry.check_schema(attr, out != nullptr);
//   if (schema.ok() && backend.schema(domain, schema->attr).ok()) registry.add(*schema);
//
// IDs: static ones (chosen by the caller) lie in [1<<24, 1<<32), dynamic ones (chosen here) count
// from 1<<32. Schemas and enums share one space. Scopes, counters and time domains have their own.
//
// Threads: one at a time (the session's lock).
#ifndef RINGSCRIBE_BACKENDS_NVTXW_DOMAIN_REGISTRY_H_
#define RINGSCRIBE_BACKENDS_NVTXW_DOMAIN_REGISTRY_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/schema_layout.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

inline constexpr uint64_t kStaticIdStart = uint64_t{1} << 24;
inline constexpr uint64_t kDynamicIdStart = uint64_t{1} << 32;

// The attributes as the backend gets them: with the final ID, and with what the field mask leaves
// out set to zero (and its bit set for the ID), so that a backend may read each field.
struct SchemaRegistration {
  nvtxPayloadSchemaAttr_t attr{};
  NestedType type;
};
struct EnumRegistration {
  nvtxPayloadEnumAttr_t attr{};
};
struct CounterRegistration {
  nvtxCounterAttr_t attr{};
};

class DomainRegistry {
 public:
  // `has_out`: the caller gave a place for the ID, without which it must choose one itself.
  Result<SchemaRegistration> check_schema(const nvtxPayloadSchemaAttr_t* attr, bool has_out) const;
  Result<EnumRegistration> check_enum(const nvtxPayloadEnumAttr_t* attr, bool has_out) const;
  Result<CounterRegistration> check_counter(const nvtxCounterAttr_t* attr, bool has_out) const;
  Result<nvtxScopeAttr_t> check_scope(const nvtxScopeAttr_t* attr, bool has_out) const;
  Result<nvtxTimeDomainAttr_t> check_time_domain(const nvtxTimeDomainAttr_t* attr,
                                                 bool has_out) const;

  void add(const SchemaRegistration& schema);
  void add(const EnumRegistration& enumeration);
  void add(const CounterRegistration& counter);
  void add(const nvtxScopeAttr_t& scope);
  void add(const nvtxTimeDomainAttr_t& time_domain);

  // `what` begins the sentence of the failure: "the stream's scopeId".
  // NONE, ROOT or registered here: for parents of scopes.
  Status check_registered_scope(uint64_t scope, const char* what) const;
  // The same and each static ID: for streams and counters. nvtx.writer takes an integer as scope
  // and has no call to register it, and another producer may register it later.
  Status check_fixed_scope(uint64_t scope, const char* what) const;
  // The same and the predefined ones.
  Status check_any_scope(uint64_t scope, const char* what) const;
  // NONE, a predefined timestamp type, or registered here.
  Status check_time_domain_id(uint64_t time_domain, const char* what) const;

  // The payloads of one event. Sizes that were left to us (SIZE_MAX) are found out: then `storage`
  // gets a copy with them, and `payloads` is made to show it.
  Status check_event(std::span<const nvtxPayloadData_t>* payloads,
                     std::vector<nvtxPayloadData_t>* storage) const;
  Status check_event_batch(const nvtxEventBatch_t& batch) const;
  Status check_counter_sample(uint64_t counter, const void* data, size_t size) const;
  Status check_counter_id(uint64_t counter) const;
  Status check_counter_batch(const nvtxCounterBatch_t& batch) const;

 private:
  // What is needed of a counter's layout.
  struct CounterType {
    uint64_t row_bytes = 0;      // with padding; 0: not fixed
    uint64_t data_bytes = 0;     // without the padding at the end
    bool has_timestamp = false;  // samples carry their own
  };
  struct IdSpace {
    std::unordered_set<uint64_t> used;
    uint64_t next_dynamic = kDynamicIdStart;

    Result<uint64_t> choose(uint64_t asked, bool has_out, const char* what) const;
    void add(uint64_t id);
  };

  Status find_payload_size(nvtxPayloadData_t* payload) const;
  Status check_payload(const nvtxPayloadData_t& payload, size_t index) const;

  IdSpace schema_ids_;  // of enums too
  IdSpace counter_ids_;
  IdSpace scope_ids_;
  IdSpace time_domain_ids_;
  NestedTypes types_;
  std::unordered_map<uint64_t, CounterType> counters_;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_DOMAIN_REGISTRY_H_
