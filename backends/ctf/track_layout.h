// SPDX-License-Identifier: Apache-2.0
//
// TrackLayout: which process and thread each of the model's tracks is to a reader of CTF, as
// numbers (vpid, vtid) and by name.
//
// A process or thread of a scope path keeps the system's number. All else gets a number from 2^30
// up, where no system's are:
//
//   Process[PID:NAME]           vpid; a second name for the same number: "NAME (pid PID)"
//   Thread[N:TID:NAME]          vtid; where TID was another thread's: "NAME (tid TID)"
//   the same thread, in another domain    a vtid of its own, "NAME (DOMAIN)": they need not nest
//   any other scope             a vtid of the process around it, with the scopes between in its
//                               name; a root is a process of its own, too
//   stream without scope        a vtid of the session's process
//
//   TrackLayout layout(uuid, "session");
//   Status status = layout.add(track);
//   const StreamDescription& what = layout.row(layout.row_of(track.id));
//
// Rows 0 and 1 are the session's own: its counters that belong to no track, and its notes.
//
// Threads: one at a time. Lifetime: descriptions stay where they are.
#ifndef RINGSCRIBE_BACKENDS_CTF_TRACK_LAYOUT_H_
#define RINGSCRIBE_BACKENDS_CTF_TRACK_LAYOUT_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "ringscribe/backends/ctf/stream_file.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::ctf {

class TrackLayout {
 public:
  static constexpr uint32_t kSessionRow = 0;
  static constexpr uint32_t kNotesRow = 1;

  TrackLayout(const Metadata::Uuid& uuid, std::string_view session_name);

  // Fails with kInvalidArgument if IDs are not dense, or a parent was not added before.
  Status add(const model::Track& track);
  Status add_counter(const model::CounterTrack& counter);

  bool has(uint32_t track) const noexcept { return track < rows_.size() - kFirst; }
  bool has_counter(uint32_t counter) const noexcept { return counter < counter_rows_.size(); }
  uint32_t row_of(uint32_t track) const noexcept { return kFirst + track; }
  // REQUIRES: has_counter(counter).
  uint32_t counter_row(uint32_t counter) const noexcept { return counter_rows_[counter]; }
  uint32_t size() const noexcept { return static_cast<uint32_t>(rows_.size()); }
  // REQUIRES: row < size().
  const StreamDescription& row(uint32_t row) const noexcept { return rows_[row].description; }
  // "track_session", "track_notes", "track_0", "track_1", ...
  static std::string file_name(uint32_t row);

 private:
  static constexpr uint32_t kFirst = 2;

  struct Row {
    StreamDescription description;
    bool is_process;
  };
  Status check(const char* what, uint32_t id, size_t next, uint32_t parent) const;
  void add_row(int32_t vpid, int32_t vtid, std::string_view process, std::string_view name,
               bool is_process);
  void add_process(int64_t pid, std::string_view name);
  void add_thread(const model::Track& track);
  void add_scope(const model::Track& track);

  Metadata::Uuid uuid_;
  // Apart, so that no thread's number is its process's: that would be the main thread.
  int32_t next_pid_ = 1 << 30;
  int32_t next_tid_ = 3 << 29;
  std::deque<Row> rows_;
  std::deque<uint32_t> counter_rows_;
  std::map<int64_t, std::string> processes_;                // names by the system's id
  std::map<std::pair<int32_t, int64_t>, int64_t> threads_;  // number by vpid and system's id
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_TRACK_LAYOUT_H_
