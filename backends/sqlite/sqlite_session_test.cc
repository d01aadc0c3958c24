// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/sqlite_session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

namespace ringscribe::sqlite {
namespace {

std::string folder() {
  const char* path = std::getenv("TEST_TMPDIR");
  return std::string(path != nullptr ? path : "/tmp") + "/";
}

bool exists(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0;
}

TEST_CASE("a session writes to its output from the beginning, and leaves one file") {
  nvtxw::SessionConfig config;
  config.name = "s";
  config.output = folder() + "session_test_%p.sqlite";
  auto session = open_sqlite_session(config);
  REQUIRE(session.ok());
  const std::string path = folder() + "session_test_" + std::to_string(getpid()) + ".sqlite";
  CHECK(exists(path));
  CHECK(exists(path + "-wal"));
  CHECK((*session)->domain(0, "").ok());
  CHECK((*session)->end().ok());
  session->reset();
  CHECK(exists(path));
  CHECK_FALSE(exists(path + "-wal"));
  CHECK_FALSE(exists(path + "-shm"));
}

TEST_CASE("a session without a name or an output writes to session.sqlite") {
  REQUIRE(chdir(folder().c_str()) == 0);
  auto session = open_sqlite_session({});
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK(exists(folder() + "session.sqlite"));
}

TEST_CASE("indexes are made or not, and anything else is refused") {
  nvtxw::SessionConfig config;
  config.output = folder() + "indexes_" + std::to_string(getpid()) + ".sqlite";
  for (const char* value : {"end", "none"}) {
    config.other = {{std::string(kIndexesKey), value}};
    auto session = open_sqlite_session(config);
    REQUIRE(session.ok());
    CHECK((*session)->end().ok());
  }
  for (const char* value : {"", "END", "start"}) {
    config.other = {{std::string(kIndexesKey), value}};
    const auto session = open_sqlite_session(config);
    REQUIRE_FALSE(session.ok());
    CHECK(session.status().code() == ResultCode::kInvalidArgument);
    CHECK(session.status().message().find("write end or none") != std::string::npos);
  }
}

TEST_CASE("a path that is too long for SQLite is refused with it") {
  nvtxw::SessionConfig config;
  config.output = folder() + "long_" + std::to_string(getpid());
  REQUIRE(mkdir(config.output.c_str(), 0700) == 0);
  for (int i = 0; i < 6; ++i) {
    config.output += "/" + std::string(100, 'x');
    REQUIRE(mkdir(config.output.c_str(), 0700) == 0);
  }
  config.output += "/x.sqlite";
  const auto session = open_sqlite_session(config);
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().message().find(config.output) != std::string::npos);
}

TEST_CASE("an output that cannot be made is said with its path") {
  nvtxw::SessionConfig config;
  config.output = folder() + "no/such/folder/x.sqlite";
  const auto session = open_sqlite_session(config);
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kFailed);
  CHECK(session.status().message().find(config.output) != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::sqlite
