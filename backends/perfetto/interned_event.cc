// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interned_event.h"

namespace ringscribe::perfetto {

uint32_t Interners::head(EventHead head) {
  const uint64_t key = uint64_t{head.name} << 32U | head.category;
  const auto [place, is_new] = head_numbers_.try_emplace(key, static_cast<uint32_t>(heads_.size()));
  if (is_new) heads_.push_back(head);
  return place->second;
}

uint32_t Interners::name_set(const std::vector<uint32_t>& name_ids) {
  if (name_ids.empty()) return 0;
  const auto [place, is_new] =
      set_numbers_.try_emplace(name_ids, static_cast<uint32_t>(sets_.size()) + 1);
  if (is_new) sets_.push_back(&*place);
  return place->second;
}

bool Interners::full(size_t entries_max, size_t bytes_max) const noexcept {
  return names.full(entries_max, bytes_max) || categories.full(entries_max, bytes_max) ||
         annotation_names.full(entries_max, bytes_max) || heads_.size() >= entries_max ||
         sets_.size() >= entries_max;
}

void Interners::clear() {
  names.clear();
  categories.clear();
  annotation_names.clear();
  head_numbers_.clear();
  heads_.clear();
  set_numbers_.clear();
  sets_.clear();
}

}  // namespace ringscribe::perfetto
