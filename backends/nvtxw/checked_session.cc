// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/checked_session.h"

#include <cmath>
#include <utility>

namespace ringscribe::nvtxw {
namespace {

Status invalid(std::string sentence) {
  return Status(ResultCode::kInvalidArgument, std::move(sentence));
}

Status session_has_ended() {
  return invalid("the session has ended: use none of its handles after SessionEnd.");
}

void keep_first(Status* first, Status next) {
  if (first->ok()) *first = std::move(next);
}

void tell(uint64_t id, uint64_t* id_out) {
  if (id_out != nullptr) *id_out = id;
}

Status too_many(const char* what) {
  return Status(ResultCode::kFailed, std::string("the session has no number left for one more ") +
                                         what + ": begin another session.");
}

}  // namespace

CheckedSession::CheckedSession(std::unique_ptr<SessionBackend> backend)
    : backend_(std::move(backend)) {}

Result<std::function<Status()>> CheckedSession::snapshot(std::string_view path,
                                                         std::string_view reason) {
  const std::lock_guard lock(mutex_);
  if (backend_ == nullptr)
    return Status(ResultCode::kInvalidArgument, "the session has ended: its output is written");
  return backend_->snapshot(path, reason);
}

Status CheckedSession::end() {
  const std::lock_guard lock(mutex_);
  return end_locked();
}

Status CheckedSession::end_if_idle() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  return lock.owns_lock() ? end_locked() : Status();
}

Status CheckedSession::end_locked() {
  if (backend_ == nullptr) return session_has_ended();
  Status first;
  for (uint32_t stream = 0; stream < streams_.size(); ++stream) {
    if (streams_[stream].is_open) keep_first(&first, close_locked(stream));
  }
  // Taken out first: a backend that throws is not called again.
  const std::unique_ptr<SessionBackend> backend = std::move(backend_);
  keep_first(&first, backend->end());
  return first;
}

Status CheckedSession::find_domain(uint32_t domain, DomainRegistry** registry) {
  if (backend_ == nullptr) return session_has_ended();
  if (domain >= domains_.size()) return invalid("the domain handle is not one of this session.");
  *registry = domains_[domain].get();
  return {};
}

Status CheckedSession::find_stream(uint32_t stream, DomainRegistry** registry) {
  if (backend_ == nullptr) return session_has_ended();
  if (stream >= streams_.size() || !streams_[stream].is_open) {
    return invalid("the stream is closed: use its handle between StreamOpen and StreamClose.");
  }
  *registry = domains_[streams_[stream].domain].get();
  return {};
}

Status CheckedSession::domain_register(const char* name, uint32_t* domain_out) {
  const std::lock_guard lock(mutex_);
  if (backend_ == nullptr) return session_has_ended();
  const std::string key = name == nullptr ? "" : name;
  const auto known = domain_numbers_.find(key);
  if (known != domain_numbers_.end()) {
    *domain_out = known->second;
    return {};
  }
  if (domains_.size() >= kNumbersMax) return too_many("domain");
  const auto domain = static_cast<uint32_t>(domains_.size());
  domains_.push_back(std::make_unique<DomainRegistry>());
  Status status = backend_->domain(domain, key);
  if (!status.ok()) {
    domains_.pop_back();
    return status;
  }
  domain_numbers_.emplace(key, domain);
  *domain_out = domain;
  return {};
}

Status CheckedSession::category_register(uint32_t domain, uint32_t category, const char* name) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  if (category == 0) return invalid("category 0 means \"no category\": name another number.");
  if (name == nullptr) return invalid("the category's name is NULL: pass one.");
  return backend_->category(domain, category, name);
}

Status CheckedSession::string_register(uint32_t domain, const char* text, uint64_t* handle_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  if (text == nullptr) return invalid("the string is NULL: pass one.");
  if (handle_out == nullptr)
    return invalid("stringHandleOut is NULL: pass a place for the handle.");
  status = backend_->string(domain, next_string_handle_, text);
  if (status.ok()) *handle_out = next_string_handle_++;
  return status;
}

Status CheckedSession::resource_register(uint32_t domain, const nvtxResourceAttributes_t* attr) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  if (attr == nullptr) return invalid("the attributes are NULL: pass them.");
  if (attr->size < sizeof *attr) {
    return invalid("size of the attributes is " + std::to_string(attr->size) +
                   ", smaller than the first version's " + std::to_string(sizeof *attr) +
                   ": set it to NVTX_RESOURCE_ATTRIB_STRUCT_SIZE.");
  }
  return backend_->resource(domain, *attr);
}

