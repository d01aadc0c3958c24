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

#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_batch.h"
#include "ringscribe/runtime/stream_output.h"

namespace ringscribe::runtime {

class SampleWriter {
 public:
  SampleWriter(StreamOutput* output, uint64_t batch_samples_max)
      : output_(output), batch_samples_max_(batch_samples_max) {}

  // kCounter, kCounterBatch. `body` is what follows the header.
  void write(const Header& header, const uint8_t* body);
  void write_no_value(const Header& header, const uint8_t* body);
  void flush();

 private:
  void write_as_it_is(const CounterDefinition& counter, SampleForm form, uint32_t order,
                      const uint8_t* times, uint64_t count);
  void write_batch(SampleBatch& batch);

  StreamOutput* output_;
  uint64_t batch_samples_max_;
  Map<uint32_t, SampleBatch> batches_;  // by counter number
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SAMPLE_WRITER_H_
