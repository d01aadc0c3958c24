/* SPDX-License-Identifier: Apache-2.0
 *
 * As cuda.h beside it.
 */
#ifndef RINGSCRIBE_TESTS_INJECT_STAND_IN_DRIVER_TYPES_H_
#define RINGSCRIBE_TESTS_INJECT_STAND_IN_DRIVER_TYPES_H_

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct cudaArray* cudaArray_t;

#endif
