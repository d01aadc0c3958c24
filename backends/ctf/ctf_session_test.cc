// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/ctf_session.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "ringscribe/backends/ctf/sink_test_tools.h"

namespace ringscribe::ctf {
namespace {

namespace fs = std::filesystem;

nvtxw::SessionConfig config_of(const std::string& output) {
  nvtxw::SessionConfig config;
  config.name = "s";
  config.output = output;
  return config;
}

TEST_CASE("a session writes to its folder from the beginning") {
  const std::string path = scratch("session");
  auto session = open_ctf_session(config_of(path));
  REQUIRE(session.ok());
  CHECK(fs::is_directory(path));
  CHECK((*session)->domain(0, "").ok());
  CHECK((*session)->end().ok());
  CHECK(fs::exists(path + "/metadata"));
}

TEST_CASE("a session without a name or an output writes to session.ctf") {
  const std::string folder = scratch("cwd");
  REQUIRE(fs::create_directory(folder));
  REQUIRE(chdir(folder.c_str()) == 0);
  auto session = open_ctf_session({});
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK(fs::exists(folder + "/session.ctf/metadata"));
}

TEST_CASE("a trace of an older run is replaced, a folder of somebody else's is not") {
  const std::string old = scratch("old");
  REQUIRE(fs::create_directory(old));
  std::ofstream(old + "/metadata") << Metadata::kBegin;
  std::ofstream(old + "/track_77") << "old";
  auto session = open_ctf_session(config_of(old));
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK_FALSE(fs::exists(old + "/track_77"));
  CHECK(fs::exists(old + "/metadata"));
  const std::string theirs = scratch("theirs");
  REQUIRE(fs::create_directory(theirs));
  std::ofstream(theirs + "/metadata") << "/* CTF 1.8 */\n/* Written by somebody else */";
  session = open_ctf_session(config_of(theirs));
  REQUIRE(session.ok());
  CHECK((*session)->end().ok());
  CHECK(content(theirs + "/metadata").find("somebody else") != std::string::npos);
  CHECK(fs::exists(theirs.substr(0, theirs.size() - 4) + "-2.ctf/metadata"));
}

TEST_CASE("an output that cannot be made is said with its path") {
  const std::string path = scratch("none") + "/such/x.ctf";
  const auto session = open_ctf_session(config_of(path));
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kFailed);
  CHECK(session.status().message().find(path) != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::ctf
