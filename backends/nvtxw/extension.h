// SPDX-License-Identifier: Apache-2.0
//
// What our own backends offer beyond NVTXW: nvtxwGetInterface(kExtensionVersion, &out) gives this
// table. A backend of others says that it does not support the version.
//
// Threads: as the functions of NVTXW. Lifetime: a constant of the library.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_EXTENSION_H_
#define RINGSCRIBE_BACKENDS_NVTXW_EXTENSION_H_

#include <cstddef>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::nvtxw {

inline constexpr nvtxwInterfaceVersion_t kExtensionVersion = 0x52530001;

struct Extension {
  size_t struct_size;
  // Writes what a flight recorder has just now into a file; the session goes on meanwhile. `path`:
  // as the key `output`. NVTXW_RESULT_NOT_SUPPORTED if the session is no flight recorder.
  nvtxwResultCode_t (*Snapshot)(nvtxwSessionHandle_t session, const char* path, const char* reason);
};

// Of interface_table.h.
const Extension* extension() noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_EXTENSION_H_
