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
  void push() {
    stack.push(Fate::kRecorded);
    reader.push(pushes++);
  }
  void pop(bool is_lost = false) {
    Fate fate = Fate::kLost;
    const int level = stack.pop(fate);
    REQUIRE(fate == Fate::kRecorded);
    if (is_lost) return stack.owe(level);
    reader.pop(stack.debts(level));
    stack.pay(level);
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

TEST_CASE("whichever pops are lost, no range ends another one's") {
  // All ways to lose some of the pops of a few nested and neighbouring ranges.
  constexpr const char* kCalls = "(()(()))()((()))()";
  const size_t pops = 9;
  for (unsigned lost = 0; lost < 1u << pops; ++lost) {
    Writer writer;
    std::vector<int> stack;
    std::vector<int> popped;  // by the program, in this order
    unsigned pop = 0;
    for (const char* call = kCalls; *call != '\0'; ++call) {
      if (*call == '(') {
        stack.push_back(writer.pushes);
        writer.push();
        continue;
      }
      const int number = stack.back();
      stack.pop_back();
      const bool is_lost = (lost >> pop++ & 1) != 0;
      const size_t before = writer.reader.ended.size();
      writer.pop(is_lost);
      popped.push_back(number);
      if (is_lost) continue;
      // Its own range is among those that ended, and all of them were popped before.
      const auto& ended = writer.reader.ended;
      CHECK(std::find(ended.begin() + static_cast<std::ptrdiff_t>(before), ended.end(), number) !=
            ended.end());
      for (size_t i = before; i < ended.size(); ++i)
        CHECK(std::find(popped.begin(), popped.end(), ended[i]) != popped.end());
    }
    // A pop at the outermost level that is recorded leaves nothing open but its own level's debts.
    if ((lost >> (pops - 1) & 1) == 0) CHECK(writer.reader.open.empty());
  }
}

}  // namespace
}  // namespace ringscribe::inject
