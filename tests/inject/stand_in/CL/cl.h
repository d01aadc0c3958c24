/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of OpenCL's header as NVTX's headers take (../cuda.h).
 */
#ifndef RINGSCRIBE_TESTS_INJECT_STAND_IN_CL_CL_H_
#define RINGSCRIBE_TESTS_INJECT_STAND_IN_CL_CL_H_

typedef struct _cl_device_id* cl_device_id;
typedef struct _cl_context* cl_context;
typedef struct _cl_command_queue* cl_command_queue;
typedef struct _cl_mem* cl_mem;
typedef struct _cl_sampler* cl_sampler;
typedef struct _cl_program* cl_program;
typedef struct _cl_event* cl_event;

#endif
