/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls what all_calls.c does not: the functions that name objects of CUDA, its runtime and OpenCL
 * (whose headers stand_in/ stands in for), resources of each type and message, and the functions
 * for memory, which do nothing. all_calls_test.py knows what has to be in the recording.
 */
#include <nvtx3/nvToolsExtCuda.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExtMem.h>
#include <nvtx3/nvToolsExtMemCudaRt.h>
#include <nvtx3/nvToolsExtOpenCL.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      fprintf(stderr, "named_objects.c:%d: not so: %s\n", __LINE__, #condition); \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

/* An address that nobody follows: the test knows it by its number. */
#define AT(type, number) ((type)(uintptr_t)(number))

static void cuda(void) {
  nvtxNameCuDeviceA(1, "CUdevice");
  nvtxNameCuDeviceW(2, L"CUdevice \u00fc");
  nvtxNameCuContextA(AT(CUcontext, 3), "CUcontext");
  nvtxNameCuContextW(AT(CUcontext, 4), L"CUcontext \u00fc");
  nvtxNameCuStreamA(AT(CUstream, 5), "CUstream");
  nvtxNameCuStreamW(AT(CUstream, 6), L"CUstream \u00fc");
  nvtxNameCuEventA(AT(CUevent, 7), "CUevent");
  nvtxNameCuEventW(AT(CUevent, 8), L"CUevent \u00fc");
  nvtxNameCudaDeviceA(9, "cuda device");
  nvtxNameCudaDeviceW(10, L"cuda device \u00fc");
  nvtxNameCudaStreamA(AT(cudaStream_t, 11), "cudaStream_t");
  nvtxNameCudaStreamW(AT(cudaStream_t, 12), L"cudaStream_t \u00fc");
  nvtxNameCudaEventA(AT(cudaEvent_t, 13), "cudaEvent_t");
  nvtxNameCudaEventW(AT(cudaEvent_t, 14), L"cudaEvent_t \u00fc");
}

static void opencl(void) {
  nvtxNameClDeviceA(AT(cl_device_id, 15), "cl_device_id");
  nvtxNameClDeviceW(AT(cl_device_id, 16), L"cl_device_id \u00fc");
  nvtxNameClContextA(AT(cl_context, 17), "cl_context");
  nvtxNameClContextW(AT(cl_context, 18), L"cl_context \u00fc");
  nvtxNameClCommandQueueA(AT(cl_command_queue, 19), "cl_command_queue");
  nvtxNameClCommandQueueW(AT(cl_command_queue, 20), L"cl_command_queue \u00fc");
  nvtxNameClMemObjectA(AT(cl_mem, 21), "cl_mem");
  nvtxNameClMemObjectW(AT(cl_mem, 22), L"cl_mem \u00fc");
  nvtxNameClSamplerA(AT(cl_sampler, 23), "cl_sampler");
  nvtxNameClSamplerW(AT(cl_sampler, 24), L"cl_sampler \u00fc");
  nvtxNameClProgramA(AT(cl_program, 25), "cl_program");
  nvtxNameClProgramW(AT(cl_program, 26), L"cl_program \u00fc");
  nvtxNameClEventA(AT(cl_event, 27), "cl_event");
  nvtxNameClEventW(AT(cl_event, 28), L"cl_event \u00fc");
}

