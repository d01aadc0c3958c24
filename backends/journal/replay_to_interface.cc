// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/journal/replay_to_interface.h"

#include <utility>
#include <vector>

#include "ringscribe/backends/journal/id_translation.h"
#include "ringscribe/backends/journal/payload_map.h"

namespace ringscribe::journal {
namespace {

using Ids = IdTranslation;
using Bytes = std::span<const std::byte>;

Bytes bytes_at(const void* data, size_t size) {
  return Bytes(static_cast<const std::byte*>(data), data == nullptr ? 0 : size);
}

// What a call of the table returned, as a sentence about it.
Status to_status(nvtxwResultCode_t code, const char* function, const std::string& subject) {
  if (code == NVTXW_RESULT_SUCCESS) return Status();
  const auto result = static_cast<ResultCode>(code);
  return Status(result, std::string("the backend refused ") + function + " of " + subject + ": " +
                            result_code_name(result) +
                            "; see what it reports itself, or replay into another");
}

std::string numbered(const char* what, uint64_t number) {
  return std::string(what) + " " + std::to_string(number);
}

class InterfaceReplay : public nvtxw::SessionBackend {
 public:
  InterfaceReplay(const nvtxwInterface_v2_t& table, nvtxwSessionHandle_t session)
      : table_(table), session_(session) {}
  ~InterfaceReplay() override { (void)end(); }

