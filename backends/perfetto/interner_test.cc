// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/interner.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringscribe::perfetto {
namespace {

TEST_CASE("texts are numbered from 1, in order, once each") {
  Interner interner;
  CHECK(interner.size() == 0);
  CHECK(interner.id("a") == 1);
  CHECK(interner.id("") == 2);
  CHECK(interner.id("a") == 1);
  CHECK(interner.id("b") == 3);
  CHECK(interner.size() == 3);
  CHECK(interner.text(1) == "a");
  CHECK(interner.text(2).empty());
}

TEST_CASE("a text is copied and may hold a NUL") {
  Interner interner;
  std::string text("x\0y", 3);
  CHECK(interner.id(text) == 1);
  text[0] = 'z';
  CHECK(interner.id(std::string_view("x\0y", 3)) == 1);
  CHECK(interner.id("x") == 2);
}

TEST_CASE("texts outlive the growth of the table") {
  Interner interner;
  for (int i = 0; i < 5000; ++i) interner.id("name " + std::to_string(i));
  int wrong = 0;
  for (int i = 0; i < 5000; ++i) {
    wrong += interner.text(static_cast<uint32_t>(i) + 1) != "name " + std::to_string(i);
  }
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
  CHECK(interner.size() == 0);
  CHECK(interner.id("b") == 1);
}

}  // namespace
}  // namespace ringscribe::perfetto
