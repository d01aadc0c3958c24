// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interner.h"

namespace ringscribe::perfetto {

uint64_t Interner::id(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  // Room first: if memory runs out, a text is either known and told, or neither.
  if (fresh_.size() == fresh_.capacity()) fresh_.reserve(2 * fresh_.size() + 16);
  const auto added = ids_.emplace(text, ids_.size() + 1).first;
  fresh_.push_back(&*added);
  bytes_ += text.size();
  return added->second;
}

void Interner::clear() {
  fresh_.clear();
  ids_.clear();
  bytes_ = 0;
}

}  // namespace ringscribe::perfetto
