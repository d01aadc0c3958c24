// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/recording_backend.h"

#include <cstring>

namespace ringscribe::testing {

namespace {

RecordingBackend* g_backend = nullptr;

std::string text_of(const char* text) { return text == nullptr ? std::string() : text; }

template <typename T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

int64_t load_number(uint64_t type, const uint8_t* from) {
  switch (type) {
    case NVTX_PAYLOAD_ENTRY_TYPE_INT8:
      return load<int8_t>(from);
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT8:
      return load<uint8_t>(from);
    case NVTX_PAYLOAD_ENTRY_TYPE_INT16:
      return load<int16_t>(from);
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT16:
      return load<uint16_t>(from);
    case NVTX_PAYLOAD_ENTRY_TYPE_INT32:
      return load<int32_t>(from);
    case NVTX_PAYLOAD_ENTRY_TYPE_UINT32:
    case NVTX_PAYLOAD_ENTRY_TYPE_CATEGORY:
    case NVTX_PAYLOAD_ENTRY_TYPE_COLOR_ARGB:
      return load<uint32_t>(from);
    default:
      return load<int64_t>(from);
  }
}

}  // namespace

// The C functions; a class so that it may look inside.
struct Calls {
  static RecordingBackend& self() { return *g_backend; }

  static int32_t session_begin(const nvtxwSessionAttributes_t* attr, nvtxwSessionHandle_t* out) {
    if (self().open_result != 0) return self().open_result;
    self().calls_.push_back("SessionBegin " + text_of(attr->name));
    *out = reinterpret_cast<nvtxwSessionHandle_t>(self().next_handle_++);
    return 0;
  }
  static int32_t session_end(nvtxwSessionHandle_t) {
    self().calls_.push_back("SessionEnd");
    return 0;
  }
  static int32_t domain_register(nvtxwSessionHandle_t, const nvtxwDomainAttributes_t* attr,
                                 nvtxDomainHandle_t* out) {
    const std::string name = text_of(attr->name);
    const auto at = self().domains_.try_emplace(name, self().next_handle_++).first;
    *out = reinterpret_cast<nvtxDomainHandle_t>(at->second);
    self().calls_.push_back("DomainRegister " + name);
    return 0;
  }
  static int32_t category_register(nvtxDomainHandle_t, uint32_t id, const char* name) {
    self().calls_.push_back("CategoryRegister " + std::to_string(id) + " " + name);
    return 0;
  }
  static int32_t string_register(nvtxDomainHandle_t, const char* text, nvtxStringHandle_t* out) {
    const uint64_t handle = self().next_handle_++;
    self().strings_[handle] = text;
    *out = reinterpret_cast<nvtxStringHandle_t>(handle);
    return 0;
  }
  static int32_t resource_register(nvtxDomainHandle_t, const nvtxResourceAttributes_t*) {
    return 0;
  }
  static int32_t scope_register(nvtxDomainHandle_t, const nvtxScopeAttr_t* attr, uint64_t* out) {
    self().scopes_[attr->scopeId] =
        (attr->parentScope > 1 ? self().scopes_[attr->parentScope] + "/" : "") +
        text_of(attr->path);
    *out = attr->scopeId;
    return 0;
  }
  static int32_t schema_register(nvtxDomainHandle_t, const nvtxPayloadSchemaAttr_t* attr,
                                 uint64_t* out) {
    RecordingBackend::Schema schema;
    schema.name = text_of(attr->name);
    schema.row_bytes = attr->payloadStaticSize;
    for (size_t i = 0; i < attr->numEntries; ++i) {
      const nvtxPayloadSchemaEntry_t& entry = attr->entries[i];
      schema.entries.push_back(
          {text_of(entry.name), entry.flags, entry.type, entry.arrayOrUnionDetail, entry.offset});
    }
    self().schemas_[attr->schemaId] = schema;
    *out = attr->schemaId;
    self().calls_.push_back("SchemaRegister " + schema.name);
    return 0;
  }
  static int32_t enum_register(nvtxDomainHandle_t, const nvtxPayloadEnumAttr_t*, uint64_t*) {
    return 0;
  }
  static int32_t counter_register(nvtxDomainHandle_t, const nvtxCounterAttr_t* attr,
                                  uint64_t* out) {
    self().counters_[attr->counterId] = text_of(attr->name);
    *out = attr->counterId;
    self().calls_.push_back("CounterRegister " + text_of(attr->name));
    return 0;
  }
  static int32_t time_domain_register(nvtxDomainHandle_t, const nvtxTimeDomainAttr_t*, uint64_t*) {
    return 0;
  }
  static int32_t stream_open(nvtxwSessionHandle_t, const nvtxwStreamAttributes_t* attr,
                             nvtxwStreamHandle_t* out) {
    if (self().open_result != 0) return self().open_result;
    const uint64_t handle = self().next_handle_++;
    self().streams_[handle] = text_of(attr->name);
    *out = reinterpret_cast<nvtxwStreamHandle_t>(handle);
    self().calls_.push_back("StreamOpen " + text_of(attr->name));
    return 0;
  }
  static int32_t stream_close(nvtxwStreamHandle_t stream) {
    const auto at = self().streams_.find(reinterpret_cast<uint64_t>(stream));
    self().calls_.push_back("StreamClose " + at->second);
    self().streams_.erase(at);
    return 0;
  }
  static std::string stream_name(nvtxwStreamHandle_t stream) {
    return self().streams_.at(reinterpret_cast<uint64_t>(stream));
  }
  static int32_t event_write(nvtxwStreamHandle_t stream, const nvtxPayloadData_t* payloads,
                             size_t count) {
    if (const int32_t result = self().write(1); result != 0) return result;
    RecordedEvent event;
    for (size_t i = 0; i < count; ++i) {
      const auto schema = self().schemas_.find(payloads[i].schemaId);
      if (schema == self().schemas_.end()) continue;  // text that the first payload points to
      RecordedEvent part =
          self().decode(schema->second, static_cast<const uint8_t*>(payloads[i].payload));
      if (i == 0) event.schema = part.schema;
      event.numbers.merge(part.numbers);
      event.texts.merge(part.texts);
      if (part.scope != 0) event.scope = part.scope;
    }
    self().events_[stream_name(stream)].push_back(event);
    return 0;
  }
  static int32_t event_batch_write(nvtxwStreamHandle_t stream, const nvtxEventBatch_t* batch) {
    const RecordingBackend::Schema& schema = self().schemas_.at(batch->eventSchemaId);
    const size_t row_bytes = schema.row_bytes;
    if (const int32_t result = self().write(batch->size / row_bytes); result != 0) return result;
    const auto* rows = static_cast<const uint8_t*>(batch->events);
    for (size_t at = 0; at < batch->size; at += row_bytes) {
      RecordedEvent event = self().decode(schema, rows + at);
      event.is_batched = true;
      event.batch_flags = batch->flags;
      event.scope = batch->scope;
      self().events_[stream_name(stream)].push_back(event);
    }
    return 0;
  }
  static int32_t counter_write(nvtxwStreamHandle_t stream, int64_t time, uint64_t counter,
                               const void* data, size_t) {
    self().samples_[stream_name(stream)].push_back(
        {self().counters_[counter], time, load<int64_t>(static_cast<const uint8_t*>(data)), 0});
    return 0;
  }
  static int32_t counter_no_value_write(nvtxwStreamHandle_t, int64_t, uint64_t, uint8_t) {
    return 0;
  }
  static int32_t counter_batch_write(nvtxwStreamHandle_t stream, const nvtxCounterBatch_t* batch) {
    const size_t count = batch->countersSize / 8;
    if (const int32_t result = self().write(count); result != 0) return result;
    const auto* samples = static_cast<const uint8_t*>(batch->counters);
    for (size_t i = 0; i < count; ++i)
      self().samples_[stream_name(stream)].push_back(
          {self().counters_[batch->counterId], batch->timestamps[i], load<int64_t>(samples + 8 * i),
           batch->flags});
    return 0;
  }
  static int32_t sync_point_write(nvtxwStreamHandle_t, uint64_t, uint64_t, int64_t, int64_t) {
    ++self().sync_points_;
    return 0;
  }
  static int32_t sync_table_write(nvtxwStreamHandle_t, uint64_t, uint64_t, const nvtxSyncPoint_t*,
                                  size_t) {
    return 0;
  }
  static int32_t conversion_write(nvtxwStreamHandle_t, uint64_t, uint64_t, double, int64_t,
                                  int64_t) {
    return 0;
  }
};

RecordingBackend::RecordingBackend() : contract_(recording_interface()) { g_backend = this; }
RecordingBackend::~RecordingBackend() { g_backend = nullptr; }

const nvtxwInterface_v2_t* RecordingBackend::recording_interface() {
  static const nvtxwInterface_v2_t table = [] {
    nvtxwInterface_v2_t all{};
    all.SessionBegin = Calls::session_begin;
    all.SessionEnd = Calls::session_end;
    all.DomainRegister = Calls::domain_register;
    all.CategoryRegister = Calls::category_register;
    all.StringRegister = Calls::string_register;
    all.ResourceRegister = Calls::resource_register;
    all.ScopeRegister = Calls::scope_register;
    all.SchemaRegister = Calls::schema_register;
    all.EnumRegister = Calls::enum_register;
    all.CounterRegister = Calls::counter_register;
    all.TimeDomainRegister = Calls::time_domain_register;
    all.StreamOpen = Calls::stream_open;
    all.StreamClose = Calls::stream_close;
    all.EventWrite = Calls::event_write;
    all.EventBatchWrite = Calls::event_batch_write;
    all.CounterWrite = Calls::counter_write;
    all.CounterNoValueWrite = Calls::counter_no_value_write;
    all.CounterBatchWrite = Calls::counter_batch_write;
    all.TimeSyncPointWrite = Calls::sync_point_write;
    all.TimeSyncPointTableWrite = Calls::sync_table_write;
    all.TimestampConversionFactorWrite = Calls::conversion_write;
    return all;
  }();
  return &table;
}

std::string RecordingBackend::scope_path(uint64_t id) const {
  const auto at = scopes_.find(id);
  return at == scopes_.end() ? "" : at->second;
}

int32_t RecordingBackend::write(uint64_t) {
  is_stalled_.wait(true);
  ++writes_;
  const uint64_t nth = fail_every_nth;
  return nth != 0 && writes_ % nth == 0 ? NVTXW_RESULT_FAILED : NVTXW_RESULT_SUCCESS;
}

RecordedEvent RecordingBackend::decode(const Schema& schema, const uint8_t* row) {
  RecordedEvent event;
  event.schema = schema.name;
  for (const Entry& entry : schema.entries) {
    const uint8_t* at = row + entry.offset;
    if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_NVTX_REGISTERED_STRING_HANDLE) {
      const auto handle = load<uint64_t>(at);
      event.texts[entry.name] = handle == 0 ? "" : strings_[handle];
    } else if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8) {
      event.texts[entry.name] =
          (entry.flags & NVTX_PAYLOAD_ENTRY_FLAG_POINTER) != 0
              ? std::string(load<const char*>(at))
              : std::string(reinterpret_cast<const char*>(at),
                            strnlen(reinterpret_cast<const char*>(at), entry.detail));
    } else {
      event.numbers[entry.name] = load_number(entry.type, at);
      if (entry.type == NVTX_PAYLOAD_ENTRY_TYPE_SCOPE_ID) event.scope = load<uint64_t>(at);
    }
  }
  return event;
}

}  // namespace ringscribe::testing
