// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/perfetto_session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

namespace ringscribe::perfetto {
namespace {

std::string folder() {
  const char* path = std::getenv("TEST_TMPDIR");
  return std::string(path != nullptr ? path : "/tmp") + "/";
}

bool exists(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0;
}

TEST_CASE("a session writes beside its output and renames at the end") {
  nvtxw::SessionConfig config;
  config.name = "s";
  config.output = folder() + "session_test_" + std::to_string(getpid()) + ".pftrace";
  auto session = open_perfetto_session(config);
  REQUIRE(session.ok());
  CHECK(exists(config.output + ".part"));
  CHECK_FALSE(exists(config.output));
  CHECK((*session)->domain(0, "").ok());
  CHECK((*session)->end().ok());
  session->reset();
  CHECK(exists(config.output));
  CHECK_FALSE(exists(config.output + ".part"));
}

TEST_CASE("a session without a name or an output writes to session.pftrace") {
  REQUIRE(chdir(folder().c_str()) == 0);
  auto session = open_perfetto_session({});
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK(exists(folder() + "session.pftrace"));
}

TEST_CASE("a compression that there is not is refused with what there is") {
  nvtxw::SessionConfig config;
  config.output = folder() + "compression_" + std::to_string(getpid()) + ".pftrace";
  for (const char* value : {"none", "deflate", "deflate:1", "deflate:9"}) {
    config.other = {{"perfetto_compression", value}};
    auto session = open_perfetto_session(config);
    REQUIRE(session.ok());
    CHECK((*session)->end().ok());
  }
  for (const char* value : {"", "zstd", "deflate:", "deflate:0", "deflate:10", "deflate9"}) {
    config.other = {{"perfetto_compression", value}};
    const auto session = open_perfetto_session(config);
    REQUIRE_FALSE(session.ok());
    CHECK(session.status().code() == ResultCode::kInvalidArgument);
    CHECK(session.status().message().find("deflate: with a level") != std::string::npos);
  }
}

TEST_CASE("an output that cannot be made is said with its path") {
  nvtxw::SessionConfig config;
  config.output = folder() + "no/such/folder/x.pftrace";
  const auto session = open_perfetto_session(config);
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kFailed);
  CHECK(session.status().message().find(config.output) != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::perfetto
