// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/journal_tee.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/nvtxw/log.h"

namespace ringscribe::journal {
namespace {

using nvtxw::SessionBackend;

class Tee final : public SessionBackend {
 public:
  Tee(std::unique_ptr<SessionBackend> session, std::unique_ptr<SessionBackend> journal)
      : session_(std::move(session)), journal_(std::move(journal)) {}

  Status domain(uint32_t domain, std::string_view name) override {
    return both(&SessionBackend::domain, domain, name);
  }
  Status category(uint32_t domain, uint32_t category, std::string_view name) override {
    return both(&SessionBackend::category, domain, category, name);
  }
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override {
    return both(&SessionBackend::string, domain, handle, text);
  }
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override {
    return both(&SessionBackend::resource, domain, attr);
  }
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override {
    return both(&SessionBackend::scope, domain, attr);
  }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    return both(&SessionBackend::schema, domain, attr);
  }
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override {
    return both(&SessionBackend::enumeration, domain, attr);
  }
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override {
    return both(&SessionBackend::counter, domain, attr);
  }
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override {
    return both(&SessionBackend::time_domain, domain, attr);
  }
  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    return both(&SessionBackend::stream_open, stream, domain, attr);
  }
  Status stream_close(uint32_t stream) override {
    return both(&SessionBackend::stream_close, stream);
  }
  void bound_pointers(std::span<const std::byte> memory) override {
    if (journal_ != nullptr) journal_->bound_pointers(memory);
    session_->bound_pointers(memory);
  }
  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override {
    return both(&SessionBackend::event, stream, payloads);
  }
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override {
    return both(&SessionBackend::event_batch, stream, batch);
  }
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override {
    return both(&SessionBackend::counter_sample, stream, timestamp, counter, data, size);
  }
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override {
    return both(&SessionBackend::counter_no_value, stream, timestamp, counter, reason);
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override {
    return both(&SessionBackend::counter_batch, stream, batch);
  }
  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override {
    return both(&SessionBackend::sync_points, stream, source, destination, points);
  }
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double slope,
                           int64_t source_timestamp, int64_t destination_timestamp) override {
    return both(&SessionBackend::conversion_factor, stream, source, destination, slope,
                source_timestamp, destination_timestamp);
  }
  // The journal is not ended: whoever asked for it removes it once the output is finished.
  Status end() override { return session_->end(); }

 private:
  template <typename... Parameters, typename... Arguments>
  Status both(Status (SessionBackend::*call)(Parameters...), const Arguments&... arguments) {
    if (journal_ != nullptr) {
      // A refused call is one that the journal cannot hold, such as pointers without a layout; a
      // file that failed refuses all from then on.
      const Status written = (journal_.get()->*call)(arguments...);
      if (written.code() == ResultCode::kFailed) {
        nvtxw::log_line(
            nvtxw::LogLevel::kError,
            written.message() + "; from here on nothing can be recovered after a crash");
        journal_ = nullptr;
      }
    }
    return (session_.get()->*call)(arguments...);
  }

  std::unique_ptr<SessionBackend> session_;
  std::unique_ptr<SessionBackend> journal_;  // nullptr: given up
};

}  // namespace

Result<std::unique_ptr<SessionBackend>> tee_if_asked(std::unique_ptr<SessionBackend> session,
                                                     const nvtxw::SessionConfig& config) {
  const auto is_asked = [](const auto& entry) { return entry.first == kTeeKey; };
  const auto asked = std::find_if(config.other.begin(), config.other.end(), is_asked);
  if (asked == config.other.end() || asked->second.empty()) return session;
  nvtxw::SessionConfig own;
  own.name = config.name;
  own.format = config.format;
  for (const char c : asked->second) own.output.append(c == '%' ? 2 : 1, c);  // no patterns
  own.other = {{"journal_flush", "batch"}};
  Result<std::unique_ptr<SessionBackend>> journal = open_private_journal(own);
  if (!journal.ok()) {
    nvtxw::log_line(nvtxw::LogLevel::kError,
                    journal.status().message() + "; nothing can be recovered after a crash");
    return session;
  }
  return std::unique_ptr<SessionBackend>(
      std::make_unique<Tee>(std::move(session), std::move(*journal)));
}

}  // namespace ringscribe::journal
