// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interner.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringscribe::perfetto {
namespace {

std::string drained(Interner& interner) {
  std::string text;
  interner.drain([&](uint64_t id, std::string_view name) {
    text += std::to_string(id) + "=" + std::string(name) + " ";
  });
  return text;
}

TEST_CASE("texts are numbered from 1 and defined once, in order") {
  Interner interner;
  CHECK(drained(interner).empty());
  CHECK(interner.id("a") == 1);
  CHECK(interner.id("") == 2);
  CHECK(interner.id("a") == 1);
  CHECK(interner.has_fresh());
  CHECK(drained(interner) == "1=a 2= ");
  CHECK_FALSE(interner.has_fresh());
  CHECK(interner.id("a") == 1);
  CHECK(interner.id("b") == 3);
  CHECK(drained(interner) == "3=b ");
}

TEST_CASE("a text is copied and may hold a NUL") {
  Interner interner;
  std::string text("x\0y", 3);
  CHECK(interner.id(text) == 1);
  text[0] = 'z';
  CHECK(interner.id(std::string_view("x\0y", 3)) == 1);
  CHECK(interner.id("x") == 2);
}

TEST_CASE("definitions outlive the growth of the table") {
  Interner interner;
  for (int i = 0; i < 5000; ++i) interner.id("name " + std::to_string(i));
  int wrong = 0;
  int next = 0;
  interner.drain([&](uint64_t id, std::string_view name) {
    wrong += name != "name " + std::to_string(next) || id != static_cast<uint64_t>(next) + 1;
    ++next;
  });
  CHECK(next == 5000);
  CHECK(wrong == 0);
}

TEST_CASE("the table is full at either bound and empty after clear") {
  Interner interner;
  interner.id("12345");
  CHECK_FALSE(interner.full(2, 6));
  CHECK(interner.full(1, 6));
  CHECK(interner.full(2, 5));
  interner.clear();
  CHECK_FALSE(interner.full(1, 1));
  CHECK_FALSE(interner.has_fresh());
  CHECK(interner.id("b") == 1);
}

}  // namespace
}  // namespace ringscribe::perfetto