Status CheckedSession::scope_register(uint32_t domain, const nvtxScopeAttr_t* attr,
                                      uint64_t* id_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  Result<nvtxScopeAttr_t> scope = registry->check_scope(attr, id_out != nullptr);
  if (!scope.ok()) return scope.status();
  status = backend_->scope(domain, *scope);
  if (!status.ok()) return status;
  registry->add(*scope);
  tell(scope->scopeId, id_out);
  return {};
}

Status CheckedSession::schema_register(uint32_t domain, const nvtxPayloadSchemaAttr_t* attr,
                                       uint64_t* id_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  Result<SchemaRegistration> schema = registry->check_schema(attr, id_out != nullptr);
  if (!schema.ok()) return schema.status();
  status = backend_->schema(domain, schema->attr);
  if (!status.ok()) return status;
  registry->add(*schema);
  tell(schema->attr.schemaId, id_out);
  return {};
}

Status CheckedSession::enum_register(uint32_t domain, const nvtxPayloadEnumAttr_t* attr,
                                     uint64_t* id_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  Result<EnumRegistration> enumeration = registry->check_enum(attr, id_out != nullptr);
  if (!enumeration.ok()) return enumeration.status();
  status = backend_->enumeration(domain, enumeration->attr);
  if (!status.ok()) return status;
  registry->add(*enumeration);
  tell(enumeration->attr.schemaId, id_out);
  return {};
}

Status CheckedSession::counter_register(uint32_t domain, const nvtxCounterAttr_t* attr,
                                        uint64_t* id_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  Result<CounterRegistration> counter = registry->check_counter(attr, id_out != nullptr);
  if (!counter.ok()) return counter.status();
  status = backend_->counter(domain, counter->attr);
  if (!status.ok()) return status;
  registry->add(*counter);
  tell(counter->attr.counterId, id_out);
  return {};
}

Status CheckedSession::time_domain_register(uint32_t domain, const nvtxTimeDomainAttr_t* attr,
                                            uint64_t* id_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (!status.ok()) return status;
  Result<nvtxTimeDomainAttr_t> time_domain = registry->check_time_domain(attr, id_out != nullptr);
  if (!time_domain.ok()) return time_domain.status();
  status = backend_->time_domain(domain, *time_domain);
  if (!status.ok()) return status;
  registry->add(*time_domain);
  tell(time_domain->timeDomainId, id_out);
  return {};
}

Status CheckedSession::check_stream(const nvtxwStreamAttributes_t& attr,
                                    const DomainRegistry& registry) const {
  Status status = registry.check_fixed_scope(attr.scopeId, "the stream's scopeId");
  if (status.ok()) {
    status = registry.check_time_domain_id(attr.timeDomainId, "the stream's timeDomainId");
  }
  if (!status.ok()) return status;
  const auto unknown = [](const char* what, int64_t value) {
    return invalid(std::string("the stream's ") + what + " is " + std::to_string(value) +
                   ", which does not exist in version 2: see NVTXW_STREAM_ORDER*.");
  };
  if (attr.orderInterleaving < 0 ||
      attr.orderInterleaving > NVTXW_STREAM_ORDER_INTERLEAVING_SCOPE) {
    return unknown("orderInterleaving", attr.orderInterleaving);
  }
  if (attr.orderingType < 0 || attr.orderingType > NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_END) {
    return unknown("orderingType", attr.orderingType);
  }
  if (attr.orderingSkid < 0 || attr.orderingSkid > NVTXW_STREAM_ORDERING_SKID_EVENT_COUNT) {
    return unknown("orderingSkid", attr.orderingSkid);
  }
  if (attr.name != nullptr && open_names_.count(attr.name) != 0) {
    return invalid("a stream named '" + std::string(attr.name) +
                   "' is open in this session: close it first, or choose another name.");
  }
  return {};
}

