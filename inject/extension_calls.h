// SPDX-License-Identifier: Apache-2.0
//
// The functions behind NVTX's extension modules: extended payloads with scopes, time and deferred
// events (module 2), and counters (module 4). Modules that are not named here keep NVTX's empty
// functions.
//
//   attach_extension(*module_info);
//
// Threads: as NVTX's, any. Sources: nvToolsExtPayload.h, nvToolsExtCounters.h.
#ifndef RINGSCRIBE_INJECT_EXTENSION_CALLS_H_
#define RINGSCRIBE_INJECT_EXTENSION_CALLS_H_

#include "ringscribe/inject/nvtx_abi.h"

namespace ringscribe::inject {

// Sets the functions of the module that `info` describes, as far as it has slots for them.
void attach_extension(nvtxExtModuleInfo_t& info);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_EXTENSION_CALLS_H_
