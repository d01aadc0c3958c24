// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/touching_ranges.h"

namespace ringscribe::chrome {

void find_touching(std::span<const model::Slice> slices, std::span<const model::Edge> edges,
                   std::vector<bool>& touches) {
  touches.assign(slices.size(), false);
  const model::Edge* before = nullptr;
  const auto time_of = [&](const model::Edge& edge) {
    const model::Slice& slice = slices[edge.slice];
    return edge.kind == model::EdgeKind::kEnd ? slice.end : slice.begin;
  };
  // Edges of one time stand together.
  for (const model::Edge& edge : edges) {
    if (edge.lane_kind != model::LaneKind::kMain) continue;
    if (before != nullptr && time_of(*before) == time_of(edge)) {
      if (before->kind == model::EdgeKind::kEnd) touches[before->slice] = true;
      if (edge.kind == model::EdgeKind::kEnd) touches[edge.slice] = true;
    }
    before = &edge;
  }
  if (before != nullptr) touches[before->slice] = true;
}

}  // namespace ringscribe::chrome
