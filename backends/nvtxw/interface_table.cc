// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/interface_table.h"

#include <cxxabi.h>
#include <pthread.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include "ringscribe/backends/nvtxw/checked_session.h"
#include "ringscribe/backends/nvtxw/extension.h"
#include "ringscribe/backends/nvtxw/handle_table.h"
#include "ringscribe/backends/nvtxw/log.h"

namespace ringscribe::nvtxw {
namespace {

std::atomic<const FormatTable*> formats_in_use{nullptr};

// nullptr before the first session and in a fresh child of fork.
std::atomic<HandleTable*> table_in_use{nullptr};

// A child must not touch the parent's sessions: their files and locks are not its own. What they
// hold stays allocated.
void forget_sessions_in_child() {
  // Relaxed: a fresh child has one thread.
  table_in_use.store(nullptr, std::memory_order_relaxed);
}

// Acquire pairs with the release in make_table(): the table is complete.
HandleTable* find_table() noexcept { return table_in_use.load(std::memory_order_acquire); }

HandleTable& make_table() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(nullptr, nullptr, forget_sessions_in_child); });
  HandleTable* table = find_table();
  if (table != nullptr) return *table;
  auto fresh = std::make_unique<HandleTable>();
  // Release pairs with find_table(). If another thread was faster, its table counts.
  if (table_in_use.compare_exchange_strong(table, fresh.get(), std::memory_order_acq_rel)) {
    return *fresh.release();
  }
  return *table;
}

Status invalid(std::string sentence) {
  return Status(ResultCode::kInvalidArgument, std::move(sentence));
}

// The C boundary: no exception passes, each failure is told.
template <typename Call>
nvtxwResultCode_t at_boundary(const char* operation, Call&& call) {
  Status status;
  try {
    try {
      status = call();
    } catch (abi::__forced_unwind&) {
      throw;  // the thread is being cancelled: glibc ends the process if that is swallowed
    } catch (const std::exception& error) {
      status = Status(ResultCode::kFailed, std::string("an exception was thrown: ") + error.what());
    } catch (...) {
      status = Status(ResultCode::kFailed, "an exception of unknown type was thrown");
    }
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return NVTXW_RESULT_FAILED;  // no memory left for the sentence
  }
  log_failure_once(operation, status);
  return static_cast<nvtxwResultCode_t>(status.code());
}

template <typename Handle>
uint64_t handle_number(Handle handle) noexcept {
  return reinterpret_cast<uint64_t>(handle);
}

template <typename Handle>
Handle handle_of(const HandleParts& parts) noexcept {
  return reinterpret_cast<Handle>(make_handle(parts));
}

struct Found {
  HandleTable::SessionPtr session;
  HandleParts parts;
};

Status find(uint64_t handle, HandleKind kind, Found* found) {
  constexpr const char* kNames[] = {"", "session", "domain", "stream"};
  const char* name = kNames[static_cast<size_t>(kind)];
  if (handle == 0) return invalid(std::string("the ") + name + " handle is NULL: pass one.");
  HandleTable* table = find_table();
  if (table != nullptr && parse_handle(handle, kind, &found->parts)) {
    found->session = table->find(found->parts.session);
  }
  if (found->session != nullptr) return {};
  return invalid(std::string("the ") + name +
                 " handle is none of an open session: pass one of this library, of that kind, "
                 "before SessionEnd.");
}

// Looks the handle up and calls `call(session, number)`.
template <typename Handle, typename Call>
nvtxwResultCode_t with_session(const char* operation, HandleKind kind, Handle handle, Call&& call) {
  return at_boundary(operation, [&]() -> Status {
    Found found;
    Status status = find(handle_number(handle), kind, &found);
    return status.ok() ? call(*found.session, found.parts.number) : status;
  });
}

template <typename Call>
nvtxwResultCode_t with_domain(const char* operation, nvtxDomainHandle_t domain, Call&& call) {
  return with_session(operation, HandleKind::kDomain, domain, std::forward<Call>(call));
}

template <typename Call>
nvtxwResultCode_t with_stream(const char* operation, nvtxwStreamHandle_t stream, Call&& call) {
  return with_session(operation, HandleKind::kStream, stream, std::forward<Call>(call));
}

