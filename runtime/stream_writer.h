// SPDX-License-Identifier: Apache-2.0
//
// StreamWriter: turns the records of one stream into NVTXW calls: groups complete events into
// batches by schema, pairs push with pop and start with end (DESIGN D6). Samples go through
// sample_writer.h, events that are written one by one through single_events.h.
//
//   for each ring: write(run)*                          // of each stream, in the ring's order
//                  begin_end_of_ring()                  // batches
//                  write_next_single()*; end_ring()     // what stayed unpaired
//   end_step()                                          // counter batches
//
// In a stream that was opened with an ordering guarantee nothing is paired, and a batch ends
// wherever the schema changes, so that calls keep the order of the records.
//
// Threads: the flusher only. Allocates only until its buffers have grown to their usual size.
#ifndef RINGSCRIBE_RUNTIME_STREAM_WRITER_H_
#define RINGSCRIBE_RUNTIME_STREAM_WRITER_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/recent_map.h"
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_batch.h"
#include "ringscribe/runtime/sample_writer.h"
#include "ringscribe/runtime/single_events.h"
#include "ringscribe/runtime/spsc_ring.h"
#include "ringscribe/runtime/stream_output.h"
#include "ringscribe/runtime/stream_table.h"

namespace ringscribe::runtime {

struct StreamOptions {
  bool is_live = false;
  bool is_ordered = false;
  uint64_t scope_id = 0;  // live streams: 0 is a scope a thread
};

class StreamWriter {
 public:
  struct Limits {
    uint64_t batch_events_max = 4096;
    uint64_t batch_text_bytes_max = uint64_t{1} << 20;
    // A live range that took longer sets the flag.
    int64_t long_range_ticks = INT64_MAX;
    std::atomic<bool>* long_range_seen = nullptr;
  };

  StreamWriter(DomainState* domain, nvtxwStreamHandle_t handle, uint16_t number,
               const StreamOptions& options, const Limits& limits, StreamTable* streams,
               DefinitionTables* tables);

  // A run: `count` records from `records` on that have the same header. `sequence` is the number of
  // the first among all records that were read, of all streams; `thread` wrote them, and stays
  // where it is until end_ring(). REQUIRES: header.stream is this stream.
  void write(const Header& header, const uint8_t* records, uint64_t count,
             const SpscRing::Thread& thread, uint64_t sequence);
  // Whether write() hands on a start or end by itself, which must not overtake what other streams
  // keep until the ring's end: their ends and starts may have the same range id.
  bool hands_on_a_range_id(const Header& header) const noexcept {
    return options_.is_ordered && has_range_id(header);
  }
  // Writes the batches. What stayed unpaired waits, in order, for the flusher to write it in the
  // ring's order: a start and its end may be on two streams.
  void begin_end_of_ring();
  const Vector<SingleEvents::Single>& singles() const noexcept { return singles_; }
  void write_next_single() { single_events_.write(singles_[next_single_++], single_scope()); }
  void end_ring();
  void end_step();

  uint64_t recorded() const noexcept { return output_.recorded(); }
  nvtxwStreamHandle_t handle() const noexcept { return output_.handle; }
  DomainState& domain() const noexcept { return output_.domain; }
  uint16_t number() const noexcept { return output_.number; }
  // The first refusal of the backend since the last call.
  Status take_failure() { return output_.take_failure(); }

  // Flusher's lists.
  bool is_in_ring_list = false;
  bool is_in_step_list = false;

 private:
  // Message, colour and category as the backend takes them.
  struct Text {
    uint32_t color = 0;
    uint32_t category = 0;
    uint64_t message = 0;   // handle; 0 if `text` has it, or if there is none
    std::string_view text;  // valid during write() only
  };
  using Single = SingleEvents::Single;
  enum Family : size_t { kMarks, kPushPops, kStartEnds, kFamilies };

  bool has_range_id(const Header& header) const noexcept;
  void write_one(const Header& header, const uint8_t* body);
  // kMark, kRange and kStartEnd whose texts the header names.
  void write_known_texts(Family family, const Header& header, const uint8_t* records,
                         uint64_t count);
  // Complete events of a fixed layout.
  void write_events(const SchemaDefinition& schema, const Header& header, const uint8_t* records,
                    uint64_t count);
  // How many of `count` more rows the batch takes before it is to be written.
  uint64_t room_in(const RowBatch& batch, uint64_t count) const noexcept {
    const uint64_t room = limits_.batch_events_max - batch.count();
    return count < room ? count : room;
  }

  // The handle of a registered string; 0 if the backend refused it.
  uint64_t string_handle(uint32_t number);
  // Of a call site or registered string: the record has no text of its own.
  Text known_text(uint32_t site);
  Text parse_text(uint32_t site, const uint8_t* body);
  bool looks_for_long_ranges() const noexcept {
    return limits_.long_range_seen != nullptr && options_.is_live;
  }
  void note_range(int64_t begin, int64_t end) noexcept {
    if (end - begin > limits_.long_range_ticks)
      limits_.long_range_seen->store(true, std::memory_order_relaxed);
  }
  void add_event(Family family, int64_t begin, int64_t end, const Text& text, uint64_t calls);
  void write_push_or_start(const Header& header, const uint8_t* body);
  // `calls`: 0 for one that was counted as lost.
  void write_pop(int64_t time, uint32_t calls);
  void write_end(int64_t time, uint64_t range_id);
  // kEventBatch, kFlexEvent, kEvent. `flex` is what stands behind a kFlexEvent's row.
  void write_rows(const Header& header, const uint8_t* rows, uint64_t count, uint32_t order,
                  const uint8_t* flex);
  void resolve_words(const SchemaDefinition& schema, uint8_t* rows, uint64_t count);
  void write_payloads(const uint8_t* body);
  void write_sync_points(const uint8_t* body);
  void write_conversion(const uint8_t* body);
  void close_pair(Family family, const Single& open, int64_t end, uint64_t calls);

  Single make_single(const Header& header, const uint8_t* body);
  void put_single(const Single& single);
  // A push of a user's schema keeps later pops from pairing with pushes before it.
  void put_user_single(const Single& single);
  // What is open becomes single events, in their place.
  void give_up_pairing();
  void enter_layout(uint64_t layout);
  void write_batches();
  void write_text_batch(size_t index);
  // `order`: NVTX's batch flags, or kDetectOrder.
  void write_row_batch(RowBatch& batch, uint64_t schema_id, uint32_t order = kDetectOrder);
  uint64_t scope();
  uint64_t single_scope();

  StreamOutput output_;
  StreamOptions options_;
  Limits limits_;
  SampleWriter samples_;
  SingleEvents single_events_;
  const SpscRing::Thread* thread_ = nullptr;  // of the ring that is being read
  uint64_t sequence_ = 0;
  uint64_t layout_ = 0;  // ordered streams: of the batch that is being filled

  RowBatch text_batches_[2 * kFamilies];  // 2 * family, + 1 for the form with inline text
  RecentMap<RowBatch> row_batches_;       // by schema number
  Vector<Single> open_pushes_;            // innermost last
  Vector<Single> open_starts_;
  Vector<Single> singles_;
  size_t next_single_ = 0;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_STREAM_WRITER_H_
