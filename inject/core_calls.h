// SPDX-License-Identifier: Apache-2.0
//
// The functions behind NVTX's core module, and the names of CUDA's and OpenCL's objects: each fills
// its slots of a module's table (NvtxExportTableCallbacks).
//
//   attach_core(get_module_table);
//
// Threads: as NVTX's, any. Source: nvToolsExt.h.
#ifndef RINGSCRIBE_INJECT_CORE_CALLS_H_
#define RINGSCRIBE_INJECT_CORE_CALLS_H_

#include "ringscribe/inject/nvtx_abi.h"

namespace ringscribe::inject {

// Sets the functions of all modules that `table` has.
void attach_core(const NvtxExportTableCallbacks& table);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_CORE_CALLS_H_
