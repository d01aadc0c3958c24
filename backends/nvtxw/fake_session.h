// SPDX-License-Identifier: Apache-2.0
//
// FakeSession: a backend for tests that notes each call as a line of text, and fails or throws
// where it is told to.
//
//   FakeSession::Journal journal;
//   journal.fail_on = "schema";
//   CheckedSession session(std::make_unique<FakeSession>(&journal));
//   CHECK(journal.lines == std::vector<std::string>{"domain 0 ''"});
//
// Threads: as SessionBackend. Lifetime: the journal outlives the session.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_FAKE_SESSION_H_
#define RINGSCRIBE_BACKENDS_NVTXW_FAKE_SESSION_H_

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::nvtxw {

class FakeSession final : public SessionBackend {
 public:
  struct Journal {
    std::vector<std::string> lines;
    std::string fail_on;                // a call's name, such as "schema": returns kFailed
    std::string throw_on;               // throws std::runtime_error
    std::vector<size_t> payload_sizes;  // of the last event
    nvtxPayloadSchemaAttr_t last_schema{};
    int destroyed = 0;
  };

  explicit FakeSession(Journal* journal) : journal_(journal) {}
  ~FakeSession() override { ++journal_->destroyed; }

  Status domain(uint32_t domain, std::string_view name) override {
    return note("domain", {domain}, name);
  }
  Status category(uint32_t domain, uint32_t category, std::string_view name) override {
    return note("category", {domain, category}, name);
  }
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override {
    return note("string", {domain, handle}, text);
  }
  Status resource(uint32_t domain, const nvtxResourceAttributes_t&) override {
    return note("resource", {domain});
  }
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override {
    return note("scope", {domain, attr.scopeId});
  }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    journal_->last_schema = attr;
    return note("schema", {domain, attr.schemaId});
  }
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override {
    return note("enum", {domain, attr.schemaId});
  }
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override {
    return note("counter", {domain, attr.counterId});
  }
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override {
    return note("time_domain", {domain, attr.timeDomainId});
  }
  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    return note("stream_open", {stream, domain}, attr.name == nullptr ? "" : attr.name);
  }
  Status stream_close(uint32_t stream) override { return note("stream_close", {stream}); }
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override {
    journal_->payload_sizes.clear();
    for (const nvtxPayloadData_t& payload : payloads) {
      journal_->payload_sizes.push_back(payload.size);
    }
    return note("event", {stream, payloads.size()});
  }
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override {
    return note("event_batch", {stream, batch.eventSchemaId, batch.size});
  }
  Status counter_sample(uint32_t stream, int64_t, uint64_t counter, const void*,
                        size_t size) override {
    return note("counter_sample", {stream, counter, size});
  }
  Status counter_no_value(uint32_t stream, int64_t, uint64_t counter, uint8_t reason) override {
    return note("counter_no_value", {stream, counter, reason});
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override {
    return note("counter_batch", {stream, batch.counterId, batch.countersSize});
  }
  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override {
    return note("sync_points", {stream, source, destination, points.size()});
  }
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double, int64_t,
                           int64_t) override {
    return note("conversion_factor", {stream, source, destination});
  }
  Status end() override { return note("end", {}); }

 private:
  Status note(const std::string& call, std::initializer_list<uint64_t> numbers) {
    std::string line = call;
    for (const uint64_t number : numbers) line += " " + std::to_string(number);
    return note_line(call, line);
  }
  Status note(const std::string& call, std::initializer_list<uint64_t> numbers,
              std::string_view text) {
    std::string line = call;
    for (const uint64_t number : numbers) line += " " + std::to_string(number);
    return note_line(call, line + " '" + std::string(text) + "'");
  }
  Status note_line(const std::string& call, const std::string& line) {
    journal_->lines.push_back(line);
    if (call == journal_->throw_on) throw std::runtime_error("thrown by " + call);
    if (call == journal_->fail_on) return Status(ResultCode::kFailed, call + " fails as told");
    return {};
  }

  Journal* journal_;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_FAKE_SESSION_H_
