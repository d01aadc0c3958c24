/* SPDX-License-Identifier: Apache-2.0
 *
 * NVIDIA's helper headers for producers in C and C++, without the implementations of the live NVTX
 * API. Valid in both languages. */
#ifndef RINGSCRIBE_TESTS_NVTXW_NVTXW_HELPERS_H_
#define RINGSCRIBE_TESTS_NVTXW_NVTXW_HELPERS_H_

#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL
#endif
#include <nvtxw3/nvtxw3.h>
#include <nvtxw3/nvtxw3_counter_helpers.h>
#include <nvtxw3/nvtxw3_event_helpers.h>
#include <nvtxw3/nvtxw3_loader.h>
#include <nvtxw3/nvtxw3_setup_helpers.h>

#endif /* RINGSCRIBE_TESTS_NVTXW_NVTXW_HELPERS_H_ */
