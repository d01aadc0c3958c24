// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/json_text.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace ringscribe::chrome {
namespace {

std::string real_text(double value) {
  JsonText json;
  json.real(value);
  return std::string(json.bytes());
}

template <typename Integer>
std::string integer_text(Integer value) {
  JsonText json;
  json.integer(value);
  return std::string(json.bytes());
}

TEST_CASE("what JSON has no room for in a string is escaped") {
  CHECK(quoted("") == R"("")");
  CHECK(quoted(std::string_view()) == R"("")");
  CHECK(quoted("operator\"\"_kg C:\\tmp") == R"("operator\"\"_kg C:\\tmp")");
  CHECK(quoted(std::string_view("a\0b\x01\x1f\n\x7f", 7)) == "\"a\\u0000b\\u0001\\u001F\\n\x7f\"");
  CHECK(quoted("h\u00e9 \U0001F600") == "\"h\u00e9 \U0001F600\"");
}

TEST_CASE("a text that ends lines in JavaScript is written in ASCII") {
  CHECK(quoted("a\u2028b\u2029\u00e9\U0001F600") == R"("a\u2028b\u2029\u00E9\uD83D\uDE00")");
  CHECK(quoted("\u2027\u202A") == "\"\u2027\u202A\"");
  CHECK(quoted("\u2028\"\\") == R"("\u2028\"\\")");
}

TEST_CASE("bytes that are no text become U+FFFD") {
  CHECK(quoted("\xff\xfe") == "\"\uFFFD\uFFFD\"");
  CHECK(quoted("\xE2\x80") == "\"\uFFFD\"");
}

TEST_CASE("a long text is whole") {
  CHECK(quoted(std::string(65537, '"')).size() == 2 * 65537 + 2);
}

TEST_CASE("an integer that a double does not hold becomes a string") {
  CHECK(integer_text(int64_t{1} << 53) == "9007199254740992");
  CHECK(integer_text((int64_t{1} << 53) + 1) == "\"9007199254740993\"");
  CHECK(integer_text(-(int64_t{1} << 53)) == "-9007199254740992");
  CHECK(integer_text(INT64_MIN) == "\"-9223372036854775808\"");
  CHECK(integer_text(UINT64_MAX) == "\"18446744073709551615\"");
  CHECK(integer_text(uint64_t{0}) == "0");
}

TEST_CASE("a double is the shortest text that gives it back, and no integer") {
  CHECK(real_text(1) == "1.0");
  CHECK(real_text(-0.0) == "-0.0");
  CHECK(real_text(0.1) == "0.1");
  CHECK(real_text(5e-324) == "5e-324");
  CHECK(real_text(1e308) == "1e+308");
  CHECK(real_text(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
  CHECK(real_text(-std::numeric_limits<double>::denorm_min()) == "-5e-324");
  CHECK(real_text(123456789012345680.0) == "123456789012345680.0");
}

TEST_CASE("what is no number becomes a string") {
  CHECK(real_text(std::nan("")) == R"("NaN")");
  CHECK(real_text(std::numeric_limits<double>::infinity()) == R"("Infinity")");
  CHECK(real_text(-std::numeric_limits<double>::infinity()) == R"("-Infinity")");
}

TEST_CASE("objects and arrays nest, and a new value may follow") {
  JsonText json;
  for (int round = 0; round < 2; ++round) {
    json.clear();
    json.open_object();
    json.key("a\"");
    json.open_array();
    json.null();
    json.yes();
    json.open_object();
    json.close_object();
    json.close_array();
    json.quoted(chrome::quoted("b"));
    json.whole_number(INT64_MAX);
    json.close_object();
    CHECK(json.bytes() == R"({"a\"":[null,true,{}],"b":9223372036854775807})");
  }
}

}  // namespace
}  // namespace ringscribe::chrome
