// SPDX-License-Identifier: Apache-2.0
//
// StreamWriter: turns the records of one stream into NVTXW calls: groups complete events into
// batches by schema, pairs push with pop and start with end, groups counter samples (DESIGN D6).
//
//   for each ring: write(record…)*; end_ring(thread)   // batches, then what stayed unpaired
//   end_step()                                         // counter batches
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
#include "ringscribe/runtime/record.h"
#include "ringscribe/runtime/row_batch.h"
#include "ringscribe/runtime/spsc_ring.h"
#include "ringscribe/runtime/stream_table.h"

namespace ringscribe::runtime {

struct StreamOptions {
  bool is_live = false;
  bool is_ordered = false;
  uint64_t scope_id = 0;
};

class StreamWriter {
 public:
  struct Limits {
    uint64_t batch_events_max = 4096;
    uint64_t batch_text_bytes_max = uint64_t{1} << 20;
  };

  StreamWriter(DomainState* domain, nvtxwStreamHandle_t handle, uint16_t number,
               const StreamOptions& options, const Limits& limits, StreamTable* streams,
               DefinitionTables* tables);

  // `body` is what follows the header. REQUIRES: header.stream is this stream.
  void write(const Header& header, const uint8_t* body, const SpscRing::Thread& thread);
  void end_ring();
  void end_step();

  uint64_t recorded() const noexcept { return recorded_.load(std::memory_order_relaxed); }
  nvtxwStreamHandle_t handle() const noexcept { return handle_; }
  DomainState& domain() const noexcept { return *domain_; }
  uint16_t number() const noexcept { return number_; }
  // The first refusal of the backend since the last call.
  Status take_failure();

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
  // An event of its own, or a push or start that waits for its partner.
  struct Single {
    uint64_t sequence = 0;  // order of the records
    BuiltinSchema schema = BuiltinSchema::kPop;
    bool is_builtin = true;
    uint64_t schema_id = 0;  // !is_builtin
    int64_t time = 0;
    uint64_t range_id = 0;
    uint32_t color = 0, category = 0;
    uint64_t message = 0;
    size_t bytes_at = 0;  // text, or the row of a user's schema, in scratch_
    size_t bytes = 0;
    bool has_text = false;
  };
  enum Family : size_t { kMarks, kPushPops, kStartEnds, kFamilies };

  Text parse_text(uint32_t site, const uint8_t* body);
  void add_event(Family family, int64_t begin, int64_t end, const Text& text, uint64_t calls);
  void write_point(const Header& header, const uint8_t* body);
  void write_range_record(const Header& header, const uint8_t* body);
  void write_push_or_start(const Header& header, const uint8_t* body);
  void write_pop(int64_t time);
  void write_end(int64_t time, uint64_t range_id);
  void write_rows(const Header& header, const uint8_t* rows, uint64_t count);
  void write_samples(const Header& header, const uint8_t* body);
  void write_no_value(const Header& header, const uint8_t* body);
  void close_pair(Family family, const Single& open, int64_t end);

  Single make_single(const Header& header, const uint8_t* body);
  void put_single(const Single& single);
  void write_single(const Single& single);
  void enter_layout(uint64_t layout);
  void write_batches();
  void write_text_batch(size_t index);
  void write_row_batch(RowBatch& batch, uint64_t schema_id);
  void write_counter_batch(SampleBatch& batch);
  void account(int32_t result, const char* operation, uint64_t calls);
  uint64_t scope();

  DomainState* domain_;
  nvtxwStreamHandle_t handle_;
  uint16_t number_;
  StreamOptions options_;
  Limits limits_;
  StreamTable* streams_;
  DefinitionTables* tables_;
  SpscRing::Thread thread_;
  uint64_t sequence_ = 0;
  uint64_t layout_ = 0;  // ordered streams: of the batch that is being filled

  RowBatch text_batches_[2 * kFamilies];       // 2 * family, + 1 for the form with inline text
  Map<uint32_t, RowBatch> row_batches_;        // by schema number
  Map<uint32_t, SampleBatch> sample_batches_;  // by counter number
  Vector<Single> open_pushes_;  // innermost last; barriers for pushes of users' schemas
  Vector<Single> open_starts_;
  Vector<Single> singles_;
  Vector<char> scratch_;
  std::atomic<uint64_t> recorded_{0};  // relaxed: a statistic
  Status failure_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_STREAM_WRITER_H_
