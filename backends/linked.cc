// SPDX-License-Identifier: Apache-2.0
//
// Our backends inside the program: the runtime declares this function weak, and finds it when the
// program depends on //backends:linked.
#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/nvtxw/interface_table.h"

extern "C" __attribute__((visibility("default"))) int32_t
ringscribe_linked_get_interface(int32_t version, const void** out) {
  return ringscribe::get_backends_interface(version, out);
}

namespace {

// Runs after all handlers of atexit(), so after the runtime has ended its own sessions.
__attribute__((destructor)) void finish_open_sessions() {
  ringscribe::nvtxw::finalize_interface_at_exit();
}

}  // namespace
