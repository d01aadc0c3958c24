// SPDX-License-Identifier: Apache-2.0
//
// The symbols by which NVTX finds an injection that is linked in (NVTX_STATIC_INJECTION).
#include "ringscribe/inject/nvtx_abi.h"

extern "C" {

int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table);
int NVTX_API InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* info);

[[gnu::visibility(
    "default")]] extern const NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr;
[[gnu::visibility("default")]] extern const NvtxExtInitializeInjectionFunc_t
    InitializeInjectionNvtxExtension_fnptr;
const NvtxInitializeInjectionNvtxFunc_t InitializeInjectionNvtx2_fnptr = InitializeInjectionNvtx2;
const NvtxExtInitializeInjectionFunc_t InitializeInjectionNvtxExtension_fnptr =
    InitializeInjectionNvtxExtension;

}  // extern "C"
