// SPDX-License-Identifier: Apache-2.0
//
// TrackLot: the events of one track that wait to be written, and the files they go to.
//
// Events come in any order of time, a range when it ends; a file of CTF is in order. So events are
// kept for a while (a lot), put in order, and written to the track's file. What is then still
// earlier than the end of that file goes to the first of its siblings that can take it,
// "NAME.late.1" and so on; a viewer puts them together by time. What is too large for a page goes
// to a file of its own a lot, "NAME.large.1" and so on (stream_file.h). Readers put what is at one
// time in the order of the files' numbers: a large file's is above those of all others, and what
// comes behind a large event of its time goes to a large file, too.
//
// Push/pop ranges that nest are begin and end without more, and nest in the order of the file, too
// (model/slice_order.h). All other ranges have the number of their pair on both.
//
//   TrackLot lot(layout.row(row), "track_0");
//   lot.add(kind, begin, end, place, {offset, size});
//   Status status = lot.write(out, bodies);  // the lot, and it is empty
//
// Threads: one at a time. Lifetime: the description has to outlive it.
#ifndef RINGSCRIBE_BACKENDS_CTF_TRACK_LOT_H_
#define RINGSCRIBE_BACKENDS_CTF_TRACK_LOT_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/ctf/class_table.h"
#include "ringscribe/backends/ctf/event_body.h"
#include "ringscribe/backends/ctf/metadata.h"
#include "ringscribe/backends/ctf/stream_file.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/slice_order.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

// What all tracks of a trace write to.
struct TraceOutput {
  output::OutputFolder& folder;
  Metadata& metadata;
  ClassTable& classes;
  uint64_t next_file = 0;
  uint64_t next_pair = 1;
  model::OrderBuffers order;
  uint64_t next_large_file = uint64_t{1} << 32;  // above those of all others
};

class TrackLot {
 public:
  // Where an event's bytes are.
  struct Bytes {
    size_t begin;
    size_t size;
  };

  TrackLot(const StreamDescription& description, std::string name);

  // A mark or a push/pop range. REQUIRES: end >= begin, and no less for a mark.
  void add(model::EventKind kind, int64_t begin, int64_t end, const EventBody::Place& place,
           Bytes bytes);
  // A range that need not nest, with the number of its pair.
  void add_pair(uint64_t pair, int64_t begin, int64_t end, const EventBody::Place& place,
                Bytes bytes);
  // What has a time and belongs to no nesting: samples and notes.
  void add_record(int64_t time, uint32_t class_number, Bytes bytes);
  // Events that were lost at about that time.
  void lose(uint64_t count, int64_t time);
  bool is_empty() const noexcept { return slices_.empty() && records_.empty() && lost_ == 0; }

  // Writes all, classes first. `bodies` is what Bytes mean. After a failure some may be written.
  Status write(TraceOutput& out, std::string_view bodies);

  size_t spans() const noexcept { return history_.spans() + large_times_.size(); }
  void forget_older_half();

 private:
  struct Body {
    EventBody::Place place;
    Bytes bytes;
  };
  // An event of the file.
  struct Record {
    int64_t time;
    uint64_t pair;  // 0: none
    uint32_t class_number;
    Bytes bytes;
  };

  static Record begin_of(int64_t time, uint64_t pair, const Body& body);
  static Record end_of(int64_t time, uint64_t pair, const Body& body);
  Status write_in_order(TraceOutput& out, std::span<const model::Edge> edges,
                        std::string_view bodies);
  Status write_record(TraceOutput& out, const Record& record, std::string_view bodies);
  void say_loss(TraceOutput& out);
  Status flush_files(TraceOutput& out);
  StreamFile& file_for(TraceOutput& out, uint64_t cycles);
  StreamFile& large_file(TraceOutput& out);
  // Whether an event of that time and size goes to large_file().
  bool is_for_large(uint64_t cycles, size_t bytes);

  const StreamDescription& description_;
  std::string name_;
  std::vector<StreamFile> files_;  // the track's, then its siblings
  std::vector<StreamFile> large_;  // of this lot, at most one
  uint64_t large_count_ = 0;
  std::set<uint64_t> large_times_;  // of the events in files of any lot that had no room
  model::LaneHistory history_;

  // The lot.
  std::vector<model::Slice> slices_;  // marks and push/pop ranges
  std::vector<Body> bodies_;          // of slices_
  std::vector<Record> records_;       // all else
  uint64_t lost_ = 0;
  int64_t lost_time_ = 0;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_TRACK_LOT_H_
