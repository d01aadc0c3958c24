// SPDX-License-Identifier: Apache-2.0
//
// The live NVTX API as an injection library sees it: types, callback numbers, extension modules;
// without the implementations that programs compile in. The one place that includes these headers.
#ifndef RINGSCRIBE_INJECT_NVTX_ABI_H_
#define RINGSCRIBE_INJECT_NVTX_ABI_H_

#include "ringscribe/backends/nvtxw/abi.h"
// After abi.h, which leaves the implementations out.
#include <nvtx3/nvToolsExtCounters.h>

#endif  // RINGSCRIBE_INJECT_NVTX_ABI_H_
