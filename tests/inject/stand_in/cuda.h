/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of CUDA's header as NVTX's headers take, so that their functions can be called without
 * CUDA: handles are addresses that nobody follows.
 */
#ifndef RINGSCRIBE_TESTS_INJECT_STAND_IN_CUDA_H_
#define RINGSCRIBE_TESTS_INJECT_STAND_IN_CUDA_H_

typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUarray_st* CUarray;

#endif