Status CheckedSession::stream_open(uint32_t domain, const nvtxwStreamAttributes_t& attr,
                                   uint32_t* stream_out) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_domain(domain, &registry);
  if (status.ok()) status = check_stream(attr, *registry);
  if (!status.ok()) return status;
  if (streams_.size() >= kNumbersMax) return too_many("stream");
  const auto stream = static_cast<uint32_t>(streams_.size());
  streams_.push_back({attr.name == nullptr ? "" : attr.name, domain, false});
  status = backend_->stream_open(stream, domain, attr);
  if (!status.ok()) {
    streams_.pop_back();
    return status;
  }
  Stream& opened = streams_[stream];
  opened.is_open = true;
  // Streams without a name are any number.
  if (!opened.name.empty()) open_names_.insert(opened.name);
  *stream_out = stream;
  return {};
}

Status CheckedSession::close_locked(uint32_t stream) {
  Stream& closing = streams_[stream];
  closing.is_open = false;
  open_names_.erase(closing.name);
  std::string().swap(closing.name);
  return backend_->stream_close(stream);
}

Status CheckedSession::stream_close(uint32_t stream) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  return status.ok() ? close_locked(stream) : status;
}

Status CheckedSession::event_write(uint32_t stream, const nvtxPayloadData_t* payloads,
                                   size_t count) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (!status.ok()) return status;
  if (payloads == nullptr && count != 0)
    return invalid("the event's payloads are NULL: pass them.");
  std::span<const nvtxPayloadData_t> event(payloads, count);
  status = registry->check_event(&event, &payloads_);
  return status.ok() ? backend_->event(stream, event) : status;
}

Status CheckedSession::event_batch_write(uint32_t stream, const nvtxEventBatch_t* batch) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (!status.ok()) return status;
  if (batch == nullptr) return invalid("the batch is NULL: pass one.");
  status = registry->check_event_batch(*batch);
  if (!status.ok() || batch->size == 0) return status;
  return backend_->event_batch(stream, *batch);
}

Status CheckedSession::counter_write(uint32_t stream, int64_t timestamp, uint64_t counter,
                                     const void* data, size_t size) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (status.ok()) status = registry->check_counter_sample(counter, data, size);
  if (!status.ok()) return status;
  return backend_->counter_sample(stream, timestamp, counter, data, size);
}

Status CheckedSession::counter_no_value_write(uint32_t stream, int64_t timestamp, uint64_t counter,
                                              uint8_t reason) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (status.ok()) status = registry->check_counter_id(counter);
  if (!status.ok()) return status;
  if (reason > NVTX_COUNTER_SAMPLE_UNAVAILABLE) {
    return invalid("reason " + std::to_string(reason) +
                   " does not exist: see NVTX_COUNTER_SAMPLE_*.");
  }
  return backend_->counter_no_value(stream, timestamp, counter, reason);
}

Status CheckedSession::counter_batch_write(uint32_t stream, const nvtxCounterBatch_t* batch) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (!status.ok()) return status;
  if (batch == nullptr) return invalid("the batch is NULL: pass one.");
  status = registry->check_counter_batch(*batch);
  if (!status.ok() || batch->countersSize == 0) return status;
  return backend_->counter_batch(stream, *batch);
}

Status CheckedSession::check_conversion(const DomainRegistry& registry, uint64_t source,
                                        uint64_t destination) const {
  Status status = registry.check_time_domain_id(source, "the source's time domain");
  if (!status.ok()) return status;
  return registry.check_time_domain_id(destination, "the destination's time domain");
}

Status CheckedSession::sync_points_write(uint32_t stream, uint64_t source, uint64_t destination,
                                         const nvtxSyncPoint_t* points, size_t count) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (status.ok()) status = check_conversion(*registry, source, destination);
  if (!status.ok() || count == 0) return status;
  if (points == nullptr) return invalid("the table of sync points is NULL: pass one.");
  return backend_->sync_points(stream, source, destination, {points, count});
}

Status CheckedSession::conversion_factor_write(uint32_t stream, uint64_t source,
                                               uint64_t destination, double slope,
                                               int64_t source_timestamp,
                                               int64_t destination_timestamp) {
  const std::lock_guard lock(mutex_);
  DomainRegistry* registry = nullptr;
  Status status = find_stream(stream, &registry);
  if (status.ok()) status = check_conversion(*registry, source, destination);
  if (!status.ok()) return status;
  if (!std::isfinite(slope) || slope == 0) {
    return invalid("the slope is " + std::to_string(slope) +
                   ", which converts nothing: pass a finite number other than 0.");
  }
  return backend_->conversion_factor(stream, source, destination, slope, source_timestamp,
                                     destination_timestamp);
}

}  // namespace ringscribe::nvtxw
