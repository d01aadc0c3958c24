// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_path.h"

#include <unistd.h>

#include <catch2/catch.hpp>

using ringscribe::output::output_path;

TEST_CASE("an empty pattern gives the session's name and the extension") {
  CHECK(output_path("", "matching engine", ".rsj") == "matching engine.rsj");
  CHECK(output_path("", "", ".rsj") == "session.rsj");
}

TEST_CASE("a session name never leads out of the current folder and never hides its file") {
  CHECK(output_path("", "../../etc/passwd", ".rsj") == "_._.._etc_passwd.rsj");
  CHECK(output_path("", "/abs", ".rsj") == "_abs.rsj");
  CHECK(output_path("", ".", ".rsj") == "_.rsj");
  CHECK(output_path("", std::string_view("a\0b\n%p", 6), ".rsj") == "a_b__p.rsj");
  CHECK(output_path("", "größe-1_2.x", ".rsj") == "größe-1_2.x.rsj");
}

TEST_CASE("a long session name is cut to 200 bytes and not inside a UTF-8 character") {
  CHECK(output_path("", std::string(200, 'a'), "") == std::string(200, 'a'));
  CHECK(output_path("", std::string(201, 'a'), "") == std::string(200, 'a'));
  CHECK(output_path("", std::string(199, 'a') + "ö", "") == std::string(199, 'a'));
  CHECK(output_path("", std::string(198, 'a') + "öb", "") == std::string(198, 'a') + "ö");
  // Not UTF-8 at all: cut where it must be.
  CHECK(output_path("", std::string(300, '\x80'), "").size() == 200);
}

TEST_CASE("the patterns of a path are replaced") {
  CHECK(output_path("out/run-%p.x", "name", ".rsj") ==
        "out/run-" + std::to_string(getpid()) + ".x");
  CHECK(output_path("100%%", "name", ".rsj") == "100%");
  CHECK(output_path("%%p", "name", ".rsj") == "%p");
  const std::string time = output_path("%t", "name", ".rsj");
  REQUIRE(time.size() == 16);
  CHECK(time[8] == 'T');
  CHECK(time[15] == 'Z');
  CHECK(time.find_first_not_of("0123456789TZ") == std::string::npos);
}

TEST_CASE("a host name in a path is a plain file name") {
  const std::string host = output_path("%h", "name", ".rsj");
  CHECK(!host.empty());
  CHECK(host.find('/') == std::string::npos);
  CHECK(host.front() != '.');
}

TEST_CASE("a percent sign that begins no pattern stands for itself") {
  CHECK(output_path("50%", "name", ".rsj") == "50%");
  CHECK(output_path("%x%", "name", ".rsj") == "%x%");
}
