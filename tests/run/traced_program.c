// SPDX-License-Identifier: Apache-2.0
// A program that carries NVTX calls and knows nothing of Ringscribe. Its argument is how many
// ranges it makes; it prints it, and exits with 5.
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** arguments) {
  const int ranges = count > 1 ? atoi(arguments[1]) : 0;
  nvtxMarkA("begin");
  for (int i = 0; i < ranges; ++i) {
    nvtxRangePushA("work");
    nvtxRangePop();
  }
  const nvtxDomainHandle_t io = nvtxDomainCreateA("io");
  nvtxEventAttributes_t event = {0};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "read";
  nvtxDomainMarkEx(io, &event);
  printf("%d ranges\n", ranges);
  return 5;
}
