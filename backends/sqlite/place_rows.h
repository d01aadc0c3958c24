// SPDX-License-Identifier: Apache-2.0
//
// PlaceRows: what events and samples refer to: streams, tracks and counters (the tables of these
// names). Numbers are the model's.
//
//   PlaceRows places(domains);
//   Status status = places.open(database);
//   status = places.add(track);
//
// Threads: one at a time. Lifetime: ends before its database and its DomainTable; nothing that is
// passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_PLACE_ROWS_H_
#define RINGSCRIBE_BACKENDS_SQLITE_PLACE_ROWS_H_

#include <cstdint>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/sqlite/database.h"
#include "ringscribe/backends/sqlite/domains.h"

namespace ringscribe::sqlite {

class PlaceRows {
 public:
  explicit PlaceRows(DomainTable& domains) : domains_(domains) {}
  Status open(Database& database);

  // A stream that is there already stays as it is.
  Status add(const model::Stream& stream);
  // Fail with kInvalidArgument if IDs are not dense, or a parent was not added before.
  Status add(const model::Track& track);
  Status add(const model::CounterTrack& counter);

  bool has_stream(uint32_t id) const noexcept { return id < streams_.size() && streams_[id]; }
  bool has_track(uint32_t id) const noexcept { return id < tracks_; }
  bool has_counter(uint32_t id) const noexcept { return id < counters_; }

 private:
  DomainTable& domains_;
  std::vector<bool> streams_;
  uint32_t tracks_ = 0;
  uint32_t counters_ = 0;
  Statement insert_stream_;
  Statement insert_track_;
  Statement insert_counter_;
};

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_PLACE_ROWS_H_
