// SPDX-License-Identifier: Apache-2.0
//
// The table of an NVTXW backend that takes every call and keeps nothing: handles and dynamic IDs
// count up, static IDs are those asked for. What stands behind a ContractBackend by itself.
//
// Threads: any. Lifetime: the process's.
#ifndef RINGSCRIBE_TESTS_SUPPORT_PLAIN_BACKEND_H_
#define RINGSCRIBE_TESTS_SUPPORT_PLAIN_BACKEND_H_

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::testing {

const nvtxwInterface_v2_t* plain_interface();

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_PLAIN_BACKEND_H_
