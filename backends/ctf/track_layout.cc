// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/track_layout.h"

#include "ringscribe/backends/ctf/tsdl_text.h"

namespace ringscribe::ctf {
namespace {

// 0 is the idle task's; from 2^30 up are ours.
bool is_system_id(int64_t id) noexcept { return id > 0 && id < int64_t{1} << 30; }

std::string with_number(std::string_view name, const char* what, int64_t number) {
  std::string text(name);
  if (!text.empty()) text += ' ';
  return text + "(" + what + " " + std::to_string(number) + ")";
}

// As it stands in packets.
std::string shown(std::string_view name) {
  std::string out;
  append_text(out, name);
  out.pop_back();
  return std::string(cut_text(out, StreamFile::kNameBytesMax));
}

}  // namespace

TrackLayout::TrackLayout(const Metadata::Uuid& uuid, std::string_view session_name) : uuid_(uuid) {
  const std::string name(session_name.empty() ? "session" : session_name);
  const int32_t vpid = next_pid_++;
  add_row(vpid, next_tid_++, name, "session", true);
  add_row(vpid, next_tid_++, name, "ringscribe.notes", false);
}

std::string TrackLayout::file_name(uint32_t row) {
  if (row == kSessionRow) return "track_session";
  if (row == kNotesRow) return "track_notes";
  return "track_" + std::to_string(row - kFirst);
}

void TrackLayout::add_row(int32_t vpid, int32_t vtid, std::string_view process,
                          std::string_view name, bool is_process) {
  rows_.push_back({{uuid_, vpid, vtid, shown(process), shown(name)}, is_process});
}

Status TrackLayout::check(const char* what, uint32_t id, size_t next, uint32_t parent) const {
  const std::string subject = std::string("ctf: ") + what + " " + std::to_string(id);
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

Status TrackLayout::add(const model::Track& track) {
  Status status = check("track", track.id, rows_.size() - kFirst, track.parent);
  if (!status.ok()) return status;
  if (track.kind == model::TrackKind::kProcess) {
    add_process(track.pid, track.name);
  } else if (track.kind == model::TrackKind::kThread) {
    add_thread(track);
  } else {
    add_scope(track);
  }
  return status;
}

void TrackLayout::add_process(int64_t pid, std::string_view name) {
  std::string process = with_number(name, "pid", pid);
  int32_t vpid = 0;
  if (is_system_id(pid)) {
    std::string& known = processes_.try_emplace(pid, name).first->second;
    if (known.empty()) known = name;
    if (name.empty() || known == name) {
      vpid = static_cast<int32_t>(pid);
      process = known;
    }
  }
  // Of another machine or another day, or no number of a system's.
  if (vpid == 0) vpid = next_pid_++;
  add_row(vpid, next_tid_++, process, process, true);
}

void TrackLayout::add_thread(const model::Track& track) {
  int32_t vpid = next_pid_;
  std::string process = with_number("", "pid", track.pid);
  if (track.parent != model::kNoTrack) {
    const Row& parent = rows_[row_of(track.parent)];
    vpid = parent.description.vpid;
    process = parent.description.procname;
  } else if (is_system_id(track.pid)) {
    vpid = static_cast<int32_t>(track.pid);
    process = processes_.try_emplace(track.pid).first->second;
  } else {
    ++next_pid_;
  }
  const std::string numbered = with_number(track.name, "tid", track.tid);
  if (!is_system_id(track.tid)) return add_row(vpid, next_tid_++, process, numbered, false);
  const auto [known, is_new] = threads_.try_emplace({vpid, track.tid}, track.thread_number);
  std::string name(track.name);
  if (is_new) return add_row(vpid, static_cast<int32_t>(track.tid), process, name, false);
  if (known->second != track.thread_number) {
    name = numbered;
  } else if (!track.domain.empty()) {
    name.append(" (").append(track.domain).append(")");
  }
  add_row(vpid, next_tid_++, process, name, false);
}

void TrackLayout::add_scope(const model::Track& track) {
  std::string name(track.name);
  if (track.parent != model::kNoTrack) {
    const Row& parent = rows_[row_of(track.parent)];
    if (!parent.is_process) name = parent.description.track + "/" + name;
    return add_row(parent.description.vpid, next_tid_++, parent.description.procname, name, false);
  }
  if (track.kind == model::TrackKind::kStream) {
    const Row& session = rows_[kSessionRow];
    return add_row(session.description.vpid, next_tid_++, session.description.procname, name,
                   false);
  }
  const int32_t vpid = next_pid_++;
  add_row(vpid, next_tid_++, name, name, true);
}

Status TrackLayout::add_counter(const model::CounterTrack& counter) {
  Status status = check("counter track", counter.id, counter_rows_.size(), counter.parent);
  if (!status.ok()) return status;
  counter_rows_.push_back(counter.parent == model::kNoTrack ? kSessionRow : row_of(counter.parent));
  return status;
}

}  // namespace ringscribe::ctf
