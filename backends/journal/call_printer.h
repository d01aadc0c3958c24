// SPDX-License-Identifier: Apache-2.0
//
// CallPrinter: a backend that writes each call as one line of JSON, for tests and for looking at a
// journal. The only user of RapidJSON in this folder.
//
//   CallPrinter printer([](std::string_view line) { puts(line); });
//   journal::replay("a.rsj", printer);
//
// A line is {"call": NAME, ...} with the fields of the call under the names of NVTXW; a missing
// text is null. Payload bytes are hex digits under "hex"; in them each pointer is zero, and what
// it leads to stands under "pointers": {"offset", "null"} or {"offset", "hex"}. So two sessions
// print alike if and only if they say the same.
//
// Threads: as nvtxw::SessionBackend.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_CALL_PRINTER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_CALL_PRINTER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/journal/payload_map.h"
#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::journal {

class CallPrinter : public nvtxw::SessionBackend {
 public:
  using Sink = std::function<void(std::string_view line)>;

  // `sink` gets each line without its newline.
  explicit CallPrinter(Sink sink);
  ~CallPrinter() override;

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
  class Line;

  // The bytes under "hex" and, if the schema has some, the pointers in them.
  void payload(Line& line, uint32_t stream, uint64_t schema, const void* data, size_t size,
               bool many);

  Sink sink_;
  PayloadMap map_;
  std::vector<uint32_t> stream_domains_;
};

// Two more lines: of the session, and of how the replay went.
std::string session_line(const JournalInfo& info);
std::string summary_line(const ReplaySummary& summary);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_CALL_PRINTER_H_
