// SPDX-License-Identifier: Apache-2.0
//
// With RINGSCRIBE_DISABLE the macros compile to nothing: their arguments are not evaluated, and
// nothing is "unused" that was used by them alone.
#define RINGSCRIBE_DISABLE
#include <ringscribe/ringscribe.h>

#include <catch2/catch.hpp>

namespace {

int g_evaluated = 0;

const ringscribe::Stream& stream_for(const ringscribe::Stream& stream) {
  ++g_evaluated;
  return stream;
}

TEST_CASE("with RINGSCRIBE_DISABLE no argument of a macro is evaluated") {
  const ringscribe::Stream stream;
  const ringscribe::Counter counter;
  RINGSCRIBE_RANGE(stream_for(stream), "range", {.color = ringscribe::color::green});
  RINGSCRIBE_MARK(stream_for(stream), "mark");
  RINGSCRIBE_SAMPLE(stream_for(stream), counter, ++g_evaluated);
  CHECK(g_evaluated == 0);
}

constexpr int all_macros_in_a_constant_expression() {
  // A constant expression has no room for a record: this compiles only if nothing is left.
  RINGSCRIBE_MARK(g_evaluated, "mark", {.category = "c"});
  RINGSCRIBE_RANGE(g_evaluated, "range");
  return 7;
}
static_assert(all_macros_in_a_constant_expression() == 7);

}  // namespace
