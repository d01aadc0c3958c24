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
  const Status status = runtime::Runtime::process().end_sessions_of(*shared_);
  shared_->finish_close();
  return status;
}

bool Backend::is_open() const noexcept { return shared_ != nullptr && shared_->is_open(); }

std::string Backend::path() const { return shared_ == nullptr ? std::string() : shared_->path(); }

}  // namespace ringscribe
