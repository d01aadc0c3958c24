// SPDX-License-Identifier: Apache-2.0
//
// RowColumns: the columns of a row for the compact codec: how wide the numbers are that lie one
// behind the other in a row of a schema, with what is between them. Every byte of the row is in one
// column, so a row can be put together again without its schema.
//
//   RowColumns columns(map);
//   if (const ColumnWidths* widths = columns.of(domain, schema)) encoder.table(rows, *widths);
//
// Threads: one at a time. Lifetime: keeps a reference to the map; results stay until the end.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_ROW_COLUMNS_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_ROW_COLUMNS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ringscribe/backends/journal/payload_map.h"

namespace ringscribe::journal {

// As many as a block's mask has bits.
inline constexpr size_t kColumnsMax = 64;

struct ColumnWidths {
  std::vector<uint8_t> bytes;  // 1, 2, 4 or 8 each
  size_t row_bytes = 0;        // their sum
};

class RowColumns {
 public:
  explicit RowColumns(const PayloadMap& map) : map_(map) {}

  // Of a schema, or of a predefined type. nullptr if its payloads have no fixed size, or more than
  // kColumnsMax columns.
  const ColumnWidths* of(uint32_t domain, uint64_t schema);

 private:
  const PayloadMap& map_;
  std::map<std::pair<uint32_t, uint64_t>, ColumnWidths> known_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_ROW_COLUMNS_H_
