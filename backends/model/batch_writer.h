// SPDX-License-Identifier: Apache-2.0
//
// BatchWriter: the short way from the rows of a batch to the sink. What is the same for all rows
// (track, clocks, domain) is found once, rows are read as their schema's BatchPlan says, and events
// are handed over in blocks. It makes the same events, in the same order, as PayloadDecoder and
// EventWriter do, or leaves the row to them.
//
//   const BatchPlan* plan = writer.plan(stream, schema, batch.scope);   // null: not for this way
//   size_t used = 0;
//   if (plan != nullptr) status = writer.write(stream, *plan, batch.scope, rows, used);
//   // the row behind `used`, if there is one, is for the decoder
//
// Threads: one at a time. Lifetime: all that it is made with has to outlive it. Cost: no
// allocation after the first batch of a schema.
#ifndef RINGSCRIBE_BACKENDS_MODEL_BATCH_WRITER_H_
#define RINGSCRIBE_BACKENDS_MODEL_BATCH_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/batch_plan.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/entry_locator.h"
#include "ringscribe/backends/model/event_labels.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/placement.h"
#include "ringscribe/backends/model/value_reader.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class BatchWriter {
 public:
  static constexpr size_t kBlockEvents = 64;

  BatchWriter(EventSink& sink, const Definitions& definitions, Placement& placement);

  struct Plan {
    BatchPlan rows;
    uint32_t field_names = 0;  // EventBlock::field_names
  };
  // Null if the schema is not simple, or the scope may be registered between two rows.
  const Plan* plan(const StreamState& stream, const Schema& schema, uint64_t batch_scope);

  // Writes rows from the begin of `rows` on, and sets `used` to the bytes they took: up to the
  // last whole row, or to one that is for the decoder: it has a message which nobody registered, or
  // clocks for its two ends that nothing relates.
  Status write(StreamState& stream, const Plan& plan, uint64_t batch_scope, Bytes rows,
               size_t& used);

 private:
  // What the rows of one call share.
  struct Shared {
    Event event;
    uint32_t begin_node = 0;
    uint32_t end_node = 0;
    bool is_comparable = true;
  };

  // Finds it all, by the first row, which is in times and labels at 0.
  Status settle(StreamState& stream, const Plan& plan, uint64_t scope, Shared& shared);
  // Reads rows as far as they go into one block, `most` at most, and returns how many.
  size_t read_rows(const BatchPlan& plan, Bytes rows, uint32_t domain, size_t most);
  void read_fields(const BatchPlan& plan, Bytes rows, size_t count);
  Status write_block(const Plan& plan, const Shared& shared, size_t count);

  EventSink& sink_;
  const Definitions& definitions_;
  Placement& placement_;
  EventLabels labels_;
  Arena arena_;
  ValueReader reader_;
  std::unordered_map<const Schema*, Plan> plans_;
  const Schema* last_schema_ = nullptr;
  const Plan* last_plan_ = nullptr;
  uint32_t last_field_names_ = 0;
  // The rows of a block.
  std::array<int64_t, kBlockEvents> begins_;
  std::array<int64_t, kBlockEvents> ends_;  // of ranges
  std::array<EventRow, kBlockEvents> rows_;
  std::span<Field> fields_;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_BATCH_WRITER_H_
