// SPDX-License-Identifier: Apache-2.0
//
// SessionFacts: a backend that notes what a session says, twice: each call as call_printer.h prints
// it, and what the model makes of all calls as fact_sink.h prints it. Our own stream `ringscribe`
// is left out of the latter, for it is not the application's, and what it says about clocks would
// change the times of other streams.
//
//   SessionFacts facts;
//   journal::replay("a.rsj", facts);
//   use(facts.calls(), facts.decoded());
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TESTS_DIFFERENTIAL_SESSION_FACTS_H_
#define RINGSCRIBE_TESTS_DIFFERENTIAL_SESSION_FACTS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/tests/differential/fact_sink.h"

namespace ringscribe::testing {

class SessionFacts final : public nvtxw::SessionBackend {
 public:
  SessionFacts();

  const std::vector<std::string>& calls() const { return calls_; }
  const std::vector<std::string>& decoded() const { return decoded_; }

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
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override;
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override;
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override;
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override;
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override;
  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override;
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double slope,
                           int64_t source_timestamp, int64_t destination_timestamp) override;
  Status end() override;

 private:
  // Makes the call on both; with a stream, on the model only if the stream is not our own.
  template <typename Call>
  Status on_both(const Call& call) {
    const Status printed = call(printer_);
    const Status decoded = call(model_);
    return printed.ok() ? decoded : printed;
  }
  template <typename Call>
  Status on_stream(uint32_t stream, const Call& call) {
    if (own_streams_.count(stream) != 0) return call(printer_);
    stream_ = stream;
    const Status status = on_both(call);
    stream_ = kNoStream;
    return status;
  }

  std::vector<std::string> calls_, decoded_;
  uint32_t stream_ = kNoStream;
  std::set<uint32_t> own_streams_;
  journal::CallPrinter printer_;
  model::Model model_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_DIFFERENTIAL_SESSION_FACTS_H_
