// SPDX-License-Identifier: Apache-2.0
//
// Model: a session of NVTXW calls on one side, events on tracks on the other. It decodes payloads
// (payload_decoder.h), finds each event's track and time (placement.h), pairs pushes with pops and
// starts with ends (event_writer.h), takes counters apart (counter_writer.h), and calls an
// EventSink.
//
//   auto session = std::make_unique<model::Model>(std::move(sink), config.name);
//   // the interface table calls it; end() calls sink->finish()
//
// Which track: that of the event's scope if it has one, else the stream's. A static scope ID that
// is not registered is a row "scope NUMBER" until it is.
// The scope is, strongest first: an entry with a role, semantics of one, the payload's entry for it
// (a scope ID, or process and thread IDs), the batch's scope, what other semantics say, the
// stream's scope. A counter's scope comes before its stream's.
//
// Which time: the time domain of the entry's semantics, else of the counter's, else the
// stream's; see time_conversion.h.
//
// Threads: one call at a time, from any thread. Lifetime: without end() the destructor finishes
// what it can. Errors: a sink's failure is returned by the call that met it; what a producer
// writes wrong is left out, counted, and told to the sink at the end. No exception leaves.
#ifndef RINGSCRIBE_BACKENDS_MODEL_MODEL_H_
#define RINGSCRIBE_BACKENDS_MODEL_MODEL_H_

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ringscribe/backends/model/batch_writer.h"
#include "ringscribe/backends/model/counter_writer.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/event_writer.h"
#include "ringscribe/backends/model/payload_decoder.h"
#include "ringscribe/backends/model/placement.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/tally_sink.h"
#include "ringscribe/backends/model/time_conversion.h"
#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class Model final : public nvtxw::SessionBackend {
 public:
  // Calls sink->session(name); if that fails, the first call of the session says so.
  // `snapshot` is what relates our own clocks as long as the producer does not.
  Model(std::unique_ptr<EventSink> sink, std::string_view session_name,
        const ClockSnapshot& snapshot = take_clock_snapshot());
  ~Model() override;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Status domain(uint32_t domain, std::string_view name) override;
  Status category(uint32_t domain, uint32_t category, std::string_view name) override;
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override;
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override;
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override;
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override;
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override;
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override;
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override;

  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override;
  Status stream_close(uint32_t stream) override;

  void bound_pointers(std::span<const std::byte> memory) override {
    decoder_.bound_deep_copies(memory);
  }
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override;
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override;
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override;
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override;
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override;

  Status sync_points(uint32_t stream, uint64_t source_time_domain, uint64_t destination_time_domain,
                     std::span<const nvtxSyncPoint_t> points) override;
  Status conversion_factor(uint32_t stream, uint64_t source_time_domain,
                           uint64_t destination_time_domain, double slope, int64_t source_timestamp,
                           int64_t destination_timestamp) override;

  nvtxw::Written written() override { return {sink_->paths(), tally_.events(), tally_.lost()}; }
  Status end() override;

 private:
  // Runs `work` and turns an exception into a Status.
  template <typename Work>
  Status guarded(const char* operation, Work work) noexcept;
  Status find_stream(uint32_t stream, StreamState*& found);
  Status write_rows(StreamState& stream, const Schema& schema, const nvtxEventBatch_t& batch);
  Status finish();

  std::unique_ptr<EventSink> sink_;
  TallySink tally_;  // in front of it
  Status first_status_;
  bool is_ended_ = false;
  Problems problems_;
  Definitions definitions_;
  PayloadDecoder decoder_;
  Placement placement_;
  EventWriter events_;
  BatchWriter batches_;
  CounterWriter counters_;
  std::unordered_map<uint32_t, StreamState> streams_;                // open ones
  std::map<std::pair<uint32_t, std::string>, uint32_t> identities_;  // by domain and name
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_MODEL_H_
