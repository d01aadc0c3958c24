// SPDX-License-Identifier: Apache-2.0
//
// The SQL itself; what views say of events is asked in tests/sqlite.
#include "ringscribe/backends/sqlite/schema.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

#include "ringscribe/backends/sqlite/database.h"

namespace ringscribe::sqlite {
namespace {

TEST_CASE("the schema and its indexes can be made, and the numbers in it are those of the header") {
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/schema_" +
                           std::to_string(getpid()) + ".sqlite";
  std::ofstream(path, std::ios::trunc).close();
  auto database = Database::open(path);
  REQUIRE(database.ok());
  REQUIRE((*database)->execute(kSchema).message().empty());
  REQUIRE((*database)->execute(kIndexes).message().empty());
  const auto number = [&](const char* sql) {
    Statement statement;
    int64_t value = -1;
    REQUIRE((*database)->prepare(sql, statement).ok());
    REQUIRE(statement.run_for_integer(&value).ok());
    return value;
  };
  CHECK(number("PRAGMA user_version") == kSchemaVersion);
  CHECK(number("PRAGMA application_id") == kApplicationId);
  CHECK(number("SELECT value FROM metadata WHERE name = 'schema_version'") == kSchemaVersion);
  CHECK(number("SELECT count(*) FROM sqlite_master WHERE type = 'view'") == 11);
  CHECK(number("SELECT count(*) FROM pragma_index_list('event_data')") == 2);
}

}  // namespace
}  // namespace ringscribe::sqlite
