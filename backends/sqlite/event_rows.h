// SPDX-License-Identifier: Apache-2.0
//
// EventRows: marks and ranges (table `event_data`) with their names, categories and fields.
//
//   EventRows rows;
//   Status status = rows.open(database);
//   status = rows.add(event, stream_is_known);
//
// Threads: one at a time. Lifetime: ends before its database and its DomainTable; nothing that is
// passed in is kept. Errors: of an event whose fields fail, the event stays.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_EVENT_ROWS_H_
#define RINGSCRIBE_BACKENDS_SQLITE_EVENT_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/sqlite/database.h"
#include "ringscribe/backends/sqlite/domains.h"
#include "ringscribe/backends/sqlite/field_rows.h"
#include "ringscribe/backends/sqlite/names.h"

namespace ringscribe::sqlite {

class EventRows {
 public:
  explicit EventRows(DomainTable& domains) : domains_(domains), labels_(kLabels) {}
  Status open(Database& database);

  // Without a known stream its column is NULL.
  Status add(const model::Event& event, bool has_stream);
  // The rows [first, last) of a block.
  Status add(const model::EventBlock& block, size_t first, size_t last, bool has_stream);

 private:
  static constexpr size_t kLabels = 4096;
  struct Label {
    uint64_t number = 0;  // EventLabel::number; 0: free
    int64_t name = 0;
    int64_t category = 0;  // 0: none
    uint32_t color = 0;
  };

  void bind_shared(const model::Event& event, int64_t domain, bool has_stream);
  void bind_label(const Label& label);
  // What is as in few events.
  void bind_rare(const model::Event& event, bool end_before_begin, int64_t written_end);
  void bind_times(model::EventKind kind, int64_t begin, int64_t end, uint64_t range_id);
  Status find_label(int64_t domain, std::string_view message, std::string_view category,
                    uint32_t category_id, uint32_t color, Label& label);

  DomainTable& domains_;
  NameTable names_;
  FieldRows fields_;
  std::vector<Label> labels_;  // by number
  int64_t last_id_ = 0;
  Statement insert_;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_EVENT_ROWS_H_
