// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/session_state.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/text_rows.h"

namespace ringscribe::runtime {

namespace {

constexpr char kOwnName[] = "ringscribe";
constexpr uint64_t kMonotonic = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
constexpr uint64_t kRealtime = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_REALTIME;

Status refused(int32_t result, const std::string& what) {
  const auto code = static_cast<ResultCode>(result);
  return Status(code, what + " was refused by the backend: " + result_code_name(code));
}

// A backend that says success owes a handle: without one no later call of ours would be valid.
int32_t or_no_handle(int32_t result, const void* handle) {
  return result == NVTXW_RESULT_SUCCESS && handle == nullptr ? NVTXW_RESULT_FAILED : result;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text.substr(0, 200)) + "\""; }

}  // namespace

SessionState::SessionState(const nvtxwInterface_v2_t* interface, std::string_view name,
                           StreamTable* streams, DefinitionTables* tables,
                           const StreamWriter::Limits& limits)
    : interface_(interface),
      name_(name),
      streams_(streams),
      tables_(tables),
      limits_(limits),
      settled_(std::allocate_shared<SettledLosses>(Allocator<SettledLosses>())) {}

SessionState::~SessionState() {
  for (StreamWriter* writer : open_) destroy(writer);
  for (DomainState* domain : domains_) destroy(domain);
}

Status SessionState::begin(const char* config, std::span<const SyncPoint> first_points,
                           const Settings& settings) {
  nvtxwSessionAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.name = name_.c_str();
  attr.configString = config;
  const int32_t begun = interface_->SessionBegin(&attr, &handle_);
  if (const int32_t result = or_no_handle(begun, handle_); result != NVTXW_RESULT_SUCCESS)
    return refused(result, "session " + quoted(name_) + " with the backend " +
                               quoted(backend_name) + " and the configuration " + quoted(config) +
                               " (its own message, if it has one, is above)");
  if (Status status = open_own_stream(); !status.ok()) {
    (void)interface_->SessionEnd(handle_);
    return status;
  }
  for (const SyncPoint& point : first_points) write_sync_point(point);
  write_settings(settings);
  return Status();
}

Status SessionState::open_own_stream() {
  Status status;
  own_domain_ = domain(kOwnName, status);
  if (own_domain_ == nullptr) return status;
  nvtxwStreamAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.name = kOwnName;
  attr.domain = own_domain_->handle();
  attr.timeDomainId = kMonotonic;
  const int32_t opened = interface_->StreamOpen(handle_, &attr, &own_stream_);
  if (const int32_t result = or_no_handle(opened, own_stream_); result != NVTXW_RESULT_SUCCESS)
    return refused(result, "StreamOpen of our own stream \"ringscribe\"");
  if (is_recovery) return Status();  // the counter is in the dead process's log
  DomainState::CounterOptions options;
  options.description = "events that were written and are not in the output, all streams";
  options.semantics.counter.unit = "events";
  options.layout = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  if (Result<CounterDefinition*> counter = own_domain_->counter("events lost", options);
      counter.ok())
    lost_counter_ = *counter;
  return Status();
}

DomainState* SessionState::domain(std::string_view name, Status& status, uint32_t domain_number) {
  for (DomainState* domain : domains_)
    if (std::string_view(domain->name()) == name) return domain;
  nvtxwDomainAttributes_t attr{};
  attr.structSize = sizeof attr;
  const String text(name);
  attr.name = text.empty() ? nullptr : text.c_str();
  nvtxDomainHandle_t handle = nullptr;
  const int32_t registered = interface_->DomainRegister(handle_, &attr, &handle);
  if (const int32_t result = or_no_handle(registered, handle); result != NVTXW_RESULT_SUCCESS) {
    status = refused(result, "DomainRegister of " + quoted(name));
    return nullptr;
  }
  // Process-wide, so that a handle of one session cannot pass for another's.
  static std::atomic<uint32_t> next_number{1};
  if (domain_number == 0) domain_number = next_number.fetch_add(1, std::memory_order_relaxed);
  domains_.push_back(make<DomainState>(interface_, handle, domain_number, name, tables_));
  if (tables_->log != nullptr) tables_->log->add(LoggedDomain{number, domain_number, text});
  return domains_.back();
}

