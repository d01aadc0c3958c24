// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/session.h"

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe {

static_assert(static_cast<int>(StreamInterleaving::kScope) ==
              NVTXW_STREAM_ORDER_INTERLEAVING_SCOPE);
static_assert(static_cast<int>(StreamOrdering::kPackedRangeEnd) ==
              NVTXW_STREAM_ORDERING_TYPE_PACKED_RANGE_END);
static_assert(static_cast<int>(StreamSkid::kEventCount) == NVTXW_STREAM_ORDERING_SKID_EVENT_COUNT);

using runtime::Runtime;

Result<Session> Session::begin(std::string_view name, const SessionOptions& options) {
  Result<std::shared_ptr<runtime::SessionState>> state =
      Runtime::process().begin_session(name, {options.backend.name_, options.output, options.config,
                                              options.interface, options.backend.loaded_.shared_});
  if (!state.ok()) return state.status();
  Session session;
  session.state_ = std::move(*state);
  return session;
}

Session& Session::operator=(Session&& other) noexcept {
  if (this == &other) return *this;
  (void)end().print();
  state_ = std::move(other.state_);
  return *this;
}

Session::~Session() { (void)end().print(); }

Status Session::end() {
  if (state_ == nullptr) return Status();
  return Runtime::process().end_session(state_);
}

Status Session::flush() {
  if (state_ == nullptr) return Status();
  return Runtime::process().flush_session(*state_);
}

Status Session::snapshot(std::string_view path, std::string_view reason,
                         std::chrono::nanoseconds after) {
  if (state_ == nullptr) return Status();
  const auto wait = after.count() > 0 ? static_cast<uint64_t>(after.count()) : 0;
  return Runtime::process().snapshot_session(state_, path, reason, wait);
}

Domain Session::get_domain(std::string_view name) {
  Domain domain;
  if (state_ == nullptr) return domain;
  domain.state_ = Runtime::process().get_domain(*state_, name, domain.status_);
  domain.session_ = state_;
  if (domain.state_ != nullptr) domain.number_ = domain.state_->number();
  if (!domain.status_.ok())
    runtime::log(runtime::LogLevel::kWarn, "%s", domain.status_.message().c_str());
  return domain;
}

Stream Session::create_stream(std::string_view name, const StreamOptions& options) {
  return open(name, options, false);
}

Stream Session::live_stream(std::string_view name, const Domain& domain, const Scope& scope) {
  StreamOptions options;
  options.domain = domain;
  options.scope = scope;
  options.time_domain =
      static_cast<TimestampType>(runtime::clock_time_domain(runtime::clock_kind()));
  return open(name, options, true);
}

Stream Session::open(std::string_view name, const StreamOptions& options, bool is_live) {
  Stream stream;
  if (state_ == nullptr) return stream;
  const std::string subject = "stream \"" + std::string(name) + "\"";
  Domain domain = options.domain.session_ == nullptr ? get_domain() : options.domain;
  Status status = domain.state_ == nullptr ? domain.status() : Status();
  bool is_told = !status.ok();
  domain.status_ = Status();  // of this copy: earlier failures are not this stream's
  if (status.ok() && domain.session_ != state_)
    status = Status(ResultCode::kInvalidArgument,
                    subject + ": its domain is of another session; use get_domain() of this one");
  if (status.ok() && (!domain.is_own(options.scope, "stream", name) ||
                      !domain.is_own(options.time_domain, "stream", name))) {
    status = domain.status();
    is_told = true;
  }
  if (status.ok()) {
    runtime::SessionState::NewStream wanted;
    wanted.name = name;
    wanted.domain = domain.state_;
    wanted.time_domain = options.time_domain.id();
    wanted.interleaving = static_cast<int16_t>(options.interleaving);
    wanted.ordering = static_cast<int16_t>(options.ordering);
    wanted.skid = static_cast<int32_t>(options.skid);
    wanted.skid_amount = options.skid_amount;
    wanted.options.is_live = is_live;
    wanted.options.is_ordered = options.ordering != StreamOrdering::kUnknown;
    wanted.options.scope_id = options.scope.id();
    stream.ref_ = Runtime::process().open_stream(*state_, wanted, status);
    stream.session_ = state_;
    stream.domain_ = domain.state_;
  }
  if (!status.ok()) {
    if (!is_told) runtime::log(runtime::LogLevel::kWarn, "%s", status.message().c_str());
    stream.status_ = std::make_shared<Status>(status);
  }
  return stream;
}

Counts Session::stats() const {
  // In a forked child nobody may be left to release the locks.
  if (state_ == nullptr || runtime::Runtime::process().is_forked_child()) return Counts();
  return state_->counts();
}

bool Session::is_recording() const noexcept { return state_ != nullptr && !state_->is_ended(); }

std::string Session::output() const {
  return state_ == nullptr ? std::string() : std::string(state_->output);
}

void prepare_thread(std::string_view name) {
  Runtime& runtime = Runtime::process();
  if (!runtime.settings().enabled || runtime.is_forked_child()) return;
  if (!name.empty()) runtime.threads().set_thread_name(name);
  if (runtime::tls_ring == nullptr) (void)runtime::adopt_ring();
}

}  // namespace ringscribe
