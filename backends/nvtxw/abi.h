// SPDX-License-Identifier: Apache-2.0
//
// The C ABI of NVTX Writer, interface version 2, without the implementations of the live NVTX API.
// The one place that includes the NVTX headers, so that all of the tree sees them alike.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_ABI_H_
#define RINGSCRIBE_BACKENDS_NVTXW_ABI_H_

#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL
#endif
#include <nvtx3/nvToolsExtSemanticsCorrelation.h>
#include <nvtx3/nvToolsExtSemanticsCounters.h>
#include <nvtx3/nvToolsExtSemanticsScope.h>
#include <nvtx3/nvToolsExtSemanticsTime.h>
#include <nvtxw3/nvtxw3.h>

#endif  // RINGSCRIBE_BACKENDS_NVTXW_ABI_H_
