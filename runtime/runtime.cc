// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/runtime.h"

#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>

#include "ringscribe/runtime/backend_choice.h"
#include "ringscribe/runtime/log.h"

extern char** environ;

namespace ringscribe::runtime {

namespace {

// Relaxed is not enough: who finds a runtime has to see it whole. Release here, acquire there.
constinit std::atomic<Runtime*> g_runtime{nullptr};
constinit std::mutex g_runtime_mutex;

// Two sync points closer than this tell no rate.
constexpr int64_t kSyncPointDistanceNs = 50'000;

void warn(const char* sentence) { log(LogLevel::kWarn, "%s", sentence); }

RingOptions ring_options(const Settings& settings, const SyncPoint& first, CrashFolder* crash) {
  SyncPoint now = take_sync_point();
  while (now.monotonic_ns - first.monotonic_ns < kSyncPointDistanceNs) now = take_sync_point();
  RingOptions options;
  options.ring_bytes = settings.ring_bytes;
  options.memory_limit_bytes = settings.memory_limit_bytes;
  options.huge_pages = settings.huge_pages;
  options.time_step = ticks_per_nanosecond(first, now);
  options.crash = crash;
  const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN);
  options.spares = cpus > 0 ? static_cast<uint32_t>(cpus) : 1;
  return options;
}

SyncPoint choose_clock_and_read(ClockChoice choice) {
  const ClockKind kind = choose_clock(choice);
  if (choice == ClockChoice::kTsc && kind != ClockKind::kTsc)
    log(LogLevel::kWarn,
        "RINGSCRIBE_CLOCK=\"tsc\" cannot be used: the TSC of this machine is not "
        "invariant or the kernel does not trust it; using %s",
        clock_kind_name(kind));
  return take_sync_point();
}

// As of now: the two points are as far apart as the process is old, and 50 us at least.
int64_t ticks_of(uint64_t ns, const SyncPoint& first) {
  const SyncPoint now = take_sync_point();
  const auto ticks = static_cast<double>(now.ticks - first.ticks);
  const auto elapsed = static_cast<double>(now.monotonic_ns - first.monotonic_ns);
  return static_cast<int64_t>(static_cast<double>(ns) * ticks / elapsed);
}

constexpr uint64_t kRangeSnapshotDistanceNs = 10'000'000'000;
std::atomic<bool> g_snapshot_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // for the handler

void catch_snapshot_signal(int number) {
  struct sigaction before = {};
  if (::sigaction(number, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) {
    log(LogLevel::kWarn,
        "RINGSCRIBE_SNAPSHOT_SIGNAL: the application handles signal %d itself, so it is left "
        "alone; "
        "call Session::snapshot()",
        number);
    return;
  }
  struct sigaction action = {};
  action.sa_handler = [](int) { g_snapshot_asked.store(true, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

// A value may not hold what separates entries of a configuration.
Status append_entry(std::string& config, const char* key, std::string_view value) {
  if (value.empty()) return Status();
  if (value.find_first_of("|\r\n") != std::string_view::npos)
    return Status(ResultCode::kInvalidArgument,
                  std::string(key) + " \"" + std::string(value) +
                      "\" holds a '|' or a line break, which separate entries of a backend's "
                      "configuration: use another value");
  config += std::string(config.empty() ? "" : "|") + key + "=" + std::string(value);
  return Status();
}

}  // namespace

Runtime::Runtime(const Settings& settings, Drive drive)
    : settings_(settings),
      drive_(drive),
      pid_(::getpid()),
      first_point_(choose_clock_and_read(settings.clock)),
      crash_(settings.crash_dir.empty() || !settings.enabled
                 ? nullptr
                 : CrashFolder::create(settings.crash_dir, first_point_)),
      threads_(ring_options(settings, first_point_, crash_.get())),
      flusher_(&threads_, &streams_, settings.flush_interval_ns,
               settings.flush_watermark_percent != 0, settings.flusher_cpus, crash_.get()),
      context_{} {
  context_.streams = &streams_;
  context_.threads = &threads_;
  context_.wake_up = &flusher_.wake_up();
  context_.block = settings.overflow == Overflow::kBlock;
  context_.block_timeout_ns = settings.block_timeout_ns;
  context_.watermark_percent = settings.flush_watermark_percent;
  // After exit() gave up nobody is to wait for the flusher.
  context_.flusher_runs = [](void* self) {
    auto* const runtime = static_cast<Runtime*>(self);
    return runtime->flusher_.is_running() &&
           !runtime->has_given_up_.load(std::memory_order_relaxed);
  };
  context_.flush = [](void* self) {
    auto* const runtime = static_cast<Runtime*>(self);
    if (!runtime->has_given_up_.load(std::memory_order_relaxed)) runtime->flusher_.flush();
  };
  context_.flusher = this;
  if (crash_ != nullptr) {
    tables_.log = &crash_->definitions();
    set_call_site_log(&crash_->definitions());
  }
  if (settings.overflow == Overflow::kOverwrite) {
    if (settings.snapshot_signal != 0) catch_snapshot_signal(settings.snapshot_signal);
    flusher_.set_after_step(
        [](void* runtime) { static_cast<Runtime*>(runtime)->look_for_triggers(); }, this);
  }
  set_recorder_context(&context_);
  g_runtime.store(this, std::memory_order_release);
}

Runtime::~Runtime() {
  while (!sessions_.empty()) (void)end_session(sessions_.back()).ok();
  flusher_.stop();
  g_runtime.store(nullptr, std::memory_order_release);
  set_recorder_context(nullptr);
  if (crash_ != nullptr) set_call_site_log(nullptr);
}

void Runtime::ask_for_journal(const SessionState& session, std::string& config) {
  const String path = crash_->journal_path(session.number);
  const Status status = append_entry(config, "crash_journal", path);
  if (!path.empty() && status.ok()) return;
  log(LogLevel::kWarn,
      "session \"%s\": %s: what was written of it cannot be recovered after a crash",
      session.name().c_str(),
      path.empty() ? "too many are open for the crash folder" : status.message().c_str());
}

Runtime& Runtime::process() {
  if (Runtime* runtime = g_runtime.load(std::memory_order_acquire); runtime != nullptr)
    return *runtime;
  const std::lock_guard lock(g_runtime_mutex);
  if (Runtime* runtime = g_runtime.load(std::memory_order_relaxed); runtime != nullptr)
    return *runtime;
  // A program with more rights than its user takes no orders from the user's environment.
  const auto get = [](const char* name) -> const char* { return ::secure_getenv(name); };
  // The level first, so that it governs the warnings of the others.
  set_log_level(read_settings(get, [](const char*) {}).log_level);
  const Settings settings = read_settings(get, warn);
  if (::getauxval(AT_SECURE) == 0) warn_of_unknown(environ, warn);
  return *make<Runtime>(settings, Drive::kThread);  // installs itself
}

bool Runtime::is_forked_child() const noexcept { return ::getpid() != pid_; }

Result<std::shared_ptr<SessionState>> Runtime::begin_session(std::string_view name,
                                                             const BeginOptions& options) {
  std::shared_ptr<SessionState> nothing;
  if (!settings_.enabled || is_over()) return nothing;
  if (!streams_.ok())
    return Status(ResultCode::kFailed, "no memory could be mapped for the table of streams");
  const char* nvtxw_library = ::secure_getenv("NVTXW3_LIBRARY");
  const std::string_view output =
      settings_.output.empty() ? options.output : std::string_view(settings_.output);
  Backend backend;
  if (options.interface != nullptr) {
    backend.interface = static_cast<const nvtxwInterface_v2_t*>(options.interface);
    backend.name = "given by the application";
  } else if (options.loaded != nullptr) {
    if (!options.loaded->is_open())
      return Status(ResultCode::kInvalidArgument, "session \"" + std::string(name) +
                                                      "\": backend \"" + options.loaded->path() +
                                                      "\" is closed; load it again");
    backend.interface = options.loaded->interface();
    backend.name = options.loaded->path();
  } else {
    Result<Backend> chosen = choose_backend(
        {nvtxw_library != nullptr ? nvtxw_library : "", settings_.backend, options.backend});
    if (!chosen.ok()) return chosen.status().with_context("session \"" + std::string(name) + "\"");
    backend = *chosen;
  }
  std::string config;
  if (Status status = append_entry(config, "format", backend.format); !status.ok()) return status;
  if (Status status = append_entry(config, "output", output); !status.ok()) return status;
  if (!options.config.empty()) config += (config.empty() ? "" : "|") + std::string(options.config);

  StreamWriter::Limits limits;
  limits.batch_events_max = settings_.batch_events_max;
  if (settings_.overflow == Overflow::kOverwrite && settings_.snapshot_range_ns != 0) {
    limits.long_range_ticks = ticks_of(settings_.snapshot_range_ns, first_point_);
    limits.long_range_seen = &long_range_seen_;
  }
  auto session = std::allocate_shared<SessionState>(Allocator<SessionState>(), backend.interface,
                                                    name, &streams_, &tables_, limits);
  static std::atomic<uint32_t> next_session{1};
  session->number = next_session.fetch_add(1, std::memory_order_relaxed);
  session->is_recovery = options.is_recovery;
  session->extension = backend.extension;
  session->output = String(output);
  session->backend_name = String(backend.name);
  session->loaded_backend = options.loaded;
  if (settings_.overflow == Overflow::kOverwrite && !options.is_recovery) {
    session->is_flight_recorder = backend.extension != nullptr;
    if (session->is_flight_recorder) {
      config += "|flight_memory=" + std::to_string(settings_.snapshot_bytes);
      config += "|flight_time_ns=" + std::to_string(settings_.snapshot_ns);
    } else {
      log(LogLevel::kWarn,
          "session \"%s\": RINGSCRIBE_OVERFLOW=overwrite is for ringscribe's own backends; with %s "
          "all is written, and a full ring drops",
          session->name().c_str(), backend.name.c_str());
    }
  }
  SyncPoint now = take_sync_point();
  const SyncPoint points[] = {first_point_, now};
  threads_.set_earliest_time(now.ticks);  // of a thread that is new to the recorder

  const std::lock_guard sessions_lock(sessions_mutex_);
  if (options.loaded != nullptr && !options.loaded->is_open())  // closed meanwhile
    return Status(ResultCode::kInvalidArgument,
                  "session \"" + std::string(name) + "\": its backend was closed at the same time");
  {
    const Flusher::StepLock lock(flusher_);
    if (crash_ != nullptr) {
      // What a flight recorder holds is not on disk: of it the rings are recovered.
      if (!session->is_flight_recorder) ask_for_journal(*session, config);
      crash_->definitions().add(
          LoggedSession{session->number, session->name(), session->backend_name, session->output});
    }
    Status status = session->begin(config.c_str(), points, settings_);
    if (crash_ != nullptr) {
      if (status.ok() && !session->is_flight_recorder && !crash_->add_journal(session->number))
        log(LogLevel::kWarn,
            "session \"%s\": the backend %s keeps no journal in the crash folder: after a crash "
            "only "
            "what it had not been given can be recovered",
            session->name().c_str(), session->backend_name.c_str());
      if (!status.ok()) crash_->definitions().add(LoggedSessionEnd{session->number});
      crash_->commit(nullptr, 0);
    }
    if (!status.ok()) return status;
    flusher_.add_session(session.get());
  }
  sessions_.push_back(session);
  if (drive_ == Drive::kThread) {
    flusher_.start();
    static std::once_flag at_exit;
    std::call_once(at_exit, [] {
      std::atexit([] {
        if (Runtime* runtime = g_runtime.load(std::memory_order_acquire); runtime != nullptr)
          runtime->end_all_at_exit();
      });
    });
  }
  return session;
}

void Runtime::end_all_at_exit() {
  if (is_forked_child()) return;
  // A backend that is stuck must not hold the exit for ever: then its files stay as they are.
  if (flusher_.is_running() && !flusher_.flush(settings_.exit_wait_ns)) return give_up();
  while (true) {
    std::shared_ptr<SessionState> session;
    {
      const std::lock_guard lock(sessions_mutex_);
      if (sessions_.empty()) break;
      session = sessions_.back();
    }
    if (const Status status = end_session(session); !status.ok())
      log(LogLevel::kError, "%s", status.to_string().c_str());
  }
  if (crash_ != nullptr) crash_->remove();
}

void Runtime::give_up() {
  // From here on nobody waits for the flusher, so that destructors that come after us end, too.
  has_given_up_.store(true, std::memory_order_relaxed);
  log(LogLevel::kError,
      "a backend did not return within %g s of exit(): outputs are not finished%s%s%s",
      static_cast<double>(settings_.exit_wait_ns) / 1e9,
      crash_ != nullptr ? "; ringscribe recover makes them from \"" : "",
      crash_ != nullptr ? crash_->path().c_str() : "", crash_ != nullptr ? "\"" : "");
  // Somebody may be stuck in a begin or an end.
  const std::unique_lock lock(sessions_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (const std::shared_ptr<SessionState>& session : sessions_) {
    const Counts counts = session->counts();
    log(LogLevel::kError, "session \"%s\": %llu events recorded, %llu lost, others in memory",
        session->name().c_str(), static_cast<unsigned long long>(counts.recorded),
        static_cast<unsigned long long>(counts.lost()));
  }
}

Status Runtime::snapshot_session(const std::shared_ptr<SessionState>& session,
                                 std::string_view path, std::string_view reason,
                                 uint64_t after_ns) {
  if (session == nullptr || is_over()) return Status();
  return after_ns == 0 ? snapshots_.take(*session, path, reason)
                       : snapshots_.take_later(session, path, reason, after_ns);
}

void Runtime::look_for_triggers() {
  const bool by_signal = g_snapshot_asked.load(std::memory_order_relaxed);
  const bool by_range = long_range_seen_.load(std::memory_order_relaxed) &&
                        monotonic_now_ns() >= next_range_snapshot_ns_;
  if (!by_signal && !by_range) return;
  // Who ends a session waits for the flusher with the lock held: then at the next step.
  const std::unique_lock lock(sessions_mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return;
  g_snapshot_asked.store(false, std::memory_order_relaxed);
  long_range_seen_.store(false, std::memory_order_relaxed);
  if (by_range) next_range_snapshot_ns_ = monotonic_now_ns() + kRangeSnapshotDistanceNs;
  const char* reason = by_signal ? "signal" : "a range took longer than RINGSCRIBE_SNAPSHOT_RANGE";
  for (const std::shared_ptr<SessionState>& session : sessions_) {
    if (const Status status = snapshots_.take_later(session, "", reason, 0); !status.ok())
      log(LogLevel::kWarn, "%s", status.message().c_str());
  }
}

Status Runtime::end_session(const std::shared_ptr<SessionState>& session) {
  if (session == nullptr || is_over()) return Status();
  snapshots_.finish(*session);
  const std::lock_guard sessions_lock(sessions_mutex_);
  const auto at = std::find(sessions_.begin(), sessions_.end(), session);
  if (at == sessions_.end()) return Status();
  {
    const Flusher::StepLock lock(flusher_);
    session->mark_ended();  // no stream opens from here on
    for (StreamWriter* writer : session->open_streams()) streams_.close(writer->number());
  }
  flusher_.flush();
  Status status;
  {
    const Flusher::StepLock lock(flusher_);
    for (StreamWriter* writer : session->open_streams()) flusher_.remove_stream(writer);
    session->write_sync_point(take_sync_point());
    status = session->end();
    flusher_.remove_session(session.get());
    if (crash_ != nullptr && session->is_output_finished()) {
      crash_->definitions().add(LoggedSessionEnd{session->number});
      crash_->remove_journal(session->number);
    } else if (crash_ != nullptr) {
      log(LogLevel::kError,
          "session \"%s\": its output is not finished; ringscribe recover makes it from \"%s\"",
          session->name().c_str(), crash_->path().c_str());
    }
  }
  sessions_.erase(at);
  if (sessions_.empty()) flusher_.stop();
  return status;
}

bool Runtime::has_session_of(const nvtxwInterface_v2_t* interface) {
  if (is_over()) return true;  // it stays as it is
  const std::lock_guard lock(sessions_mutex_);
  for (const std::shared_ptr<SessionState>& session : sessions_)
    if (session->interface() == interface) return true;
  return false;
}

Status Runtime::end_sessions_of(const SharedBackend& backend) {
  Status first;
  if (is_over()) return first;
  while (true) {
    std::shared_ptr<SessionState> session;
    {
      const std::lock_guard lock(sessions_mutex_);
      for (const std::shared_ptr<SessionState>& one : sessions_)
        if (one->loaded_backend.get() == &backend) session = one;
    }
    if (session == nullptr) return first;
    if (Status status = end_session(session); first.ok()) first = status;
  }
}

Status Runtime::flush_session(SessionState& session) {
  if (is_over()) return Status();
  flusher_.flush();
  const Flusher::StepLock lock(flusher_);
  return session.take_failure();
}

DomainState* Runtime::get_domain(SessionState& session, std::string_view name, Status& status) {
  if (is_over()) return nullptr;
  const Flusher::StepLock lock(flusher_);
  if (session.is_ended()) {
    status =
        Status(ResultCode::kInvalidArgument, "domain \"" + std::string(name) + "\": session \"" +
                                                 std::string(session.name()) + "\" has ended");
    return nullptr;
  }
  return session.domain(name, status);
}

StreamRef Runtime::open_stream(SessionState& session, const SessionState::NewStream& attributes,
                               Status& status) {
  StreamRef ref = closed_stream();
  if (is_over()) return ref;
  const Flusher::StepLock lock(flusher_);
  if (session.is_ended()) {
    status = Status(ResultCode::kInvalidArgument, "stream \"" + std::string(attributes.name) +
                                                      "\": session \"" +
                                                      std::string(session.name()) + "\" has ended");
    return ref;
  }
  StreamWriter* writer = nullptr;
  status = session.open_stream(attributes, ref, writer);
  if (status.ok()) flusher_.add_stream(writer);
  return status.ok() ? ref : closed_stream();
}

Status Runtime::close_stream(SessionState& session, const StreamRef& stream) {
  if (is_over() || stream.number() == 0) return Status();
  {
    const Flusher::StepLock lock(flusher_);
    if (!streams_.is_open(stream)) return Status();
    streams_.close(stream.number());
  }
  flusher_.flush();
  const Flusher::StepLock lock(flusher_);
  if (session.is_ended()) return Status();
  for (StreamWriter* writer : session.open_streams()) {
    if (writer->number() != stream.number()) continue;
    flusher_.remove_stream(writer);
    return session.close_stream(writer);
  }
  return Status();
}

}  // namespace ringscribe::runtime
