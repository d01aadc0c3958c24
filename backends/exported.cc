// SPDX-License-Identifier: Apache-2.0
//
// What libringscribe_backend.so exports (exported.map): the two functions of an NVTXW backend.
#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/nvtxw/interface_table.h"

extern "C" {

__attribute__((visibility("default"))) nvtxwResultCode_t
nvtxwGetInterface(nvtxwInterfaceVersion_t version, const void** interface_out) {
  return ringscribe::get_backends_interface(version, interface_out);
}

__attribute__((visibility("default"))) void nvtxwFinalize() {
  ringscribe::nvtxw::finalize_interface();
}

}  // extern "C"

namespace {

// A producer that exits without SessionEnd keeps its output: this runs after all handlers of
// atexit(), and does nothing where each session was ended.
__attribute__((destructor)) void finish_open_sessions() {
  ringscribe::nvtxw::finalize_interface_at_exit();
}

}  // namespace