Status check_struct_size(size_t found, size_t needed) {
  if (found >= needed) return {};
  return invalid("structSize of the attributes is " + std::to_string(found) +
                 ", smaller than the first version's " + std::to_string(needed) +
                 ": set it to the sizeof of the struct.");
}

// --- Sessions.

Status begin_session(const nvtxwSessionAttributes_t* attr, nvtxwSessionHandle_t* session_out) {
  if (session_out == nullptr) {
    return invalid("sessionOut is NULL: pass a place for the handle.");
  }
  *session_out = nullptr;
  if (attr == nullptr) return invalid("the attributes are NULL: pass them.");
  Status status = check_struct_size(attr->structSize, sizeof *attr);
  if (!status.ok()) return status;
  const auto text = [](const char* c) { return c == nullptr ? std::string_view() : c; };
  const FormatTable& table = *formats_in_use.load(std::memory_order_acquire);
  Result<std::unique_ptr<SessionBackend>> backend =
      open_backend(table, text(attr->name), text(attr->configString));
  if (!backend.ok()) return backend.status();
  uint32_t number = 0;
  if (!make_table().add(std::make_shared<CheckedSession>(std::move(*backend)), &number)) {
    return Status(ResultCode::kFailed, "the process has begun " +
                                           std::to_string(kSessionNumbersMax) +
                                           " sessions, the most there may be: restart it.");
  }
  *session_out = handle_of<nvtxwSessionHandle_t>({HandleKind::kSession, number, 0});
  return {};
}

nvtxwResultCode_t session_begin(const nvtxwSessionAttributes_t* attr,
                                nvtxwSessionHandle_t* session_out) {
  return at_boundary("SessionBegin", [&] { return begin_session(attr, session_out); });
}

nvtxwResultCode_t session_end(nvtxwSessionHandle_t session) {
  return at_boundary("SessionEnd", [&]() -> Status {
    Found found;
    const Status status = find(handle_number(session), HandleKind::kSession, &found);
    if (!status.ok()) return status;
    // A second thread that ends it too finds it gone.
    HandleTable* table = find_table();
    if (table == nullptr || table->take(found.parts.session) == nullptr) {
      return invalid("the session has ended: end it once.");
    }
    return found.session->end();
  });
}

nvtxwResultCode_t session_snapshot(nvtxwSessionHandle_t session, const char* path,
                                   const char* reason) {
  return with_session(
      "Snapshot", HandleKind::kSession, session, [&](CheckedSession& checked, uint32_t) -> Status {
        const auto text = [](const char* c) { return c == nullptr ? "" : c; };
        Result<std::function<Status()>> write = checked.snapshot(text(path), text(reason));
        return write.ok() ? (*write)() : write.status();
      });
}

// --- Registration.

nvtxwResultCode_t domain_register(nvtxwSessionHandle_t session, const nvtxwDomainAttributes_t* attr,
                                  nvtxDomainHandle_t* domain_out) {
  return at_boundary("DomainRegister", [&]() -> Status {
    if (domain_out == nullptr) return invalid("domainOut is NULL: pass a place for the handle.");
    *domain_out = nullptr;
    Status status;
    if (attr != nullptr) status = check_struct_size(attr->structSize, sizeof *attr);
    Found found;
    if (status.ok()) status = find(handle_number(session), HandleKind::kSession, &found);
    uint32_t domain = 0;
    if (status.ok()) {
      status = found.session->domain_register(attr == nullptr ? nullptr : attr->name, &domain);
    }
    if (!status.ok()) return status;
    *domain_out = handle_of<nvtxDomainHandle_t>({HandleKind::kDomain, found.parts.session, domain});
    return {};
  });
}

nvtxwResultCode_t category_register(nvtxDomainHandle_t domain, uint32_t category,
                                    const char* name) {
  return with_domain("CategoryRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.category_register(number, category, name);
  });
}

nvtxwResultCode_t string_register(nvtxDomainHandle_t domain, const char* text,
                                  nvtxStringHandle_t* handle_out) {
  if (handle_out != nullptr) *handle_out = nullptr;
  return with_domain("StringRegister", domain, [&](CheckedSession& session, uint32_t number) {
    uint64_t handle = 0;
    Status status =
        session.string_register(number, text, handle_out == nullptr ? nullptr : &handle);
    if (status.ok()) *handle_out = reinterpret_cast<nvtxStringHandle_t>(handle);
    return status;
  });
}

