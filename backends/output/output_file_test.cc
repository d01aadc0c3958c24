// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>

using ringscribe::Result;
using ringscribe::ResultCode;
using ringscribe::Status;
using ringscribe::output::Finish;
using ringscribe::output::OutputFile;

namespace {

// A folder of this test alone.
std::string folder() {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string name = std::string(base != nullptr ? base : "/tmp") + "/output_file_XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  return name;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string failure_of(const std::string& path, Finish finish) {
  Result<std::unique_ptr<OutputFile>> file = OutputFile::create(path, finish);
  REQUIRE(!file.ok());
  CHECK(file.status().code() == ResultCode::kFailed);
  return file.status().message();
}

// Runs `body` in a child process; returns its wait status.
template <typename Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("a renamed file appears under its name at finish and not before") {
  const std::string path = folder() + "/a.json";
  auto file = OutputFile::create(path, Finish::kRename);
  REQUIRE(file.ok());
  REQUIRE(file.value()->write("hello", 5).ok());
  REQUIRE(file.value()->flush().ok());
  CHECK(!exists(path));
  CHECK(content(path + ".part") == "hello");
  REQUIRE(file.value()->finish().ok());
  CHECK(content(path) == "hello");
  CHECK(!exists(path + ".part"));
  CHECK(file.value()->finish().ok());
  CHECK(!file.value()->write("x", 1).ok());
  CHECK(content(path) == "hello");
}

TEST_CASE("a file in place is written through the buffer in order, at its edges too") {
  const std::string path = folder() + "/a.rsj";
  auto file = OutputFile::create(path, Finish::kInPlace);
  REQUIRE(file.ok());
  const size_t buffer = size_t{256} << 10;
  std::string expected;
  char letter = 'a';
  for (const size_t size : {size_t{0}, size_t{1}, buffer - 1, size_t{1}, buffer, buffer + 1,
                            buffer - 1, size_t{2}, size_t{3}}) {
    const std::string part(size, letter++);
    REQUIRE(file.value()->write(part.data(), part.size()).ok());
    expected += part;
    CHECK(file.value()->bytes_written() == expected.size());
  }
  CHECK(file.value()->bytes_on_disk() < expected.size());
  REQUIRE(file.value()->flush().ok());
  CHECK(file.value()->bytes_on_disk() == expected.size());
  CHECK(content(path) == expected);
}

TEST_CASE("the destructor flushes and does not rename") {
  const std::string path = folder() + "/a.json";
  {
    auto file = OutputFile::create(path, Finish::kRename);
    REQUIRE(file.ok());
    REQUIRE(file.value()->write("half", 4).ok());
  }
  CHECK(!exists(path));
  CHECK(content(path + ".part") == "half");
}

TEST_CASE("an older run's file is replaced") {
  const std::string path = folder() + "/a.rsj";
  std::ofstream(path) << "something long from before";
  auto file = OutputFile::create(path, Finish::kInPlace);
  REQUIRE(file.ok());
  REQUIRE(file.value()->write("new", 3).ok());
  REQUIRE(file.value()->finish().ok());
  CHECK(file.value()->path() == path);
  CHECK(content(path) == "new");
}

TEST_CASE("a path that this process has written is not replaced") {
  const std::string base = folder();
  auto path_of = [](const std::string& path, Finish finish) {
    auto file = OutputFile::create(path, finish);
    REQUIRE(file.ok());
    REQUIRE(file.value()->finish().ok());
    return file.value()->path();
  };
  CHECK(path_of(base + "/a.b.rsj", Finish::kInPlace) == base + "/a.b.rsj");
  CHECK(path_of(base + "/a.b.rsj", Finish::kRename) == base + "/a.b-2.rsj");
  CHECK(path_of(base + "/./a.b.rsj", Finish::kInPlace) == base + "/./a.b-3.rsj");
  CHECK(path_of(base + "/.hidden", Finish::kInPlace) == base + "/.hidden");
  CHECK(path_of(base + "/.hidden", Finish::kInPlace) == base + "/.hidden-2");
}

TEST_CASE("a file that another process is writing is not replaced") {
  const std::string path = folder() + "/a.rsj";
  std::ofstream(path) << "other";
  const int fd = open(path.c_str(), O_RDONLY);
  REQUIRE(flock(fd, LOCK_EX) == 0);
  auto file = OutputFile::create(path, Finish::kInPlace);
  REQUIRE(file.ok());
  CHECK(file.value()->path().substr(file.value()->path().size() - 8) == "/a-2.rsj");
  CHECK(content(path) == "other");
  close(fd);
}

TEST_CASE("a file that cannot be created is a sentence with path, errno text and advice") {
  const std::string base = folder();
  for (const Finish finish : {Finish::kRename, Finish::kInPlace}) {
    CHECK_THAT(failure_of(base + "/no/such/a.rsj", finish),
               Catch::Contains(base + "/no/such/a.rsj") &&
                   Catch::Contains("No such file or directory (errno 2); create the folder"));
    CHECK_THAT(failure_of(base, finish),
               Catch::Contains("\"" + base + "\"") && Catch::Contains("Is a directory"));
    CHECK_THAT(failure_of("/dev/null/a.rsj", finish), Catch::Contains("Not a directory"));
    CHECK_THAT(failure_of("/proc/no_such_entry", finish), Catch::Contains("/proc/no_such_entry"));
    CHECK_THAT(failure_of(base + "/" + std::string(300, 'n'), finish),
               Catch::Contains("shorter output name"));
  }
  CHECK(OutputFile::create("", Finish::kInPlace).status().code() == ResultCode::kInvalidArgument);
}

TEST_CASE("a path that failed can be used once its cause is gone") {
  const std::string base = folder() + "/later";
  failure_of(base + "/a.rsj", Finish::kInPlace);
  REQUIRE(mkdir(base.c_str(), 0755) == 0);
  auto file = OutputFile::create(base + "/a.rsj", Finish::kInPlace);
  REQUIRE(file.ok());
  CHECK(file.value()->path() == base + "/a.rsj");
}

TEST_CASE("a folder without write permission is refused") {
  const std::string base = folder();
  REQUIRE(chmod(base.c_str(), 0555) == 0);
  const int status = status_of_child([&] {
    // Root may write anywhere: be somebody else.
    if (geteuid() == 0 && seteuid(65534) != 0) return 2;
    if (access(base.c_str(), X_OK) != 0 && geteuid() == 0) return 2;
    auto file = OutputFile::create(base + "/a.rsj", Finish::kInPlace);
    if (file.ok()) return 1;
    return file.status().message().find("Permission denied") != std::string::npos ? 0 : 1;
  });
  chmod(base.c_str(), 0755);
  if (WEXITSTATUS(status) == 2) {
    WARN("skipped: cannot become another user here");
    return;
  }
  CHECK(status == 0);
}

TEST_CASE("a file size limit is an error, kills nobody, and what was written stays") {
  const std::string path = folder() + "/a.rsj";
  const int status = status_of_child([&] {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit limit = {1000, 1000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    auto file = OutputFile::create(path, Finish::kInPlace);
    if (!file.ok()) return 3;
    const std::string part(600, 'x');
    if (!file.value()->write(part.data(), part.size()).ok()) return 4;
    if (!file.value()->flush().ok()) return 5;
    if (!file.value()->write(part.data(), part.size()).ok()) return 6;
    const Status full = file.value()->flush();
    if (full.ok() || full.message().find("File too large") == std::string::npos) return 7;
    if (full.message().find(path) == std::string::npos) return 8;
    if (file.value()->bytes_on_disk() != 1000) return 9;
    // The first failure is what every later call says.
    if (file.value()->write("y", 1).message() != full.message()) return 10;
    if (file.value()->finish().message() != full.message()) return 11;
    // Nothing is left pending that would kill us when the application unblocks it.
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGXFSZ) == 1) return 12;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    return sigismember(&mask, SIGXFSZ) == 1 ? 13 : 0;
  });
  CHECK(status == 0);
  CHECK(content(path) == std::string(1000, 'x'));
}

