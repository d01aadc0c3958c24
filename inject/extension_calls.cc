// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/extension_calls.h"

#include "ringscribe/inject/counter_calls.h"
#include "ringscribe/inject/live_calls.h"
#include "ringscribe/inject/payload_list.h"
#include "ringscribe/inject/recording.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/loss.h"

namespace ringscribe::inject {

namespace {

using runtime::StreamRef;

TracedDomain& of(nvtxDomainHandle_t domain) { return Recording::process().domain(domain); }

// --- Registration.

uint64_t NVTX_API register_schema(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* attr) {
  return attr == nullptr ? 0 : of(domain).register_schema(*attr);
}
uint64_t NVTX_API register_enum(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* attr) {
  return attr == nullptr ? 0 : of(domain).register_enum(*attr);
}
uint64_t NVTX_API register_scope(nvtxDomainHandle_t domain, const nvtxScopeAttr_t* attr) {
  if (attr == nullptr || attr->structSize < sizeof(nvtxScopeAttr_t)) return NVTX_SCOPE_NONE;
  return of(domain).register_scope(*attr);
}
uint64_t NVTX_API register_time_domain(nvtxDomainHandle_t domain,
                                       const nvtxTimeDomainAttr_t* attr) {
  return attr == nullptr ? 0 : of(domain).register_time_domain(*attr);
}
uint8_t NVTX_API is_domain_enabled(nvtxDomainHandle_t domain) {
  return of(domain).is_enabled() ? 1 : 0;
}

// --- Live events whose attributes are payloads.

void NVTX_API mark_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads,
                           size_t count) {
  mark(of(domain), [=](LiveEvent& event) { return event.read(payloads, count); });
}
int NVTX_API push_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads,
                          size_t count) {
  return push(of(domain), [=](LiveEvent& event) { return event.read(payloads, count); });
}
int NVTX_API pop_payload(nvtxDomainHandle_t handle, const nvtxPayloadData_t* payloads,
                         size_t count) {
  TracedDomain& domain = of(handle);
  return pop_with(domain, [&](const runtime::MissedPops&) {
    LiveEvent event(domain, this_thread());
    (void)event.read(payloads, count);
    return event.write_payloads(EventKind::kRangePop, 0);
  });
}
nvtxRangeId_t NVTX_API start_payload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* payloads,
                                     size_t count) {
  return start(of(domain), [=](LiveEvent& event) { return event.read(payloads, count); });
}
void NVTX_API end_payload(nvtxDomainHandle_t handle, nvtxRangeId_t id,
                          const nvtxPayloadData_t* payloads, size_t count) {
  TracedDomain& domain = of(handle);
  if (!is_recorded(domain, id)) return;
  LiveEvent event(domain, this_thread());
  (void)event.read(payloads, count);
  (void)event.write_payloads(EventKind::kRangeEnd, id);
}

// --- Time.

int64_t NVTX_API get_timestamp() { return runtime::now_ticks(); }

using PlainTimer = int64_t (*)();
void NVTX_API timer_source(nvtxDomainHandle_t domain, uint64_t time_domain, uint64_t flags,
                           PlainTimer read) {
  if (read == nullptr) return;
  of(domain).add_timer(
      time_domain, [](void* timer) { return reinterpret_cast<PlainTimer>(timer)(); },
      reinterpret_cast<void*>(read), flags == NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN);
}
void NVTX_API timer_source_with_data(nvtxDomainHandle_t domain, uint64_t time_domain,
                                     uint64_t flags, ProgramTimers::Read read, void* data) {
  of(domain).add_timer(time_domain, read, data,
                       flags == NVTX_TIMER_SOURCE_SAFE_CALL_AFTER_PROCESS_TEARDOWN);
}

