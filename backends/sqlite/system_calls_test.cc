// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/system_calls.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>

namespace ringscribe::sqlite {
namespace {

// A folder of this test alone.
std::string folder() {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string name = std::string(base != nullptr ? base : "/tmp") + "/system_calls_XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  return name + "/";
}

void touch(const std::string& path) { std::ofstream(path).close(); }

int error_of_open(const std::string& path, int flags) {
  errno = 0;
  const int fd = open_file(path.c_str(), flags, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0 ? 0 : errno;
}

TEST_CASE("a file that is written is regular and no link") {
  const std::string place = folder();
  const int flags = O_RDWR | O_CREAT;
  CHECK(error_of_open(place + "new-wal", flags) == 0);
  CHECK(error_of_open(place + "new-wal", flags) == 0);
  struct stat info = {};
  REQUIRE(stat((place + "new-wal").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);

  touch(place + "target");
  REQUIRE(symlink((place + "target").c_str(), (place + "link-wal").c_str()) == 0);
  CHECK(error_of_open(place + "link-wal", flags) == ELOOP);
  REQUIRE(link((place + "target").c_str(), (place + "second-shm").c_str()) == 0);
  CHECK(error_of_open(place + "second-shm", flags) == EACCES);
  REQUIRE(mkfifo((place + "pipe").c_str(), 0600) == 0);
  CHECK(error_of_open(place + "pipe", flags) == EACCES);
  // For reading anything goes, such as /dev/urandom.
  CHECK(error_of_open(place + "link-wal", O_RDONLY) == 0);
  CHECK(error_of_open(place + "none", O_RDONLY) == ENOENT);
}

TEST_CASE("a file of another user is refused") {
  if (geteuid() != 0) return;  // only root can make one
  const std::string place = folder();
  touch(place + "x-wal");
  REQUIRE(chown((place + "x-wal").c_str(), 12345, 12345) == 0);
  REQUIRE(chmod((place + "x-wal").c_str(), 0666) == 0);
  CHECK(error_of_open(place + "x-wal", O_RDWR | O_CREAT) == EACCES);
}

TEST_CASE("a lock stays when the same process opens and closes the file elsewhere") {
  const std::string path = folder() + "locked";
  const int fd = open_file(path.c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(fd >= 0);
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_len = 1;
  lock.l_pid = 5;  // as a caller may leave it
  REQUIRE(lock_file(fd, F_SETLK, &lock) == 0);
  close(open(path.c_str(), O_RDONLY));
  const pid_t child = fork();
  if (child == 0) {
    const int other = open(path.c_str(), O_RDWR);
    struct flock theirs = {};
    theirs.l_type = F_WRLCK;
    theirs.l_len = 1;
    const bool is_refused = fcntl(other, F_SETLK, &theirs) != 0 && errno == EAGAIN;
    struct flock question = theirs;
    const bool is_seen = lock_file(other, F_GETLK, &question) == 0 && question.l_type == F_WRLCK;
    _exit(is_refused && is_seen ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK((lock_file(fd, F_GETFD, 0) & FD_CLOEXEC) != 0);
  close(fd);
}

TEST_CASE("a file size limit is an error and no signal") {
  const std::string path = folder() + "limited";
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit = {4096, 4096};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    signal(SIGXFSZ, SIG_DFL);
    const int fd = open_file(path.c_str(), O_RDWR | O_CREAT, 0600);
    if (write_at(fd, "x", 1, 4095) != 1) _exit(3);
    if (write_at(fd, "x", 1, 4096) != -1 || errno != EFBIG) _exit(4);
    lseek(fd, 4096, SEEK_SET);
    if (write_here(fd, "x", 1) != -1 || errno != EFBIG) _exit(5);
    if (set_size(fd, 5000) != -1 || errno != EFBIG) _exit(6);
    if (take_last_error() != EFBIG || take_last_error() != 0) _exit(8);
    sigset_t pending;
    sigpending(&pending);
    _exit(sigismember(&pending, SIGXFSZ) == 1 ? 7 : 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
}

TEST_CASE("leftovers go, and one that cannot is said") {
  const std::string path = folder() + "x.sqlite";
  touch(path);
  touch(path + "-wal");
  touch(path + "-journal");
  CHECK(remove_leftovers(path.c_str()));
  CHECK(access(path.c_str(), F_OK) == 0);
  CHECK(access((path + "-wal").c_str(), F_OK) != 0);
  CHECK(access((path + "-journal").c_str(), F_OK) != 0);
  REQUIRE(mkdir((path + "-shm").c_str(), 0700) == 0);
  CHECK_FALSE(remove_leftovers(path.c_str()));
  CHECK(errno == EISDIR);
}

}  // namespace
}  // namespace ringscribe::sqlite
