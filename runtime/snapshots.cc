// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/snapshots.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "ringscribe/backends/nvtxw/extension.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/log.h"

namespace ringscribe::runtime {

Status Snapshots::check(const SessionState& session) {
  if (session.is_ended())
    return Status(ResultCode::kInvalidArgument,
                  "snapshot: session \"" + std::string(session.name()) + "\" has ended");
  if (session.is_flight_recorder) return Status();
  return Status(
      ResultCode::kNotSupported,
      "snapshot: session \"" + std::string(session.name()) +
          "\" writes all it is given; set RINGSCRIBE_OVERFLOW=overwrite before the process "
          "starts, with a backend of ringscribe's");
}

Status Snapshots::take(SessionState& session, std::string_view path, std::string_view reason) {
  if (Status status = check(session); !status.ok()) return status;
  flusher_->flush();
  const String chosen = path.empty() ? default_path(session) : String(path);
  const int32_t result =
      session.extension->Snapshot(session.handle(), chosen.c_str(), String(reason).c_str());
  if (result == NVTXW_RESULT_SUCCESS) return Status();
  const auto code = static_cast<ResultCode>(result);
  return Status(code, "snapshot of session \"" + std::string(session.name()) + "\" to \"" +
                          std::string(chosen) + "\" failed: " + result_code_name(code) +
                          " (the backend's own message is above)");
}

Status Snapshots::take_later(std::shared_ptr<SessionState> session, std::string_view path,
                             std::string_view reason, uint64_t after_ns) {
  if (Status status = check(*session); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  for (const Pending* pending : pending_)
    if (pending->session == session && !pending->is_writing) return Status();
  auto* pending = make<Pending>();
  pending->owner = this;
  pending->session = std::move(session);
  pending->path = String(path);
  pending->reason = String(reason);
  pending->deadline_ns = monotonic_now_ns() + after_ns;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(
      &pending->thread, nullptr,
      [](void* self) -> void* {
        auto* own = static_cast<Pending*>(self);
        own->owner->run(*own);
        return nullptr;
      },
      pending);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) {
    destroy(pending);
    return Status(ResultCode::kFailed,
                  "snapshot: no thread can be made (errno " + std::to_string(error) + ")");
  }
  pending_.push_back(pending);
  return Status();
}

void Snapshots::run(Pending& pending) {
  pthread_setname_np(pthread_self(), "rs-snapshot");
  {
    std::unique_lock lock(mutex_);
    for (uint64_t now = monotonic_now_ns(); !pending.hurry && now < pending.deadline_ns;
         now = monotonic_now_ns())
      changed_.wait_for(lock, std::chrono::nanoseconds(pending.deadline_ns - now));
    pending.is_writing = true;
  }
  if (const Status status = take(*pending.session, pending.path, pending.reason); !status.ok())
    log(LogLevel::kError, "%s", status.message().c_str());
  const std::lock_guard lock(mutex_);
  pending_.erase(std::remove(pending_.begin(), pending_.end(), &pending), pending_.end());
  pthread_detach(pthread_self());
  destroy(&pending);
  changed_.notify_all();
}

void Snapshots::finish(const SessionState& session) {
  std::unique_lock lock(mutex_);
  const auto is_of_it = [&](const Pending* pending) { return pending->session.get() == &session; };
  for (Pending* pending : pending_)
    if (is_of_it(pending)) pending->hurry = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return std::none_of(pending_.begin(), pending_.end(), is_of_it); });
}

String Snapshots::default_path(const SessionState& session) {
  String path = session.output;
  if (path.empty()) {
    path = session.name().empty() ? String("session") : session.name();
    std::replace(path.begin(), path.end(), '/', '_');
    path += session.backend_name == "journal" ? ".rsj" : ".pftrace";
  }
  const size_t name = path.rfind('/') == String::npos ? 0 : path.rfind('/') + 1;
  const size_t dot = path.rfind('.');
  path.insert(dot == String::npos || dot <= name ? path.size() : dot, "-snapshot");
  return path;
}

}  // namespace ringscribe::runtime
