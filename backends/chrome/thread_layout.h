// SPDX-License-Identifier: Apache-2.0
//
// ThreadLayout: which process and thread of the viewer each of the model's tracks becomes.
//
// The format knows processes and threads, by number, and nothing else. A process or thread of a
// scope path keeps the system's number. All else gets a number from 2^30 up, where no system's are:
//
//   Process[PID:NAME]           a process; a second name for the same number: "NAME (pid PID)"
//   Thread[N:TID:NAME]          a thread; where TID was another thread's: "NAME (tid TID)"
//   the same thread, in another domain    a thread named after the domain: they need not nest
//   any other scope             a thread of the process around it, with the scopes between in its
//                               name; a root is a process of its own, too
//   stream without scope        a thread of the session's process
//
//   ThreadLayout layout;
//   layout.begin(session_name, lines);
//   Status status = layout.add(track, lines);  // appends metadata events
//   ThreadLayout::Row& row = layout.row(track.id, lines);
//
// Each line is "\n,{...}", but for the first of all, which lacks the comma.
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_CHROME_THREAD_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_CHROME_THREAD_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/slice_order.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::chrome {

class ThreadLayout {
 public:
  struct Row {
    int64_t pid;
    int64_t tid;
    std::string name;
    bool is_process;    // it became a thread with its first event
    bool is_named;      // thread_name was written
    std::string place;  // "pid":1,"tid":2,"ts":
    std::unique_ptr<model::LaneHistory> history;
  };
  struct Counter {
    uint32_t row;
    std::string name;  // unique in its process
    std::string head;  // "name":"depth","cat":"io","args":{"orders":
  };

  // Writes the process of the session, which holds what belongs to no other.
  void begin(std::string_view session_name, std::string& lines);

  // Fail with kInvalidArgument if IDs are not dense, or a parent was not added before.
  Status add(const model::Track& track, std::string& lines);
  Status add_counter(const model::CounterTrack& track, std::string& lines);

  bool has(uint32_t track) const noexcept { return track < rows_by_track_.size(); }
  bool has_counter(uint32_t counter) const noexcept { return counter < counters_.size(); }
  // The row of a track, for an event. REQUIRES: has(track).
  uint32_t row_number(uint32_t track, std::string& lines) {
    const uint32_t number = rows_by_track_[track];
    if (!rows_[number].is_named) name_thread(number, lines);
    return number;
  }
  // Valid until the next call of add().
  Row& row(uint32_t number) noexcept { return rows_[number]; }
  // REQUIRES: has_counter(counter).
  const Counter& counter(uint32_t counter) const noexcept { return counters_[counter]; }
  // A thread of the session's process for what we have to say, made when it is first asked for.
  uint32_t notes_row(std::string& lines);

  model::LaneHistory& history(uint32_t row);
  // Spans kept for all rows (covered_time.h), and a way to have about half of them.
  size_t spans() const noexcept;
  void forget_older_half();

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct KnownThread {
    int64_t number;
    uint32_t row;
  };

  uint32_t add_process(int64_t pid, std::string_view name, std::string& lines);
  uint32_t add_thread(const model::Track& track, std::string& lines);
  uint32_t add_scope(const model::Track& track, std::string& lines);
  uint32_t make_process(int64_t pid, std::string_view name, std::string& lines);
  uint32_t make_thread(int64_t pid, int64_t tid, std::string_view name, std::string& lines);
  void name_thread(uint32_t row, std::string& lines);
  Status check(const char* what, uint32_t id, size_t next, uint32_t parent) const;

  // Apart, so that no tid is its process's pid: that would be the main thread.
  int64_t next_pid_ = int64_t{1} << 30;
  int64_t next_tid_ = int64_t{3} << 29;
  uint32_t process_count_ = 0;
  uint32_t session_row_ = kNone;
  uint32_t notes_row_ = kNone;
  std::string session_label_;
  std::vector<uint32_t> rows_by_track_;
  std::vector<Row> rows_;
  std::vector<Counter> counters_;
  std::set<std::pair<int64_t, std::string>> counter_names_;     // by pid
  std::map<int64_t, uint32_t> processes_;                       // by the system's id
  std::map<std::pair<int64_t, int64_t>, KnownThread> threads_;  // by pid and the system's id
};

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_THREAD_LAYOUT_H_