TEST_CASE("a file size limit keeps a renamed file from its final name") {
  const std::string path = folder() + "/a.json";
  const int status = status_of_child([&] {
    const rlimit limit = {10, 10};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    auto file = OutputFile::create(path, Finish::kRename);
    if (!file.ok() || !file.value()->write("0123456789a", 11).ok()) return 3;
    return file.value()->finish().ok() ? 4 : 0;
  });
  CHECK(status == 0);
  CHECK(!exists(path));
  CHECK(content(path + ".part") == "0123456789");
}

TEST_CASE("a full device is an error with the errno text") {
  auto file = OutputFile::create("/dev/full", Finish::kRename);
  if (!file.ok()) {
    WARN("skipped: /dev/full cannot be opened here: " << file.status().message());
    return;
  }
  CHECK(file.value()->path() == "/dev/full");
  REQUIRE(file.value()->write("x", 1).ok());
  const Status full = file.value()->finish();
  CHECK(!full.ok());
  CHECK_THAT(full.message(),
             Catch::Contains("No space left on device") && Catch::Contains("/dev/full"));
}

TEST_CASE("a full disk keeps what fitted") {
  const std::string base = folder();
  if (mount("none", base.c_str(), "tmpfs", 0, "size=64k") != 0) {
    WARN("skipped: cannot mount a small file system here");
    return;
  }
  Status full;
  uint64_t on_disk = 0;
  {
    auto file = OutputFile::create(base + "/a.rsj", Finish::kInPlace);
    const std::string part(10000, 'x');
    for (int i = 0; file.ok() && full.ok() && i < 100; ++i) {
      full = file.value()->write(part.data(), part.size());
      if (full.ok()) full = file.value()->flush();
    }
    if (file.ok()) on_disk = file.value()->bytes_on_disk();
  }
  const size_t size = content(base + "/a.rsj").size();
  umount(base.c_str());
  CHECK_THAT(full.message(), Catch::Contains("No space left on device"));
  CHECK(size == on_disk);
  CHECK(size > 30000);
}

