// SPDX-License-Identifier: Apache-2.0
//
// What NVTX's loader calls: the library named by NVTX_INJECTION64_PATH has these two functions; a
// program that links //inject:static has the two pointers instead.
#include "ringscribe/inject/core_calls.h"
#include "ringscribe/inject/extension_calls.h"
#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/inject/recording.h"
#include "ringscribe/runtime/thread_registry.h"

namespace {

using ringscribe::inject::Recording;

// Begins the recording. False for a backend of ours, or one that it loads, which carries NVTX calls
// itself: they are not recorded, or each of them would make more.
bool is_ready() {
  thread_local constinit bool is_beginning = false;
  if (is_beginning || ringscribe::runtime::tls_must_not_wait) return false;
  is_beginning = true;
  Recording::begin_once();
  is_beginning = false;
  return true;
}

}  // namespace

extern "C" {

// Returns 1 in all cases: on 0 the loader would unload the library, which has threads.
[[gnu::visibility("default")]] int NVTX_API
InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_export_table) {
  if (get_export_table == nullptr) return 1;
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(get_export_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(NvtxExportTableCallbacks)) return 1;
  if (is_ready()) ringscribe::inject::attach_core(*callbacks);
  return 1;
}

[[gnu::visibility("default")]] int NVTX_API
InitializeInjectionNvtxExtension(nvtxExtModuleInfo_t* info) {
  if (info == nullptr || info->structSize < sizeof(nvtxExtModuleInfo_t)) return 1;
  if (is_ready()) ringscribe::inject::attach_extension(*info);
  return 1;
}

}  // extern "C"
