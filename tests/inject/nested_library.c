/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that carries NVTX's state of its own, to be loaded and unloaded: makes three calls.
 */
#include <nvtx3/nvToolsExt.h>

int calls_of_library(int level) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("loaded library");
  nvtxEventAttributes_t attributes = {
      .version = NVTX_VERSION,
      .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
      .messageType = NVTX_MESSAGE_TYPE_ASCII,
      .message.ascii = "of a library",
  };
  if (nvtxDomainRangePushEx(domain, &attributes) != level) return -1;
  nvtxDomainMarkEx(domain, &attributes);
  if (nvtxDomainRangePop(domain) != level) return -1;
  nvtxDomainDestroy(domain);
  return 3;
}
