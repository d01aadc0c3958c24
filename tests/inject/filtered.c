/* SPDX-License-Identifier: Apache-2.0
 *
 * The same calls in three domains, each with two named categories, one without a name, and none;
 * filters_test.py knows which of them are left. Prints what the functions return, which must not
 * depend on filters; `filtered enabled` prints which domains say that they are recorded.
 */
#include <nvtx3/nvToolsExtCounters.h>
#include <stdio.h>
#include <string.h>

enum { kNone, kHot, kCold, kNameless, kCategories };
static const char* const kNames[] = {"none", "hot", "cold", "nameless"};

static nvtxEventAttributes_t of_category(uint32_t category) {
  nvtxEventAttributes_t result;
  memset(&result, 0, sizeof result);
  result.version = NVTX_VERSION;
  result.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  result.category = category;
  result.messageType = NVTX_MESSAGE_TYPE_ASCII;
  result.message.ascii = kNames[category];
  return result;
}

/* Ranges in one another, a mark in the innermost; each level of categories in turn. */
static void make_calls(nvtxDomainHandle_t domain) {
  nvtxDomainNameCategoryA(domain, kHot, "hot");
  nvtxDomainNameCategoryW(domain, kCold, L"cold");
  nvtxRangeId_t ids[kCategories];
  for (uint32_t first = 0; first < kCategories; ++first) {
    for (uint32_t i = 0; i < kCategories; ++i) {
      const nvtxEventAttributes_t event = of_category((first + i) % kCategories);
      printf("%d ", nvtxDomainRangePushEx(domain, &event));
      nvtxDomainMarkEx(domain, &event);
      ids[i] = nvtxDomainRangeStartEx(domain, &event);
      printf("%d ", ids[i] != 0 && (i == 0 || ids[i] != ids[i - 1]));
    }
    for (uint32_t i = 0; i < kCategories; ++i) {
      printf("%d ", nvtxDomainRangePop(domain));
      nvtxDomainRangeEnd(domain, ids[i]);
    }
    printf("%d\n", nvtxDomainRangePop(domain) < 0);
  }
  /* By payloads alone there is no category. */
  printf("%d ", nvtxRangePushPayload(domain, NULL, 0));
  printf("%d\n", nvtxRangePopPayload(domain, NULL, 0));
  nvtxCounterAttr_t counter;
  memset(&counter, 0, sizeof counter);
  counter.structSize = sizeof counter;
  counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  counter.name = "counter";
  const uint64_t id = nvtxCounterRegister(domain, &counter);
  nvtxCounterSampleInt64(domain, id, 1);
  const nvtxStringHandle_t text = nvtxDomainRegisterStringA(domain, "text");
  printf("%d %d\n", id != 0, text != NULL);
}

int main(int count, char** arguments) {
  const nvtxDomainHandle_t io = nvtxDomainCreateA("io"), net = nvtxDomainCreateW(L"net");
  if (count > 1 && strcmp(arguments[1], "enabled") == 0) {
    printf("%d %d %d\n", nvtxDomainIsEnabled(NULL), nvtxDomainIsEnabled(io),
           nvtxDomainIsEnabled(net));
    return 0;
  }
  make_calls(NULL);
  make_calls(io);
  make_calls(net);
  return 0;
}
