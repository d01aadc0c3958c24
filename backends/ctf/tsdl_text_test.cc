// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/tsdl_text.h"

#include <catch2/catch.hpp>

namespace ringscribe::ctf {
namespace {

std::string as_text(std::string_view text) {
  std::string out;
  append_text(out, text);
  return out;
}

TEST_CASE("literals have quotes, backslashes and control bytes escaped, the rest as it is") {
  CHECK(quoted("") == "\"\"");
  CHECK(quoted("a\"b\\") == "\"a\\\"b\\\\\"");
  CHECK(quoted("\n1\x7f") == "\"\\0121\\177\"");
  CHECK(quoted("\xE2\x80\xA8\xF0\x9F\x98\x80") == "\"\xE2\x80\xA8\xF0\x9F\x98\x80\"");
  CHECK(quoted("\xff") == "\"\xEF\xBF\xBD\"");
  CHECK(quoted(std::string_view("a\0b", 3)) == "\"a\xE2\x90\x80\x62\"");
}

TEST_CASE("a comment ends where it should") {
  CHECK(comment("a*/b") == " /* \"a* /b\" */");
  CHECK(comment("**//*") == " /* \"** //*\" */");
  CHECK(comment("*") == " /* \"*\" */");
  CHECK(comment("x\n") == " /* \"x\\012\" */");
}

TEST_CASE("strings of events end at their first NUL, so they have none") {
  CHECK(as_text("") == std::string("\0", 1));
  CHECK(as_text(std::string_view("\0a\0\0", 4)) ==
        std::string("\xE2\x90\x80\x61\xE2\x90\x80\xE2\x90\x80\0", 11));
  CHECK(as_text("a\xff") == std::string("a\xEF\xBF\xBD\0", 5));
}

TEST_CASE("a text is not cut inside a character") {
  CHECK(cut_text("abc", 3) == "abc");
  CHECK(cut_text("abcd", 3) == "abc");
  CHECK(cut_text("ab\xC3\xA9", 3) == "ab");
}

TEST_CASE("identifiers are unique and made of letters, digits and underscores") {
  FieldNames names;
  CHECK(names.add("int") == "_int");
  CHECK(names.add("int") == "_int_2");
  CHECK(names.add("int_2") == "_int_2_2");
  CHECK(names.add("9 lives") == "_9_lives");
  CHECK(names.add("gr\xC3\xB6\xC3\x9F"
                  "e") == "_gr__e");
  CHECK(names.add("_x") == "__x");
  CHECK(names.add("") == "_unnamed");
  CHECK(names.add("") == "_unnamed_2");
  CHECK(names.add("\"") == "__");
  CHECK(names.add(std::string_view("\0", 1)) == "___2");
  CHECK(names.add_length("_a") == "__a_length");
  CHECK(names.add("_a_length") == "__a_length_2");
  CHECK(names.add(std::string(70000, 'n')).size() == 128);
  CHECK(names.add(std::string(70000, 'n')).size() == 130);
}

}  // namespace
}  // namespace ringscribe::ctf
