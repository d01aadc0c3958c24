// SPDX-License-Identifier: Apache-2.0
//
// Outputs that cannot be written, seen from the application: one sentence with path and reason, and
// what was recorded before is kept.
#include <ringscribe/ringscribe.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/null/null_session.h"
#include "ringscribe/runtime/runtime.h"

namespace {

namespace fs = std::filesystem;
namespace rs = ringscribe;

std::string scratch(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const fs::path path = fs::path(folder != nullptr ? folder : "/tmp") / name;
  fs::remove_all(path);
  return path;
}

TEST_CASE("an output folder that does not exist is an error with path and reason") {
  for (const char* format : {"perfetto", "journal", "chrome", "ctf", "sqlite"}) {
    auto session = rs::Session::begin("x", {.backend = format, .output = "/nowhere/at/all/x"});
    REQUIRE_FALSE(session.ok());
    CHECK(session.status().code() == rs::ResultCode::kFailed);
    CHECK(session.status().message().find("/nowhere/at/all/x") != std::string::npos);
  }
}

TEST_CASE("a folder in the file's place is an error") {
  const std::string folder = scratch("a_folder");
  fs::create_directory(folder);
  CHECK_FALSE(rs::Session::begin("x", {.backend = "journal", .output = folder}).ok());
}

TEST_CASE("a format that does not exist is an error that names it") {
  auto session = rs::Session::begin("x", {.backend = "perfeto"});
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == rs::ResultCode::kInvalidArgument);
  CHECK(session.status().message().find("perfeto") != std::string::npos);
}

// In a child, since the limit stays: exit code 0 if all was as it should be.
int record_into_a_limited_file(const std::string& path) {
  rlimit limit{256 * 1024, 256 * 1024};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  rs::runtime::Settings settings;
  settings.overflow = rs::runtime::Overflow::kBlock;
  rs::runtime::Runtime runtime(settings, rs::runtime::Runtime::Drive::kThread);
  auto session = rs::Session::begin("x", {.backend = "journal", .output = path});
  if (!session.ok()) return 3;
  const rs::Stream stream = session->create_stream("s");
  for (int64_t i = 0; i < 100'000; ++i) stream.write_mark(i, {.message = "filler"});
  const rs::Status status = session->flush();
  if (status.ok()) return 4;
  if (status.code() != rs::ResultCode::kFailed) return 5;
  // The application goes on; nothing is written, everything is counted.
  stream.write_mark(1);
  (void)session->end().ok();
  const rs::Counts counts = session->stats();
  if (counts.recorded + counts.lost() != 100'001) return 6;
  if (counts.lost(rs::LossCause::kRejected) == 0) return 7;
  return 0;
}

TEST_CASE("a file that may not grow is told by flush(), kills nobody, and keeps what it had") {
  const std::string path = scratch("limited.rsj");
  const pid_t child = fork();
  if (child == 0) ::_exit(record_into_a_limited_file(path));
  int result = -1;
  REQUIRE(waitpid(child, &result, 0) == child);
  REQUIRE(WIFEXITED(result));
  CHECK(WEXITSTATUS(result) == 0);
  CHECK(fs::file_size(path) <= 256 * 1024);
  rs::nvtxw::SessionConfig config;
  config.name = "count";
  auto target = rs::null::open_null_session(config);
  REQUIRE(target.ok());
  auto summary = rs::journal::replay(path, **target);
  REQUIRE(summary.ok());
  CHECK(summary->frames > 3);
  CHECK_FALSE(summary->finished);
}

}  // namespace
