// SPDX-License-Identifier: Apache-2.0
//
// ContractDomain: what a producer registered in a domain, and the rules of nvtxw3.h and of the
// payload and counter headers for what it registers and writes. Each check reports what breaks a
// rule; each add() believes that the backend took it.
//
//   ContractReport report("SchemaRegister");
//   auto schema = domain.check_schema(attr, out != nullptr, report);
//   if (report.ok()) domain.add_schema(id, *schema);
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_DOMAIN_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_DOMAIN_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/tests/support/contract_report.h"
#include "ringscribe/tests/support/contract_rows.h"
#include "ringscribe/tests/support/contract_schema.h"

namespace ringscribe::testing {

class ContractDomain {
 public:
  struct Counter {
    uint64_t row_bytes = 0;  // 0: not known
    bool has_timestamp = false;
  };

  // --- Registration.
  void check_resource(const nvtxResourceAttributes_t* attr, ContractReport& report) const;
  void check_scope(const nvtxScopeAttr_t* attr, bool has_out, ContractReport& report) const;
  std::optional<ContractSchema> check_schema(const nvtxPayloadSchemaAttr_t* attr, bool has_out,
                                             ContractReport& report) const;
  std::optional<ContractSchema> check_enum(const nvtxPayloadEnumAttr_t* attr, bool has_out,
                                           ContractReport& report) const;
  Counter check_counter(const nvtxCounterAttr_t* attr, bool has_out, ContractReport& report) const;
  void check_time_domain(const nvtxTimeDomainAttr_t* attr, bool has_out,
                         ContractReport& report) const;
  void add_string(uint64_t handle) { strings_.insert(handle); }
  void add_scope(uint64_t id) { scopes_.insert(id); }
  void add_type(uint64_t id, const ContractSchema& type) { types_[id] = type; }
  void add_counter(uint64_t id, const Counter& counter) { counters_[id] = counter; }
  void add_time_domain(uint64_t id) { time_domains_.insert(id); }

  // --- Streams and data.
  void check_stream(const nvtxwStreamAttributes_t& attr, ContractReport& report) const;
  void check_event(const nvtxPayloadData_t* payloads, size_t count, ContractReport& report) const;
  // Returns the number of events.
  uint64_t check_event_batch(const nvtxEventBatch_t* batch, ContractReport& report) const;
  void check_sample(uint64_t counter, const void* data, size_t size, ContractReport& report) const;
  void check_no_value(uint64_t counter, uint8_t reason, ContractReport& report) const;
  // Returns the number of samples.
  uint64_t check_counter_batch(const nvtxCounterBatch_t* batch, ContractReport& report) const;
  void check_time_domain_id(uint64_t id, const std::string& what, ContractReport& report) const;

 private:
  void check_static_id(uint64_t id, bool has_out, bool is_taken, const char* what,
                       ContractReport& report) const;
  void check_fixed_scope(uint64_t id, const std::string& what, ContractReport& report) const;
  void check_any_scope(uint64_t id, const std::string& what, ContractReport& report) const;
  void check_semantics(const nvtxSemanticsHeader_t* header, const std::string& what,
                       ContractReport& report) const;
  void check_payload(const nvtxPayloadData_t& payload, const std::string& what,
                     const std::vector<MemoryArea>& areas, ContractReport& report) const;
  const Counter* find_counter(uint64_t id, ContractReport& report) const;

  ContractTypes types_;
  std::set<uint64_t> strings_, scopes_, time_domains_;
  std::map<uint64_t, Counter> counters_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_DOMAIN_H_
