// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/backend_choice.h"

#include "ringscribe/backends/nvtxw/loader.h"

// Defined by //backends:linked in programs that link our backends in.
extern "C" __attribute__((weak)) int32_t ringscribe_linked_get_interface(int32_t version,
                                                                         const void** interface);

namespace ringscribe::runtime {

namespace {

bool is_path(std::string_view text) noexcept {
  return text.find('/') != std::string_view::npos || text.find(".so") != std::string_view::npos;
}

// The wish that counts; "" if there is none.
std::string_view wished_backend(const BackendWish& wish) noexcept {
  if (!wish.nvtxw_library.empty()) return wish.nvtxw_library;
  return wish.environment.empty() ? wish.application : wish.environment;
}

}  // namespace

Result<Backend> choose_backend(const BackendWish& wish) {
  const std::string_view wished = wished_backend(wish);
  Backend backend;
  backend.name = wished.empty() ? "ringscribe" : wished;
  const bool is_forced = !wish.nvtxw_library.empty();
  if (is_forced || is_path(backend.name)) {
    Result<nvtxw::LoadedBackend> loaded = nvtxw::load_backend(backend.name);
    if (!loaded.ok()) return loaded.status();
    backend.interface = loaded->interface;
    backend.extension = loaded->extension;
    return backend;
  }
  backend.format = wished;
  if (ringscribe_linked_get_interface != nullptr) {
    const void* interface = nullptr;
    const int32_t result = ringscribe_linked_get_interface(NVTXW_INTERFACE_VERSION, &interface);
    if (result == NVTXW_RESULT_SUCCESS) {
      backend.interface = static_cast<const nvtxwInterface_v2_t*>(interface);
      const void* extension = nullptr;
      if (ringscribe_linked_get_interface(nvtxw::kExtensionVersion, &extension) ==
          NVTXW_RESULT_SUCCESS)
        backend.extension = static_cast<const nvtxw::Extension*>(extension);
      return backend;
    }
  }
  Result<nvtxw::LoadedBackend> loaded = nvtxw::load_ringscribe_backend();
  if (!loaded.ok())
    return loaded.status().with_context("backend \"" + backend.name +
                                        "\" is not linked into this program, so our library of "
                                        "backends was looked for");
  backend.interface = loaded->interface;
  backend.extension = loaded->extension;
  return backend;
}

}  // namespace ringscribe::runtime
