// SPDX-License-Identifier: Apache-2.0
//
// EventWriter: takes decoded events, pairs what comes in two halves, and hands complete marks and
// ranges to the sink.
//
//   const DecodedEvent& decoded = decoder.decode(stream.domain, payloads);
//   Status status = writer.write(stream, decoded, batch_scope);
//   status = writer.finish();      // ranges that are still open
//
// An end may come before its start: a stream without ordering guarantee promises nothing, and the
// two may be of two threads. It waits for its start until finish(). An end that is a little earlier
// than its start, too: clocks of two cores differ, and a CPU may read its clock ahead of what comes
// before. The two are one range then, as they are where the start comes first.
//
// Attributes of an end or pop are later than those of its start or push: they replace message,
// colour, category and fields of the same name, and add the rest.
//
// Threads: one at a time. Lifetime: all that it is made with has to outlive it.
#ifndef RINGSCRIBE_BACKENDS_MODEL_EVENT_WRITER_H_
#define RINGSCRIBE_BACKENDS_MODEL_EVENT_WRITER_H_

#include <cstdint>
#include <vector>

#include "ringscribe/backends/model/decoded_event.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/placement.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/range_pairing.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class EventWriter {
 public:
  EventWriter(EventSink& sink, const Definitions& definitions, Placement& placement,
              Problems& problems)
      : sink_(sink), definitions_(definitions), placement_(placement), problems_(problems) {}

  // `batch_scope` is 0 where there is no batch. An event without a timestamp is a problem.
  Status write(StreamState& stream, const DecodedEvent& decoded, uint64_t batch_scope);

  // Writes what is open, inner ranges first, each ending at the latest time of its clock, and the
  // ends whose starts did not come.
  Status finish();

 private:
  // Ends that wait for their starts; with more of them, their starts are taken as lost.
  static constexpr size_t kWaitingEndsMax = 64 * 1024;

  // How much earlier than its start an end is at most.
  static constexpr uint64_t kEarlyEndNs = 100'000;

  // One end of a range, on its clock.
  struct Moment {
    uint32_t node = 0;
    uint64_t time_domain = 0;
    int64_t time = 0;
  };

  Moment moment(StreamState& stream, const Timestamp& timestamp);
  Status write_mark(const Moment& at, Event& event);
  Status write_range(const Moment& begin, const Moment& end, Event& event);
  // `has_message`: of the end.
  Status close(const OpenRange& range, const Moment& end, bool has_message, Event& event);
  Status close_missing(const OpenRange& range);
  // Of a push or start that is kept until its other half comes, or of an end.
  Status keep(StreamState& stream, const DecodedEvent& decoded, const Moment& at,
              const Event& event, OpenRange& half);
  Status write_start(StreamState& stream, const DecodedEvent& decoded, const Moment& begin,
                     const Event& event);
  Status write_end(StreamState& stream, const DecodedEvent& decoded, const Moment& end,
                   Event& event);
  Status write_end_without_start(const OpenRange& end);
  // False if no start is open that `end` is only a little earlier than.
  bool close_nearby_start(const OpenRange& end, Status& status);
  Status close_with(const OpenRange& range, const OpenRange& end);
  // Where nothing relates the clocks of the two: it does.
  bool may_end(const OpenRange& end, const Moment& begin);
  void describe(uint32_t domain, const DecodedEvent& decoded, Event& event) const;
  void describe(const OpenRange& range, Event& event) const;
  void merge_flows(const OpenRange& range, Event& event);
  void merge_fields(const OpenRange& range, Event& event);

  EventSink& sink_;
  const Definitions& definitions_;
  Placement& placement_;
  Problems& problems_;
  RangePairing pushes_;  // by stream and scope
  RangePairing starts_;  // by domain and range id
  RangePairing ends_;    // by the same, of starts that have not come
  std::vector<Field> merged_;
  std::vector<uint64_t> merged_flows_;
};

// The scope that counts for an event, or for one that is only an end; 0 for none.
uint64_t effective_scope(const StreamState& stream, const DecodedEvent& decoded,
                         uint64_t batch_scope, bool is_end);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_EVENT_WRITER_H_
