// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/test_database.h"

#include <private_sqlite3.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "ringscribe/backends/sqlite/schema.h"

namespace ringscribe::sqlite {
namespace {

int add_row(void* text, int columns, char** values, char** /*names*/) {
  std::string& out = *static_cast<std::string*>(text);
  if (!out.empty()) out += "\n";
  for (int i = 0; i < columns; ++i) {
    out.append(i == 0 ? "" : "|").append(values[i] != nullptr ? values[i] : "NULL");
  }
  return 0;
}

}  // namespace

std::string test_path(const std::string& name) {
  const char* folder = std::getenv("TEST_TMPDIR");
  return std::string(folder != nullptr ? folder : "/tmp") + "/" + name + "_" +
         std::to_string(getpid()) + ".sqlite";
}

std::unique_ptr<Database> fresh_database(const std::string& name) {
  const std::string path = test_path(name);
  std::ofstream(path, std::ios::trunc).close();
  auto database = Database::open(path);
  REQUIRE(database.status().message().empty());
  REQUIRE((*database)->execute(kSchema).message().empty());
  return std::move(*database);
}

std::string query(const std::string& path, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK);
  std::string rows;
  const int result = sqlite3_exec(handle, sql, add_row, &rows, nullptr);
  const std::string message = result == SQLITE_OK ? "" : sqlite3_errmsg(handle);
  sqlite3_close_v2(handle);
  REQUIRE(message.empty());
  return rows;
}

std::string query(Database& database, const char* sql) {
  REQUIRE(database.commit().ok());
  return query(database.path(), sql);
}

}  // namespace ringscribe::sqlite
