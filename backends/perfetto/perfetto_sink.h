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
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/time_shift.h"
#include "ringscribe/backends/perfetto/trace_clocks.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"
#include "ringscribe/backends/perfetto/track_layout.h"

namespace ringscribe::perfetto {

struct SinkOptions {
  // A lot is written when it has that many events and samples, or bytes of their contents.
  size_t lot_events_max = size_t{64} << 10;
  size_t lot_bytes_max = size_t{16} << 20;
  // Interned texts are forgotten, and defined again where they are used again, at these bounds.
  size_t interned_entries_max = size_t{64} << 10;
  size_t interned_bytes_max = size_t{8} << 20;
  // What is remembered of the ranges of earlier lots; 16 bytes each (covered_time.h).
  size_t spans_max = size_t{1} << 20;
  uint64_t first_uuid = 0;  // 0: chosen so that the tracks of two traces are not taken for one
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
  Status counter_sample(const model::CounterSample& sample) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override;

 private:
  struct LotEvent {
    int64_t begin;
    int64_t end;
    size_t body;  // offset in bodies_
    size_t body_bytes;
    uint32_t row;
    uint32_t time_domain;  // index in shifts_
    SliceKind kind;
  };
  struct LotSample {
    int64_t time;
    size_t body;
    size_t body_bytes;
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
  Status make_room();

  uint32_t time_domain_index(bool synchronised, uint64_t time_domain);
  // `fill` appends annotations. The note's time is in the time domain of that index.
  template <typename Fill>
  void add_note(int64_t time, uint32_t time_domain, std::string_view name, Fill fill);

  // The stages of writing a lot, in order.
  Status write_lot();
  void fix_shifts();
  void map_times();
  void write_clocks();
  void write_events();
  // `arrivals`: positions in events_, in order of arrival.
  void write_row(uint32_t row, std::span<const uint32_t> arrivals);
  void write_samples();
  Status write_bytes();

  std::unique_ptr<output::OutputFile> file_;
  const SinkOptions options_;
  TracePacketWriter packets_;
  Interners ids_;
  TrackLayout layout_;
  TraceClocks clocks_;
  std::string session_name_;
  Status failure_;
  bool finished_ = false;

  // The lot.
  std::vector<LotEvent> events_;
  std::vector<LotSample> samples_;
  std::string bodies_;

  std::vector<TimeShift> shifts_;              // by index; see time_domain_index()
  std::map<uint64_t, uint32_t> domain_index_;  // of time domains that are not synchronised
  std::vector<uint64_t> domain_ids_;           // by index
  uint32_t notes_row_ = UINT32_MAX;            // made with the first note
  int64_t latest_ = 0;                         // of all times written
  uint64_t bad_clock_points_ = 0;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SINK_H_
