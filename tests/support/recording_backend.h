// SPDX-License-Identifier: Apache-2.0
//
// RecordingBackend: an NVTXW backend for tests that keeps what the recorder hands over, decoded
// as far as our built-in schemas and users' static schemas go, and that misbehaves on request.
//
//   RecordingBackend backend;
//   Session::begin("test", {.interface = backend.interface()});
//   … ; REQUIRE(backend.events("My Stream").size() == 3);
//
// Threads: the recorder's calls come from one thread at a time; look at the results after flush().
// One at a time in a process. A ContractBackend stands in front: what the contract of NVTXW forbids
// is kept in violations() and does not come here.
#ifndef RINGSCRIBE_TESTS_SUPPORT_RECORDING_BACKEND_H_
#define RINGSCRIBE_TESTS_SUPPORT_RECORDING_BACKEND_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/tests/support/contract_backend.h"

namespace ringscribe::testing {

struct RecordedEvent {
  std::string schema;  // the schema's name: "mark", "range", "push", …
  bool is_batched = false;
  uint64_t batch_flags = 0;
  uint64_t scope = 0;                      // batch scope, or that of a scope entry
  std::map<std::string, int64_t> numbers;  // by entry name
  std::map<std::string, std::string> texts;

  int64_t number(const std::string& name) const { return numbers.at(name); }
  std::string message() const {
    const auto at = texts.find("message");
    return at == texts.end() ? "" : at->second;
  }
};

struct RecordedSample {
  std::string counter;
  int64_t time = 0;
  int64_t bits = 0;
  uint64_t batch_flags = 0;
};

class RecordingBackend {
 public:
  RecordingBackend();
  ~RecordingBackend();
  const nvtxwInterface_v2_t* interface() const { return contract_.interface(); }

  const std::vector<RecordedEvent>& events(const std::string& stream) { return events_[stream]; }
  const std::vector<RecordedSample>& samples(const std::string& stream) { return samples_[stream]; }
  // Calls in order, such as "StreamOpen My Stream".
  const std::vector<std::string>& calls() const { return calls_; }
  std::string scope_path(uint64_t id) const;
  uint64_t sync_points() const { return sync_points_; }
  std::vector<std::string> violations() const { return contract_.violations(); }

  // Every `nth` write fails with NVTXW_RESULT_FAILED; 0: none.
  std::atomic<uint64_t> fail_every_nth{0};
  // Between the two, write calls do not return.
  void stall() { is_stalled_ = true; }
  void go_on() {
    is_stalled_ = false;
    is_stalled_.notify_all();
  }
  // SessionBegin and StreamOpen return this.
  std::atomic<int32_t> open_result{0};

 private:
  friend struct Calls;
  struct Entry {
    std::string name;
    uint64_t flags, type, detail, offset;
  };
  struct Schema {
    std::string name;
    std::vector<Entry> entries;
    size_t row_bytes = 0;
  };
  int32_t write(uint64_t events);
  RecordedEvent decode(const Schema& schema, const uint8_t* row);
  static const nvtxwInterface_v2_t* recording_interface();

  ContractBackend contract_;
  std::atomic<bool> is_stalled_{false};
  std::map<std::string, std::vector<RecordedEvent>> events_;
  std::map<std::string, std::vector<RecordedSample>> samples_;
  std::vector<std::string> calls_;
  std::map<uint64_t, Schema> schemas_;
  std::map<uint64_t, std::string> strings_;
  std::map<uint64_t, std::string> scopes_;
  std::map<uint64_t, std::string> counters_;
  std::map<uint64_t, std::string> streams_;
  std::map<std::string, uint64_t> domains_;
  uint64_t next_handle_ = 1000;
  uint64_t writes_ = 0;
  uint64_t sync_points_ = 0;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_RECORDING_BACKEND_H_
