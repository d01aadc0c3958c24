// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/database.h"

#include <private_sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <utility>

#include "ringscribe/backends/nvtxw/utf8.h"
#include "ringscribe/backends/sqlite/system_calls.h"

namespace ringscribe::sqlite {
namespace {

// How long somebody else's write lock is waited for. Readers hold none.
constexpr int kBusyMs = 5000;

// Pages in memory, and no sync: the other outputs make none either.
constexpr const char* kSettings =
    "PRAGMA cache_size = -8192;"
    "PRAGMA synchronous = OFF;"
    "PRAGMA journal_mode = WAL;"
    "PRAGMA wal_autocheckpoint = 1000;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA secure_delete = OFF;";

template <typename Function>
void install(sqlite3_vfs* vfs, const char* name, Function* function) {
  vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(function));
}

// Once in the process: our own copy of SQLite makes its system calls through us.
int set_up_library() {
  static std::once_flag once;
  static int result = SQLITE_OK;
  std::call_once(once, [] {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_URI, 0);
    result = sqlite3_initialize();
    if (result != SQLITE_OK) return;
    sqlite3_vfs* const vfs = sqlite3_vfs_find("unix");
    if (vfs == nullptr || vfs->iVersion < 3) {
      result = SQLITE_INTERNAL;
      return;
    }
    install(vfs, "open", &open_file);
    install(vfs, "fcntl", &lock_file);
    install(vfs, "write", &write_here);
    install(vfs, "pwrite", &write_at);
    install(vfs, "pwrite64", &write_at);
    install(vfs, "ftruncate", &set_size);
  });
  return result;
}

std::string advice(int code, int error) {
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return "; free some space or choose an output on another disk";
    case SQLITE_BUSY:
      return "; another program holds the database's write lock: end its transaction";
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return "; choose an output that this user may write";
    case SQLITE_NOMEM:
      return "; free some memory";
    case SQLITE_TOOBIG:
      return "; SQLite takes values of up to 1,000,000,000 bytes";
    default:
      break;
  }
  if (error == EFBIG) return "; raise the file size limit (ulimit -f) or record less";
  if (error == EACCES || error == EPERM || error == EROFS) {
    return "; choose an output in a folder of this user's own";
  }
  return "; check the output path and its disk";
}

Status failure_of(const std::string& what, int code, const char* message, int error) {
  std::string sentence = what + ": " + message;
  if (error != 0) {
    sentence +=
        ", " + std::generic_category().message(error) + " (errno " + std::to_string(error) + ")";
  }
  return Status(ResultCode::kFailed, sentence + advice(code, error));
}

}  // namespace

