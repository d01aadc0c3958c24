// SPDX-License-Identifier: Apache-2.0
//
// What tests/sqlite cannot see from a finished database: what is there before, and what goes wrong.
#include "ringscribe/backends/sqlite/sqlite_sink.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "ringscribe/backends/sqlite/test_database.h"

namespace ringscribe::sqlite {
namespace {

using model::EventKind;
using model::kNoTrack;
using model::TrackKind;

std::unique_ptr<SqliteSink> open(const std::string& path, const SinkOptions& options = {}) {
  return SqliteSink::create(path, options).value();
}

model::Event range(int64_t begin, int64_t end) {
  model::Event event;
  event.kind = EventKind::kRangePushPop;
  event.track = 0;
  event.begin = begin;
  event.end = end;
  event.synchronised = true;
  event.message = "r";
  return event;
}

const model::Track kTrack = {0, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0};

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// The exit code of `work` in a child.
template <typename Work>
int in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

TEST_CASE("a reader sees what was committed, and the rest at the end") {
  const std::string path = test_path("reader");
  SinkOptions options;
  options.commit_interval_ns = INT64_MAX;
  options.commit_rows_max = 3;
  auto sink = open(path, options);
  REQUIRE(sink->session("s").ok());
  CHECK(query(path, "SELECT name, is_complete FROM sessions") == "s|0");
  REQUIRE(sink->track(kTrack).ok());       // 1 row
  REQUIRE(sink->event(range(0, 5)).ok());  // 2: an event and its name
  CHECK(query(path, "SELECT count(*), sum(duration_ns) FROM ranges") == "1|5");
  REQUIRE(sink->event(range(5, 6)).ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "1");
  REQUIRE(sink->finish().ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "2");
  CHECK(query(path, "SELECT is_complete FROM sessions") == "1");
  CHECK(query(path, "PRAGMA journal_mode") == "delete");
  CHECK_FALSE(exists(path + "-wal"));
  struct stat info = {};
  REQUIRE(stat(path.c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0600);
}

TEST_CASE("a second is the age of what is not committed, and bytes count") {
  const std::string path = test_path("age");
  SinkOptions options;
  options.commit_interval_ns = 0;
  auto sink = open(path, options);
  REQUIRE(sink->track(kTrack).ok());
  REQUIRE(sink->event(range(0, 5)).ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "1");
  const std::string other = test_path("bytes");
  options.commit_interval_ns = INT64_MAX;
  options.commit_bytes_max = 1000;
  auto second = open(other, options);
  REQUIRE(second->track(kTrack).ok());
  const std::string name(1000, 'x');
  model::Event event = range(0, 5);
  event.message = name;
  REQUIRE(second->event(event).ok());
  CHECK(query(other, "SELECT count(*) FROM ranges") == "1");
}

TEST_CASE("what was not announced is refused, and the database goes on") {
  const std::string path = test_path("refused");
  auto sink = open(path);
  CHECK(sink->event(range(0, 1)).message().find("announce it before its use") != std::string::npos);
  CHECK_FALSE(sink->counter_sample({}).ok());
  REQUIRE(sink->track(kTrack).ok());
  CHECK(sink->event(range(0, 1)).ok());
  CHECK(sink->finish().ok());
  CHECK(sink->finish().ok());
  CHECK_FALSE(sink->event(range(0, 1)).ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "1");
  CHECK(query(path, "SELECT count(*) FROM sessions") == "1");
}

TEST_CASE("a path that this process has written is not written again") {
  const std::string path = test_path("twice");
  auto first = open(path);
  auto second = open(path);
  CHECK(first->path() == path);
  CHECK(second->path() == path.substr(0, path.size() - 7) + "-2.sqlite");
  REQUIRE(first->session("1").ok());
  REQUIRE(second->session("2").ok());
  REQUIRE(second->finish().ok());
  CHECK(query(first->path(), "SELECT name FROM sessions") == "1");
  CHECK(query(second->path(), "SELECT name FROM sessions") == "2");
}

TEST_CASE("pipes, devices and folders hold no database, and are left as they are") {
  const std::string pipe = test_path("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0640) == 0);
  struct stat before = {};
  struct stat after = {};
  REQUIRE(stat("/dev/null", &before) == 0);
  for (const std::string& path : {pipe, std::string("/dev/null"), std::string("/tmp")}) {
    const auto sink = SqliteSink::create(path);
    REQUIRE_FALSE(sink.ok());
    CHECK(sink.status().message().find(path) != std::string::npos);
  }
  REQUIRE(stat("/dev/null", &after) == 0);
  CHECK(before.st_mode == after.st_mode);
}

TEST_CASE("links of others are refused, beside the file, too; one of ours is followed") {
  const std::string path = test_path("links");
  const std::string target = test_path("target");
  // A link in the log's place, made by whomever: it is removed, and its target left alone.
  REQUIRE(symlink(target.c_str(), (path + "-wal").c_str()) == 0);
  REQUIRE(open(path)->finish().ok());
  CHECK_FALSE(exists(target));
  const std::string link = test_path("link");
  REQUIRE(symlink(target.c_str(), link.c_str()) == 0);
  {
    auto sink = open(link);
    REQUIRE(sink->session("s").ok());
    CHECK(exists(target + "-wal"));
    REQUIRE(sink->finish().ok());
  }
  CHECK(query(target, "SELECT name FROM sessions") == "s");
  if (geteuid() != 0) return;
  const std::string foreign = test_path("foreign");
  REQUIRE(symlink(target.c_str(), foreign.c_str()) == 0);
  REQUIRE(lchown(foreign.c_str(), 12345, 12345) == 0);
  CHECK_FALSE(SqliteSink::create(foreign).ok());
}

TEST_CASE("a forked child writes nothing, and ends nothing") {
  const std::string path = test_path("fork");
  auto sink = open(path);
  REQUIRE(sink->track(kTrack).ok());
  REQUIRE(sink->event(range(0, 1)).ok());
  CHECK(in_child([&] {
          const Status status = sink->event(range(0, 1));
          if (status.ok() || status.message().find("forked") == std::string::npos) return 1;
          if (sink->finish().ok()) return 2;
          sink.reset();
          return 0;
        }) == 0);
  REQUIRE(sink->event(range(1, 2)).ok());
  REQUIRE(sink->finish().ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "2");
  CHECK(query(path, "PRAGMA integrity_check") == "ok");
}

TEST_CASE("a program that opens and closes the file meanwhile takes no lock away") {
  const std::string path = test_path("locks");
  SinkOptions options;
  options.commit_interval_ns = 0;
  auto sink = open(path, options);
  REQUIRE(sink->track(kTrack).ok());
  REQUIRE(sink->event(range(0, 1)).ok());
  // Closing any descriptor drops a process's locks on the file, but not those of open files.
  close(::open(path.c_str(), O_RDONLY));
  close(::open((path + "-shm").c_str(), O_RDONLY));
  // The last one to close a database removes its log: another process must see that it is not.
  CHECK(in_child([&] {
          execl("/usr/bin/python3", "python3", "-c",
                "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); "
                "n = c.execute('SELECT count(*) FROM ranges').fetchone()[0]; c.close(); "
                "sys.exit(0 if n == 1 else 3)",
                path.c_str(), static_cast<char*>(nullptr));
          return 4;
        }) == 0);
  CHECK(exists(path + "-wal"));
  REQUIRE(sink->event(range(1, 2)).ok());
  REQUIRE(sink->finish().ok());
  CHECK(query(path, "SELECT count(*) FROM ranges") == "2");
}

TEST_CASE("a file that may not grow is told by every later call, and what is there stays whole") {
  const std::string path = test_path("limited");
  CHECK(in_child([&] {
          const rlimit limit = {1 << 20, 1 << 20};
          if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
          SinkOptions options;
          options.commit_rows_max = 1000;
          auto sink = open(path, options);
          if (!sink->session("s").ok() || !sink->track(kTrack).ok()) return 3;
          Status status;
          for (int64_t i = 0; i < 1'000'000 && status.ok(); ++i) {
            status = sink->event(range(i, i + 1));
          }
          if (status.ok() || status.message().find("ulimit -f") == std::string::npos) return 4;
          return sink->event(range(0, 1)).ok() || sink->finish().ok() ? 5 : 0;
        }) == 0);
  CHECK(query(path, "PRAGMA integrity_check") == "ok");
  CHECK(query(path, "SELECT count(*) > 1000, is_complete FROM ranges, sessions") == "1|0");
}

TEST_CASE("a disk that is full is told, and what was committed stays") {
  const std::string folder = test_path("disk");
  REQUIRE(mkdir(folder.c_str(), 0700) == 0);
  const std::string path = folder + "/x.sqlite";
  // In a child with mounts of its own, which end with it. Without the right to mount there is no
  // small disk here; the test above has tried the same but for the errno.
  constexpr int kMayNotMount = 99;
  const int result = in_child([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", "", MS_PRIVATE | MS_REC, nullptr) != 0 ||
        mount("none", folder.c_str(), "tmpfs", 0, "size=2m") != 0) {
      return kMayNotMount;
    }
    SinkOptions options;
    options.commit_rows_max = 1000;
    auto sink = open(path, options);
    if (!sink->track(kTrack).ok()) return 1;
    Status status;
    for (int64_t i = 0; i < 1'000'000 && status.ok(); ++i) status = sink->event(range(i, i + 1));
    if (status.message().find("free some space") == std::string::npos) return 2;
    if (status.message().find(path) == std::string::npos) return 3;
    if (sink->finish().ok()) return 4;
    sink.reset();
    if (query(path, "PRAGMA integrity_check") != "ok") return 5;
    return query(path, "SELECT count(*) > 1000 FROM ranges") == "1" ? 0 : 6;
  });
  if (result == kMayNotMount) {
    WARN("skipped: cannot mount a small file system here");
    return;
  }
  CHECK(result == 0);
}

}  // namespace
}  // namespace ringscribe::sqlite