// Both time domains as the backend knows them; false, and counted, if one is unknown.
bool find_time_domains(TracedDomain& domain, uint64_t& first, uint64_t& second) {
  first = domain.time_domain_id(first);
  second = domain.time_domain_id(second);
  if (first != TracedDomain::kUnknownId && second != TracedDomain::kUnknownId) return true;
  return runtime::count_invalid(domain.deferred_stream(NVTX_SCOPE_NONE), InvalidCall::kTimeDomain);
}

void NVTX_API sync_points(nvtxDomainHandle_t handle, uint64_t source, uint64_t destination,
                          const nvtxSyncPoint_t* points, size_t count) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled() || points == nullptr || !find_time_domains(domain, source, destination))
    return;
  static_assert(sizeof(nvtxSyncPoint_t) == 16 && offsetof(nvtxSyncPoint_t, dst) == 8);
  runtime::write_sync_points(domain.deferred_stream(NVTX_SCOPE_NONE), source, destination,
                             &points->src, count);
}
void NVTX_API sync_point(nvtxDomainHandle_t domain, uint64_t first, uint64_t second,
                         int64_t at_first, int64_t at_second) {
  const nvtxSyncPoint_t point{at_first, at_second};
  sync_points(domain, first, second, &point, 1);
}
void NVTX_API conversion_factor(nvtxDomainHandle_t handle, uint64_t source, uint64_t destination,
                                double slope, int64_t at_source, int64_t at_destination) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled() || !find_time_domains(domain, source, destination)) return;
  runtime::write_conversion(domain.deferred_stream(NVTX_SCOPE_NONE), source, destination, slope,
                            at_source, at_destination);
}

// --- Deferred events.

void NVTX_API submit_event(nvtxDomainHandle_t handle, const nvtxPayloadData_t* payloads,
                           size_t count) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled() || payloads == nullptr) return;
  domain.read_timers();
  const StreamRef stream = domain.deferred_stream(NVTX_SCOPE_NONE);
  PayloadList list(domain);
  if (!list.add(payloads, count) || list.kind() == EventKind::kNone)
    runtime::count_invalid(stream, InvalidCall::kPayloads);
  else
    runtime::write_payloads(stream, list.all());
}

void NVTX_API submit_event_batch(nvtxDomainHandle_t handle, const nvtxEventBatch_t* batch) {
  TracedDomain& domain = of(handle);
  if (!domain.is_enabled() || batch == nullptr) return;
  domain.read_timers();
  const uint64_t scope = domain.scope_id(batch->scope);
  const StreamRef stream =
      domain.deferred_stream(scope == TracedDomain::kUnknownId ? uint64_t{NVTX_SCOPE_NONE} : scope);
  const SchemaUse* schema = domain.find_schema(batch->eventSchemaId);
  if (schema == nullptr || batch->events == nullptr) {
    runtime::count_invalid(stream, InvalidCall::kSchema);
    return;
  }
  const auto* rows = static_cast<const uint8_t*>(batch->events);
  if (schema->row_bytes == 0) {
    // Where one ends and the next begins is in them: they are one payload for the backend.
    runtime::count_invalid(stream, InvalidCall::kBatch);
    return;
  }
  const uint64_t count = batch->size / schema->row_bytes;
  if (batch->flexData != nullptr && schema->has_offsets) {
    // They count from the batch's data, which a row by itself does not have.
    runtime::count_invalid(stream, InvalidCall::kBatch, count);
    return;
  }
  const bool is_complete = schema->kind == EventKind::kMark ||
                           schema->kind == EventKind::kRangePushPop ||
                           schema->kind == EventKind::kRangeStartEnd;
  const bool is_alone =
      batch->flexData == nullptr && schema->copies.empty() && schema->scopes.empty() && is_complete;
  if (is_alone) {
    runtime::write_row_batch(stream, schema->number, rows, schema->row_bytes, count,
                             static_cast<uint32_t>(batch->flags & NVTX_BATCH_FLAG_UNSORTED));
    return;
  }
  // Each with what it points to.
  for (uint64_t i = 0; i < count; ++i) {
    const nvtxPayloadData_t row{batch->eventSchemaId, schema->row_bytes,
                                rows + i * schema->row_bytes};
    PayloadList list(domain);
    (void)list.add(&row, 1);
    if (batch->flexData != nullptr)
      (void)list.add({0, NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED,
                      static_cast<const uint8_t*>(batch->flexData) + batch->flexDataOffset,
                      batch->flexDataSize});
    runtime::write_payloads(stream, list.all());
  }
}

