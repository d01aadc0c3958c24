// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/shared_backend.h"

#include <mutex>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

namespace {

// How many are open, by library: its table is one, by whatever path it was found.
struct OpenCounts {
  std::mutex mutex;
  Map<const void*, int> by_interface;
};
OpenCounts& open_counts() {
  static auto* const counts = make<OpenCounts>();  // outlives static destructors
  return *counts;
}

}  // namespace

Result<std::shared_ptr<SharedBackend>> SharedBackend::load(std::string_view path) {
  OpenCounts& counts = open_counts();
  // Loading and finalizing one library must not overlap.
  const std::lock_guard lock(counts.mutex);
  Result<nvtxw::LoadedBackend> loaded = nvtxw::load_backend(path);
  if (!loaded.ok()) return loaded.status();
  ++counts.by_interface[loaded->interface];
  return std::allocate_shared<SharedBackend>(Allocator<SharedBackend>(), *std::move(loaded));
}

void SharedBackend::finish_close(bool may_finalize) {
  OpenCounts& counts = open_counts();
  const std::lock_guard lock(counts.mutex);
  if (--counts.by_interface[loaded_.interface] == 0 && may_finalize) nvtxw::close_backend(loaded_);
}

}  // namespace ringscribe::runtime
