// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/flex_layout.h"

#include <mutex>

namespace ringscribe::runtime {

const FlexLayout* intern_flex_layout(const Vector<FlexField>& fields) {
  if (fields.empty()) return nullptr;
  // Never freed: handles of ended sessions may still be used.
  static constinit std::mutex mutex;
  static auto* const layouts = make<Vector<FlexLayout*>>();
  const std::lock_guard lock(mutex);
  for (const FlexLayout* layout : *layouts)
    if (layout->fields == fields) return layout;
  auto* layout = make<FlexLayout>();
  layout->fields = fields;
  layouts->push_back(layout);
  return layout;
}

}  // namespace ringscribe::runtime
