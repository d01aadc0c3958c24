// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/sqlite_sink.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/sqlite/database.h"
#include "ringscribe/backends/sqlite/domains.h"
#include "ringscribe/backends/sqlite/event_rows.h"
#include "ringscribe/backends/sqlite/place_rows.h"
#include "ringscribe/backends/sqlite/schema.h"

namespace ringscribe::sqlite {
namespace {

// So many rows of a block are added between two looks at the clock.
constexpr size_t kLookEvents = 64;

int64_t coarse_now_ns() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Status not_announced(const char* what, uint32_t id) {
  return Status(ResultCode::kInvalidArgument, std::string("sqlite: ") + what + " " +
                                                  std::to_string(id) +
                                                  " is not known: announce it before its use");
}

}  // namespace

// All that must not be touched in a forked child.
struct SqliteSink::State {
  // What writes rows: gone before the database is closed.
  struct Rows {
    DomainTable domains;
    PlaceRows places{domains};
    EventRows events{domains};
    Statement insert_session;
    Statement complete_session;
    Statement insert_sample;
    Statement insert_loss;
    Statement insert_problem;
    Statement insert_clock_point;

    Status open(Database& database);
  };

  // Holds the name and its lock. A file of its own besides SQLite's: it is closed last.
  std::unique_ptr<output::OutputFile> file;
  std::unique_ptr<Database> database;
  std::optional<Rows> rows;
};

Status SqliteSink::State::Rows::open(Database& database) {
  const std::pair<const char*, Statement*> statements[] = {
      {"INSERT INTO sessions VALUES(1, ?, 0)", &insert_session},
      {"UPDATE sessions SET is_complete = 1", &complete_session},
      {"INSERT INTO sample_data VALUES(NULL, ?, ?, ?, ?, ?, ?)", &insert_sample},
      {"INSERT INTO losses VALUES(NULL, ?, ?, ?, ?, ?)", &insert_loss},
      {"INSERT INTO problems VALUES(NULL, ?, ?)", &insert_problem},
      {"INSERT INTO clock_points VALUES(NULL, ?, ?)", &insert_clock_point},
  };
  for (const auto& [sql, statement] : statements) {
    if (Status status = database.prepare(sql, *statement); !status.ok()) return status;
  }
  Status status = domains.open(database);
  if (status.ok()) status = places.open(database);
  if (status.ok()) status = events.open(database);
  // The default domain is number 0, whether or not it is used.
  int64_t id = 0;
  return status.ok() ? domains.find_or_add("", &id) : status;
}

Result<std::unique_ptr<SqliteSink>> SqliteSink::create(const std::string& path,
                                                       const SinkOptions& options) {
  struct stat info = {};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return Status(ResultCode::kFailed, "sqlite: cannot write to \"" + path +
                                           "\": a pipe or a device can hold no database; name a "
                                           "file");
  }
  auto file = output::OutputFile::create(path, output::Finish::kInPlace);
  if (!file.ok()) return file.status().with_context("sqlite");
  auto state = std::make_unique<State>();
  state->file = std::move(*file);
  auto database = Database::open(state->file->path());
  Status status = database.status();
  if (status.ok()) {
    state->database = std::move(*database);
    status = state->database->execute(kSchema);
  }
  if (status.ok()) {
    state->rows.emplace();
    status = state->rows->open(*state->database);
  }
  if (!status.ok()) {
    state->rows.reset();
    return status.with_context("sqlite");
  }
  return std::unique_ptr<SqliteSink>(new SqliteSink(std::move(state), options));
}

SqliteSink::SqliteSink(std::unique_ptr<State> state, const SinkOptions& options)
    : state_(std::move(state)), options_(options), owner_(getpid()) {}

SqliteSink::~SqliteSink() {
  if (owner_ != getpid()) {
    // The database is the parent's: closing it here would write to its files.
    static_cast<void>(state_.release());
    return;
  }
  if (!finished_) static_cast<void>(finish());
}