static void resources(nvtxDomainHandle_t domain) {
  nvtxResourceAttributes_t resource;
  memset(&resource, 0, sizeof resource);
  resource.version = NVTX_VERSION;
  resource.size = NVTX_RESOURCE_ATTRIB_STRUCT_SIZE;
  resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_POINTER;
  resource.identifier.ullValue = 101;
  resource.messageType = NVTX_MESSAGE_TYPE_ASCII;
  resource.message.ascii = "pointer";
  CHECK(nvtxDomainResourceCreate(domain, &resource) != NULL);
  resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_HANDLE;
  resource.identifier.ullValue = 102;
  resource.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  resource.message.unicode = L"handle \u00fc";
  CHECK(nvtxDomainResourceCreate(domain, &resource) != NULL);
  resource.identifierType = NVTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX;
  resource.identifier.ullValue = 103;
  resource.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  resource.message.registered = nvtxDomainRegisterStringA(domain, "registered");
  nvtxResourceHandle_t handle = nvtxDomainResourceCreate(domain, &resource);
  CHECK(handle != NULL);
  nvtxDomainResourceDestroy(handle);
  nvtxDomainResourceDestroy(NULL);
  /* Without a message, and smaller than it can be. */
  resource.identifier.ullValue = 104;
  resource.messageType = NVTX_MESSAGE_UNKNOWN;
  (void)nvtxDomainResourceCreate(domain, &resource);
  resource.size = 4;
  CHECK(nvtxDomainResourceCreate(domain, &resource) == NULL);
  nvtxNameOsThreadA(105, "os thread");
  nvtxNameOsThreadW(106, L"os thread \u00fc");
  nvtxNameOsThreadA(107, NULL);
}

static void memory(nvtxDomainHandle_t domain) {
  char bytes[64];
  const nvtxMemVirtualRangeDesc_t range = {sizeof bytes, bytes};
  nvtxMemHeapDesc_t heap;
  memset(&heap, 0, sizeof heap);
  heap.extCompatID = NVTX_EXT_COMPATID_MEM;
  heap.structSize = sizeof heap;
  heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
  heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  heap.typeSpecificDescSize = sizeof range;
  heap.typeSpecificDesc = &range;
  nvtxMemHeapHandle_t handle = nvtxMemHeapRegister(domain, &heap);
  nvtxMemRegionsRegisterBatch_t regions;
  memset(&regions, 0, sizeof regions);
  regions.extCompatID = NVTX_EXT_COMPATID_MEM;
  regions.structSize = sizeof regions;
  regions.regionType = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  regions.heap = handle;
  regions.regionCount = 1;
  regions.regionDescElementSize = sizeof range;
  regions.regionDescElements = &range;
  nvtxMemRegionsRegister(domain, &regions);
  nvtxMemRegionsResizeBatch_t resize;
  memset(&resize, 0, sizeof resize);
  nvtxMemRegionsResize(domain, &resize);
  nvtxMemRegionsNameBatch_t names;
  memset(&names, 0, sizeof names);
  nvtxMemRegionsName(domain, &names);
  nvtxMemPermissionsHandle_t permissions = nvtxMemPermissionsCreate(domain, 0);
  nvtxMemPermissionsAssignBatch_t assign;
  memset(&assign, 0, sizeof assign);
  nvtxMemPermissionsAssign(domain, &assign);
  nvtxMemPermissionsBind(domain, permissions, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD, 0);
  nvtxMemPermissionsUnbind(domain, NVTX_MEM_PERMISSIONS_BIND_SCOPE_CPU_THREAD);
  nvtxMemPermissionsReset(domain, permissions);
  nvtxMemPermissionsDestroy(domain, permissions);
  nvtxMemRegionsUnregisterBatch_t unregister;
  memset(&unregister, 0, sizeof unregister);
  nvtxMemRegionsUnregister(domain, &unregister);
  nvtxMemHeapReset(domain, handle);
  nvtxMemHeapUnregister(domain, handle);

  (void)nvtxMemCudaGetProcessWidePermissions(domain);
  permissions = nvtxMemCudaGetDeviceWidePermissions(domain, 0);
  nvtxMemCudaSetPeerAccess(domain, permissions, 0, 0);
  nvtxMemMarkInitializedBatch_t initialized;
  memset(&initialized, 0, sizeof initialized);
  nvtxMemCudaMarkInitialized(domain, NULL, 0, &initialized);
}

int main(void) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("objects");
  cuda();
  opencl();
  resources(domain);
  memory(domain);
  nvtxDomainDestroy(domain);
  return 0;
}