void Statement::keep(int result) noexcept {
  if (result != SQLITE_OK) bind_error_ = result;
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(int parameter, int64_t value) noexcept {
  keep(sqlite3_bind_int64(statement_, parameter, value));
}

void Statement::bind(int parameter, double value) noexcept {
  keep(sqlite3_bind_double(statement_, parameter, value));
}

void Statement::bind_bytes(int parameter, std::string_view text, void (*lifetime)(void*)) noexcept {
  // No address would be NULL.
  const char* const data = text.empty() ? "" : text.data();
  keep(sqlite3_bind_text64(statement_, parameter, data, text.size(), lifetime, SQLITE_UTF8));
  database_->text_bytes_ += text.size();
}

void Statement::bind(int parameter, std::string_view text) noexcept {
  if (nvtxw::is_valid_utf8(text)) return bind_bytes(parameter, text, SQLITE_STATIC);
  try {
    bind_bytes(parameter, nvtxw::to_valid_utf8(text), SQLITE_TRANSIENT);
  } catch (...) {
    bind_error_ = SQLITE_NOMEM;
  }
}

void Statement::bind_null(int parameter) noexcept {
  keep(sqlite3_bind_null(statement_, parameter));
}

void Statement::bind_unsigned(int parameter, uint64_t value) noexcept {
  if (value <= INT64_MAX) return bind(parameter, static_cast<int64_t>(value));
  char digits[20];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  bind_bytes(parameter, std::string_view(digits, static_cast<size_t>(end - digits)),
             SQLITE_TRANSIENT);
}

Status Statement::run() {
  int64_t value = 0;
  bool found = false;
  return run_to_find(&value, &found);
}

Status Statement::run_for_integer(int64_t* value_out) {
  bool found = false;
  Status status = run_to_find(value_out, &found);
  if (!status.ok() || found) return status;
  return Status(ResultCode::kFailed,
                "cannot read \"" + database_->path_ + "\": a row that was written is not there");
}

Status Statement::run_to_find(int64_t* value_out, bool* found_out) {
  *found_out = false;
  if (bind_error_ != SQLITE_OK) {
    const int error = std::exchange(bind_error_, SQLITE_OK);
    database_->can_go_on_ = true;
    return failure_of("cannot write to \"" + database_->path_ + "\"", error, sqlite3_errstr(error),
                      0);
  }
  int result = sqlite3_step(statement_);
  if (result == SQLITE_ROW) {
    *value_out = sqlite3_column_int64(statement_, 0);
    *found_out = true;
    do {
      result = sqlite3_step(statement_);
    } while (result == SQLITE_ROW);
  }
  Status status;
  if (result != SQLITE_DONE) status = database_->failure("write to");
  sqlite3_reset(statement_);
  ++database_->rows_;
  return status;
}

Status Database::failure(const char* doing) {
  const int code = sqlite3_extended_errcode(handle_);
  const int primary = code & 0xFF;
  can_go_on_ = primary == SQLITE_TOOBIG || primary == SQLITE_CONSTRAINT || primary == SQLITE_RANGE;
  const int error = take_last_error();
  const bool is_of_system =
      primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL;
  return failure_of(std::string("cannot ") + doing + " \"" + path_ + "\"", code,
                    sqlite3_errmsg(handle_), is_of_system ? error : 0);
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path) {
  const std::string what = "cannot open \"" + path + "\" as a database";
  if (const int result = set_up_library(); result != SQLITE_OK) {
    return failure_of(what, result, sqlite3_errstr(result), 0);
  }
  // SQLite follows no link in the file's place: a link that may be followed was followed here.
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return failure_of(what, SQLITE_CANTOPEN, "no such file", errno);
  const std::string real = resolved;
  std::free(resolved);
  if (!remove_leftovers(real.c_str())) {
    return failure_of(what, SQLITE_CANTOPEN,
                      "a file with -wal, -shm or -journal behind that name is in the way", errno);
  }
  sqlite3* handle = nullptr;
  const int opened =
      sqlite3_open_v2(real.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix");
  if (handle == nullptr) return failure_of(what, opened, sqlite3_errstr(opened), 0);
  std::unique_ptr<Database> database(new Database(path, handle));
  sqlite3_extended_result_codes(handle, 1);
  if (opened != SQLITE_OK) return database->failure("open");
  if (sqlite3_db_readonly(handle, "main") != 0) {
    return failure_of(what, SQLITE_READONLY, "it cannot be written", 0);
  }
  sqlite3_busy_timeout(handle, kBusyMs);
  if (Status status = database->execute(kSettings); !status.ok()) return status;
  return database;
}

Database::~Database() { static_cast<void>(close()); }

Status Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failure("write to");
}

Status Database::prepare(const char* sql, Statement& statement) {
  statement.database_ = this;
  if (sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement.statement_,
                         nullptr) == SQLITE_OK) {
    return {};
  }
  return failure("write to");
}

Status Database::begin() {
  if (sqlite3_get_autocommit(handle_) == 0) return {};
  static_cast<void>(take_last_error());  // of what SQLite has seen to
  return execute("BEGIN IMMEDIATE");
}

Status Database::commit() {
  rows_ = 0;
  text_bytes_ = 0;
  return sqlite3_get_autocommit(handle_) != 0 ? Status() : execute("COMMIT");
}

void Database::roll_back() noexcept {
  if (handle_ != nullptr && sqlite3_get_autocommit(handle_) == 0) {
    sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

Status Database::close() {
  if (handle_ == nullptr) return {};
  roll_back();
  // Without readers this leaves one file, which needs no log to be read, either. With one of them
  // it does nothing, and the last to close removes the log.
  sqlite3_busy_timeout(handle_, 0);
  sqlite3_exec(handle_, "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
  const int code = sqlite3_extended_errcode(handle_) & 0xFF;
  Status status;
  if (code != SQLITE_OK && code != SQLITE_BUSY && code != SQLITE_LOCKED && code != SQLITE_ROW &&
      code != SQLITE_DONE) {
    status = failure("close");
  }
  sqlite3_close_v2(handle_);
  handle_ = nullptr;
  return status;
}

}  // namespace ringscribe::sqlite