Status SessionState::open_stream(const NewStream& attributes, StreamRef& ref,
                                 StreamWriter*& writer) {
  if (std::find(open_names_.begin(), open_names_.end(), attributes.name) != open_names_.end())
    return Status(ResultCode::kInvalidArgument,
                  "stream " + quoted(attributes.name) + " is already open in session " +
                      quoted(name_) + ": close it first, or give the new one another name");
  ref = streams_->open(attributes.domain->number(), attributes.options.is_live,
                       attributes.options.is_ordered, settled_);
  if (ref.number() == 0)
    return Status(ResultCode::kFailed,
                  "stream " + quoted(attributes.name) +
                      " cannot be opened: all 65535 stream numbers are in use");
  // The scope of a stream has to be known to the backend before the stream is.
  attributes.domain->register_pending();
  const String text(attributes.name);
  nvtxwStreamAttributes_t attr{};
  attr.structSize = sizeof attr;
  attr.name = text.c_str();
  attr.domain = attributes.domain->handle();
  attr.scopeId = attributes.options.scope_id;
  attr.timeDomainId = attributes.time_domain;
  attr.orderInterleaving = attributes.interleaving;
  attr.orderingType = attributes.ordering;
  attr.orderingSkid = attributes.skid;
  attr.orderingSkidAmount = attributes.skid_amount;
  nvtxwStreamHandle_t handle = nullptr;
  const int32_t opened = interface_->StreamOpen(handle_, &attr, &handle);
  if (const int32_t result = or_no_handle(opened, handle); result != NVTXW_RESULT_SUCCESS) {
    streams_->close(ref.number());
    streams_->recycle(ref.number());
    ref = closed_stream();
    return refused(result, "stream " + quoted(attributes.name));
  }
  writer = make<StreamWriter>(attributes.domain, handle, ref.number(), attributes.options, limits_,
                              streams_, tables_);
  if (tables_->log != nullptr)
    tables_->log->add(LoggedStream{
        number, ref.number(), attributes.domain->number(), text, attributes.options.is_live,
        attributes.options.is_ordered, attributes.options.scope_id, attributes.time_domain,
        attributes.interleaving, attributes.ordering, attributes.skid, attributes.skid_amount});
  const std::lock_guard lock(counts_mutex_);
  open_.push_back(writer);
  open_names_.push_back(text);
  reported_.emplace_back();
  return Status();
}

Status SessionState::close_stream(StreamWriter* writer) {
  const auto at = std::find(open_.begin(), open_.end(), writer);
  if (at == open_.end()) return Status();
  streams_->close(writer->number());
  report_losses_of(*writer);
  latch(writer->take_failure());
  const auto index = at - open_.begin();
  const String name = open_names_[static_cast<size_t>(index)];
  if (const InvalidCall first = streams_->first_invalid(writer->number());
      first != InvalidCall::kNone)
    log(LogLevel::kWarn,
        "stream \"%s\": %llu calls were invalid and not recorded; of the first "
        "that was wrong: %s",
        name.c_str(),
        static_cast<unsigned long long>(streams_->lost(writer->number(), LossCause::kInvalid)),
        invalid_call_text(first));
  const int32_t result = interface_->StreamClose(writer->handle());
  if (tables_->log != nullptr) tables_->log->add(LoggedStreamEnd{writer->number()});
  {
    const std::lock_guard lock(counts_mutex_);
    recorded_by_closed_ += writer->recorded();
    const auto settled = streams_->lock_settled();
    closed_[writer->number()] = {streams_->last_word(writer->number()), writer->recorded()};
    open_.erase(at);
    open_names_.erase(open_names_.begin() + index);
    reported_.erase(reported_.begin() + index);
  }
  streams_->recycle(writer->number());
  destroy(writer);
  if (result == NVTXW_RESULT_SUCCESS) return Status();
  return refused(result, "StreamClose of " + quoted(name));
}

Status SessionState::end() {
  register_pending();
  while (!open_.empty()) latch(close_stream(open_.back()));
  if (const int32_t result = interface_->StreamClose(own_stream_); result != NVTXW_RESULT_SUCCESS)
    latch(refused(result, "StreamClose of our own stream \"ringscribe\""));
  const int32_t ended = interface_->SessionEnd(handle_);
  is_output_finished_ = ended == NVTXW_RESULT_SUCCESS;
  if (!is_output_finished_) latch(refused(ended, "SessionEnd of " + quoted(name_)));
  mark_ended();
  // The domains stay until the last handle is gone: a thread may be looking one up just now.
  const Counts all = counts();
  if (all.lost() != 0) {
    std::string causes;
    for (size_t cause = 0; cause < kLossCauses; ++cause)
      if (all.lost_by_cause[cause] != 0)
        causes += std::string(causes.empty() ? "" : ", ") +
                  loss_cause_name(static_cast<LossCause>(cause)) + ": " +
                  std::to_string(all.lost_by_cause[cause]);
    log(LogLevel::kWarn, "session \"%s\": %llu events recorded, %llu lost (%s)", name_.c_str(),
        static_cast<unsigned long long>(all.recorded), static_cast<unsigned long long>(all.lost()),
        causes.c_str());
  }
  return take_failure();
}

void SessionState::register_pending() {
  for (DomainState* domain : domains_) {
    domain->register_pending();
    latch(domain->take_failure());
  }
}

