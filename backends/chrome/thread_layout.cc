// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/thread_layout.h"

#include "ringscribe/backends/chrome/json_text.h"

namespace ringscribe::chrome {
namespace {

// 0 is the idle task's; from 2^30 up are ours.
bool is_system_id(int64_t id) noexcept { return id > 0 && id < int64_t{1} << 30; }

std::string_view or_no_name(std::string_view name) noexcept {
  return name.empty() ? std::string_view("(no name)") : name;
}

std::string with_number(std::string_view name, const char* what, int64_t number) {
  std::string text(name);
  if (!text.empty()) text += ' ';
  return text + "(" + what + " " + std::to_string(number) + ")";
}

std::string place_text(int64_t pid, int64_t tid) {
  return "\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid);
}

// `value` is JSON.
void add_metadata(int64_t pid, int64_t tid, const char* name, const char* key,
                  const std::string& value, std::string& lines) {
  lines += "\n,{\"ph\":\"M\"," + place_text(pid, tid) + ",\"name\":\"" + name + "\",\"args\":{\"" +
           key + "\":" + value + "}}";
}

}  // namespace

void ThreadLayout::begin(std::string_view session_name, std::string& lines) {
  const size_t before = lines.size();
  session_row_ = make_process(next_pid_++, session_name.empty() ? "session" : session_name, lines);
  lines.erase(before + 1, 1);  // the comma
  if (!session_name.empty()) session_label_ = quoted(session_name);
}

uint32_t ThreadLayout::make_process(int64_t pid, std::string_view name, std::string& lines) {
  const int64_t tid = next_tid_++;
  rows_.push_back(
      {pid, tid, std::string(name), true, false, place_text(pid, tid) + ",\"ts\":", {}});
  add_metadata(pid, 0, "process_name", "name", quoted(or_no_name(name)), lines);
  add_metadata(pid, 0, "process_sort_index", "sort_index", std::to_string(process_count_++), lines);
  if (is_system_id(pid) && !session_label_.empty()) {
    add_metadata(pid, 0, "process_labels", "labels", session_label_, lines);
  }
  return static_cast<uint32_t>(rows_.size() - 1);
}

uint32_t ThreadLayout::make_thread(int64_t pid, int64_t tid, std::string_view name,
                                   std::string& lines) {
  rows_.push_back(
      {pid, tid, std::string(name), false, false, place_text(pid, tid) + ",\"ts\":", {}});
  const auto row = static_cast<uint32_t>(rows_.size() - 1);
  name_thread(row, lines);
  return row;
}

void ThreadLayout::name_thread(uint32_t row, std::string& lines) {
  rows_[row].is_named = true;
  add_metadata(rows_[row].pid, rows_[row].tid, "thread_name", "name",
               quoted(or_no_name(rows_[row].name)), lines);
}

Status ThreadLayout::check(const char* what, uint32_t id, size_t next, uint32_t parent) const {
  const std::string subject = std::string("chrome: ") + what + " " + std::to_string(id);
  if (id != next) {
    return Status(ResultCode::kInvalidArgument,
                  subject + " is out of turn: number them from 0 without a gap, the next is " +
                      std::to_string(next));
  }
  if (parent != model::kNoTrack && !has(parent)) {
    return Status(ResultCode::kInvalidArgument,
                  subject + " has a parent, track " + std::to_string(parent) +
                      ", that is not known: announce the parent first");
  }
  return Status();
}

Status ThreadLayout::add(const model::Track& track, std::string& lines) {
  Status status = check("track", track.id, rows_by_track_.size(), track.parent);
  if (!status.ok()) return status;
  uint32_t row = 0;
  if (track.kind == model::TrackKind::kProcess) {
    row = add_process(track.pid, track.name, lines);
  } else if (track.kind == model::TrackKind::kThread) {
    row = add_thread(track, lines);
  } else {
    row = add_scope(track, lines);
  }
  rows_by_track_.push_back(row);
  return status;
}

uint32_t ThreadLayout::add_process(int64_t pid, std::string_view name, std::string& lines) {
  if (!is_system_id(pid)) {
    return make_process(next_pid_++, with_number(name, "pid", pid), lines);
  }
  const auto known = processes_.find(pid);
  if (known == processes_.end()) {
    const uint32_t row = make_process(pid, name, lines);
    processes_.emplace(pid, row);
    return row;
  }
  std::string& known_name = rows_[known->second].name;
  if (name.empty() || known_name == name) return known->second;
  if (known_name.empty()) {
    known_name = name;
    add_metadata(pid, 0, "process_name", "name", quoted(name), lines);
    return known->second;
  }
  // Of another machine or another day.
  return make_process(next_pid_++, with_number(name, "pid", pid), lines);
}

uint32_t ThreadLayout::add_thread(const model::Track& track, std::string& lines) {
  const uint32_t process = track.parent == model::kNoTrack ? add_process(track.pid, "", lines)
                                                           : rows_by_track_[track.parent];
  const int64_t pid = rows_[process].pid;
  if (!is_system_id(track.tid)) {
    return make_thread(pid, next_tid_++, with_number(track.name, "tid", track.tid), lines);
  }
  const auto [known, is_new] = threads_.try_emplace({pid, track.tid}, KnownThread{});
  if (is_new) {
    known->second = {track.thread_number, make_thread(pid, track.tid, track.name, lines)};
    return known->second.row;
  }
  if (known->second.number == track.thread_number) {
    const std::string_view name = track.domain.empty() ? track.name : track.domain;
    return make_thread(pid, next_tid_++, name, lines);
  }
  return make_thread(pid, next_tid_++, with_number(track.name, "tid", track.tid), lines);
}

uint32_t ThreadLayout::add_scope(const model::Track& track, std::string& lines) {
  if (track.parent != model::kNoTrack) {
    const Row& parent = rows_[rows_by_track_[track.parent]];
    const int64_t pid = parent.pid;
    std::string name(or_no_name(track.name));
    if (!parent.is_process) name = parent.name + "/" + name;
    return make_thread(pid, next_tid_++, name, lines);
  }
  if (track.kind == model::TrackKind::kStream) {
    return make_thread(rows_[session_row_].pid, next_tid_++, track.name, lines);
  }
  return make_process(next_pid_++, track.name, lines);
}

Status ThreadLayout::add_counter(const model::CounterTrack& track, std::string& lines) {
  Status status = check("counter track", track.id, counters_.size(), track.parent);
  if (!status.ok()) return status;
  const uint32_t row =
      track.parent == model::kNoTrack ? session_row_ : row_number(track.parent, lines);
  if (!rows_[row].is_named) name_thread(row, lines);
  const int64_t pid = rows_[row].pid;
  // Viewers tell the counters of a process apart by their names.
  const std::string plain(or_no_name(track.name));
  std::string name = plain;
  const std::string& owner = rows_[row].name;
  if (!owner.empty() && counter_names_.count({pid, name}) != 0) name = plain + " (" + owner + ")";
  const std::string base = name;
  for (int number = 2; !counter_names_.insert({pid, name}).second; ++number) {
    name = base + " (" + std::to_string(number) + ")";
  }
  std::string head = "\"name\":" + quoted(name) +
                     ",\"cat\":" + quoted(track.domain.empty() ? "default" : track.domain) +
                     ",\"args\":{" + quoted(track.unit.empty() ? "value" : track.unit) + ":";
  counters_.push_back({row, std::move(name), std::move(head)});
  return status;
}

uint32_t ThreadLayout::notes_row(std::string& lines) {
  if (notes_row_ == kNone) {
    notes_row_ = make_thread(rows_[session_row_].pid, next_tid_++, "ringscribe.notes", lines);
  }
  return notes_row_;
}

model::LaneHistory& ThreadLayout::history(uint32_t row) {
  std::unique_ptr<model::LaneHistory>& history = rows_[row].history;
  if (history == nullptr) history = std::make_unique<model::LaneHistory>();
  return *history;
}

size_t ThreadLayout::spans() const noexcept {
  size_t count = 0;
  for (const Row& row : rows_) count += row.history == nullptr ? 0 : row.history->spans();
  return count;
}

void ThreadLayout::forget_older_half() {
  for (Row& row : rows_) {
    if (row.history != nullptr) row.history->forget_older_half();
  }
}

}  // namespace ringscribe::chrome
