// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backend.h"

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/runtime/shared_backend.h"

namespace ringscribe {

Result<Backend> Backend::load(std::string_view path) {
  Result<std::shared_ptr<runtime::SharedBackend>> loaded = runtime::SharedBackend::load(path);
  if (!loaded.ok()) return loaded.status();
  Backend backend;
  backend.shared_ = *std::move(loaded);
  return backend;
}

Status Backend::close() {
  if (shared_ == nullptr || !shared_->begin_close()) return Status();
  runtime::Runtime& runtime = runtime::Runtime::process();
  // What a forked child has is the parent's: nothing of it is to be finished here.
  if (runtime.is_forked_child()) return Status();
  const Status status = runtime.end_sessions_of(*shared_);
  // A session that names the same library by its path goes on.
  shared_->finish_close(!runtime.has_session_of(shared_->interface()));
  return status;
}

bool Backend::is_open() const noexcept { return shared_ != nullptr && shared_->is_open(); }

std::string Backend::path() const { return shared_ == nullptr ? std::string() : shared_->path(); }

}  // namespace ringscribe