  Status domain(uint32_t domain, std::string_view name) override {
    const std::string text(name);
    const nvtxwDomainAttributes_t attr = {sizeof(attr), text.c_str()};
    nvtxDomainHandle_t handle = nullptr;
    const nvtxwResultCode_t code = table_.DomainRegister(session_, &attr, &handle);
    if (domain >= domains_.size()) domains_.resize(size_t{domain} + 1);
    domains_[domain] = code == NVTXW_RESULT_SUCCESS ? handle : nullptr;
    return to_status(code, "DomainRegister", "\"" + text + "\"");
  }
  Status category(uint32_t domain, uint32_t category, std::string_view name) override {
    const std::string text(name);
    return to_status(table_.CategoryRegister(handle_of(domain), category, text.c_str()),
                     "CategoryRegister", "\"" + text + "\"");
  }
  Status string(uint32_t domain, uint64_t handle, std::string_view text) override {
    const std::string copy(text);
    nvtxStringHandle_t given = nullptr;
    const nvtxwResultCode_t code = table_.StringRegister(handle_of(domain), copy.c_str(), &given);
    if (code == NVTXW_RESULT_SUCCESS) ids_.add_string(handle, reinterpret_cast<uint64_t>(given));
    return to_status(code, "StringRegister", "\"" + copy + "\"");
  }
  Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) override {
    nvtxResourceAttributes_t copy = attr;
    if (copy.messageType == NVTX_MESSAGE_TYPE_REGISTERED) {
      copy.message.registered = reinterpret_cast<nvtxStringHandle_t>(
          ids_.string(reinterpret_cast<uint64_t>(attr.message.registered)));
    }
    return to_status(table_.ResourceRegister(handle_of(domain), &copy), "ResourceRegister",
                     numbered("resource", attr.identifier.ullValue));
  }
  Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) override {
    nvtxScopeAttr_t copy = attr;
    copy.parentScope = ids_.of(Ids::kScopes, domain, attr.parentScope);
    return define(table_.ScopeRegister, "ScopeRegister", Ids::kScopes, domain, copy,
                  &nvtxScopeAttr_t::scopeId);
  }
  Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override;
  Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) override {
    // Of no consequence here if it fails: no payload of an entry of this type is translated then.
    (void)map_.add_enum(domain, attr);
    return define(table_.EnumRegister, "EnumRegister", Ids::kSchemas, domain, attr,
                  &nvtxPayloadEnumAttr_t::schemaId);
  }
  Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) override {
    map_.add_counter(domain, attr);
    const TranslatedSemantics semantics = ids_.semantics(domain, attr.semantics);
    nvtxCounterAttr_t copy = attr;
    copy.schemaId = ids_.of(Ids::kSchemas, domain, attr.schemaId);
    copy.scopeId = ids_.of(Ids::kScopes, domain, attr.scopeId);
    copy.semantics = semantics.head();
    return define(table_.CounterRegister, "CounterRegister", Ids::kCounters, domain, copy,
                  &nvtxCounterAttr_t::counterId);
  }
  Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) override {
    nvtxTimeDomainAttr_t copy = attr;
    copy.scopeId = ids_.of(Ids::kScopes, domain, attr.scopeId);
    return define(table_.TimeDomainRegister, "TimeDomainRegister", Ids::kTimeDomains, domain, copy,
                  &nvtxTimeDomainAttr_t::timeDomainId);
  }

  Status stream_open(uint32_t stream, uint32_t domain,
                     const nvtxwStreamAttributes_t& attr) override {
    nvtxwStreamAttributes_t copy = attr;
    copy.domain = handle_of(domain);
    copy.scopeId = ids_.of(Ids::kScopes, domain, attr.scopeId);
    copy.timeDomainId = ids_.of(Ids::kTimeDomains, domain, attr.timeDomainId);
    Stream opened = {nullptr, domain};
    const nvtxwResultCode_t code = table_.StreamOpen(session_, &copy, &opened.handle);
    if (code != NVTXW_RESULT_SUCCESS) opened.handle = nullptr;
    if (stream >= streams_.size()) streams_.resize(size_t{stream} + 1);
    streams_[stream] = opened;
    return to_status(
        code, "StreamOpen",
        attr.name == nullptr ? "a stream without name" : "\"" + std::string(attr.name) + "\"");
  }
  Status stream_close(uint32_t stream) override {
    const Stream closed = stream_of(stream);
    if (stream < streams_.size()) streams_[stream].handle = nullptr;
    return to_status(table_.StreamClose(closed.handle), "StreamClose", numbered("stream", stream));
  }

  Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) override;
  Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) override;
  Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                        size_t size) override {
    const Stream& to = stream_of(stream);
    const Samples samples(*this, to.domain, counter, data, size);
    return to_status(
        table_.CounterWrite(to.handle, timestamp, ids_.of(Ids::kCounters, to.domain, counter),
                            samples.data(), size),
        "CounterWrite", numbered("counter", counter));
  }
  Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                          uint8_t reason) override {
    const Stream& to = stream_of(stream);
    return to_status(table_.CounterNoValueWrite(
                         to.handle, timestamp, ids_.of(Ids::kCounters, to.domain, counter), reason),
                     "CounterNoValueWrite", numbered("counter", counter));
  }
  Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) override {
    const Stream& to = stream_of(stream);
    const Samples samples(*this, to.domain, batch.counterId, batch.counters, batch.countersSize);
    nvtxCounterBatch_t copy = batch;
    copy.counterId = ids_.of(Ids::kCounters, to.domain, batch.counterId);
    copy.counters = samples.data();
    return to_status(table_.CounterBatchWrite(to.handle, &copy), "CounterBatchWrite",
                     numbered("counter", batch.counterId));
  }
  Status sync_points(uint32_t stream, uint64_t source, uint64_t destination,
                     std::span<const nvtxSyncPoint_t> points) override {
    const Stream& to = stream_of(stream);
    return to_status(
        table_.TimeSyncPointTableWrite(to.handle, ids_.of(Ids::kTimeDomains, to.domain, source),
                                       ids_.of(Ids::kTimeDomains, to.domain, destination),
                                       points.data(), points.size()),
        "TimeSyncPointTableWrite", numbered("time domain", source));
  }
  Status conversion_factor(uint32_t stream, uint64_t source, uint64_t destination, double slope,
                           int64_t source_timestamp, int64_t destination_timestamp) override {
    const Stream& to = stream_of(stream);
    return to_status(table_.TimestampConversionFactorWrite(
                         to.handle, ids_.of(Ids::kTimeDomains, to.domain, source),
                         ids_.of(Ids::kTimeDomains, to.domain, destination), slope,
                         source_timestamp, destination_timestamp),
                     "TimestampConversionFactorWrite", numbered("time domain", source));
  }

  Status end() override {
    if (session_ == nullptr) return Status();
    return to_status(table_.SessionEnd(std::exchange(session_, nullptr)), "SessionEnd",
                     "the session");
  }

 private:
  struct Stream {
    nvtxwStreamHandle_t handle = nullptr;  // nullptr: refused or closed; the backend refuses it too
    uint32_t domain = UINT32_MAX;
  };

  // Samples of a counter, translated if they hold anything to translate.
  class Samples {
   public:
    Samples(const InterfaceReplay& replay, uint32_t domain, uint64_t counter, const void* data,
            size_t size)
        : data_(data) {
      const Ids::Region region = {replay.map_.counter_schema(domain, counter), bytes_at(data, size),
                                  true};
      if (!replay.ids_.needs_copy(replay.map_, domain, {&region, 1})) return;
      copies_ = replay.ids_.copy(replay.map_, domain, {&region, 1});
      data_ = copies_[0].data();
    }
    const void* data() const { return data_; }

   private:
    const void* data_;
    std::vector<std::vector<std::byte>> copies_;
  };

  // Registers with the ID that was recorded, or with one that the backend gives.
  template <typename Attributes>
  Status define(nvtxwResultCode_t (*call)(nvtxDomainHandle_t, const Attributes*, uint64_t*),
                const char* function, Ids::Kind kind, uint32_t domain, Attributes attr,
                uint64_t Attributes::* id) {
    const uint64_t recorded = attr.*id;
    if (Ids::is_dynamic(recorded)) attr.*id = 0;
    uint64_t given = 0;
    const nvtxwResultCode_t code = call(handle_of(domain), &attr, &given);
    if (code == NVTXW_RESULT_SUCCESS && given != 0) ids_.add(kind, domain, recorded, given);
    return to_status(code, function, numbered("ID", recorded));
  }

  nvtxDomainHandle_t handle_of(uint32_t domain) const {
    return domain < domains_.size() ? domains_[domain] : nullptr;
  }
  const Stream& stream_of(uint32_t stream) const {
    static const Stream kNone;
    return stream < streams_.size() ? streams_[stream] : kNone;
  }

  const nvtxwInterface_v2_t& table_;
  nvtxwSessionHandle_t session_;
  std::vector<nvtxDomainHandle_t> domains_;
  std::vector<Stream> streams_;
  PayloadMap map_;  // of the recorded IDs
  IdTranslation ids_;
};

