// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/class_table.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

TEST_CASE("each form that is used is declared once, under a number of its own") {
  const std::string path = scratch("classes");
  auto folder = open_folder(path);
  Metadata metadata("s");
  ClassTable classes(metadata);
  const uint32_t push = classes.add({"push", "crossing_push", "text _message;\n", ""});
  const uint32_t unused = classes.add({"unused", "unused", "", ""});
  CHECK(push != unused);
  const uint32_t plain = classes.id(push, 0);
  const uint32_t pair = classes.id(push, kPair);
  const uint32_t both = classes.id(push, kPair | kExactTime);
  CHECK(plain != pair);
  CHECK(pair != both);
  CHECK(classes.id(push, 0) == plain);
  CHECK(classes.id(push, kPair) == pair);
  REQUIRE(metadata.flush(*folder).ok());
  const std::string text = content(path + "/metadata");
  CHECK(text.find("unused") == std::string::npos);
  CHECK(text.find("name = \"push\";") != std::string::npos);
  CHECK(text.find("struct {\nu64 _pair;\ntext _message;\n};") != std::string::npos);
  CHECK(text.find("struct {\ni64 _exact_time;\nu64 _pair;\ntext _message;\n};") !=
        std::string::npos);
  CHECK_FALSE(classes.is_full());
}

TEST_CASE("names behind the front are not those in it") {
  FieldNames names = names_behind_front();
  CHECK(names.add("pair") == "_pair_2");
  CHECK(names.add("exact_time") == "_exact_time_2");
}

TEST_CASE("there is an end to the number of classes") {
  Metadata metadata("s");
  ClassTable classes(metadata);
  int count = 0;
  for (; !classes.is_full() && count < 1'000'000; ++count) classes.add({"n", "n", "", ""});
  CHECK(count == 50'000);
}

}  // namespace
}  // namespace ringscribe::ctf
