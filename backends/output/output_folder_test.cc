// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/output/output_folder.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ringscribe::output {
namespace {

namespace fs = std::filesystem;

const FolderMark kMark = {"metadata", "mark", {"track_"}};

std::string scratch() {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string name = std::string(base != nullptr ? base : "/tmp") + "/output_folder_XXXXXX";
  REQUIRE(mkdtemp(name.data()) != nullptr);
  return name;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

mode_t mode_of(const std::string& path) {
  struct stat info = {};
  REQUIRE(lstat(path.c_str(), &info) == 0);
  return info.st_mode & 0777;
}

// The path at which a session that is given `path` writes.
std::string taken(const std::string& path) {
  auto folder = OutputFolder::create(path, kMark);
  REQUIRE(folder.ok());
  REQUIRE(folder.value()->append("track_0", 0, "new", 3).ok());
  return folder.value()->path();
}

std::string failure_of(const std::string& path) {
  auto folder = OutputFolder::create(path, kMark);
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.status().code() == ResultCode::kFailed);
  CHECK(folder.status().message().find(path) != std::string::npos);
  return folder.status().message();
}

TEST_CASE("folder and files are this user's alone, and files are appended to and replaced") {
  const std::string path = scratch() + "/a.ctf";
  auto folder = OutputFolder::create(path + "/", kMark);
  REQUIRE(folder.ok());
  OutputFolder& out = *folder.value();
  CHECK(out.path() == path);
  CHECK(mode_of(path) == 0700);
  REQUIRE(out.append("track_0", 0, "ab", 2).ok());
  REQUIRE(out.append("track_0", 2, "cd", 2).ok());
  CHECK(content(path + "/track_0") == "abcd");
  CHECK(mode_of(path + "/track_0") == 0600);
  REQUIRE(out.replace("metadata", "one", 3).ok());
  put(path + "/.metadata", "left by a process that was killed");
  REQUIRE(out.replace("metadata", "two", 3).ok());
  CHECK(content(path + "/metadata") == "two");
  CHECK(mode_of(path + "/metadata") == 0600);
  CHECK_FALSE(fs::exists(path + "/.metadata"));
}

TEST_CASE("an empty folder is used, and one of an older run is emptied first") {
  const std::string base = scratch();
  fs::create_directory(base + "/empty");
  CHECK(taken(base + "/empty") == base + "/empty");
  fs::create_directory(base + "/old");
  put(base + "/old/metadata", "mark and more");
  put(base + "/old/.metadata", "half");
  put(base + "/old/track_7.late.1", "old");
  CHECK(taken(base + "/old") == base + "/old");
  CHECK_FALSE(fs::exists(base + "/old/metadata"));
  CHECK_FALSE(fs::exists(base + "/old/track_7.late.1"));
}

TEST_CASE("what is not ours stays as it is, and another name is taken") {
  const std::string base = scratch();
  for (const char* name : {"a", "b", "c", "d"}) fs::create_directory(base + "/" + name);
  put(base + "/a/letter.txt", "dear");
  put(base + "/b/metadata", "another program's");
  put(base + "/c/metadata", "mark");
  put(base + "/c/letter.txt", "dear");
  put(base + "/d/metadata", "mark");
  fs::create_directory(base + "/d/track_0");
  for (const char* name : {"a", "b", "c", "d"}) {
    const std::string path = base + "/" + name;
    CHECK(taken(path) == path + "-2");
  }
  CHECK(content(base + "/a/letter.txt") == "dear");
  CHECK(content(base + "/b/metadata") == "another program's");
  CHECK(content(base + "/c/metadata") == "mark");
  CHECK(fs::is_directory(base + "/d/track_0"));
}

TEST_CASE("what this process has written, or another one is writing, is not replaced") {
  const std::string path = scratch() + "/a.ctf";
  CHECK(taken(path) == path);
  CHECK(taken(path).ends_with("/a-2.ctf"));
  const std::string other = scratch() + "/b.ctf";
  int to_child[2], to_parent[2];
  REQUIRE(pipe(to_child) == 0);
  REQUIRE(pipe(to_parent) == 0);
  const pid_t child = fork();
  if (child == 0) {
    char byte = 0;
    auto folder = OutputFolder::create(other, kMark);
    const bool told = folder.ok() && write(to_parent[1], "x", 1) == 1;
    _exit(told && read(to_child[0], &byte, 1) == 1 ? 0 : 1);
  }
  char byte = 0;
  REQUIRE(read(to_parent[0], &byte, 1) == 1);
  CHECK(taken(other).ends_with("/b-2.ctf"));
  REQUIRE(write(to_child[1], "x", 1) == 1);
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("what cannot be made is said with its path and why") {
  const std::string base = scratch();
  CHECK(failure_of(base + "/no/such/x").find("errno 2") != std::string::npos);
  put(base + "/file", "text");
  failure_of(base + "/file");
  CHECK(content(base + "/file") == "text");
  fs::create_symlink(base + "/nowhere", base + "/dangling");
  failure_of(base + "/dangling");
  CHECK_FALSE(OutputFolder::create("", kMark).ok());
}

TEST_CASE("a link of our own is followed, somebody else's is not") {
  const std::string base = scratch();
  fs::create_directory(base + "/real");
  fs::create_directory_symlink(base + "/real", base + "/link");
  CHECK(taken(base + "/link") == base + "/link");
  CHECK(content(base + "/real/track_0") == "new");
  if (geteuid() != 0) return;
  fs::create_directory_symlink(base + "/real", base + "/theirs");
  REQUIRE(lchown((base + "/theirs").c_str(), 12345, 12345) == 0);
  // Root's own link is trusted; for this user the owner of the link is somebody else.
  CHECK(failure_of(base + "/theirs").find("link") != std::string::npos);
}

TEST_CASE("a file that was made a link meanwhile is not followed") {
  const std::string path = scratch() + "/a.ctf";
  auto folder = OutputFolder::create(path, kMark);
  REQUIRE(folder.ok());
  put(path + "/../victim", "whole");
  fs::create_symlink("../victim", path + "/track_0");
  CHECK_FALSE(folder.value()->append("track_0", 0, "bad", 3).ok());
  CHECK(content(path + "/../victim") == "whole");
}

TEST_CASE("after a write that failed the file ends as before, and the failure stays") {
  const std::string path = scratch() + "/a.ctf";
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{100, 100};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    auto folder = OutputFolder::create(path, kMark);
    if (!folder.ok()) _exit(3);
    const std::string bytes(80, 'x');
    if (!folder.value()->append("track_0", 0, bytes.data(), 80).ok()) _exit(4);
    const Status status = folder.value()->append("track_0", 80, bytes.data(), 80);
    if (status.message().find("/track_0\" after 80 bytes") == std::string::npos) _exit(5);
    const Status later = folder.value()->replace("metadata", "x", 1);
    _exit(later.message() == status.message() ? 0 : 6);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(content(path + "/track_0") == std::string(80, 'x'));
}

TEST_CASE("a forked child writes nothing") {
  const std::string path = scratch() + "/a.ctf";
  auto folder = OutputFolder::create(path, kMark);
  REQUIRE(folder.ok());
  const pid_t child = fork();
  if (child == 0) {
    const Status status = folder.value()->append("track_0", 0, "x", 1);
    _exit(status.message().find("forked") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK_FALSE(fs::exists(path + "/track_0"));
}

}  // namespace
}  // namespace ringscribe::output
