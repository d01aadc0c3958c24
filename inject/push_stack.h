// SPDX-License-Identifier: Apache-2.0
//
// PushStack: the open push ranges of one thread in one domain: how deep they nest, and what became
// of each push. NVTX's levels count every push, whether it was recorded, filtered or lost; a pop is
// recorded only if its push was, so that it ends no other range.
//
//   int level = stack.push(Fate::kRecorded);
//   Fate fate; int level = stack.pop(fate);               // kNoRange: nothing is open
//
// A pop that was lost leaves its range open for the reader of the ring. The stack keeps such debts,
// and the next pop that is recorded pays those that would stand in its way or right below it:
//
//   Debts debts = stack.debts(level); if (written) stack.pay(level); else stack.owe(level);
//
// Threads: one.
#ifndef RINGSCRIBE_INJECT_PUSH_STACK_H_
#define RINGSCRIBE_INJECT_PUSH_STACK_H_

#include <cstdint>

#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

enum class Fate : uint8_t { kRecorded, kFiltered, kLost };

class PushStack {
 public:
  static constexpr int kNoRange = -1;

  // The level of the range that begins; the outermost one has 0.
  [[gnu::always_inline]] int push(Fate fate) {
    if (depth_ == room_) [[unlikely]]
      grow();
    fates_[depth_] = fate;
    const auto level = static_cast<int>(depth_++);
    if (!owed_.empty() && fate == Fate::kRecorded) [[unlikely]]
      lower_debts(level);
    return level;
  }
  // The level of the range that ends.
  [[gnu::always_inline]] int pop(Fate& fate) noexcept {
    if (depth_ == 0) [[unlikely]]
      return kNoRange;
    fate = fates_[--depth_];
    return static_cast<int>(depth_);
  }

  bool is_in_debt() const noexcept { return !owed_.empty(); }
  // What a pop at `level` has to end besides its own range: those within it, and those right below
  // it, whose pops were lost.
  runtime::MissedPops debts(int level) const noexcept {
    runtime::MissedPops missed;
    for (size_t i = owed_.size(); i > 0 && owed_[i - 1] >= level; --i)
      ++(owed_[i - 1] > level ? missed.inner : missed.outer);
    return missed;
  }
  void pay(int level) noexcept {
    while (!owed_.empty() && owed_.back() >= level) owed_.pop_back();
  }
  // The pop at `level` was lost. What it would have paid within its range stays owed below it.
  void owe(int level) {
    lower_debts(level);
    owed_.push_back(level);
  }

 private:
  [[gnu::cold]] [[gnu::noinline]] void grow() {
    kept_.resize(2 * size_t{depth_} + 32);
    fates_ = kept_.data();
    room_ = static_cast<uint32_t>(kept_.size());
  }

  // What was left open at deeper levels lies below a range that begins at `level` now: it can be
  // ended after that one.
  void lower_debts(int level) noexcept {
    for (size_t i = owed_.size(); i > 0 && owed_[i - 1] > level; --i) owed_[i - 1] = level;
  }

  uint32_t depth_ = 0;
  uint32_t room_ = 0;
  Fate* fates_ = nullptr;  // of kept_
  runtime::Vector<Fate> kept_;
  runtime::Vector<int> owed_;  // levels, rising: of ranges whose pops were lost
};

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_PUSH_STACK_H_
