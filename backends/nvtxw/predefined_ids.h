// SPDX-License-Identifier: Apache-2.0
//
// The IDs that NVTX 3 predefines for scopes and time domains.
//
// Threads: no state.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_PREDEFINED_IDS_H_
#define RINGSCRIBE_BACKENDS_NVTXW_PREDEFINED_IDS_H_

#include <cstdint>

namespace ringscribe::nvtxw {

// NVTX_TIMESTAMP_TYPE_*, NONE included.
bool is_predefined_timestamp_type(uint64_t type) noexcept;

// NVTX_SCOPE_NONE, NVTX_SCOPE_ROOT and NVTX_SCOPE_CURRENT_*.
bool is_predefined_scope(uint64_t scope) noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_PREDEFINED_IDS_H_
