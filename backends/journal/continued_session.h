// SPDX-License-Identifier: Apache-2.0
//
// ContinuedSession: a session that is written in two parts, by a journal that was cut and then by a
// producer that begins anew but means the same session.
//
//   auto session = std::make_unique<ContinuedSession>(std::move(target));
//   journal::replay("a.rsj", *session, bytes);      // ends nothing
//   session->begin_second_part();
//   ... calls of the second producer; end() ends the target
//
// In the second part domains are known by their names, streams that the first part left open by
// domain and name, and what has an ID by domain and ID: what the first part has registered is not
// registered again. All else is passed on.
//
// Threads: as nvtxw::SessionBackend.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_CONTINUED_SESSION_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_CONTINUED_SESSION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::journal {

class ContinuedSession final : public nvtxw::SessionBackend {
 public:
  explicit ContinuedSession(std::unique_ptr<nvtxw::SessionBackend> target)
      : target_(std::move(target)) {}

  void begin_second_part() {
    is_second_ = true;
    domain_numbers_.clear();
    stream_numbers_.clear();
  }

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
    target_->bound_pointers(memory);
  }
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
  // Of the first part: does nothing.
  Status end() override;

 private:
  enum Kind : uint8_t { kCategories, kScopes, kSchemas, kCounters, kTimeDomains };

  // Numbers of this part as the target has them.
  uint32_t target_domain(uint32_t domain) const { return domain_numbers_.at(domain); }
  uint32_t target_stream(uint32_t stream) const { return stream_numbers_.at(stream); }
  // False if the first part has registered it.
  bool is_new(Kind kind, uint32_t domain, uint64_t id);

  std::unique_ptr<nvtxw::SessionBackend> target_;
  bool is_second_ = false;
  std::vector<uint32_t> domain_numbers_;
  std::vector<uint32_t> stream_numbers_;
  std::map<std::string, uint32_t, std::less<>> domains_;               // of the target
  std::map<std::pair<uint32_t, std::string>, uint32_t> open_streams_;  // of the target
  uint32_t streams_ = 0;                                               // of the target
  std::set<std::tuple<Kind, uint32_t, uint64_t>> ids_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_CONTINUED_SESSION_H_
