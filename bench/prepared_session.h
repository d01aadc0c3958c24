// SPDX-License-Identifier: Apache-2.0
//
// PreparedSession: a session whose batches of 8192 rows are made ahead, so that what is measured is
// what a backend does with them. What the rows are is a question's choice:
//
//   range        the recorder's own rows: push/pop ranges with a registered message
//   nested       the same, four levels deep
//   text         the same as range, with a message made at run time; every fourth is a new one
//   user5        marks of a schema with five fields in 48-byte rows
//
//   PreparedSession session("format=perfetto|output=a.pftrace");
//   session.fill(question);   // rows
//   session.write();          // one NVTXW call
//   session.close_stream();
//   session.end();
//
// Threads: one at a time. Errors: a call that fails ends the program.
#ifndef RINGSCRIBE_BENCH_PREPARED_SESSION_H_
#define RINGSCRIBE_BENCH_PREPARED_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::bench {

inline constexpr size_t kBatchEvents = 8192;
inline constexpr size_t kNames = 16;

struct PreparedRows {
  std::vector<std::byte> rows;
  std::string texts;                     // that rows point into
  uint64_t names[kNames] = {};           // handles of registered strings
  int64_t time = 1'000'000'000'000'000;  // when the next row may begin
};

struct Question {
  const char* name;
  uint64_t schema;
  size_t row_bytes;
  void (*fill)(PreparedRows& rows);
};
std::span<const Question> questions();

class PreparedSession {
 public:
  explicit PreparedSession(const std::string& config);
  void fill(const Question& question);
  void write();
  void close_stream();
  void end();

 private:
  const nvtxwInterface_v2_t* table_;
  nvtxwSessionHandle_t session_ = {};
  nvtxwStreamHandle_t stream_ = {};
  uint64_t schema_ = 0;
  PreparedRows rows_;
};

// Ends the program with a sentence if `result` is not 0.
void expect(int32_t result, const char* what);
// Of a file, or of those in a folder; 0 if there is none.
uint64_t bytes_of(const std::string& path);
// At commas.
std::vector<std::string> split(const std::string& list);

}  // namespace ringscribe::bench

#endif  // RINGSCRIBE_BENCH_PREPARED_SESSION_H_
