// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/push_stack.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <vector>

namespace ringscribe::inject {
namespace {

TEST_CASE("levels count each push from 0, and a pop without a push is none") {
  PushStack stack;
  Fate fate = Fate::kRecorded;
  CHECK(stack.pop(fate) == PushStack::kNoRange);
  for (int level = 0; level < 1000; ++level)
    CHECK(stack.push(level % 3 == 0 ? Fate::kFiltered : Fate::kRecorded) == level);
  for (int level = 999; level >= 0; --level) {
    CHECK(stack.pop(fate) == level);
    CHECK(fate == (level % 3 == 0 ? Fate::kFiltered : Fate::kRecorded));
  }
  CHECK(stack.pop(fate) == PushStack::kNoRange);
}

// What the reader of the ring does: a range is open from its push to a pop that reaches it.
struct Reader {
  std::vector<int> open;  // numbers of pushes
  std::vector<int> ended;
  void push(int number) { open.push_back(number); }
  void pop(const runtime::MissedPops& missed) {
    for (uint32_t n = 0; n < missed.inner + 1 + missed.outer; ++n) {
      REQUIRE_FALSE(open.empty());
      ended.push_back(open.back());
      open.pop_back();
    }
  }
};

// Pushes and pops of a thread, some of whose pops are lost.
struct Writer {
  PushStack stack;
  Reader reader;
  int pushes = 0;
  void push(bool is_lost = false) {
    stack.push(is_lost ? Fate::kLost : Fate::kRecorded);
    if (!is_lost) reader.push(pushes);
    ++pushes;
  }
  // Whether the pop was recorded.
  bool pop(bool is_lost = false) {
    Fate fate = Fate::kFiltered;
    const int level = stack.pop(fate);
    REQUIRE(level >= 0);
    if (fate == Fate::kLost) return false;
    if (is_lost) {
      stack.owe(level);
      return false;
    }
    reader.pop(stack.debts(level));
    stack.pay(level);
    return true;
  }
};

TEST_CASE("a lost pop's range ends with the next one within the same range") {
  Writer writer;
  writer.push();     // 0
  writer.push();     // 1
  writer.pop(true);  // of 1
  CHECK(writer.stack.is_in_debt());
  writer.push();  // 2
  writer.pop();
  CHECK(writer.reader.ended == std::vector<int>{2, 1});
  CHECK_FALSE(writer.stack.is_in_debt());
  writer.pop();
  CHECK(writer.reader.ended == std::vector<int>{2, 1, 0});
}

TEST_CASE("or with the range around it") {
  Writer writer;
  writer.push();     // 0
  writer.push();     // 1
  writer.push();     // 2
  writer.pop(true);  // of 2
  writer.pop(true);  // of 1
  writer.pop();
  CHECK(writer.reader.ended == std::vector<int>{2, 1, 0});
  CHECK(writer.reader.open.empty());
}

TEST_CASE("what was left open deeper ends after a range that began later") {
  Writer writer;
  writer.push(true);  // 0
  writer.push();      // 1
  writer.pop(true);   // of 1
  writer.pop();       // of 0, whose push was lost
  writer.push();      // 2, at level 0: 1 is still open below it
  writer.push();      // 3, at level 1
  writer.pop();
  CHECK(writer.reader.ended == std::vector<int>{3});
  writer.pop();
  CHECK(writer.reader.ended == std::vector<int>{3, 2, 1});
}

// Runs pushes and pops of which some are lost: a bit each.
void run_with_losses(const char* calls, unsigned lost_pushes, unsigned lost_pops) {
  Writer writer;
  std::vector<int> stack;
  std::vector<bool> is_popped;  // by the program, by number
  unsigned pop = 0;
  bool last_is_recorded = false;
  for (const char* call = calls; *call != '\0'; ++call) {
    if (*call == '(') {
      stack.push_back(writer.pushes);
      writer.push((lost_pushes >> is_popped.size() & 1) != 0);
      is_popped.push_back(false);
      continue;
    }
    const int number = stack.back();
    stack.pop_back();
    is_popped[static_cast<size_t>(number)] = true;
    const size_t before = writer.reader.ended.size();
    last_is_recorded = writer.pop((lost_pops >> pop++ & 1) != 0);
    if (!last_is_recorded) continue;
    // Its own range is the first to end of those that do not lie in it; all were popped before.
    const auto& ended = writer.reader.ended;
    bool is_own = false;
    for (size_t i = before; i < ended.size(); ++i) {
      is_own = is_own || ended[i] == number;
      if (!is_popped[static_cast<size_t>(ended[i])])
        FAIL("a range ended that the program did not end");
    }
    if (!is_own) FAIL("a pop did not end its own range");
  }
  if (last_is_recorded && !writer.reader.open.empty()) FAIL("something stays open");
}

TEST_CASE("whichever pushes and pops are lost, no range ends another one's") {
  constexpr const char* kCalls = "(()(()))()(()())()";
  constexpr unsigned kRanges = 9;
  for (unsigned lost_pushes = 0; lost_pushes < 1u << kRanges; ++lost_pushes)
    for (unsigned lost_pops = 0; lost_pops < 1u << kRanges; ++lost_pops)
      run_with_losses(kCalls, lost_pushes, lost_pops);
}

}  // namespace
}  // namespace ringscribe::inject
