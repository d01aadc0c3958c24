// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/shared_backend.h"

#include <cstdlib>
#include <mutex>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

namespace {

// How many are open, by file.
struct OpenCounts {
  std::mutex mutex;
  StringMap<int> by_path;
};
OpenCounts& open_counts() {
  static auto* const counts = make<OpenCounts>();  // outlives static destructors
  return *counts;
}

String canonical(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  const String result(real != nullptr ? real : path.c_str());
  std::free(real);
  return result;
}

}  // namespace

Result<std::shared_ptr<SharedBackend>> SharedBackend::load(std::string_view path) {
  OpenCounts& counts = open_counts();
  // Loading and finalizing one library must not overlap.
  const std::lock_guard lock(counts.mutex);
  Result<nvtxw::LoadedBackend> loaded = nvtxw::load_backend(path);
  if (!loaded.ok()) return loaded.status();
  ++counts.by_path[canonical(loaded->path)];
  return std::allocate_shared<SharedBackend>(Allocator<SharedBackend>(), *std::move(loaded));
}

void SharedBackend::finish_close() {
  OpenCounts& counts = open_counts();
  const std::lock_guard lock(counts.mutex);
  if (--counts.by_path[canonical(loaded_.path)] == 0) nvtxw::close_backend(loaded_);
}

}  // namespace ringscribe::runtime
