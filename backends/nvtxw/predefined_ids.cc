// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/predefined_ids.h"

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::nvtxw {

bool is_predefined_timestamp_type(uint64_t type) noexcept {
  const auto between = [type](uint64_t first, uint64_t last) {
    return type >= first && type <= last;
  };
  return between(NVTX_TIMESTAMP_TYPE_NONE, NVTX_TIMESTAMP_TYPE_TOOL_PROVIDED) ||
         between(NVTX_TIMESTAMP_TYPE_CPU_TSC,
                 NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_THREAD_CPUTIME_ID) ||
         between(NVTX_TIMESTAMP_TYPE_WIN_QPC, NVTX_TIMESTAMP_TYPE_WIN_GSTAFTP) ||
         between(NVTX_TIMESTAMP_TYPE_C_TIME, NVTX_TIMESTAMP_TYPE_C_TIMESPEC_GET) ||
         between(NVTX_TIMESTAMP_TYPE_CPP_STEADY_CLOCK, NVTX_TIMESTAMP_TYPE_CPP_FILE_CLOCK) ||
         type == NVTX_TIMESTAMP_TYPE_GPU_GLOBALTIMER;
}

bool is_predefined_scope(uint64_t scope) noexcept {
  return scope <= NVTX_SCOPE_CURRENT_HW_CPU_LOGICAL ||
         (scope >= NVTX_SCOPE_CURRENT_HW_INNERMOST && scope <= NVTX_SCOPE_CURRENT_SW_THREAD) ||
         scope == NVTX_SCOPE_CURRENT_SW_INNERMOST;
}

}  // namespace ringscribe::nvtxw
