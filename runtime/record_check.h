// SPDX-License-Identifier: Apache-2.0
//
// RecordCheck: whether a record that was read from a file is what its kind says (record.h), so that
// the flusher may read it: sizes, counts and places stay inside the record, and what it names by
// number is there.
//
//   const RecordCheck check(session.tables());
//   if (!check.is_right(header, record)) …            // header.record_bytes were read
//
// Threads: one at a time. Lifetime: the tables have to outlive it.
#ifndef RINGSCRIBE_RUNTIME_RECORD_CHECK_H_
#define RINGSCRIBE_RUNTIME_RECORD_CHECK_H_

#include <cstdint>

#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/record.h"

namespace ringscribe::runtime {

class RecordCheck {
 public:
  explicit RecordCheck(const DefinitionTables& tables) : tables_(tables) {}

  bool is_right(const Header& header, const uint8_t* record) const;

 private:
  bool is_counter_batch(const Header& header, const uint8_t* body) const;
  bool is_flex_event(const Header& header, const uint8_t* body) const;

  const DefinitionTables& tables_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RECORD_CHECK_H_
