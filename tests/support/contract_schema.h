// SPDX-License-Identifier: Apache-2.0
//
// ContractSchema: where the entries of a producer's schema lie, as nvToolsExtPayload.h words it.
// A second reading of those rules on purpose, not that of our backends (nvtxw/schema_layout.h): a
// test of our recorder should not rest on what the recorder's usual partner believes.
//
//   ContractReport report("SchemaRegister");
//   std::optional<ContractSchema> schema = read_schema(attr, known, report);
//
// Threads: no state.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_SCHEMA_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_SCHEMA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/tests/support/contract_report.h"

namespace ringscribe::testing {

struct ContractEntry {
  std::string name;
  uint64_t flags = 0;
  uint64_t type = 0;
  uint64_t detail = 0;         // arrayOrUnionDetail
  uint64_t offset = 0;         // in bytes
  uint64_t element_bytes = 0;  // of one value, or one code unit
  uint64_t elements = 1;       // inside the row; 0 if a pointer or offset stands there
};

struct ContractSchema {
  std::string name;
  bool is_enum = false;
  bool is_fixed = false;  // rows have a size, row_bytes, and entries a place
  bool has_timestamp = false;
  uint64_t row_bytes = 0;
  uint64_t alignment = 1;
  std::vector<ContractEntry> entries;
};

using ContractTypes = std::map<uint64_t, ContractSchema>;  // schemas and enums of a domain, by ID

// In bytes; 0 if it is not a predefined type with a size of its own.
uint64_t predefined_bytes(uint64_t type) noexcept;
bool is_text_type(uint64_t type) noexcept;
uint64_t array_kind(const ContractEntry& entry) noexcept;

// `attr` can be read and has its mandatory fields. Reports what is wrong with the entries.
std::optional<ContractSchema> read_schema(const nvtxPayloadSchemaAttr_t& attr,
                                          const ContractTypes& known, ContractReport& report);

// The entry that batches are sorted by: the begin of a range, or the only time there is.
const ContractEntry* first_time(const ContractSchema& schema) noexcept;

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_SCHEMA_H_
