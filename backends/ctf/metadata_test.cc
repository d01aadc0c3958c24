// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/metadata.h"

#include <catch2/catch.hpp>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

TEST_CASE("the file is there from the first flush, and begins as CTF asks") {
  const std::string path = scratch("metadata");
  auto folder = open_folder(path);
  Metadata metadata("a \"session\"");
  REQUIRE(metadata.flush(*folder).ok());
  const std::string text = content(path + "/metadata");
  CHECK(text.find("/* CTF 1.8 */\n") == 0);
  CHECK(text.find("trace_name = \"a \\\"session\\\"\";") != std::string::npos);
  CHECK(text.find("offset_s = -1152921505;\n  offset = 393153024;") != std::string::npos);
  CHECK(text.find("absolute") == std::string::npos);
  CHECK(Metadata("").uuid() != metadata.uuid());
}

TEST_CASE("no declaration lies across the end of a page, however the writes are") {
  const std::string path = scratch("metadata");
  auto folder = open_folder(path);
  Metadata metadata("s");
  uint32_t declared = 0;
  REQUIRE(metadata.flush(*folder).ok());
  const size_t begin = content(path + "/metadata").size();
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < round; ++i) {
      const std::string fields(static_cast<size_t>(round * 7 + i), ' ');
      CHECK(metadata.declare("e" + std::to_string(declared), fields, "") == declared);
      ++declared;
    }
    REQUIRE(metadata.flush(*folder).ok());
  }
  const std::string text = content(path + "/metadata");
  uint32_t found = 0;
  for (size_t at = begin; (at = text.find("event {\n", at)) != std::string::npos; ++found) {
    const size_t end = text.find("};\n};\n", at) + 6;
    CHECK(at / kPageBytes == (end - 1) / kPageBytes);
    CHECK(text.find("name = \"e" + std::to_string(found) + "\";", at) < end);
    at = end;
  }
  CHECK(found == declared);
}

TEST_CASE("a declaration that is longer than a page makes the file anew, and all is in it once") {
  const std::string path = scratch("metadata");
  auto folder = open_folder(path);
  Metadata metadata("s");
  metadata.declare("first", "", "");
  REQUIRE(metadata.flush(*folder).ok());
  metadata.declare("second", "", "");
  metadata.declare(std::string(70000, 'n'), "", "");
  REQUIRE(metadata.flush(*folder).ok());
  metadata.declare("fourth", "", "");
  REQUIRE(metadata.flush(*folder).ok());
  const std::string text = content(path + "/metadata");
  for (const char* name : {"\"first\"", "\"second\"", "\"nnn", "\"fourth\""}) {
    const size_t at = text.find(name);
    REQUIRE(at != std::string::npos);
    CHECK(text.find(name, at + 1) == std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(path + "/.metadata"));
}

TEST_CASE("a clock that is known later is in the file, with what was declared before") {
  const std::string path = scratch("metadata");
  auto folder = open_folder(path);
  Metadata metadata("s");
  metadata.declare("first", "", "");
  REQUIRE(metadata.flush(*folder).ok());
  TraceClock clock;
  REQUIRE(clock.see(1000, 1000 + (int64_t{1} << 60) + 5));
  metadata.set_clock(clock);
  REQUIRE(metadata.flush(*folder).ok());
  const std::string text = content(path + "/metadata");
  CHECK(text.find("offset_s = 0;\n  offset = 5;\n  absolute = true;") != std::string::npos);
  CHECK(text.find("\"first\"") != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::ctf
