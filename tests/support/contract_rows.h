// SPDX-License-Identifier: Apache-2.0
//
// RowChecker: looks into the rows of an event or batch: whether pointers lead into what was handed
// over with them, texts end and are UTF-8, and handles and scopes are registered.
//
//   RowChecker rows({&types, &strings, &scopes}, areas, report);
//   rows.check(schema, row);
//
// Not looked into: dynamic schemas (their entries have no fixed place), unions, and the units of
// UTF-16 and UTF-32 texts.
//
// Threads: one at a time. Lifetime: that of what it was given.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_ROWS_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_ROWS_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ringscribe/tests/support/contract_report.h"
#include "ringscribe/tests/support/contract_schema.h"

namespace ringscribe::testing {

// Memory that pointers of a row may lead to: flexData, or the payloads of the event.
struct MemoryArea {
  const uint8_t* begin = nullptr;
  uint64_t size = 0;
};

// What is registered in a domain.
struct ContractNames {
  const ContractTypes* types;
  const std::set<uint64_t>* strings;
  const std::set<uint64_t>* scopes;
};

bool is_predefined_scope_id(uint64_t scope) noexcept;

class RowChecker {
 public:
  // `base` is what offsets count from; nullptr: the row.
  RowChecker(const ContractNames& names, std::vector<MemoryArea> areas, const uint8_t* base,
             ContractReport& report)
      : names_(names), areas_(std::move(areas)), base_(base), report_(report) {}

  // `row` can be read for the size of a row of `schema`, which is fixed.
  void check(const ContractSchema& schema, const uint8_t* row, int depth = 0);

 private:
  void check_inside(const ContractEntry& entry, const uint8_t* at, int depth);
  void check_elsewhere(const ContractSchema& schema, const ContractEntry& entry, const uint8_t* row,
                       int depth);
  void check_array(const ContractSchema& schema, const ContractEntry& entry, const uint8_t* row,
                   const uint8_t* target, uint64_t room, int depth);
  void check_text(const ContractEntry& entry, const uint8_t* text, uint64_t room, bool has_to_end);
  // Bytes from `target` to the end of its area; 0 if it lies in none.
  uint64_t room_at(const uint8_t* target) const;

  ContractNames names_;
  std::vector<MemoryArea> areas_;
  const uint8_t* base_;
  ContractReport& report_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_ROWS_H_