void SessionState::write_sync_point(const SyncPoint& point) {
  if (is_recovery) return;
  const uint64_t live = clock_time_domain(clock_kind());
  if (live != kMonotonic && live != kRealtime)
    (void)interface_->TimeSyncPointWrite(own_stream_, live, kMonotonic, point.ticks,
                                         point.monotonic_ns);
  (void)interface_->TimeSyncPointWrite(own_stream_, kMonotonic, kRealtime, point.monotonic_ns,
                                       point.realtime_ns);
}

void SessionState::write_own_mark(std::string_view message) {
  write_own_mark(message, take_sync_point().monotonic_ns);
}

void SessionState::write_own_mark(std::string_view message, int64_t monotonic_ns) {
  const PointRow row{monotonic_ns, 0, 0, own_domain_->register_string(message)};
  const nvtxPayloadData_t payload{own_domain_->ensure(BuiltinSchema::kMark), sizeof row, &row};
  (void)interface_->EventWrite(own_stream_, &payload, 1);
}

void SessionState::write_settings(const Settings& settings) {
  if (is_recovery) return;
  for (const Knob& knob : knobs())
    write_own_mark(String(knob.name) + "=" + effective_value(knob, settings));
  write_own_mark(std::string("clock=") + clock_kind_name(clock_kind()));
}

void SessionState::report_losses_of(StreamWriter& writer) {
  if (is_recovery) return;
  const auto at = std::find(open_.begin(), open_.end(), &writer);
  const auto index = static_cast<size_t>(at - open_.begin());
  Counts lost;
  streams_->add_losses(writer.number(), lost);
  if (lost.lost() == reported_[index].lost()) return;
  const Counts told = std::exchange(reported_[index], lost);
  for (size_t cause = 0; cause < kLossCauses; ++cause) {
    const uint64_t events = lost.lost_by_cause[cause] - told.lost_by_cause[cause];
    if (events != 0) write_gap(open_names_[index], static_cast<LossCause>(cause), events);
  }
  const auto total = static_cast<int64_t>(counts().lost());
  if (lost_counter_ != nullptr && own_domain_->ensure(*lost_counter_))
    (void)interface_->CounterWrite(own_stream_, take_sync_point().monotonic_ns,
                                   lost_counter_->static_id, &total, sizeof total);
}

void SessionState::write_gap(const String& stream, LossCause cause, uint64_t events) {
  // The number is a field, so that there is one message a stream and cause, not one a gap.
  const std::string message = "gap: events of stream " + quoted(stream) + " were lost here (" +
                              loss_cause_name(cause) + ")";
  LossRow row{};
  row.mark = {take_sync_point().monotonic_ns, 0, 0, gap_string(message)};
  row.stream = gap_string(stream);
  row.cause = gap_string(loss_cause_name(cause));
  row.events = events;
  const nvtxPayloadData_t payload{own_domain_->ensure(BuiltinSchema::kLoss), sizeof row, &row};
  (void)interface_->EventWrite(own_stream_, &payload, 1);
}

uint64_t SessionState::gap_string(std::string_view text) {
  uint64_t& handle = gap_strings_[String(text)];
  if (handle == 0) handle = own_domain_->register_string(text);
  return handle;
}

void SessionState::report_losses() {
  for (StreamWriter* writer : open_) {
    latch(writer->take_failure());
    report_losses_of(*writer);
  }
}

void SessionState::latch(Status status) {
  if (failure_.ok() && !status.ok()) failure_ = std::move(status);
}

Status SessionState::take_failure() {
  Status taken = failure_;
  failure_ = Status();
  if (taken.ok()) return taken;
  const Counts all = counts();
  return Status(taken.code(), taken.message() + " [" + std::to_string(all.recorded) +
                                  " events recorded, " + std::to_string(all.lost()) + " lost]");
}

Counts SessionState::counts() const {
  const std::lock_guard lock(counts_mutex_);
  const auto settled = streams_->lock_settled();
  Counts result;
  result.recorded = recorded_by_closed_;
  for (size_t cause = 0; cause < kLossCauses; ++cause)
    result.lost_by_cause[cause] = settled_->lost[cause];
  for (const auto& [given, stream] : closed_)
    if (streams_->last_word(given) == stream.word) streams_->add_losses(given, result);
  for (const StreamWriter* writer : open_) {
    result.recorded += writer->recorded();
    streams_->add_losses(writer->number(), result);
  }
  return result;
}

Counts SessionState::counts_of(const StreamRef& stream) const {
  const std::lock_guard lock(counts_mutex_);
  const auto settled = streams_->lock_settled();
  Counts result;
  if (streams_->last_word(stream.number()) != stream.word()) return result;
  streams_->add_losses(stream.number(), result);
  if (const auto closed = closed_.find(stream.number()); closed != closed_.end())
    result.recorded = closed->second.recorded;
  for (const StreamWriter* writer : open_)
    if (writer->number() == stream.number()) result.recorded = writer->recorded();
  return result;
}

}  // namespace ringscribe::runtime
