// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interner.h"

namespace ringscribe::perfetto {

uint32_t Interner::id(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  // Room first: if memory runs out, a text is either known by both or by neither.
  if (entries_.size() == entries_.capacity()) entries_.reserve(2 * entries_.size() + 16);
  const auto added = ids_.emplace(text, size() + 1).first;
  entries_.push_back(&*added);
  bytes_ += text.size();
  return added->second;
}

void Interner::clear() {
  entries_.clear();
  ids_.clear();
  bytes_ = 0;
}

}  // namespace ringscribe::perfetto
