// SPDX-License-Identifier: Apache-2.0
//
// CoveredTime: which parts of one lane's time are already taken by ranges that were written.
//
// A sink writes events in lots. A range that arrives after the lot of its children can still be
// put on their lane, as readers sort by time; but not where it would cut through a range that is
// already in the file, or tie with one so that the order of the file decides. This class knows
// enough of the past to tell the two apart: the outermost ranges, as half-open spans.
//
//   CoveredTime past;
//   past.add({{10, 20}, {30, 40}});
//   past.blocks(5, 50);   // false: holds both
//   past.blocks(15, 50);  // true: cuts the first
//
// Threads: one at a time. Lifetime: a value.
#ifndef RINGSCRIBE_BACKENDS_MODEL_COVERED_TIME_H_
#define RINGSCRIBE_BACKENDS_MODEL_COVERED_TIME_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringscribe::model {

struct Span {
  int64_t begin;
  int64_t end;  // > begin
};

class CoveredTime {
 public:
  // True if a range written now on this lane could break the nesting of the ranges before it: one
  // of its ends lies in a span. To begin where a span ends is fine, to end where one begins is
  // not: the begin that is already in the file would come first.
  // REQUIRES: begin < end.
  bool blocks(int64_t begin, int64_t end) const noexcept;

  // True if nothing written now from `time` on can be blocked.
  bool is_before(int64_t time) const noexcept {
    return spans_.empty() || spans_.back().end <= time;
  }

  // Takes in the outermost ranges of a lot. REQUIRES: sorted by begin, none overlaps the next.
  void add(const std::vector<Span>& spans);

  // Forgets the gaps in the older half of the spans, to save memory: what would have fitted into
  // one of them is blocked from now on.
  void forget_older_half();

  // How many spans are kept; the memory is 16 bytes for each.
  size_t size() const noexcept { return spans_.size(); }

 private:
  bool covers(int64_t time) const noexcept;
  void append(Span span) {
    if (!spans_.empty() && span.begin <= spans_.back().end) {
      if (spans_.back().end < span.end) spans_.back().end = span.end;
    } else {
      spans_.push_back(span);
    }
  }

  std::vector<Span> spans_;  // sorted, with a gap between each two
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_COVERED_TIME_H_