Status InterfaceReplay::schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  (void)map_.add_schema(domain, attr);
  nvtxPayloadSchemaAttr_t copy = attr;
  std::vector<nvtxPayloadSchemaEntry_t> entries;
  std::vector<TranslatedSemantics> semantics;
  const bool has_entries = (attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) != 0 &&
                           (attr.fieldMask & NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES) != 0 &&
                           attr.entries != nullptr;
  if (has_entries) {
    entries.assign(attr.entries, attr.entries + attr.numEntries);
    for (nvtxPayloadSchemaEntry_t& entry : entries) {
      entry.type = ids_.of(Ids::kSchemas, domain, entry.type);
      semantics.push_back(ids_.semantics(domain, entry.semantics));
      entry.semantics = semantics.back().head();
    }
    copy.entries = entries.data();
  }
  return define(table_.SchemaRegister, "SchemaRegister", Ids::kSchemas, domain, copy,
                &nvtxPayloadSchemaAttr_t::schemaId);
}

Status InterfaceReplay::event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) {
  const Stream& to = stream_of(stream);
  std::vector<Ids::Region> regions;
  std::vector<nvtxPayloadData_t> translated(payloads.begin(), payloads.end());
  for (const nvtxPayloadData_t& payload : payloads) {
    regions.push_back({payload.schemaId, bytes_at(payload.payload, payload.size), false});
  }
  std::vector<std::vector<std::byte>> copies;
  if (ids_.needs_copy(map_, to.domain, regions)) copies = ids_.copy(map_, to.domain, regions);
  for (size_t i = 0; i < translated.size(); ++i) {
    translated[i].schemaId = ids_.of(Ids::kSchemas, to.domain, payloads[i].schemaId);
    if (!copies.empty() && payloads[i].payload != nullptr) translated[i].payload = copies[i].data();
  }
  return to_status(table_.EventWrite(to.handle, translated.data(), translated.size()), "EventWrite",
                   "an event on " + numbered("stream", stream));
}

Status InterfaceReplay::event_batch(uint32_t stream, const nvtxEventBatch_t& batch) {
  const Stream& to = stream_of(stream);
  nvtxEventBatch_t translated = batch;
  translated.eventSchemaId = ids_.of(Ids::kSchemas, to.domain, batch.eventSchemaId);
  translated.scope = ids_.of(Ids::kScopes, to.domain, batch.scope);
  const Ids::Region rows = {batch.eventSchemaId, bytes_at(batch.events, batch.size), true};
  std::vector<std::vector<std::byte>> copies;
  if (ids_.needs_copy(map_, to.domain, {&rows, 1})) {
    copies = ids_.copy(map_, to.domain, {&rows, 1});
    translated.events = copies[0].data();
  }
  return to_status(table_.EventBatchWrite(to.handle, &translated), "EventBatchWrite",
                   "a batch of schema " + std::to_string(batch.eventSchemaId));
}

}  // namespace

Result<std::unique_ptr<nvtxw::SessionBackend>> replay_to_interface(
    const nvtxwInterface_v2_t& interface, const std::string& session_name,
    const std::string& config) {
  const nvtxwSessionAttributes_t attr = {sizeof(attr), session_name.c_str(), config.c_str()};
  nvtxwSessionHandle_t session = nullptr;
  const Status begun = to_status(interface.SessionBegin(&attr, &session), "SessionBegin",
                                 "\"" + session_name + "\" with \"" + config + "\"");
  if (!begun.ok()) return begun;
  return std::unique_ptr<nvtxw::SessionBackend>(new InterfaceReplay(interface, session));
}

}  // namespace ringscribe::journal
