// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/covered_time.h"

#include <algorithm>
#include <iterator>

namespace ringscribe::model {
namespace {

bool begins_before(const Span& a, const Span& b) noexcept { return a.begin < b.begin; }

}  // namespace

bool CoveredTime::covers(int64_t time) const noexcept {
  const auto after =
      std::upper_bound(spans_.begin(), spans_.end(), Span{time, time}, begins_before);
  return after != spans_.begin() && time < std::prev(after)->end;
}

bool CoveredTime::blocks(int64_t begin, int64_t end) const noexcept {
  // The usual case needs no search: time goes on after the last lot.
  if (spans_.empty() || begin >= spans_.back().end) return false;
  return covers(begin) || covers(end);
}

void CoveredTime::add(const std::vector<Span>& spans) {
  if (spans.empty()) return;
  if (is_before(spans.front().begin)) {
    for (const Span& span : spans) append(span);
    return;
  }
  // Only the spans that are not wholly before the new ones need to be merged again.
  const auto first = std::upper_bound(spans_.begin(), spans_.end(), spans.front(), begins_before);
  const std::vector<Span> tail(first, spans_.end());
  spans_.erase(first, spans_.end());
  auto old = tail.begin();
  for (const Span& span : spans) {
    for (; old != tail.end() && old->begin <= span.begin; ++old) append(*old);
    append(span);
  }
  for (; old != tail.end(); ++old) append(*old);
}

void CoveredTime::forget_older_half() {
  if (spans_.size() < 2) return;
  const size_t half = spans_.size() / 2 + 1;
  spans_[half - 1].begin = spans_.front().begin;
  spans_.erase(spans_.begin(), spans_.begin() + static_cast<ptrdiff_t>(half) - 1);
  spans_.shrink_to_fit();
}

}  // namespace ringscribe::model
