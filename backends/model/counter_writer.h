// SPDX-License-Identifier: Apache-2.0
//
// CounterWriter: takes counter samples and batches apart and hands single numbers to the sink.
//
// Each value of a counter is a counter track, one for each (counter, track that it belongs to):
// the scope of the entry or sample, else the counter's, else the stream's, else the stream itself.
//
//   writer.define(domain, attr);
//   Status status = writer.write(stream, timestamp, counter, bytes);
//
// Threads: one at a time. Lifetime: all that it is made with has to outlive it.
#ifndef RINGSCRIBE_BACKENDS_MODEL_COUNTER_WRITER_H_
#define RINGSCRIBE_BACKENDS_MODEL_COUNTER_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "ringscribe/backends/model/counter_layout.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/placement.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class CounterWriter {
 public:
  CounterWriter(EventSink& sink, const Definitions& definitions, Placement& placement,
                Problems& problems)
      : sink_(sink), definitions_(definitions), placement_(placement), problems_(problems) {}

  void define(uint32_t domain, const nvtxCounterAttr_t& attr);

  // Each fails with kInvalidArgument for a counter that is not defined in the stream's domain.
  Status write(StreamState& stream, int64_t timestamp, uint64_t counter,
               std::span<const std::byte> sample);
  Status write_no_value(StreamState& stream, int64_t timestamp, uint64_t counter, uint8_t reason);
  // Fails with kInvalidArgument too if the batch and its timestamps do not fit together.
  Status write_batch(StreamState& stream, const nvtxCounterBatch_t& batch);

 private:
  Status find(const StreamState& stream, uint64_t counter, const CounterLayout*& layout) const;
  Status announce(const CounterLayout& layout, const CounterValue& value, uint32_t parent);
  // The number of the first counter track of `layout` for this stream; the others follow it.
  // kNoTrack if values have scopes of their own: then each asks track_of().
  Status tracks_of(StreamState& stream, const CounterLayout& layout, uint32_t& first);
  Status track_of(StreamState& stream, const CounterLayout& layout, size_t value,
                  std::span<const std::byte> sample, uint32_t& track);
  Status write_values(StreamState& stream, const CounterLayout& layout, uint32_t first_track,
                      int64_t time, uint64_t time_domain, std::span<const std::byte> sample);
  // The time of sample `index` of `count`. False if the batch has none for it.
  bool time_of(const CounterLayout& layout, const nvtxCounterBatch_t& batch, size_t index,
               size_t count, std::span<const std::byte> sample, int64_t& time) const;

  EventSink& sink_;
  const Definitions& definitions_;
  Placement& placement_;
  Problems& problems_;
  std::map<std::pair<uint32_t, uint64_t>, CounterLayout> layouts_;        // by domain and counter
  std::map<std::pair<const CounterLayout*, uint32_t>, uint32_t> tracks_;  // first, by parent track
  // By layout, value and parent track.
  std::map<std::tuple<const CounterLayout*, size_t, uint32_t>, uint32_t> value_tracks_;
  uint32_t next_track_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_COUNTER_WRITER_H_
