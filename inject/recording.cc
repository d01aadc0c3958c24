// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/runtime/counts.h"
#include "ringscribe/runtime/log.h"
#include "ringscribe/runtime/runtime.h"

namespace ringscribe::inject {

namespace {

using runtime::LogLevel;
using runtime::Runtime;

// `ringscribe run` without --follow-forks names the one process that is to be recorded.
bool is_meant() {
  const char* pid = ::secure_getenv("RINGSCRIBE_INJECT_PID");
  return pid == nullptr || pid[0] == '\0' || std::strtoll(pid, nullptr, 10) == ::getpid();
}

std::string program_name() {
  const char* name = program_invocation_short_name;
  return name == nullptr || name[0] == '\0' ? "program" : name;
}

// Each process a file of its own, where the user says nothing.
std::string default_output(std::string_view name, std::string_view extension) {
  std::string pattern;
  for (const char c : name) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern + "-%p" + std::string(extension);
}

}  // namespace

void Recording::begin_once() {
  static std::once_flag once;
  std::call_once(once, [] { process_ = runtime::make<Recording>(); });
}

Recording::Recording() : name_(program_name()) {
  const runtime::Settings& settings = Runtime::process().settings();
  domain_filter_ = NameFilter(settings.domains);
  category_filter_ = NameFilter(settings.categories);
  begin();
  inert_ =
      runtime::make<TracedDomain>(nullptr, uint32_t{kDomainsMax}, "", false, &category_filter_);
  default_ = runtime::make<TracedDomain>(session_, 0, "", domain_filter_.passes("default"),
                                         &category_filter_);
  domains_[0].store(default_, std::memory_order_release);
}

void Recording::begin() {
  if (!is_meant()) return;
  Runtime& runtime = Runtime::process();
  if (!runtime.settings().enabled) return;
  // Before the session's own, so that it comes after it.
  std::atexit([] { Recording::process().report(); });
  const runtime::Settings& settings = runtime.settings();
  const nvtxw::BackendFormat* format =
      find_backend_format(settings.backend.empty() ? "perfetto" : settings.backend);
  const std::string_view extension = format == nullptr ? std::string_view() : format->extension;
  const std::string output = extension.empty() ? "" : default_output(name_, extension);
  // As the backend makes it of the pattern, now: for the report.
  if (format == nullptr || !extension.empty())
    output_ = output::output_path(settings.output.empty() ? output : std::string(settings.output),
                                  name_, extension);
  Runtime::BeginOptions options;
  options.output = output;
  Result<std::shared_ptr<runtime::SessionState>> session = runtime.begin_session(name_, options);
  if (session.ok()) {
    session_ = *session;
    // After the session's own, so that it comes before it.
    std::atexit([] { Recording::process().read_timers_at_exit(); });
    return;
  }
  runtime::log(LogLevel::kError, "NVTX calls of \"%s\" are not recorded: %s", name_.c_str(),
               session.status().message().c_str());
}

void Recording::read_timers_at_exit() const {
  if (Runtime::process().is_forked_child()) return;
  for (const std::atomic<TracedDomain*>& slot : domains_) {
    TracedDomain* domain = slot.load(std::memory_order_acquire);
    if (domain == nullptr) break;  // they are given out in order
    domain->read_timers_at_exit();
  }
}

void Recording::report() const {
  const char* path = ::secure_getenv("RINGSCRIBE_INJECT_REPORT");
  if (path == nullptr || session_ == nullptr || Runtime::process().is_forked_child()) return;
  const Counts counts = session_->counts();
  const std::string line = std::to_string(::getpid()) + "\t" + std::to_string(counts.recorded) +
                           "\t" + std::to_string(counts.lost()) + "\t" + output_ + "\n";
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return;
  if (::write(file, line.data(), line.size()) < 0)
    runtime::log(LogLevel::kWarn, "\"%s\" could not be written", path);
  ::close(file);
}

nvtxDomainHandle_t Recording::create_domain(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto found = indexes_.find(name);
  uint32_t index = found != indexes_.end() ? found->second : 0;
  if (index == 0) {
    index = next_index_;
    if (index == kDomainsMax) {
      runtime::log(LogLevel::kWarn,
                   "domain \"%.*s\" is not recorded: there are %zu already, which is the most",
                   static_cast<int>(name.size()), name.data(), kDomainsMax - 1);
      // Not 0, so that the program does not take it for the default domain.
      return reinterpret_cast<nvtxDomainHandle_t>(kDomainsMax);
    }
    ++next_index_;
    auto* domain = runtime::make<TracedDomain>(session_, index, name, domain_filter_.passes(name),
                                               &category_filter_);
    domains_[index].store(domain, std::memory_order_release);
    indexes_.emplace(runtime::String(name), index);
  }
  return reinterpret_cast<nvtxDomainHandle_t>(uintptr_t{index});
}

}  // namespace ringscribe::inject