const std::string& SqliteSink::path() const noexcept { return state_->file->path(); }

template <typename Work>
Status SqliteSink::guarded(const char* operation, Work work) {
  if (!failure_.ok()) return failure_;
  if (finished_) {
    return Status(ResultCode::kFailed, std::string("sqlite: ") + operation +
                                           " after the database was finished: nothing was written");
  }
  if (owner_ != getpid()) {
    return Status(ResultCode::kFailed, "sqlite: cannot write to \"" + path() +
                                           "\": it belongs to process " + std::to_string(owner_) +
                                           ", which forked this one; begin a session of its own "
                                           "in the child");
  }
  try {
    if (!is_begun_) {
      if (Status status = session(""); !status.ok()) return status;
    }
    if (!in_transaction_) {
      if (Status status = state_->database->begin(); !status.ok()) return keep(std::move(status));
      in_transaction_ = true;
      began_ns_ = coarse_now_ns();
    }
    Status status = work();
    if (status.ok()) status = after_rows();
    if (status.ok() || status.code() == ResultCode::kInvalidArgument || !failure_.ok()) {
      return status;
    }
    if (!state_->database->can_go_on()) return keep(std::move(status));
    return Status(status.code(), "sqlite: " + std::string(operation) + ": " + status.message() +
                                     "; this one is not whole in the database");
  } catch (const std::exception& error) {
    return Status(ResultCode::kFailed, std::string("sqlite: ") + operation + " failed: " +
                                           error.what() + "; this one is not in the database");
  }
}

Status SqliteSink::keep(Status failure) {
  state_->database->roll_back();
  in_transaction_ = false;
  failure_ = Status(failure.code(), "sqlite: " + failure.message() +
                                        "; the database is not whole: what was committed before "
                                        "stays there");
  return failure_;
}

Status SqliteSink::commit() {
  if (!in_transaction_) return {};
  Status status = state_->database->commit();
  if (!status.ok()) return keep(std::move(status));
  in_transaction_ = false;
  struct stat info = {};
  if (stat(path().c_str(), &info) == 0) bytes_written_ = static_cast<uint64_t>(info.st_size);
  return {};
}

Status SqliteSink::after_rows() {
  const Database& database = *state_->database;
  if (database.rows_since_commit() < options_.commit_rows_max &&
      database.text_bytes_since_commit() < options_.commit_bytes_max &&
      coarse_now_ns() - began_ns_ < options_.commit_interval_ns) {
    return {};
  }
  return commit();
}

Status SqliteSink::session(std::string_view name) {
  if (is_begun_) return guarded("session", [] { return Status(); });
  is_begun_ = true;
  return guarded("session", [&] {
    Statement& insert = state_->rows->insert_session;
    insert.bind(1, name);
    Status status = insert.run();
    // A reader of the file finds the session from the beginning.
    return status.ok() ? commit() : status;
  });
}

Status SqliteSink::stream(const model::Stream& stream) {
  return guarded("stream", [&] { return state_->rows->places.add(stream); });
}

Status SqliteSink::category(std::string_view domain, uint32_t id, std::string_view name) {
  return guarded("category", [&] {
    int64_t domain_id = 0;
    int64_t category_id = 0;
    DomainTable& domains = state_->rows->domains;
    Status status = domains.find_or_add(domain, &domain_id);
    if (!status.ok() || (id == 0 && name.empty())) return status;
    return domains.category(domain_id, id, name, &category_id);
  });
}

Status SqliteSink::track(const model::Track& track) {
  return guarded("track", [&] { return state_->rows->places.add(track); });
}

Status SqliteSink::counter_track(const model::CounterTrack& track) {
  return guarded("counter track", [&] { return state_->rows->places.add(track); });
}

