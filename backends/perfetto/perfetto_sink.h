// SPDX-License-Identifier: Apache-2.0
//
// PerfettoSink: writes a session's events as a Perfetto trace (.pftrace).
//
// Perfetto nests the ranges of a track by their order, the model hands a range over after those
// inside it. So events are kept in a lot of bounded size, sorted track by track, and written lot
// by lot; slice_order.h says how, also for ranges that do not nest.
//
// What is worth a word to the reader of the trace stands on a track of its own,
// "ringscribe.notes": time domains that were shifted, samples without a value, problems.
//
//   PerfettoSink sink(std::move(file));
//   sink.session("matching engine");
//   ... track(), event(), ...
//   Status status = sink.finish();
//
// Threads: one at a time. Lifetime: the destructor finishes if finish() was not called.
// Errors: a failure to write is kept, and every later call returns it. The file then keeps its
// name PATH.part, with all that was written before.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SINK_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SINK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/slice_order.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/event_encoding.h"
#include "ringscribe/backends/perfetto/packet_compression.h"
#include "ringscribe/backends/perfetto/time_shift.h"
#include "ringscribe/backends/perfetto/trace_clocks.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"
#include "ringscribe/backends/perfetto/track_layout.h"

namespace ringscribe::perfetto {

struct SinkOptions {
  // A lot is written when it has that many events and samples, or bytes of their contents.
  size_t lot_events_max = size_t{16} << 10;
  size_t lot_bytes_max = size_t{16} << 20;
  // Interned texts are forgotten, and defined again where they are used again, at these bounds.
  size_t interned_entries_max = size_t{64} << 10;
  size_t interned_bytes_max = size_t{8} << 20;
  // What is remembered of the ranges of earlier lots; 16 bytes each (covered_time.h).
  size_t spans_max = size_t{1} << 20;
  int compression_level = 0;  // of packets, 1 (fast) to 9 (small); 0: they are not compressed
  uint64_t first_uuid = 0;    // 0: chosen so that the tracks of two traces are not taken for one
  ReadClocks read_clocks = read_system_clocks;
};

class PerfettoSink final : public model::EventSink {
 public:
  explicit PerfettoSink(std::unique_ptr<output::OutputFile> file, const SinkOptions& options = {});
  ~PerfettoSink() override;
  PerfettoSink(const PerfettoSink&) = delete;
  PerfettoSink& operator=(const PerfettoSink&) = delete;

  Status session(std::string_view name) override;
  Status track(const model::Track& track) override;
  Status counter_track(const model::CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const model::Event& event) override;
  Status events(const model::EventBlock& block) override;
  Status counter_sample(const model::CounterSample& sample) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override;
  uint64_t bytes_written() const override { return file_->bytes_written(); }
  std::vector<std::string> paths() const override { return {file_->current_path()}; }

 private:
  struct LotEvent {
    EncodedEvent encoded;
    uint32_t time_domain;  // index in shifts_
  };
  // The events of one row in a lot: the same positions in both lists.
  struct RowLot {
    std::vector<model::Slice> slices;
    std::vector<LotEvent> events;
    bool is_used = false;  // it is in used_rows_
  };
  struct LotSample {
    int64_t time;
    EncodedEvent encoded;  // without a head
    uint32_t counter;
    uint32_t time_domain;
    bool is_floating;
    union {
      int64_t int_value;
      double double_value;
    };
  };

  // Calls `work` unless a failure is kept; an exception becomes a Status.
  template <typename Work>
  Status guarded(const char* operation, Work work);
  Status keep(Status failure);
  bool is_lot_full() const noexcept;
  Status make_room();
  void add_event(const model::Event& event);
  // Puts up to `most` events of an ordinary block into the lot, as long as it is not full; at least
  // one. Returns how many.
  size_t add_rows(const model::EventBlock& block, size_t first, size_t most);
  // Puts an event of which `encoded` says all else into the lot.
  void add_slice(uint32_t row, const model::Slice& slice, const LotEvent& event);
  // The row's lot, with room for `more` events: adding them cannot fail.
  RowLot& row_lot(uint32_t row, size_t more);

  uint32_t time_domain_index(bool synchronised, uint64_t time_domain);
  // `fill` appends annotations. The note's time is in the time domain of that index.
  template <typename Fill>
  void add_note(int64_t time, uint32_t time_domain, std::string_view name, Fill fill);

  // The stages of writing a lot, in order.
  Status write_lot();
  void fix_shifts();
  void map_times();
  void annotate(EncodedEvent& encoded, const char* name, int64_t original);
  void write_clocks();
  Status write_row(uint32_t row, const RowLot& lot);
  Status write_samples();
  EventContent content(const EncodedEvent& encoded) const noexcept;
  // Hands on what was written, if it is enough for a write.
  Status write_much();
  Status write_bytes();

  std::unique_ptr<output::OutputFile> file_;
  const SinkOptions options_;
  TracePacketWriter packets_;
  PacketCompressor compressor_;
  std::string compressed_;
  EventEncoder encoder_;
  TrackLayout layout_;
  TraceClocks clocks_;
  bool has_clocks_ = false;  // a snapshot was written
  std::string session_name_;
  Status failure_;
  bool finished_ = false;

  // The lot.
  std::vector<RowLot> rows_;         // by row; those that are not in used_rows_ are empty
  std::vector<uint32_t> used_rows_;  // in order of their first event
  model::OrderBuffers order_;
  size_t lot_events_ = 0;
  int64_t lot_earliest_ = 0;  // never above 0
  int64_t lot_latest_ = 0;    // never below 0
  std::vector<LotSample> samples_;
  std::string bodies_;

  bool is_shifted_ = false;                    // any of shifts_ is fixed to something other than 0
  std::vector<TimeShift> shifts_;              // by index; see time_domain_index()
  std::map<uint64_t, uint32_t> domain_index_;  // of time domains that are not synchronised
  std::vector<uint64_t> domain_ids_;           // by index
  uint32_t notes_row_ = UINT32_MAX;            // made with the first note
  int64_t latest_ = 0;                         // of all times written
  uint64_t bad_clock_points_ = 0;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SINK_H_