TEST_CASE("a forked child does not write its parent's buffer") {
  const std::string path = folder() + "/a.rsj";
  auto file = OutputFile::create(path, Finish::kInPlace);
  REQUIRE(file.ok());
  REQUIRE(file.value()->write("parent", 6).ok());
  const int status = status_of_child([&] {
    if (file.value()->flush().ok()) return 1;
    return file.value()->finish().message().find("belongs to process") == std::string::npos ? 2 : 0;
  });
  CHECK(status == 0);
  CHECK(content(path).empty());
  REQUIRE(file.value()->finish().ok());
  CHECK(content(path) == "parent");
}

TEST_CASE("a tail stands behind what is on disk after each flush, and once at the end") {
  const std::string path = folder() + "/tailed";
  auto file = OutputFile::create(path, Finish::kInPlace).value();
  file->set_tail("<end>");
  REQUIRE(file->flush().ok());
  CHECK(content(path) == "<end>");
  REQUIRE(file->write("abc", 3).ok());
  CHECK(content(path) == "<end>");
  REQUIRE(file->flush().ok());
  CHECK(content(path) == "abc<end>");
  REQUIRE(file->write("d", 1).ok());
  file->set_tail(".");  // the file gets shorter
  REQUIRE(file->flush().ok());
  CHECK(content(path) == "abcd.");
  const std::string much(1 << 20, 'x');
  REQUIRE(file->write(much.data(), much.size()).ok());
  CHECK(content(path) == "abcd" + much + ".");
  CHECK(file->bytes_on_disk() == 4 + much.size());
  REQUIRE(file->finish().ok());
  CHECK(content(path) == "abcd" + much + ".");
}

TEST_CASE("a file that may not grow keeps the tail that it had") {
  const std::string path = folder() + "/limited";
  const int status = status_of_child([&] {
    auto file = OutputFile::create(path, Finish::kInPlace).value();
    file->set_tail("<end>");
    if (!file->write("first", 5).ok() || !file->flush().ok()) return 1;
    rlimit limit = {100, 100};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    const std::string more(500, 'm');
    if (!file->write(more.data(), more.size()).ok()) return 3;
    if (file->flush().ok()) return 4;
    return file->bytes_on_disk() == 5 ? 0 : 5;
  });
  CHECK(status == 0);
  CHECK(content(path) == "first<end>");
}
