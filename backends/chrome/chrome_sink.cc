// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/chrome/chrome_sink.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <utility>

#include "ringscribe/backends/chrome/json_text.h"
#include "ringscribe/backends/chrome/microseconds.h"
#include "ringscribe/backends/chrome/touching_ranges.h"
#include "ringscribe/backends/nvtxw/utf8.h"

namespace ringscribe::chrome {
namespace {

constexpr size_t kWriteBytes = size_t{64} << 10;
// So many rows of a block are added between two looks at the clock.
constexpr size_t kLookEvents = 64;
// The tail is written again and again: it holds no more of the name.
constexpr size_t kTailNameBytes = 1024;

int64_t coarse_now_ns() noexcept {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Status not_announced(const char* what, uint32_t id) {
  return Status(ResultCode::kInvalidArgument, std::string("chrome: ") + what + " " +
                                                  std::to_string(id) +
                                                  " is not known: announce it before its use");
}

void append_time(std::string& out, int64_t ns) {
  char text[kMicrosecondsMax];
  out.append(text, static_cast<size_t>(put_microseconds(text, ns) - text));
}

void append_duration(std::string& out, uint64_t ns) {
  char text[kMicrosecondsMax];
  out.append(text, static_cast<size_t>(put_duration(text, ns) - text));
}

const char* not_finite_text(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

// An end has the name and the category of its begin, which a body has in front of all else. In a
// string each quote has a backslash in front.
std::string_view head_of(std::string_view body) {
  return body.substr(0, std::min(body.find(",\"args\":"), body.find(",\"bind_id\":")));
}

}  // namespace

ChromeSink::ChromeSink(std::unique_ptr<output::OutputFile> file, const SinkOptions& options)
    : file_(std::move(file)), options_(options), flushed_ns_(coarse_now_ns()) {}

ChromeSink::~ChromeSink() {
  if (!finished_) static_cast<void>(finish());
}

template <typename Work>
Status ChromeSink::guarded(const char* operation, Work work) {
  if (!failure_.ok()) return failure_;
  if (finished_) {
    return Status(ResultCode::kFailed, std::string("chrome: ") + operation +
                                           " after the trace was finished: nothing was written");
  }
  try {
    if (!is_begun_) begin("");
    return work();
  } catch (const std::exception& error) {
    lines_.resize(std::min(whole_bytes_, lines_.size()));  // no half line stays
    return Status(ResultCode::kFailed, std::string("chrome: ") + operation + " failed: " +
                                           error.what() + "; this one is not in the trace");
  }
}

Status ChromeSink::keep(Status failure) {
  failure_ = Status(failure.code(), failure.message() +
                                        "; the trace is not whole: what was written before stays "
                                        "there");
  return failure_;
}

void ChromeSink::begin(std::string_view session_name) {
  is_begun_ = true;
  session_name_ = session_name;
  lines_ += "{\"traceEvents\":[";
  layout_.begin(session_name, lines_);
  whole_bytes_ = lines_.size();
  set_tail();
}

Status ChromeSink::session(std::string_view name) {
  if (!is_begun_ && failure_.ok() && !finished_) {
    try {
      begin(name);
    } catch (const std::exception& error) {
      return keep(
          Status(ResultCode::kFailed, std::string("chrome: session failed: ") + error.what()));
    }
  }
  return guarded("session", [] { return Status(); });
}

void ChromeSink::set_tail() {
  JsonText json;
  json.open_object();
  const auto pair = [&](const char* key, std::string_view value) {
    json.key(key);
    json.text(value);
  };
  pair("producer", "Ringscribe");
  const std::string_view name = session_name_;
  pair("session", name.substr(0, nvtxw::floor_to_utf8_boundary(name, kTailNameBytes)));
  pair("clock", "CLOCK_MONOTONIC");
  for (size_t i = 0; i < clock_points_.size(); ++i) {
    const std::string which = i == 0 ? "first" : "last";
    pair((which + "_monotonic_ns").c_str(), std::to_string(clock_points_[i].monotonic_ns));
    pair((which + "_realtime_ns").c_str(), std::to_string(clock_points_[i].realtime_ns));
  }
  json.close_object();
  file_->set_tail("\n],\"displayTimeUnit\":\"ns\",\"otherData\":" + std::string(json.bytes()) +
                  "}\n");
}

Status ChromeSink::track(const model::Track& track) {
  return guarded("track", [&] {
    Status status = layout_.add(track, lines_);
    return status.ok() ? after_event(kLookEvents) : status;
  });
}

Status ChromeSink::counter_track(const model::CounterTrack& track) {
  return guarded("counter track", [&] {
    Status status = layout_.add_counter(track, lines_);
    return status.ok() ? after_event(kLookEvents) : status;
  });
}

Status ChromeSink::clock_point(int64_t monotonic_ns, int64_t realtime_ns) {
  return guarded("clock point", [&] {
    if (clock_points_.size() == 2) clock_points_.pop_back();
    clock_points_.push_back({monotonic_ns, realtime_ns});
    set_tail();
    return Status();
  });
}

void ChromeSink::see(int64_t time, bool synchronised) noexcept {
  if (!synchronised) {
    latest_other_ = std::max(latest_other_, time);
  } else if (!has_synchronised_ || time > latest_) {
    latest_ = time;
    has_synchronised_ = true;
  }
}

ChromeSink::RowLot& ChromeSink::row_lot(uint32_t row) {
  if (row >= rows_.size()) rows_.resize(row + 1);
  RowLot& lot = rows_[row];
  if (!lot.is_used) used_rows_.push_back(row);
  lot.is_used = true;
  return lot;
}

void ChromeSink::add_to_lot(RowLot& lot, int64_t begin, int64_t end, size_t body) {
  lot.bodies.push_back({body, bodies_.size() - body});
  try {
    lot.slices.push_back({begin, end, model::SliceKind::kPushPop});
  } catch (...) {
    lot.bodies.pop_back();
    throw;
  }
  ++lot_events_;
}

void ChromeSink::add_mark(uint32_t row, int64_t time, std::string_view body) {
  lines_ += "\n,{\"ph\":\"i\",\"s\":\"t\",";
  lines_ += layout_.row(row).place;
  append_time(lines_, time);
  lines_.append(",").append(body).append("}");
}

void ChromeSink::add_complete(uint32_t row, int64_t begin, int64_t end, std::string_view body) {
  lines_ += "\n,{\"ph\":\"X\",";
  lines_ += layout_.row(row).place;
  append_time(lines_, begin);
  lines_ += ",\"dur\":";
  append_duration(lines_, static_cast<uint64_t>(end) - static_cast<uint64_t>(begin));
  lines_.append(",").append(body).append("}");
}

void ChromeSink::add_begin(uint32_t row, int64_t time, std::string_view body) {
  lines_ += "\n,{\"ph\":\"B\",";
  lines_ += layout_.row(row).place;
  append_time(lines_, time);
  lines_.append(",").append(body).append("}");
}

void ChromeSink::add_end(uint32_t row, int64_t time, std::string_view body) {
  lines_ += "\n,{\"ph\":\"E\",";
  lines_ += layout_.row(row).place;
  append_time(lines_, time);
  lines_.append(",").append(head_of(body)).append("}");
}

void ChromeSink::add_async(uint32_t row, int64_t begin, int64_t end, std::string_view body) {
  const std::string id = "\"id\":\"" + std::to_string(next_async_id_++) + "\",";
  const std::string& place = layout_.row(row).place;
  lines_.append("\n,{\"ph\":\"b\",").append(id).append(place);
  append_time(lines_, begin);
  lines_.append(",").append(body).append("}");
  lines_.append("\n,{\"ph\":\"e\",").append(id).append(place);
  append_time(lines_, end);
  lines_.append(",").append(head_of(body)).append("}");
}

Status ChromeSink::event(const model::Event& event) {
  return guarded("event", [&] {
    if (!layout_.has(event.track)) return not_announced("track", event.track);
    const uint32_t row = layout_.row_number(event.track, lines_);
    const int64_t end = std::max(event.begin, event.end);
    see(event.kind == model::EventKind::kMark ? event.begin : end, event.synchronised);
    if (event.kind == model::EventKind::kRangePushPop) {
      RowLot& lot = row_lot(row);
      const size_t body = bodies_.size();
      text_.append(event, bodies_);
      add_to_lot(lot, event.begin, end, body);
    } else {
      body_.clear();
      text_.append(event, body_);
      if (event.kind == model::EventKind::kMark) {
        add_mark(row, event.begin, body_);
      } else {
        add_async(row, event.begin, end, body_);
      }
    }
    return after_event(kLookEvents);
  });
}

Status ChromeSink::events(const model::EventBlock& block) {
  if (!EventText::is_ordinary(block)) return EventSink::events(block);
  return guarded("event", [&] {
    const uint32_t track = block.shared.track;
    if (!layout_.has(track)) return not_announced("track", track);
    const uint32_t row = layout_.row_number(track, lines_);
    const bool is_mark = block.shared.kind == model::EventKind::kMark;
    for (size_t i = 0; i < block.rows.size(); ++i) {
      const auto& [begin, end, range_id, label] = block.rows[i];
      see(end, true);
      if (is_mark) {
        body_.clear();
        text_.append(block, i, body_);
        add_mark(row, begin, body_);
      } else {
        RowLot& lot = row_lot(row);
        const size_t body = bodies_.size();
        text_.append(block, i, bodies_);
        add_to_lot(lot, begin, end, body);
      }
      if (Status status = after_event(1); !status.ok()) return status;
    }
    return after_event(kLookEvents);
  });
}

void ChromeSink::add_note(uint32_t row, int64_t time, const char* scope, std::string_view name,
                          std::string_view args) {
  lines_.append("\n,{\"ph\":\"i\",\"s\":\"").append(scope).append("\",");
  lines_ += layout_.row(row).place;
  append_time(lines_, time);
  lines_.append(",\"name\":").append(quoted(name)).append(",\"cat\":\"ringscribe\",\"args\":{");
  lines_.append(args).append("}}");
}

Status ChromeSink::counter_sample(const model::CounterSample& sample) {
  return guarded("counter sample", [&] {
    if (!layout_.has_counter(sample.counter_track)) {
      return not_announced("counter track", sample.counter_track);
    }
    const ThreadLayout::Counter& counter = layout_.counter(sample.counter_track);
    see(sample.time, sample.synchronised);
    const std::string domain =
        sample.synchronised ? ""
                            : ",\"time_domain\":\"" + std::to_string(sample.time_domain) + "\"";
    const bool is_finite = !sample.is_floating || std::isfinite(sample.double_value);
    if (!sample.has_value || !is_finite) {
      std::string args = "\"counter\":" + quoted(counter.name);
      if (sample.has_value) {
        args += std::string(",\"value\":\"") + not_finite_text(sample.double_value) + "\"";
      } else {
        args += ",\"reason\":" + std::to_string(sample.no_value_reason);
      }
      add_note(layout_.notes_row(lines_), sample.time, "t", "counter without value", args + domain);
      return after_event(kLookEvents);
    }
    char number[kRealMax];
    const int64_t value = sample.int_value;
    const char* const end = sample.is_floating
                                ? put_real(number, sample.double_value)
                                : std::to_chars(number, number + kRealMax, value).ptr;
    const std::string_view digits(number, static_cast<size_t>(end - number));
    lines_ += "\n,{\"ph\":\"C\",";
    lines_ += layout_.row(counter.row).place;
    append_time(lines_, sample.time);
    lines_.append(",").append(counter.head).append(digits).append("}").append(domain);
    // A viewer draws the number, which it reads as a double; this one is exact.
    if (!sample.is_floating && (value > kExactMax || value < -kExactMax)) {
      lines_.append(",\"exact\":\"").append(digits).append("\"");
    }
    lines_ += "}";
    return after_event(kLookEvents);
  });
}

Status ChromeSink::problem(std::string_view sentence, uint64_t count) {
  return guarded("problem", [&] {
    const std::string args = "\"count\":" + std::to_string(count);
    add_note(layout_.notes_row(lines_), latest(), "g", sentence, args);
    return after_event(kLookEvents);
  });
}

Status ChromeSink::after_event(size_t count) {
  whole_bytes_ = lines_.size();
  if (lot_events_ >= options_.lot_events_max || bodies_.size() >= options_.lot_bytes_max) {
    if (Status status = write_lot(); !status.ok()) return status;
  }
  if (lines_.size() >= kWriteBytes) {
    if (Status status = write_lines(); !status.ok()) return status;
  }
  events_since_look_ += count;
  if (events_since_look_ < kLookEvents) return {};
  events_since_look_ = 0;
  const int64_t now = coarse_now_ns();
  if (now - flushed_ns_ < options_.flush_interval_ns) return {};
  flushed_ns_ = now;
  Status status = write_lot();
  if (status.ok()) status = write_lines();
  if (status.ok()) status = file_->flush();
  return status.ok() || !failure_.ok() ? status : keep(std::move(status));
}

Status ChromeSink::write_lot() {
  try {
    for (const uint32_t row : used_rows_) {
      RowLot& lot = rows_[row];
      const std::span<const model::Edge> edges =
          model::order_slices(lot.slices, layout_.history(row), order_);
      find_touching(lot.slices, edges, touches_);
      for (const model::Edge& edge : edges) {
        const model::Slice& slice = lot.slices[edge.slice];
        const Body& place = lot.bodies[edge.slice];
        const std::string_view body(bodies_.data() + place.begin, place.size);
        const bool is_begin = edge.kind == model::EdgeKind::kBegin;
        if (edge.lane_kind != model::LaneKind::kMain) {
          if (is_begin) add_async(row, slice.begin, slice.end, body);
        } else if (!touches_[edge.slice]) {
          if (is_begin) add_complete(row, slice.begin, slice.end, body);
        } else if (is_begin) {
          add_begin(row, slice.begin, body);
        } else {
          add_end(row, slice.end, body);
        }
        whole_bytes_ = lines_.size();
        if (whole_bytes_ < kWriteBytes) continue;
        if (Status status = write_lines(); !status.ok()) return status;
      }
      lot.slices.clear();
      lot.bodies.clear();
      lot.is_used = false;
    }
    used_rows_.clear();
    bodies_.clear();
    lot_events_ = 0;
    if (layout_.spans() > options_.spans_max) layout_.forget_older_half();
  } catch (const std::exception& error) {
    // Some of a lot may be written already, and would be written twice.
    lines_.resize(std::min(whole_bytes_, lines_.size()));
    static_cast<void>(write_lines());
    return keep(Status(ResultCode::kFailed, "chrome: writing events to \"" + file_->path() +
                                                "\" failed: " + error.what()));
  }
  return {};
}

Status ChromeSink::write_lines() {
  Status status = file_->write(lines_.data(), lines_.size());
  lines_.clear();
  whole_bytes_ = 0;
  return status.ok() ? status : keep(std::move(status));
}

Status ChromeSink::finish() {
  if (finished_) return failure_;
  Status status = guarded("finish", [&] {
    Status written = write_lot();
    if (written.ok()) written = write_lines();
    if (written.ok()) written = file_->finish();
    return written.ok() || !failure_.ok() ? written : keep(written);
  });
  finished_ = true;
  if (failure_.ok()) failure_ = status;
  return status;
}

}  // namespace ringscribe::chrome
