// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/support/contract_backend.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

namespace ringscribe::testing {

namespace {

constexpr size_t kViolationsMax = 1000;

ContractBackend* g_contract = nullptr;

bool check_handle_place(const void* out, ContractReport& report) {
  return report.expect(out != nullptr, "there is no place for the handle");
}

template <typename Attributes>
bool check_attributes(const Attributes* attr, ContractReport& report) {
  return report.expect(attr != nullptr, "the attributes are NULL") &&
         report.readable(attr, sizeof *attr, "the attributes") &&
         report.expect(attr->structSize >= sizeof *attr,
                       "structSize is " + std::to_string(attr->structSize) +
                           " where the struct has " + std::to_string(sizeof *attr) + " bytes") &&
         report.text(attr->name, "the name");
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

// The C functions; a class so that it may look inside. Each resolves its handle, checks, passes the
// call on and notes what was registered.
struct ContractCalls {
  using Lock = std::unique_lock<std::mutex>;
  using Contract = ContractBackend;

  static Contract& self() { return *g_contract; }
  static const nvtxwInterface_v2_t& next() { return *self().next_; }

  // --- Sessions and streams.

  static int32_t session_begin(const nvtxwSessionAttributes_t* attr, nvtxwSessionHandle_t* out) {
    Lock lock(self().mutex_);
    ContractReport report("SessionBegin");
    if (check_handle_place(out, report) && check_attributes(attr, report))
      report.text(attr->configString, "the configuration");
    const int32_t result =
        self().pass(lock, report, nullptr, nullptr, [&] { return next().SessionBegin(attr, out); });
    if (result == NVTXW_RESULT_SUCCESS) self().sessions_[*out] = {};
    return result;
  }

  static int32_t session_end(nvtxwSessionHandle_t session) {
    Lock lock(self().mutex_);
    ContractReport report("SessionEnd");
    Contract::Session* found = self().find_session(session, report);
    const int32_t result =
        self().pass(lock, report, found, nullptr, [&] { return next().SessionEnd(session); });
    if (report.ok()) found->is_open = false;
    return result;
  }

  static int32_t domain_register(nvtxwSessionHandle_t session, const nvtxwDomainAttributes_t* attr,
                                 nvtxDomainHandle_t* out) {
    Lock lock(self().mutex_);
    ContractReport report("DomainRegister");
    Contract::Session* found = self().find_session(session, report);
    check_handle_place(out, report);
    if (attr != nullptr) check_attributes(attr, report);
    const int32_t result = self().pass(lock, report, found, nullptr,
                                       [&] { return next().DomainRegister(session, attr, out); });
    if (result == NVTXW_RESULT_SUCCESS) {
      const std::string name = attr == nullptr ? "" : text_of(attr->name);
      self().domains_[*out] = {found, &found->domains[name]};
    }
    return result;
  }

  static int32_t stream_open(nvtxwSessionHandle_t session, const nvtxwStreamAttributes_t* attr,
                             nvtxwStreamHandle_t* out) {
    Lock lock(self().mutex_);
    ContractReport report("StreamOpen");
    Contract::Session* found = self().find_session(session, report);
    ContractDomain* names = nullptr;
    std::string name;
    if (check_handle_place(out, report) && check_attributes(attr, report) && found != nullptr) {
      names = &found->domains[""];
      if (attr->domain != nullptr) {
        const Contract::Domain domain = self().find_domain(attr->domain, report);
        if (domain.names != nullptr &&
            report.expect(domain.session == found, "the domain is of another session"))
          names = domain.names;
      }
      if (report.ok()) names->check_stream(*attr, report);
      name = text_of(attr->name);
      report.expect(name.empty() || !self().is_name_open(found, name),
                    "a stream named '" + name + "' is open");
    }
    const int32_t result = self().pass(lock, report, found, nullptr,
                                       [&] { return next().StreamOpen(session, attr, out); });
    if (result == NVTXW_RESULT_SUCCESS) self().streams_[*out] = {true, 0, found, names, name};
    return result;
  }

  static int32_t stream_close(nvtxwStreamHandle_t stream) {
    Lock lock(self().mutex_);
    ContractReport report("StreamClose");
    Contract::Stream* found = self().find_stream(stream, report);
    const int32_t result = self().pass(lock, report, found == nullptr ? nullptr : found->session,
                                       nullptr, [&] { return next().StreamClose(stream); });
    if (report.ok()) found->is_open = false;
    return result;
  }

  // --- Registration.

  // `check(names, report)` before the call, `note(names)` after its success.
  template <typename Check, typename Call, typename Note>
  static int32_t register_in(const char* name, nvtxDomainHandle_t domain, Check check, Call call,
                             Note note) {
    Lock lock(self().mutex_);
    ContractReport report(name);
    const Contract::Domain found = self().find_domain(domain, report);
    if (found.names != nullptr) check(*found.names, report);
    const int32_t result = self().pass(lock, report, found.session, nullptr, call);
    if (result == NVTXW_RESULT_SUCCESS) note(*found.names);
    return result;
  }

  static int32_t category_register(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
    return register_in(
        "CategoryRegister", domain,
        [&](ContractDomain&, ContractReport& report) {
          report.expect(category != 0, "category 0 means no category");
          report.expect(name != nullptr, "the name is NULL");
          report.text(name, "the name");
        },
        [&] { return next().CategoryRegister(domain, category, name); }, [](ContractDomain&) {});
  }

  static int32_t string_register(nvtxDomainHandle_t domain, const char* text,
                                 nvtxStringHandle_t* out) {
    return register_in(
        "StringRegister", domain,
        [&](ContractDomain&, ContractReport& report) {
          check_handle_place(out, report);
          report.expect(text != nullptr, "the text is NULL");
          report.text(text, "the text");
        },
        [&] { return next().StringRegister(domain, text, out); },
        [&](ContractDomain& names) { names.add_string(reinterpret_cast<uint64_t>(*out)); });
  }

  static int32_t resource_register(nvtxDomainHandle_t domain,
                                   const nvtxResourceAttributes_t* attr) {
    return register_in(
        "ResourceRegister", domain,
        [&](ContractDomain& names, ContractReport& report) { names.check_resource(attr, report); },
        [&] { return next().ResourceRegister(domain, attr); }, [](ContractDomain&) {});
  }

  static int32_t scope_register(nvtxDomainHandle_t domain, const nvtxScopeAttr_t* attr,
                                uint64_t* out) {
    return register_in(
        "ScopeRegister", domain,
        [&](ContractDomain& names, ContractReport& report) {
          names.check_scope(attr, out != nullptr, report);
        },
        [&] { return next().ScopeRegister(domain, attr, out); },
        [&](ContractDomain& names) { names.add_scope(out == nullptr ? attr->scopeId : *out); });
  }

  static int32_t schema_register(nvtxDomainHandle_t domain, const nvtxPayloadSchemaAttr_t* attr,
                                 uint64_t* out) {
    std::optional<ContractSchema> schema;
    return register_in(
        "SchemaRegister", domain,
        [&](ContractDomain& names, ContractReport& report) {
          schema = names.check_schema(attr, out != nullptr, report);
        },
        [&] { return next().SchemaRegister(domain, attr, out); },
        [&](ContractDomain& names) {
          names.add_type(out == nullptr ? attr->schemaId : *out, *schema);
        });
  }

  static int32_t enum_register(nvtxDomainHandle_t domain, const nvtxPayloadEnumAttr_t* attr,
                               uint64_t* out) {
    std::optional<ContractSchema> type;
    return register_in(
        "EnumRegister", domain,
        [&](ContractDomain& names, ContractReport& report) {
          type = names.check_enum(attr, out != nullptr, report);
        },
        [&] { return next().EnumRegister(domain, attr, out); },
        [&](ContractDomain& names) {
          names.add_type(out == nullptr ? attr->schemaId : *out, *type);
        });
  }

  static int32_t counter_register(nvtxDomainHandle_t domain, const nvtxCounterAttr_t* attr,
                                  uint64_t* out) {
    ContractDomain::Counter counter;
    return register_in(
        "CounterRegister", domain,
        [&](ContractDomain& names, ContractReport& report) {
          counter = names.check_counter(attr, out != nullptr, report);
        },
        [&] { return next().CounterRegister(domain, attr, out); },
        [&](ContractDomain& names) {
          names.add_counter(out == nullptr ? attr->counterId : *out, counter);
        });
  }

  static int32_t time_domain_register(nvtxDomainHandle_t domain, const nvtxTimeDomainAttr_t* attr,
                                      uint64_t* out) {
    return register_in(
        "TimeDomainRegister", domain,
        [&](ContractDomain& names, ContractReport& report) {
          names.check_time_domain(attr, out != nullptr, report);
        },
        [&] { return next().TimeDomainRegister(domain, attr, out); },
        [&](ContractDomain& names) {
          names.add_time_domain(out == nullptr ? attr->timeDomainId : *out);
        });
  }

  // --- Data and time.

  // `check(names, report)` returns what arrives if the call is taken.
  template <typename Check, typename Call>
  static int32_t write(const char* name, nvtxwStreamHandle_t stream, Check check, Call call) {
    Lock lock(self().mutex_);
    ContractReport report(name);
    Contract::Stream* found = self().find_stream(stream, report);
    Contract::Arrived arrives;
    if (found != nullptr) arrives = check(std::as_const(*found->names), report);
    const int32_t result =
        self().pass(lock, report, found == nullptr ? nullptr : found->session, found, call);
    if (result != NVTXW_RESULT_SUCCESS) return result;
    Contract::Arrived& all = self().arrived_[found->name];
    all.events += arrives.events;
    all.batched_events += arrives.batched_events;
    all.samples += arrives.samples;
    return result;
  }

  static int32_t event_write(nvtxwStreamHandle_t stream, const nvtxPayloadData_t* payloads,
                             size_t count) {
    return write(
        "EventWrite", stream,
        [&](const ContractDomain& names, ContractReport& report) {
          names.check_event(payloads, count, report);
          return Contract::Arrived{.events = 1};
        },
        [&] { return next().EventWrite(stream, payloads, count); });
  }

  static int32_t event_batch_write(nvtxwStreamHandle_t stream, const nvtxEventBatch_t* batch) {
    return write(
        "EventBatchWrite", stream,
        [&](const ContractDomain& names, ContractReport& report) {
          return Contract::Arrived{.batched_events = names.check_event_batch(batch, report)};
        },
        [&] { return next().EventBatchWrite(stream, batch); });
  }

  static int32_t counter_write(nvtxwStreamHandle_t stream, int64_t time, uint64_t counter,
                               const void* data, size_t size) {
    return write(
        "CounterWrite", stream,
        [&](const ContractDomain& names, ContractReport& report) {
          names.check_sample(counter, data, size, report);
          return Contract::Arrived{.samples = 1};
        },
        [&] { return next().CounterWrite(stream, time, counter, data, size); });
  }

  static int32_t counter_no_value_write(nvtxwStreamHandle_t stream, int64_t time, uint64_t counter,
                                        uint8_t reason) {
    return write(
        "CounterNoValueWrite", stream,
        [&](const ContractDomain& names, ContractReport& report) {
          names.check_no_value(counter, reason, report);
          return Contract::Arrived{.samples = 1};
        },
        [&] { return next().CounterNoValueWrite(stream, time, counter, reason); });
  }

  static int32_t counter_batch_write(nvtxwStreamHandle_t stream, const nvtxCounterBatch_t* batch) {
    return write(
        "CounterBatchWrite", stream,
        [&](const ContractDomain& names, ContractReport& report) {
          return Contract::Arrived{.samples = names.check_counter_batch(batch, report)};
        },
        [&] { return next().CounterBatchWrite(stream, batch); });
  }

  // Both sides of a conversion are known; `points` and `count` are those of a table.
  template <typename Call>
  static int32_t write_time(const char* name, nvtxwStreamHandle_t stream, uint64_t source,
                            uint64_t destination, const nvtxSyncPoint_t* points, size_t count,
                            Call call) {
    return write(
        name, stream,
        [&](const ContractDomain& names, ContractReport& report) {
          names.check_time_domain_id(source, "the first time domain", report);
          names.check_time_domain_id(destination, "the second time domain", report);
          report.readable(points, count * sizeof *points, "the table");
          return Contract::Arrived{};
        },
        call);
  }

  static int32_t sync_point_write(nvtxwStreamHandle_t stream, uint64_t first, uint64_t second,
                                  int64_t time_1, int64_t time_2) {
    return write_time("TimeSyncPointWrite", stream, first, second, nullptr, 0, [&] {
      return next().TimeSyncPointWrite(stream, first, second, time_1, time_2);
    });
  }

  static int32_t sync_table_write(nvtxwStreamHandle_t stream, uint64_t source, uint64_t destination,
                                  const nvtxSyncPoint_t* points, size_t count) {
    return write_time("TimeSyncPointTableWrite", stream, source, destination, points, count, [&] {
      return next().TimeSyncPointTableWrite(stream, source, destination, points, count);
    });
  }

  static int32_t conversion_write(nvtxwStreamHandle_t stream, uint64_t source, uint64_t destination,
                                  double slope, int64_t source_time, int64_t destination_time) {
    return write_time("TimestampConversionFactorWrite", stream, source, destination, nullptr, 0,
                      [&] {
                        return next().TimestampConversionFactorWrite(
                            stream, source, destination, slope, source_time, destination_time);
                      });
  }
};

ContractBackend::ContractBackend(const nvtxwInterface_v2_t* next) : next_(next) {
  g_contract = this;
}
ContractBackend::~ContractBackend() { g_contract = nullptr; }

const nvtxwInterface_v2_t* ContractBackend::interface() const {
  static constexpr nvtxwInterface_v2_t kInterface = {
      .SessionBegin = ContractCalls::session_begin,
      .SessionEnd = ContractCalls::session_end,
      .DomainRegister = ContractCalls::domain_register,
      .CategoryRegister = ContractCalls::category_register,
      .StringRegister = ContractCalls::string_register,
      .ResourceRegister = ContractCalls::resource_register,
      .ScopeRegister = ContractCalls::scope_register,
      .SchemaRegister = ContractCalls::schema_register,
      .EnumRegister = ContractCalls::enum_register,
      .CounterRegister = ContractCalls::counter_register,
      .TimeDomainRegister = ContractCalls::time_domain_register,
      .StreamOpen = ContractCalls::stream_open,
      .StreamClose = ContractCalls::stream_close,
      .EventWrite = ContractCalls::event_write,
      .EventBatchWrite = ContractCalls::event_batch_write,
      .CounterWrite = ContractCalls::counter_write,
      .CounterNoValueWrite = ContractCalls::counter_no_value_write,
      .CounterBatchWrite = ContractCalls::counter_batch_write,
      .TimeSyncPointWrite = ContractCalls::sync_point_write,
      .TimeSyncPointTableWrite = ContractCalls::sync_table_write,
      .TimestampConversionFactorWrite = ContractCalls::conversion_write,
      .reserved = {},
  };
  return &kInterface;
}

std::vector<std::string> ContractBackend::violations() const {
  const std::lock_guard lock(mutex_);
  return violations_;
}

ContractBackend::Arrived ContractBackend::arrived(const std::string& stream) const {
  const std::lock_guard lock(mutex_);
  const auto at = arrived_.find(stream);
  return at == arrived_.end() ? Arrived{} : at->second;
}

ContractBackend::Session* ContractBackend::find_session(nvtxwSessionHandle_t handle,
                                                        ContractReport& report) {
  const auto at = sessions_.find(handle);
  if (!report.expect(at != sessions_.end(), "the session handle is unknown")) return nullptr;
  return report.expect(at->second.is_open, "the session has ended") ? &at->second : nullptr;
}

ContractBackend::Domain ContractBackend::find_domain(nvtxDomainHandle_t handle,
                                                     ContractReport& report) {
  const auto at = domains_.find(handle);
  if (!report.expect(at != domains_.end(), "the domain handle is unknown")) return {};
  if (!report.expect(at->second.session->is_open, "the domain's session has ended")) return {};
  return at->second;
}

ContractBackend::Stream* ContractBackend::find_stream(nvtxwStreamHandle_t handle,
                                                      ContractReport& report) {
  const auto at = streams_.find(handle);
  if (!report.expect(at != streams_.end(), "the stream handle is unknown") ||
      !report.expect(at->second.session->is_open, "the stream's session has ended") ||
      !report.expect(at->second.is_open, "the stream is closed"))
    return nullptr;
  return &at->second;
}

bool ContractBackend::is_name_open(const Session* session, const std::string& name) const {
  return std::any_of(streams_.begin(), streams_.end(), [&](const auto& entry) {
    const Stream& stream = entry.second;
    return stream.is_open && stream.session == session && stream.name == name;
  });
}

void ContractBackend::enter(Session* session, Stream* writing, ContractReport& report) {
  if (session == nullptr) return;
  if (writing == nullptr) {
    report.expect(session->writes == 0, "overlaps a write of its session");
    ++session->registrations;
    return;
  }
  report.expect(session->registrations == 0,
                "overlaps a registration or lifecycle call of its session");
  report.expect(writing->writes == 0, "overlaps another write of its stream");
  ++session->writes;
  ++writing->writes;
}

void ContractBackend::leave(Session* session, Stream* writing) {
  if (session == nullptr) return;
  --(writing == nullptr ? session->registrations : session->writes);
  if (writing != nullptr) --writing->writes;
}

void ContractBackend::keep(const ContractReport& report) {
  for (const std::string& sentence : report.sentences())
    if (violations_.size() < kViolationsMax) violations_.push_back(sentence);
}

template <typename Call>
int32_t ContractBackend::pass(std::unique_lock<std::mutex>& lock, ContractReport& report,
                              Session* session, Stream* writing, Call call) {
  enter(session, writing, report);
  int32_t result = NVTXW_RESULT_INVALID_ARGUMENT;
  const bool is_passed = report.ok();
  lock.unlock();
  if (is_passed) result = call();
  for (int i = yields; i > 0; --i) std::this_thread::yield();
  lock.lock();
  leave(session, writing);
  report.expect(!report.memory().has_changed(), "the arguments changed during the call");
  keep(report);
  return result;
}

}  // namespace ringscribe::testing
