// SPDX-License-Identifier: Apache-2.0
//
// Loading an NVTXW backend from a shared library. The only user of dlopen in the tree.
//
//   Result<LoadedBackend> backend = load_backend("/opt/tool/libtool.so");
//   if (!backend.ok()) return backend.status();   // which file, and why it cannot be used
//   backend->interface->SessionBegin(&attributes, &session);
//
// Threads: any. Lifetime: a library that was loaded stays until the process ends, so `interface`
// and the functions in it never dangle.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_LOADER_H_
#define RINGSCRIBE_BACKENDS_NVTXW_LOADER_H_

#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

struct Extension;  // extension.h

struct LoadedBackend {
  const nvtxwInterface_v2_t* interface = nullptr;  // all 21 baseline functions are there
  std::string path;                                // the file that was loaded
  nvtxwFinalize_t finalize = nullptr;              // nullptr if the library has none
  const Extension* extension = nullptr;            // of our own library; nullptr for others
};

// Loads a backend in NVTXW's order: the environment variable NVTXW3_LIBRARY, if not empty, is the
// only candidate; else `path`, if not empty (a name without '/' is looked for on the library
// path); else libnvtxw3.so beside the executable, on the library path, in the current folder.
// Failures, each with the file and the reason:
//   kLibraryNotFound               there is no such file
//   kLibraryLoadFailed             there is one, and the dynamic linker refuses it
//   kLibrarySymbolMissing          it has no function nvtxwGetInterface
//   kInterfaceVersionNotSupported  it does not speak version 2
//   kFailed                        nvtxwGetInterface fails, or a baseline function is missing
Result<LoadedBackend> load_backend(std::string_view path);

// Loads our own library of backends: libringscribe_backend.so beside the executable, beside the
// library that this code is in, or on the library path. NVTXW3_LIBRARY does not count here.
Result<LoadedBackend> load_ringscribe_backend();

// Calls nvtxwFinalize if the library has it; the library stays loaded. Optional.
// REQUIRES: all sessions have ended.
void close_backend(const LoadedBackend& backend) noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_LOADER_H_
