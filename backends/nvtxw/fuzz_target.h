// SPDX-License-Identifier: Apache-2.0
//
// What a fuzzer of calls writes into. The fuzzer links an implementation: model/fuzz_target.cc has
// the whole event model with a sink that reads all that it is told. Declared here, in the lowest
// layer, so that a fuzzer of the journal need not know the model.
//
//   std::unique_ptr<nvtxw::SessionBackend> target = make_fuzz_target();
#ifndef RINGSCRIBE_BACKENDS_NVTXW_FUZZ_TARGET_H_
#define RINGSCRIBE_BACKENDS_NVTXW_FUZZ_TARGET_H_

#include <memory>

#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe {

std::unique_ptr<nvtxw::SessionBackend> make_fuzz_target();

}  // namespace ringscribe

#endif  // RINGSCRIBE_BACKENDS_NVTXW_FUZZ_TARGET_H_
