// SPDX-License-Identifier: Apache-2.0
//
// SqliteSink: writes a session's events into an SQLite database (docs/formats.md, schema.h).
//
// Rows go into one transaction until it has so many rows or bytes, or is a second old as the next
// event comes. Readers see what was committed, at any time; a process that dies loses what was
// not. Indexes are made by finish().
//
//   Result<std::unique_ptr<SqliteSink>> sink = SqliteSink::create("run.sqlite");
//   (*sink)->session("matching engine");
//   ... track(), event(), ...
//   Status status = (*sink)->finish();
//
// Threads: one at a time. Lifetime: the destructor finishes if finish() was not called. In a forked
// child every call fails, and the destructor leaves the database alone.
// Errors: a failure of the file is kept, every later call returns it, and what was committed before
// stays. A failure that concerns one call alone is returned by it.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SINK_H_
#define RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SINK_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::sqlite {

struct SinkOptions {
  // A transaction ends when it has that many rows, or bytes of their texts, or is that old.
  uint64_t commit_rows_max = uint64_t{16} << 10;
  uint64_t commit_bytes_max = uint64_t{4} << 20;
  int64_t commit_interval_ns = 1'000'000'000;
  bool make_indexes = true;
};

class SqliteSink final : public model::EventSink {
 public:
  // Creates the file as output::OutputFile does, and the tables in it. Fails with kFailed: path,
  // reason and what to do. A pipe or a device can hold no database.
  static Result<std::unique_ptr<SqliteSink>> create(const std::string& path,
                                                    const SinkOptions& options = {});
  ~SqliteSink() override;
  SqliteSink(const SqliteSink&) = delete;
  SqliteSink& operator=(const SqliteSink&) = delete;

  Status session(std::string_view name) override;
  Status stream(const model::Stream& stream) override;
  Status category(std::string_view domain, uint32_t id, std::string_view name) override;
  Status track(const model::Track& track) override;
  Status counter_track(const model::CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const model::Event& event) override;
  Status events(const model::EventBlock& block) override;
  Status counter_sample(const model::CounterSample& sample) override;
  Status loss(const model::Loss& loss) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override;
  // Of the file as of the last commit, without its write-ahead log, which takes 4 MiB at most.
  uint64_t bytes_written() const override { return bytes_written_; }
  std::vector<std::string> paths() const override { return {path()}; }

  // The final path: another one than was asked for if this process has written that already.
  const std::string& path() const noexcept;

 private:
  struct State;
  SqliteSink(std::unique_ptr<State> state, const SinkOptions& options);
  // Calls `work` in a transaction unless a failure is kept; an exception becomes a Status.
  template <typename Work>
  Status guarded(const char* operation, Work work);
  Status keep(Status failure);
  // Ends the transaction if it is time.
  Status after_rows();
  Status commit();
  Status close();

  std::unique_ptr<State> state_;
  const SinkOptions options_;
  const pid_t owner_;
  Status failure_;
  bool is_begun_ = false;
  bool finished_ = false;
  bool in_transaction_ = false;
  int64_t began_ns_ = 0;  // the transaction
  uint64_t bytes_written_ = 0;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SINK_H_
