// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/config_string.h"

#include <catch2/catch.hpp>

namespace ringscribe::nvtxw {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

SessionConfig parse(std::string_view text) { return parse_session_config("s", text); }

TEST_CASE("an empty configuration has the default format and nothing else") {
  const SessionConfig config = parse("");
  CHECK(config.name == "s");
  CHECK(config.format.empty());
  CHECK(config.output.empty());
  CHECK(config.other.empty());
}

TEST_CASE("entries are split at newline, carriage return and pipe") {
  const SessionConfig config = parse("format=journal\noutput=a b.rsj\r\nx=1|y=2");
  CHECK(config.format == "journal");
  CHECK(config.output == "a b.rsj");
  CHECK(config.other == Entries{{"x", "1"}, {"y", "2"}});
}

TEST_CASE("blanks around keys and values are trimmed, those inside stay") {
  CHECK(parse(" \t x \v = a  b \t|").other == Entries{{"x", "a  b"}});
}

TEST_CASE("a comment reaches to the next delimiter only") {
  CHECK(parse("# x=1|y=2\n  #z=3|w=4").other == Entries{{"y", "2"}, {"w", "4"}});
  CHECK(parse("x=1 # no comment").other == Entries{{"x", "1 # no comment"}});
}

TEST_CASE("the first of two equal keys counts, also for format") {
  const SessionConfig config = parse("x=1|x=2|format=null|format=journal");
  CHECK(config.other == Entries{{"x", "1"}});
  CHECK(config.format == "null");
}

TEST_CASE("an entry without value does not hide a later one that has it") {
  CHECK(parse("x=|x=  |x=3").other == Entries{{"x", "3"}});
}

TEST_CASE("entries without equals sign or key are skipped") {
  const SessionConfig config = parse("alone|=v|  =v| | ||");
  CHECK(config.other.empty());
  CHECK(config.not_entries == std::vector<std::string>{"alone"});
}

TEST_CASE("only the first equals sign separates") {
  CHECK(parse("x=a=b=").other == Entries{{"x", "a=b="}});
}

TEST_CASE("what append_config accepts comes back from the parser") {
  std::string text;
  REQUIRE(append_config(&text, "output", "a=b #c.rsj").ok());
  REQUIRE(append_config(&text, "x", "1").ok());
  CHECK(text == "output=a=b #c.rsj\nx=1");
  CHECK(parse(text).output == "a=b #c.rsj");
}

TEST_CASE("append_config refuses what would not come back and leaves the string alone") {
  const std::string nul("a\0b", 3);
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "v"},   {"k", ""},   {"k", "a|b"}, {"k", "a\nb"}, {"k", "a\rb"}, {"k", " a"},
      {"k", "a "}, {"k ", "a"}, {"a=b", "v"}, {"#k", "v"},   {"a|b", "v"},  {"k", nul}};
  for (const auto& [key, value] : bad) {
    std::string text = "x=1";
    const Status status = append_config(&text, key, value);
    INFO(key << "=" << value);
    CHECK(status.code() == ResultCode::kInvalidArgument);
    CHECK(status.message().find("'" + key + "'") != std::string::npos);
    CHECK(text == "x=1");
  }
}

}  // namespace
}  // namespace ringscribe::nvtxw