// --- Tables.

class Slots {
 public:
  explicit Slots(const nvtxExtModuleInfo_t& info) {
    if (info.segmentsCount == 0 || info.segments == nullptr) return;
    slots_ = info.segments[0].functionSlots;
    count_ = info.segments[0].slotCount;
  }
  template <typename Function>
  void set(size_t callback, Function* function) const {
    if (slots_ != nullptr && callback < count_)
      slots_[callback] = reinterpret_cast<intptr_t>(function);
  }

 private:
  intptr_t* slots_ = nullptr;
  size_t count_ = 0;
};

void attach_payloads(const Slots& slots) {
  slots.set(NVTX3EXT_CBID_nvtxPayloadSchemaRegister, register_schema);
  slots.set(NVTX3EXT_CBID_nvtxPayloadEnumRegister, register_enum);
  slots.set(NVTX3EXT_CBID_nvtxMarkPayload, mark_payload);
  slots.set(NVTX3EXT_CBID_nvtxRangePushPayload, push_payload);
  slots.set(NVTX3EXT_CBID_nvtxRangePopPayload, pop_payload);
  slots.set(NVTX3EXT_CBID_nvtxRangeStartPayload, start_payload);
  slots.set(NVTX3EXT_CBID_nvtxRangeEndPayload, end_payload);
  slots.set(NVTX3EXT_CBID_nvtxDomainIsEnabled, is_domain_enabled);
  slots.set(NVTX3EXT_CBID_nvtxScopeRegister, register_scope);
  slots.set(NVTX3EXT_CBID_nvtxTimestampGet, get_timestamp);
  slots.set(NVTX3EXT_CBID_nvtxTimeDomainRegister, register_time_domain);
  slots.set(NVTX3EXT_CBID_nvtxTimerSource, timer_source);
  slots.set(NVTX3EXT_CBID_nvtxTimerSourceWithData, timer_source_with_data);
  slots.set(NVTX3EXT_CBID_nvtxTimeSyncPoint, sync_point);
  slots.set(NVTX3EXT_CBID_nvtxTimeSyncPointTable, sync_points);
  slots.set(NVTX3EXT_CBID_nvtxTimestampConversionFactor, conversion_factor);
  slots.set(NVTX3EXT_CBID_nvtxEventSubmit, submit_event);
  slots.set(NVTX3EXT_CBID_nvtxEventBatchSubmit, submit_event_batch);
}

void attach_counters(const Slots& slots) {
  slots.set(NVTX3EXT_CBID_nvtxCounterRegister, register_counter);
  slots.set(NVTX3EXT_CBID_nvtxCounterSampleInt64, sample_int64);
  slots.set(NVTX3EXT_CBID_nvtxCounterSampleFloat64, sample_float64);
  slots.set(NVTX3EXT_CBID_nvtxCounterSample, sample_bytes);
  slots.set(NVTX3EXT_CBID_nvtxCounterSampleNoValue, sample_no_value);
  slots.set(NVTX3EXT_CBID_nvtxCounterBatchSubmit, submit_counter_batch);
}

}  // namespace

void attach_extension(nvtxExtModuleInfo_t& info) {
  const Slots slots(info);
  if (info.moduleId == NVTX_EXT_PAYLOAD_MODULEID) attach_payloads(slots);
  if (info.moduleId == NVTX_EXT_COUNTERS_MODULEID) attach_counters(slots);
}

}  // namespace ringscribe::inject
