// SPDX-License-Identifier: Apache-2.0
//
// ChromeSink: writes a session's events as Chrome's trace event JSON (docs/formats.md).
//
// One event is one line, with the comma in front, and behind what is on disk stand the brackets
// that close it (OutputFile::set_tail): the file is JSON whenever its process dies. It is handed to
// the kernel when 256 KiB are together, and once a second while events come.
//
// Marks, samples and start/end ranges are written as they come. Which push/pop ranges nest can be
// said only of several: they are kept in a lot of bounded size, and model/slice_order.h says of
// each whether it is a complete event of its thread, or cuts another one and is an async event.
//
//   ChromeSink sink(std::move(file));
//   sink.session("matching engine");
//   ... track(), event(), ...
//   Status status = sink.finish();
//
// Threads: one at a time. Lifetime: the destructor finishes if finish() was not called.
// Errors: a failure to write is kept, and every later call returns it.
#ifndef RINGSCRIBE_BACKENDS_CHROME_CHROME_SINK_H_
#define RINGSCRIBE_BACKENDS_CHROME_CHROME_SINK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/chrome/event_text.h"
#include "ringscribe/backends/chrome/thread_layout.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/slice_order.h"
#include "ringscribe/backends/output/output_file.h"

namespace ringscribe::chrome {

struct SinkOptions {
  // A lot is written when it has that many push/pop ranges, or bytes of their texts.
  size_t lot_events_max = size_t{8} << 10;
  size_t lot_bytes_max = size_t{4} << 20;
  // What is remembered of the ranges of earlier lots; 16 bytes each (covered_time.h).
  size_t spans_max = size_t{1} << 20;
  // How long what came may be away from the disk, as long as more comes.
  int64_t flush_interval_ns = 1'000'000'000;
};

class ChromeSink final : public model::EventSink {
 public:
  explicit ChromeSink(std::unique_ptr<output::OutputFile> file, const SinkOptions& options = {});
  ~ChromeSink() override;
  ChromeSink(const ChromeSink&) = delete;
  ChromeSink& operator=(const ChromeSink&) = delete;

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
  struct Body {
    size_t begin;  // in bodies_
    size_t size;
  };
  // The push/pop ranges of one row in a lot: the same positions in both lists.
  struct RowLot {
    std::vector<model::Slice> slices;
    std::vector<Body> bodies;
    bool is_used = false;  // it is in used_rows_
  };
  struct ClockPoint {
    int64_t monotonic_ns;
    int64_t realtime_ns;
  };

  // Calls `work` unless a failure is kept; an exception becomes a Status, and leaves no half line.
  template <typename Work>
  Status guarded(const char* operation, Work work);
  Status keep(Status failure);
  void begin(std::string_view session_name);
  void set_tail();

  RowLot& row_lot(uint32_t row);
  void add_to_lot(RowLot& lot, int64_t begin, int64_t end, size_t body);
  // Each appends a whole line to lines_.
  void add_mark(uint32_t row, int64_t time, std::string_view body);
  void add_complete(uint32_t row, int64_t begin, int64_t end, std::string_view body);
  // A pair, with whatever lies inside between the two.
  void add_begin(uint32_t row, int64_t time, std::string_view body);
  void add_end(uint32_t row, int64_t time, std::string_view body);
  void add_async(uint32_t row, int64_t begin, int64_t end, std::string_view body);
  // `args` is without its braces.
  void add_note(uint32_t row, int64_t time, const char* scope, std::string_view name,
                std::string_view args);
  void see(int64_t time, bool synchronised) noexcept;
  int64_t latest() const noexcept { return has_synchronised_ ? latest_ : latest_other_; }

  // After an event: writes what is enough for it, and all of it when it is time.
  Status after_event(size_t count);
  Status write_lot();
  Status write_lines();

  std::unique_ptr<output::OutputFile> file_;
  const SinkOptions options_;
  ThreadLayout layout_;
  EventText text_;
  std::string session_name_;
  Status failure_;
  bool is_begun_ = false;
  bool finished_ = false;

  std::string lines_;  // whole lines up to whole_bytes_, then one in the making
  size_t whole_bytes_ = 0;
  std::string body_;
  uint64_t next_async_id_ = 1;

  // The lot.
  std::vector<RowLot> rows_;         // by row; those that are not in used_rows_ are empty
  std::vector<uint32_t> used_rows_;  // in order of their first range
  std::string bodies_;
  size_t lot_events_ = 0;
  model::OrderBuffers order_;
  std::vector<bool> touches_;  // by slice of the row that is written

  std::vector<ClockPoint> clock_points_;  // the first and the last
  int64_t latest_ = 0;                    // of synchronised times
  int64_t latest_other_ = 0;
  bool has_synchronised_ = false;
  size_t events_since_look_ = 0;  // at the clock
  int64_t flushed_ns_ = 0;
};

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_CHROME_SINK_H_
