// SPDX-License-Identifier: Apache-2.0
//
// A library for loader_test.cc. REFUSES makes it refuse every version, LACKS makes its table lack
// one function, FAILS makes nvtxwGetInterface fail otherwise.
#include "ringscribe/backends/nvtxw/abi.h"

namespace {

template <typename... Arguments>
nvtxwResultCode_t not_supported(Arguments...) {
  return NVTXW_RESULT_NOT_SUPPORTED;
}

constexpr nvtxwInterface_v2_t kTable = {not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
                                        not_supported,
#ifdef LACKS
                                        nullptr,
#else
                                        not_supported,
#endif
                                        {}};

int finalized = 0;

}  // namespace

extern "C" __attribute__((visibility("default"))) nvtxwResultCode_t
nvtxwGetInterface(nvtxwInterfaceVersion_t version, const void** out) {
#if defined(REFUSES)
  static_cast<void>(version);
  static_cast<void>(out);
  return NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
#elif defined(FAILS)
  static_cast<void>(version);
  static_cast<void>(out);
  return NVTXW_RESULT_FAILED;
#else
  if (version != 2) return NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
  *out = &kTable;
  return NVTXW_RESULT_SUCCESS;
#endif
}

extern "C" __attribute__((visibility("default"))) void nvtxwFinalize() { ++finalized; }

extern "C" __attribute__((visibility("default"))) int finalize_calls() { return finalized; }