nvtxwResultCode_t resource_register(nvtxDomainHandle_t domain,
                                    const nvtxResourceAttributes_t* attr) {
  return with_domain("ResourceRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.resource_register(number, attr);
  });
}

nvtxwResultCode_t scope_register(nvtxDomainHandle_t domain, const nvtxScopeAttr_t* attr,
                                 uint64_t* id_out) {
  if (id_out != nullptr) *id_out = 0;
  return with_domain("ScopeRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.scope_register(number, attr, id_out);
  });
}

nvtxwResultCode_t schema_register(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* attr,
                                  uint64_t* id_out) {
  if (id_out != nullptr) *id_out = 0;
  return with_domain("SchemaRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.schema_register(number, attr, id_out);
  });
}

nvtxwResultCode_t enum_register(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* attr,
                                uint64_t* id_out) {
  if (id_out != nullptr) *id_out = 0;
  return with_domain("EnumRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.enum_register(number, attr, id_out);
  });
}

nvtxwResultCode_t counter_register(nvtxDomainHandle_t domain, const nvtxCounterAttr_t* attr,
                                   uint64_t* id_out) {
  if (id_out != nullptr) *id_out = 0;
  return with_domain("CounterRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.counter_register(number, attr, id_out);
  });
}

nvtxwResultCode_t time_domain_register(nvtxDomainHandle_t domain, const nvtxTimeDomainAttr_t* attr,
                                       uint64_t* id_out) {
  if (id_out != nullptr) *id_out = 0;
  return with_domain("TimeDomainRegister", domain, [&](CheckedSession& session, uint32_t number) {
    return session.time_domain_register(number, attr, id_out);
  });
}

// --- Streams.

Status open_stream(nvtxwSessionHandle_t session, const nvtxwStreamAttributes_t* attr,
                   nvtxwStreamHandle_t* stream_out) {
  if (stream_out == nullptr) return invalid("streamOut is NULL: pass a place for the handle.");
  *stream_out = nullptr;
  if (attr == nullptr) return invalid("the attributes are NULL: pass them.");
  Status status = check_struct_size(attr->structSize, sizeof *attr);
  Found found;
  if (status.ok()) status = find(handle_number(session), HandleKind::kSession, &found);
  if (!status.ok()) return status;
  HandleParts domain{HandleKind::kDomain, found.parts.session, 0};
  if (attr->domain == nullptr) {
    status = found.session->domain_register(nullptr, &domain.number);
    if (!status.ok()) return status;
  } else if (!parse_handle(handle_number(attr->domain), HandleKind::kDomain, &domain) ||
             domain.session != found.parts.session) {
    return invalid(
        "the stream's domain is none of this session: pass one that its "
        "DomainRegister gave, or NULL for the default domain.");
  }
  uint32_t stream = 0;
  status = found.session->stream_open(domain.number, *attr, &stream);
  if (!status.ok()) return status;
  *stream_out = handle_of<nvtxwStreamHandle_t>({HandleKind::kStream, domain.session, stream});
  return {};
}

nvtxwResultCode_t stream_open(nvtxwSessionHandle_t session, const nvtxwStreamAttributes_t* attr,
                              nvtxwStreamHandle_t* stream_out) {
  return at_boundary("StreamOpen", [&] { return open_stream(session, attr, stream_out); });
}

nvtxwResultCode_t stream_close(nvtxwStreamHandle_t stream) {
  return with_stream("StreamClose", stream, [](CheckedSession& session, uint32_t number) {
    return session.stream_close(number);
  });
}

// --- Data and time.

nvtxwResultCode_t event_write(nvtxwStreamHandle_t stream, const nvtxPayloadData_t* payloads,
                              size_t count) {
  return with_stream("EventWrite", stream, [&](CheckedSession& session, uint32_t number) {
    return session.event_write(number, payloads, count);
  });
}

nvtxwResultCode_t event_batch_write(nvtxwStreamHandle_t stream, const nvtxEventBatch_t* batch) {
  return with_stream("EventBatchWrite", stream, [&](CheckedSession& session, uint32_t number) {
    return session.event_batch_write(number, batch);
  });
}

nvtxwResultCode_t counter_write(nvtxwStreamHandle_t stream, int64_t timestamp, uint64_t counter,
                                const void* data, size_t size) {
  return with_stream("CounterWrite", stream, [&](CheckedSession& session, uint32_t number) {
    return session.counter_write(number, timestamp, counter, data, size);
  });
}

