// SPDX-License-Identifier: Apache-2.0
//
// An NVTX injection whose functions do nothing: what the way there costs (injected.cc).
#ifndef NVTX_NO_IMPL
#define NVTX_NO_IMPL
#endif
#include <nvtx3/nvToolsExtCounters.h>

namespace {

void mark(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {}
int push(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 0; }
int pop(nvtxDomainHandle_t) { return 0; }
void mark_text(const char*) {}
int push_text(const char*) { return 0; }
int pop_default() { return 0; }
nvtxRangeId_t start(nvtxDomainHandle_t, const nvtxEventAttributes_t*) { return 1; }
void end(nvtxDomainHandle_t, nvtxRangeId_t) {}
void sample(nvtxDomainHandle_t, uint64_t, int64_t) {}

template <typename Function>
void set(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module, unsigned index,
         Function* function) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks.GetModuleFunctionTable(module, &table, &size) != 0 && index < size)
    *table[index] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  const auto& table = *static_cast<const NvtxExportTableCallbacks*>(get(NVTX_ETID_CALLBACKS));
  set(table, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_MarkA, mark_text);
  set(table, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, push_text);
  set(table, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop, pop_default);
  set(table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainMarkEx, mark);
  set(table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePushEx, push);
  set(table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangePop, pop);
  set(table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeStartEx, start);
  set(table, NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_DomainRangeEnd, end);
  return 1;
}

[[gnu::visibility("default")]] int InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* info) {
  if (info->moduleId == NVTX_EXT_COUNTERS_MODULEID)
    info->segments[0].functionSlots[NVTX3EXT_CBID_nvtxCounterSampleInt64] =
        reinterpret_cast<intptr_t>(sample);
  return 1;
}

}  // extern "C"
