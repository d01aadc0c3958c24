// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/chrome_session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

namespace ringscribe::chrome {
namespace {

std::string folder() {
  const char* path = std::getenv("TEST_TMPDIR");
  return std::string(path != nullptr ? path : "/tmp") + "/";
}

bool exists(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0;
}

TEST_CASE("a session writes to its output from the beginning") {
  nvtxw::SessionConfig config;
  config.name = "s";
  config.output = folder() + "session_test_" + std::to_string(getpid()) + ".json";
  auto session = open_chrome_session(config);
  REQUIRE(session.ok());
  CHECK(exists(config.output));
  CHECK_FALSE(exists(config.output + ".part"));
  CHECK((*session)->domain(0, "").ok());
  CHECK((*session)->end().ok());
}

TEST_CASE("a session without a name or an output writes to session.json") {
  REQUIRE(chdir(folder().c_str()) == 0);
  auto session = open_chrome_session({});
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK(exists(folder() + "session.json"));
}

TEST_CASE("an output that cannot be made is said with its path") {
  nvtxw::SessionConfig config;
  config.output = folder() + "no/such/folder/x.json";
  const auto session = open_chrome_session(config);
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kFailed);
  CHECK(session.status().message().find(config.output) != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::chrome