nvtxwResultCode_t counter_no_value_write(nvtxwStreamHandle_t stream, int64_t timestamp,
                                         uint64_t counter, uint8_t reason) {
  return with_stream("CounterNoValueWrite", stream, [&](CheckedSession& session, uint32_t number) {
    return session.counter_no_value_write(number, timestamp, counter, reason);
  });
}

nvtxwResultCode_t counter_batch_write(nvtxwStreamHandle_t stream, const nvtxCounterBatch_t* batch) {
  return with_stream("CounterBatchWrite", stream, [&](CheckedSession& session, uint32_t number) {
    return session.counter_batch_write(number, batch);
  });
}

nvtxwResultCode_t time_sync_point_write(nvtxwStreamHandle_t stream, uint64_t time_domain_1,
                                        uint64_t time_domain_2, int64_t timestamp_1,
                                        int64_t timestamp_2) {
  return with_stream("TimeSyncPointWrite", stream, [&](CheckedSession& session, uint32_t number) {
    const nvtxSyncPoint_t point{timestamp_1, timestamp_2};
    return session.sync_points_write(number, time_domain_1, time_domain_2, &point, 1);
  });
}

nvtxwResultCode_t time_sync_point_table_write(nvtxwStreamHandle_t stream, uint64_t source,
                                              uint64_t destination, const nvtxSyncPoint_t* points,
                                              size_t count) {
  return with_stream("TimeSyncPointTableWrite", stream,
                     [&](CheckedSession& session, uint32_t number) {
                       return session.sync_points_write(number, source, destination, points, count);
                     });
}

nvtxwResultCode_t timestamp_conversion_factor_write(nvtxwStreamHandle_t stream, uint64_t source,
                                                    uint64_t destination, double slope,
                                                    int64_t source_timestamp,
                                                    int64_t destination_timestamp) {
  return with_stream(
      "TimestampConversionFactorWrite", stream, [&](CheckedSession& session, uint32_t number) {
        return session.conversion_factor_write(number, source, destination, slope, source_timestamp,
                                               destination_timestamp);
      });
}

constexpr nvtxwInterface_v2_t kInterface = {
    .SessionBegin = session_begin,
    .SessionEnd = session_end,
    .DomainRegister = domain_register,
    .CategoryRegister = category_register,
    .StringRegister = string_register,
    .ResourceRegister = resource_register,
    .ScopeRegister = scope_register,
    .SchemaRegister = schema_register,
    .EnumRegister = enum_register,
    .CounterRegister = counter_register,
    .TimeDomainRegister = time_domain_register,
    .StreamOpen = stream_open,
    .StreamClose = stream_close,
    .EventWrite = event_write,
    .EventBatchWrite = event_batch_write,
    .CounterWrite = counter_write,
    .CounterNoValueWrite = counter_no_value_write,
    .CounterBatchWrite = counter_batch_write,
    .TimeSyncPointWrite = time_sync_point_write,
    .TimeSyncPointTableWrite = time_sync_point_table_write,
    .TimestampConversionFactorWrite = timestamp_conversion_factor_write,
    .reserved = {},
};

}  // namespace

const nvtxwInterface_v2_t* make_interface(const FormatTable* formats) noexcept {
  // Release pairs with begin_session().
  formats_in_use.store(formats, std::memory_order_release);
  return &kInterface;
}

const Extension* extension() noexcept {
  static constexpr Extension kExtension = {sizeof(Extension), session_snapshot};
  return &kExtension;
}

void finalize_interface() noexcept {
  at_boundary("nvtxwFinalize", []() -> Status {
    HandleTable* table = find_table();
    if (table == nullptr) return {};
    Status first;
    for (const HandleTable::SessionPtr& session : table->take_all()) {
      Status status = session->end();
      if (first.ok()) first = std::move(status);
    }
    return first;
  });
}

void finalize_interface_at_exit() noexcept {
  at_boundary("exit", []() -> Status {
    HandleTable* table = find_table();
    if (table == nullptr) return {};
    Status first;
    for (const HandleTable::SessionPtr& session : table->take_all_if_idle()) {
      Status status = session->end_if_idle();
      if (first.ok()) first = std::move(status);
    }
    return first;
  });
}

}  // namespace ringscribe::nvtxw
