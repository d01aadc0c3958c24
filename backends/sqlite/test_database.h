// SPDX-License-Identifier: Apache-2.0
//
// For tests: a fresh database with our tables, and what a query gives.
//
//   auto database = fresh_database("names");
//   CHECK(query(*database, "SELECT count(*) FROM names") == "0");
//
// Threads: one. Lifetime: the file stays in TEST_TMPDIR.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_TEST_DATABASE_H_
#define RINGSCRIBE_BACKENDS_SQLITE_TEST_DATABASE_H_

#include <memory>
#include <string>

#include "ringscribe/backends/sqlite/database.h"

namespace ringscribe::sqlite {

// A path in TEST_TMPDIR that no other test has.
std::string test_path(const std::string& name);
// Fails the test if it cannot be made.
std::unique_ptr<Database> fresh_database(const std::string& name);
// Rows on lines, columns with | between, NULL as "NULL"; a second connection reads what was
// committed. Fails the test if the query is wrong.
std::string query(const std::string& path, const char* sql);
// The same after a commit.
std::string query(Database& database, const char* sql);

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_TEST_DATABASE_H_
