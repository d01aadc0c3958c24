// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/fuzz_target.h"

#include "ringscribe/backends/model/checking_sink.h"
#include "ringscribe/backends/model/model.h"

namespace ringscribe {

std::unique_ptr<nvtxw::SessionBackend> make_fuzz_target() {
  constexpr model::ClockSnapshot kSnapshot = {1000, 500'000, 1000, 1000};
  return std::make_unique<model::Model>(std::make_unique<model::CheckingSink>(), "fuzzed",
                                        kSnapshot);
}

}  // namespace ringscribe
