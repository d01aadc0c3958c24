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

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

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
    uint32_t field_names = 0;  // Event::field_names
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
    Event event;  // with all that does not change from row to row
    uint32_t begin_node = 0;
    uint32_t end_node = 0;
    bool is_comparable = true;
    bool is_settled = false;  // the members above, by the first row
  };

  bool read_row(const Plan& plan, const std::byte* row, uint32_t domain, Event& event);
  void read_fields(const BatchPlan& plan, const std::byte* row, Event& event);
  // Converts begin and end of `event`, which are as written.
  Status convert(const BatchPlan& plan, Shared& shared, Event& event);

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
  std::vector<Event> block_;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_BATCH_WRITER_H_
