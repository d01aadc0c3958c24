// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/range_pairing.h"

#include <algorithm>
#include <utility>

namespace ringscribe::model {

std::span<const Field> copy_fields(std::span<const Field> fields, Arena& arena) {
  const std::span<Field> copies = arena.array<Field>(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    copies[i] = fields[i];
    copies[i].name = arena.copy(fields[i].name);
    copies[i].value.text = arena.copy(fields[i].value.text);
    copies[i].value.children = copy_fields(fields[i].value.children, arena);
  }
  return copies;
}

OpenRange& RangePairing::open(const PairingKey& key) {
  std::unique_ptr<OpenRange> range;
  if (spares_.empty()) {
    range = std::make_unique<OpenRange>();
  } else {
    range = std::move(spares_.back());
    spares_.pop_back();
  }
  range->order = next_order_++;
  OpenRange& result = *range;
  stacks_[key].push_back(std::move(range));
  ++open_count_;
  return result;
}

RangePairing::Ended RangePairing::close(const PairingKey& key) {
  const auto found = stacks_.find(key);
  if (found == stacks_.end() || found->second.empty()) return Ended(nullptr, Reuse{this});
  Ended ended(found->second.back().release(), Reuse{this});
  found->second.pop_back();
  --open_count_;
  // An empty stack would stay for each thread that ever was; the few that are used again at once
  // are worth less than that.
  if (found->second.empty()) stacks_.erase(found);
  return ended;
}

std::vector<RangePairing::Ended> RangePairing::close_all() {
  std::vector<Ended> all;
  for (auto& [key, stack] : stacks_) {
    for (std::unique_ptr<OpenRange>& range : stack) all.emplace_back(range.release(), Reuse{this});
  }
  stacks_.clear();
  open_count_ = 0;
  const auto later = [](const Ended& a, const Ended& b) { return a->order > b->order; };
  std::sort(all.begin(), all.end(), later);
  return all;
}

void RangePairing::take_back(OpenRange* range) {
  std::unique_ptr<OpenRange> owned(range);
  if (spares_.size() >= kSparesMax) return;
  owned->message.clear();
  owned->fields = {};
  owned->arena.reset();
  owned->kind = EventKind::kRangePushPop;
  owned->range_id = 0;
  owned->category = owned->color = 0;
  spares_.push_back(std::move(owned));
}

}  // namespace ringscribe::model
