// SPDX-License-Identifier: Apache-2.0
//
// Database and Statement: an SQLite database that this process writes alone and others may read
// meanwhile. This folder's only user of SQLite, which is linked in under names of our own
// (third_party/private_archive.bzl) and shares nothing with an application's.
//
// The database has a write-ahead log (PATH-wal, PATH-shm) while it is open, so that readers never
// hold up the writer; where the file system cannot have one, SQLite's rollback journal. close()
// leaves PATH alone. Nothing is synced to the disk: what was committed survives the process, not
// a power cut.
//
//   auto database = Database::open(path);
//   Statement insert;
//   Status status = (*database)->prepare("INSERT INTO t VALUES(?, ?)", insert);
//   insert.bind(1, int64_t{5});
//   insert.bind(2, "five");
//   status = insert.run();
//
// Threads: one at a time. Lifetime: statements end before their database. A forked child must call
// nothing here, destructors included. Errors: one sentence with the path and SQLite's reason.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_DATABASE_H_
#define RINGSCRIBE_BACKENDS_SQLITE_DATABASE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "ringscribe/backends/nvtxw/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ringscribe::sqlite {

class Database;

class Statement {
 public:
  Statement() = default;
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Parameters count from 1, and keep their values over run().
  void bind(int parameter, int64_t value) noexcept;
  // NaN, which SQLite does not have, is NULL.
  void bind(int parameter, double value) noexcept;
  // Not copied: `text` stays valid until run() returns. What is no UTF-8 is repaired.
  void bind(int parameter, std::string_view text) noexcept;
  void bind_null(int parameter) noexcept;
  // As a whole number if it is below 2^63, else as decimal text.
  void bind_unsigned(int parameter, uint64_t value) noexcept;

  // Runs to the end; rows that come are dropped.
  Status run();
  // As run(); gives the first column of the first row.
  // Fails with kFailed, too, if there is none.
  Status run_for_integer(int64_t* value_out);
  // The same, but no row is no failure: *found_out says.
  Status run_to_find(int64_t* value_out, bool* found_out);

 private:
  friend class Database;
  void keep(int result) noexcept;  // of a bind: run() reports it
  void bind_bytes(int parameter, std::string_view text, void (*lifetime)(void*)) noexcept;

  Database* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  int bind_error_ = 0;
};

class Database {
 public:
  // Opens the empty file `path`, which exists, as a new database; its leftovers of an older run
  // are removed. Fails with kFailed.
  static Result<std::unique_ptr<Database>> open(const std::string& path);
  // Closes as close() does.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs constant SQL, of any number of statements.
  Status execute(const char* sql);
  // REQUIRES: `statement` was not prepared before.
  Status prepare(const char* sql, Statement& statement);

  // A transaction is begun by begin() where there is none.
  Status begin();
  Status commit();
  // What was written since the last commit().
  uint64_t rows_since_commit() const noexcept { return rows_; }
  uint64_t text_bytes_since_commit() const noexcept { return text_bytes_; }
  // Drops what was not committed.
  void roll_back() noexcept;
  // Whether the failure before concerns one row alone, so that the next may go well.
  bool can_go_on() const noexcept { return can_go_on_; }

  // Puts the log into PATH and removes it. If somebody reads at the moment, the log stays until
  // the last reader closes. REQUIRES: all statements are gone.
  Status close();
  const std::string& path() const noexcept { return path_; }

 private:
  friend class Statement;
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}
  Status failure(const char* doing);

  std::string path_;
  sqlite3* handle_;
  bool can_go_on_ = true;
  uint64_t rows_ = 0;
  uint64_t text_bytes_ = 0;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_DATABASE_H_
