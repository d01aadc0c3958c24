// SPDX-License-Identifier: Apache-2.0
//
// SharedBackend: what an application loaded with Backend::load. Several of them may be of one
// library; it is finalized when the last of them is closed (nvtx.writer's rule).
//
// Threads: any. Lifetime: shared by the application's handles and by the sessions begun with it.
// One that is never closed is never finalized.
#ifndef RINGSCRIBE_RUNTIME_SHARED_BACKEND_H_
#define RINGSCRIBE_RUNTIME_SHARED_BACKEND_H_

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/loader.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::runtime {

class SharedBackend {
 public:
  static Result<std::shared_ptr<SharedBackend>> load(std::string_view path);

  explicit SharedBackend(nvtxw::LoadedBackend loaded) : loaded_(std::move(loaded)) {}
  SharedBackend(const SharedBackend&) = delete;
  SharedBackend& operator=(const SharedBackend&) = delete;

  bool is_open() const noexcept { return is_open_.load(std::memory_order_acquire); }
  const nvtxwInterface_v2_t* interface() const noexcept { return loaded_.interface; }
  const std::string& path() const noexcept { return loaded_.path; }

  // No session can be begun with it from here on. True for the first call.
  bool begin_close() noexcept { return is_open_.exchange(false, std::memory_order_acq_rel); }
  // Finalizes the library if no other of it is open and `may_finalize`: no session uses it.
  // REQUIRES: begin_close() was true.
  void finish_close(bool may_finalize);

 private:
  nvtxw::LoadedBackend loaded_;
  std::atomic<bool> is_open_{true};
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SHARED_BACKEND_H_
