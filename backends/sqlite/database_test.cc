// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/database.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace ringscribe::sqlite {
namespace {

std::string empty_file(const std::string& name) {
  const char* base = std::getenv("TEST_TMPDIR");
  std::string folder = std::string(base != nullptr ? base : "/tmp") + "/database_XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/" + name;
  std::ofstream(path).close();
  REQUIRE(chmod(path.c_str(), 0600) == 0);
  return path;
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

int64_t ask(Database& database, const char* sql) {
  Statement statement;
  int64_t value = -1;
  REQUIRE(database.prepare(sql, statement).ok());
  REQUIRE(statement.run_for_integer(&value).ok());
  return value;
}

TEST_CASE("one file is left, whatever its name") {
  for (const char* name : {"plain", "with space",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "a?mode=ro", "%20%s#x", "file:x"}) {
    const std::string path = empty_file(name);
    auto database = Database::open(path);
    REQUIRE(database.status().message().empty());
    REQUIRE((*database)->execute("CREATE TABLE t(a); INSERT INTO t VALUES(1)").ok());
    struct stat info = {};
    REQUIRE(stat((path + "-wal").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
    REQUIRE(stat((path + "-shm").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
    CHECK((*database)->close().ok());
    CHECK((*database)->close().ok());
    CHECK_FALSE(exists(path + "-wal"));
    CHECK_FALSE(exists(path + "-shm"));
    REQUIRE(stat(path.c_str(), &info) == 0);
    CHECK(info.st_size == 8192);
  }
}

TEST_CASE("values come back as they were bound") {
  auto opened = Database::open(empty_file("values"));
  REQUIRE(opened.ok());
  Database& database = **opened;
  REQUIRE(database.execute("CREATE TABLE t(a)").ok());
  {
    Statement insert;
    REQUIRE(database.prepare("INSERT INTO t VALUES(?)", insert).ok());
    const auto add = [&](auto value) {
      insert.bind(1, value);
      REQUIRE(insert.run().ok());
    };
    add(INT64_MIN);
    add(std::nan(""));
    add(std::string_view());
    add(std::string_view("a\0b", 3));
    add(std::string_view("\xff"));
    insert.bind_unsigned(1, UINT64_MAX);
    REQUIRE(insert.run().ok());
    insert.bind_unsigned(1, INT64_MAX);
    REQUIRE(insert.run().ok());
  }
  CHECK(ask(database, "SELECT a = -9223372036854775807 - 1 FROM t WHERE rowid = 1") == 1);
  CHECK(ask(database, "SELECT a IS NULL FROM t WHERE rowid = 2") == 1);
  CHECK(ask(database, "SELECT a = '' FROM t WHERE rowid = 3") == 1);
  CHECK(ask(database, "SELECT hex(a) = '610062' FROM t WHERE rowid = 4") == 1);
  CHECK(ask(database, "SELECT hex(a) = 'EFBFBD' FROM t WHERE rowid = 5") == 1);
  CHECK(ask(database, "SELECT a = '18446744073709551615' FROM t WHERE rowid = 6") == 1);
  CHECK(ask(database, "SELECT a = 9223372036854775807 FROM t WHERE rowid = 7") == 1);
}

TEST_CASE("a row that cannot be is refused, and the next one goes in") {
  auto opened = Database::open(empty_file("refused"));
  REQUIRE(opened.ok());
  Database& database = **opened;
  REQUIRE(database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)").ok());
  {
    Statement insert;
    REQUIRE(database.prepare("INSERT INTO t VALUES(?)", insert).ok());
    insert.bind(1, int64_t{1});
    REQUIRE(insert.run().ok());
    CHECK_FALSE(insert.run().ok());
    CHECK(database.can_go_on());
    insert.bind(1, int64_t{2});
    CHECK(insert.run().ok());
    insert.bind(9, int64_t{2});  // there is no such parameter
    CHECK_FALSE(insert.run().ok());
    CHECK(database.can_go_on());
  }
  CHECK(ask(database, "SELECT count(*) FROM t") == 2);
  const Status status = database.execute("no sql");
  CHECK(status.message().find(database.path()) != std::string::npos);
  CHECK_FALSE(database.can_go_on());
  Statement none;
  int64_t value = 0;
  REQUIRE(database.prepare("SELECT a FROM t WHERE a > 5", none).ok());
  CHECK_FALSE(none.run_for_integer(&value).ok());
}

TEST_CASE("what is rolled back is not there, what is committed is") {
  auto opened = Database::open(empty_file("rolled"));
  REQUIRE(opened.ok());
  Database& database = **opened;
  REQUIRE(database.execute("CREATE TABLE t(a)").ok());
  REQUIRE(database.begin().ok());
  REQUIRE(database.begin().ok());
  REQUIRE(database.execute("INSERT INTO t VALUES(1)").ok());
  REQUIRE(database.commit().ok());
  REQUIRE(database.commit().ok());
  REQUIRE(database.begin().ok());
  REQUIRE(database.execute("INSERT INTO t VALUES(2)").ok());
  database.roll_back();
  database.roll_back();
  CHECK(ask(database, "SELECT sum(a) FROM t") == 1);
}

TEST_CASE("an older run's log beside the file is not taken for this one's") {
  const std::string path = empty_file("left");
  std::ofstream(path + "-wal") << "not a log";
  std::ofstream(path + "-journal") << "not a journal";
  auto database = Database::open(path);
  REQUIRE(database.ok());
  CHECK_FALSE(exists(path + "-journal"));
  CHECK(ask(**database, "SELECT count(*) FROM sqlite_master") == 0);
}

TEST_CASE("what cannot be opened is said with its path") {
  const std::string path = empty_file("x");
  REQUIRE(mkdir((path + "-wal").c_str(), 0700) == 0);
  for (const std::string& wrong : {path + "/none", path}) {
    const auto database = Database::open(wrong);
    REQUIRE_FALSE(database.ok());
    CHECK(database.status().message().find(wrong) != std::string::npos);
  }
}

}  // namespace
}  // namespace ringscribe::sqlite
