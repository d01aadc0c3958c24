// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/file_calls.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>

namespace ringscribe::output {
namespace {

TEST_CASE("a failure names the subject, the errno and what to do") {
  const Status status = failure("cannot create \"/x\"", ENOENT);
  CHECK(status.code() == ResultCode::kFailed);
  CHECK(status.message() ==
        "cannot create \"/x\": No such file or directory (errno 2); create the folder first or "
        "choose another output");
  CHECK(failure("x", EIO).message().find("check the output path") != std::string::npos);
}

TEST_CASE("a number goes before the extension, and a leading dot begins none") {
  CHECK(numbered("run.rsj", 2) == "run-2.rsj");
  CHECK(numbered("/a.b/run", 3) == "/a.b/run-3");
  CHECK(numbered("/a.b/.run", 4) == "/a.b/.run-4");
}

TEST_CASE("a path is written once, however its folder is spelled") {
  const char* base = std::getenv("TEST_TMPDIR");
  const std::string folder = base != nullptr ? base : "/tmp";
  const std::string name = "file_calls_" + std::to_string(getpid());
  WrittenPaths& paths = WrittenPaths::instance();
  CHECK(paths.insert(folder + "/" + name));
  CHECK_FALSE(paths.insert(folder + "/./" + name));
  paths.erase(folder + "//" + name);
  CHECK(paths.insert(folder + "/" + name));
}

TEST_CASE("a write that fails says its errno") {
  const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  int error = 0;
  CHECK(write_without_signal(fd, "x", 1, &error) < 0);
  CHECK(error == ENOSPC);
  close(fd);
}

}  // namespace
}  // namespace ringscribe::output
