// SPDX-License-Identifier: Apache-2.0
//
// SampleWriter: the counter samples of one stream. Single samples and batches whose order nobody
// stated are grouped by counter until flush(); batches with a stated order, evenly spaced ones and
// those with the times in the samples are handed on as they are, without a copy.
//
// Threads: the flusher only.
#ifndef RINGSCRIBE_RUNTIME_SAMPLE_WRITER_H_
#define RINGSCRIBE_RUNTIME_SAMPLE_WRITER_H_

#include <cstdint>

#include "ringscribe/runtime/recent_map.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_batch.h"
#include "ringscribe/runtime/stream_output.h"

namespace ringscribe::runtime {

class SampleWriter {
 public:
  SampleWriter(StreamOutput* output, uint64_t batch_samples_max)
      : output_(output), batch_samples_max_(batch_samples_max) {}

  // A run of kCounter: `count` records from `records` on that have the same header.
  void write(const Header& header, const uint8_t* records, uint64_t count);
  // kCounterBatch. `body` is what follows the header.
  void write_batch_record(const Header& header, const uint8_t* body);
  void write_no_value(const Header& header, const uint8_t* body);
  void flush();

 private:
  // `count` samples whose times and values lie `time_stride` and `sample_stride` apart.
  void add(SampleBatch& batch, const CounterDefinition& counter, const uint8_t* times,
           size_t time_stride, const uint8_t* samples, size_t sample_stride, uint64_t count);
  void write_as_it_is(const CounterDefinition& counter, SampleForm form, uint32_t order,
                      const uint8_t* times, uint64_t count);
  void write_batch(SampleBatch& batch);

  StreamOutput* output_;
  uint64_t batch_samples_max_;
  RecentMap<SampleBatch> batches_;  // by counter number
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SAMPLE_WRITER_H_
