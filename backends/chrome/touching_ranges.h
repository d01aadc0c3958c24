// SPDX-License-Identifier: Apache-2.0
//
// Which ranges end where another one begins or ends. Readers with floating-point times add up `ts`
// and `dur`, and get another sum than the `ts`, or the sum, of what lies at the same time: such
// ranges are written as begin and end, not as one complete event.
//
//   find_touching(slices, order_slices(slices, history), touches);
//   if (touches[edge.slice]) ...
//
// Threads: any.
#ifndef RINGSCRIBE_BACKENDS_CHROME_TOUCHING_RANGES_H_
#define RINGSCRIBE_BACKENDS_CHROME_TOUCHING_RANGES_H_

#include <span>
#include <vector>

#include "ringscribe/backends/model/slice_order.h"

namespace ringscribe::chrome {

// Of the ranges on the main lane, by slice. `edges` is what order_slices() made of `slices`. The
// last end counts as touching, for what is to come may begin there.
void find_touching(std::span<const model::Slice> slices, std::span<const model::Edge> edges,
                   std::vector<bool>& touches);

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_TOUCHING_RANGES_H_