Status SqliteSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  return guarded("clock point", [&] {
    Statement& insert = state_->rows->insert_clock_point;
    insert.bind(1, monotonic_ns);
    insert.bind(2, realtime_ns);
    return insert.run();
  });
}

Status SqliteSink::event(const model::Event& event) {
  return guarded("event", [&] {
    State::Rows& rows = *state_->rows;
    if (!rows.places.has_track(event.track)) return not_announced("track", event.track);
    return rows.events.add(event, rows.places.has_stream(event.stream));
  });
}

Status SqliteSink::events(const model::EventBlock& block) {
  for (size_t first = 0; first < block.rows.size(); first += kLookEvents) {
    const size_t last = std::min(block.rows.size(), first + kLookEvents);
    Status status = guarded("event", [&] {
      State::Rows& rows = *state_->rows;
      const model::Event& shared = block.shared;
      if (!rows.places.has_track(shared.track)) return not_announced("track", shared.track);
      return rows.events.add(block, first, last, rows.places.has_stream(shared.stream));
    });
    if (!status.ok()) return status;
  }
  return {};
}

Status SqliteSink::counter_sample(const model::CounterSample& sample) {
  return guarded("counter sample", [&] {
    State::Rows& rows = *state_->rows;
    if (!rows.places.has_counter(sample.counter_track)) {
      return not_announced("counter track", sample.counter_track);
    }
    Statement& insert = rows.insert_sample;
    insert.bind(1, int64_t{sample.counter_track});
    if (rows.places.has_stream(sample.stream)) {
      insert.bind(2, int64_t{sample.stream});
    } else {
      insert.bind_null(2);
    }
    insert.bind(3, sample.time);
    const bool is_nan = sample.is_floating && std::isnan(sample.double_value);
    if (!sample.has_value || is_nan) {
      insert.bind_null(4);
      insert.bind(5, sample.has_value ? kMissingNan : int64_t{sample.no_value_reason});
    } else {
      if (sample.is_floating) {
        insert.bind(4, sample.double_value);
      } else {
        insert.bind(4, sample.int_value);
      }
      insert.bind_null(5);
    }
    if (sample.synchronised) {
      insert.bind_null(6);
    } else {
      insert.bind_unsigned(6, sample.time_domain);
    }
    return insert.run();
  });
}

Status SqliteSink::loss(const model::Loss& loss) {
  return guarded("loss", [&] {
    Statement& insert = state_->rows->insert_loss;
    insert.bind(1, loss.stream);
    insert.bind(2, loss.cause);
    insert.bind_unsigned(3, loss.events);
    insert.bind(4, loss.time);
    insert.bind(5, int64_t{loss.synchronised});
    return insert.run();
  });
}

Status SqliteSink::problem(std::string_view sentence, uint64_t count) {
  return guarded("problem", [&] {
    Statement& insert = state_->rows->insert_problem;
    insert.bind(1, sentence);
    insert.bind_unsigned(2, count);
    return insert.run();
  });
}

Status SqliteSink::close() {
  state_->rows.reset();
  Status status = state_->database->close();
  if (!status.ok()) status = keep(std::move(status));
  const Status closed = state_->file->finish();
  return status.ok() ? closed : status;
}

Status SqliteSink::finish() {
  if (finished_) return failure_;
  Status status = guarded("finish", [&] {
    Status written = state_->rows->complete_session.run();
    if (written.ok()) written = commit();
    return written;
  });
  if (owner_ != getpid()) return status;
  finished_ = true;
  if (status.ok() && options_.make_indexes) {
    if (Status made = state_->database->execute(kIndexes); !made.ok()) {
      state_->database->roll_back();
      status = Status(made.code(), "sqlite: the indexes could not be made: " + made.message() +
                                       "; all that was recorded is there, queries are slower");
    }
  }
  Status closed = close();
  if (status.ok()) status = closed;
  if (failure_.ok()) failure_ = status;
  return status;
}

}  // namespace ringscribe::sqlite
