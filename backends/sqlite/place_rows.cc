// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/sqlite/place_rows.h"

#include <string>

namespace ringscribe::sqlite {
namespace {

// A path of more than 4096 bytes begins anew: deep trees would have paths of square length.
constexpr const char* kInsertTrack =
    "INSERT INTO tracks VALUES(?1, ?2, ?3, ?4, ?5, coalesce((SELECT "
    "CASE WHEN length(CAST(path AS BLOB)) > 4096 THEN '...' ELSE path END || '/' "
    "FROM tracks WHERE id = ?2), '') || ?5, ?6, ?7, ?8)";

// The largest ID that a table of bits is kept for.
constexpr uint32_t kStreamMax = uint32_t{1} << 28;

const char* kind_name(model::TrackKind kind) noexcept {
  switch (kind) {
    case model::TrackKind::kProcess:
      return "process";
    case model::TrackKind::kThread:
      return "thread";
    case model::TrackKind::kScope:
      return "scope";
    case model::TrackKind::kStream:
      return "stream";
  }
  return "scope";
}

const char* value_type_name(model::CounterValueType type) noexcept {
  switch (type) {
    case model::CounterValueType::kUnspecified:
      return nullptr;
    case model::CounterValueType::kAbsolute:
      return "absolute";
    case model::CounterValueType::kDelta:
      return "delta";
    case model::CounterValueType::kDeltaSinceStart:
      return "delta_since_start";
  }
  return nullptr;
}

const char* interpolation_name(model::CounterInterpolation interpolation) noexcept {
  switch (interpolation) {
    case model::CounterInterpolation::kUnspecified:
      return nullptr;
    case model::CounterInterpolation::kPoint:
      return "point";
    case model::CounterInterpolation::kSinceLast:
      return "since_last";
    case model::CounterInterpolation::kUntilNext:
      return "until_next";
    case model::CounterInterpolation::kLinear:
      return "linear";
  }
  return nullptr;
}

Status out_of_order(const char* what, uint32_t id, uint32_t expected) {
  return Status(ResultCode::kInvalidArgument, std::string("sqlite: ") + what + " " +
                                                  std::to_string(id) + " was announced where " +
                                                  std::to_string(expected) + " is the next");
}

Status no_parent(const char* what, uint32_t id, uint32_t parent) {
  return Status(ResultCode::kInvalidArgument,
                std::string("sqlite: ") + what + " " + std::to_string(id) + " is below track " +
                    std::to_string(parent) + ", which is not known: announce it first");
}

void bind_word(Statement& statement, int parameter, const char* word) {
  if (word != nullptr) {
    statement.bind(parameter, std::string_view(word));
  } else {
    statement.bind_null(parameter);
  }
}

void bind_parent(Statement& statement, int parameter, uint32_t parent) {
  if (parent != model::kNoTrack) {
    statement.bind(parameter, int64_t{parent});
  } else {
    statement.bind_null(parameter);
  }
}

void bind_if(Statement& statement, int parameter, bool has_value, int64_t value) {
  if (has_value) {
    statement.bind(parameter, value);
  } else {
    statement.bind_null(parameter);
  }
}

}  // namespace

Status PlaceRows::open(Database& database) {
  Status status = database.prepare("INSERT INTO streams VALUES(?, ?, ?)", insert_stream_);
  if (status.ok()) status = database.prepare(kInsertTrack, insert_track_);
  if (!status.ok()) return status;
  return database.prepare("INSERT INTO counters VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                          insert_counter_);
}

Status PlaceRows::add(const model::Stream& stream) {
  if (has_stream(stream.id)) return {};
  if (stream.id >= kStreamMax) {
    return Status(ResultCode::kInvalidArgument,
                  "sqlite: stream " + std::to_string(stream.id) + " is out of range");
  }
  int64_t domain = 0;
  if (Status status = domains_.find_or_add(stream.domain, &domain); !status.ok()) return status;
  insert_stream_.bind(1, int64_t{stream.id});
  insert_stream_.bind(2, domain);
  insert_stream_.bind(3, stream.name);
  if (Status status = insert_stream_.run(); !status.ok()) return status;
  if (stream.id >= streams_.size()) streams_.resize(stream.id + 1);
  streams_[stream.id] = true;
  return {};
}

Status PlaceRows::add(const model::Track& track) {
  if (track.id != tracks_) return out_of_order("track", track.id, tracks_);
  if (track.parent != model::kNoTrack && !has_track(track.parent)) {
    return no_parent("track", track.id, track.parent);
  }
  int64_t domain = 0;
  if (Status status = domains_.find_or_add(track.domain, &domain); !status.ok()) return status;
  const bool is_thread = track.kind == model::TrackKind::kThread;
  const bool has_process = is_thread || track.kind == model::TrackKind::kProcess;
  insert_track_.bind(1, int64_t{track.id});
  bind_parent(insert_track_, 2, track.parent);
  insert_track_.bind(3, domain);
  bind_word(insert_track_, 4, kind_name(track.kind));
  insert_track_.bind(5, track.name);
  bind_if(insert_track_, 6, has_process, track.pid);
  bind_if(insert_track_, 7, is_thread, track.tid);
  bind_if(insert_track_, 8, is_thread, track.thread_number);
  if (Status status = insert_track_.run(); !status.ok()) return status;
  ++tracks_;
  return {};
}

Status PlaceRows::add(const model::CounterTrack& counter) {
  if (counter.id != counters_) return out_of_order("counter", counter.id, counters_);
  if (counter.parent != model::kNoTrack && !has_track(counter.parent)) {
    return no_parent("counter", counter.id, counter.parent);
  }
  int64_t domain = 0;
  if (Status status = domains_.find_or_add(counter.domain, &domain); !status.ok()) return status;
  const auto bind_limit = [&](int parameter, bool has_limit, double limit) {
    if (has_limit) {
      insert_counter_.bind(parameter, limit);
    } else {
      insert_counter_.bind_null(parameter);
    }
  };
  insert_counter_.bind(1, int64_t{counter.id});
  bind_parent(insert_counter_, 2, counter.parent);
  insert_counter_.bind(3, domain);
  insert_counter_.bind(4, counter.name);
  insert_counter_.bind(5, counter.unit);
  insert_counter_.bind(6, counter.description);
  insert_counter_.bind(7, int64_t{counter.is_floating});
  bind_word(insert_counter_, 8, value_type_name(counter.value_type));
  bind_word(insert_counter_, 9, interpolation_name(counter.interpolation));
  bind_limit(10, counter.has_minimum, counter.minimum);
  bind_limit(11, counter.has_maximum, counter.maximum);
  if (Status status = insert_counter_.run(); !status.ok()) return status;
  ++counters_;
  return {};
}

}  // namespace ringscribe::sqlite
