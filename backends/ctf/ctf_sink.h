// SPDX-License-Identifier: Apache-2.0
//
// CtfSink: writes a session's events as a CTF 1.8 trace, a folder (docs/formats.md).
//
//   metadata               what the bytes mean; grows as classes of events appear (metadata.h)
//   track_0, track_1, ...  the events of one track each, in order of time (track_lot.h)
//   track_session          counters that belong to no track
//   track_notes            tracks, counters, streams, categories, clock points, problems
//
// Events wait in lots of bounded size, and for no more than a second while others come. What is on
// disk can be read whenever the process dies: no reader needs to repair it.
//
//   CtfSink sink(std::move(folder));
//   sink.session("matching engine");
//   ... track(), event(), ...
//   Status status = sink.finish();
//
// Threads: one at a time. Lifetime: the destructor finishes if finish() was not called.
// Errors: a failure to write is kept, and every later call returns it.
#ifndef RINGSCRIBE_BACKENDS_CTF_CTF_SINK_H_
#define RINGSCRIBE_BACKENDS_CTF_CTF_SINK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/ctf/class_table.h"
#include "ringscribe/backends/ctf/event_body.h"
#include "ringscribe/backends/ctf/metadata.h"
#include "ringscribe/backends/ctf/record_body.h"
#include "ringscribe/backends/ctf/trace_clock.h"
#include "ringscribe/backends/ctf/track_layout.h"
#include "ringscribe/backends/ctf/track_lot.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

// How a folder of ours is known, for OutputFolder::create().
output::FolderMark folder_mark();

struct SinkOptions {
  // Lots are written when all tracks together have that many events, or bytes of their contents.
  size_t lot_events_max = size_t{32} << 10;
  size_t lot_bytes_max = size_t{8} << 20;
  // What is remembered of the ranges of earlier lots; 16 bytes each (covered_time.h).
  size_t spans_max = size_t{1} << 20;
  // How long what came may be away from the disk, as long as more comes.
  int64_t flush_interval_ns = 1'000'000'000;
};

class CtfSink final : public model::EventSink {
 public:
  explicit CtfSink(std::unique_ptr<output::OutputFolder> folder, const SinkOptions& options = {});
  ~CtfSink() override;
  CtfSink(const CtfSink&) = delete;
  CtfSink& operator=(const CtfSink&) = delete;

  Status session(std::string_view name) override;
  Status stream(const model::Stream& stream) override;
  Status category(std::string_view domain, uint32_t id, std::string_view name) override;
  Status track(const model::Track& track) override;
  Status counter_track(const model::CounterTrack& track) override;
  Status clock_point(int64_t monotonic_ns, int64_t realtime_ns) override;
  Status event(const model::Event& event) override;
  Status events(const model::EventBlock& block) override;
  Status counter_sample(const model::CounterSample& sample) override;
  Status loss(const model::Loss& loss) override;
  Status problem(std::string_view sentence, uint64_t count) override;
  Status finish() override;
  uint64_t bytes_written() const override { return folder_->bytes_appended(); }
  std::vector<std::string> paths() const override { return {folder_->path()}; }

 private:
  // All that depends on the session's name.
  struct Trace {
    Trace(output::OutputFolder& folder, std::string_view session_name)
        : metadata(session_name),
          classes(metadata),
          events(classes),
          records(classes),
          layout(metadata.uuid(), session_name),
          out{folder, metadata, classes, 0, 1, {}} {}
    Metadata metadata;
    ClassTable classes;
    EventBody events;
    RecordBody records;
    TrackLayout layout;
    TraceOutput out;
  };
  struct Note {
    uint32_t class_number;
    TrackLot::Bytes bytes;
    bool is_last;  // it stands at the latest time, else at the first of its lot
  };

  // Calls `work` unless a failure is kept; an exception becomes a Status.
  template <typename Work>
  Status guarded(const char* operation, Work work);
  Status keep(Status failure);
  Status begin(std::string_view session_name);

  // The lot of a row; times that no clock relates to have one of their own.
  TrackLot& lot(uint32_t row, bool synchronised);
  void see(int64_t time, bool synchronised) noexcept;
  void add(const model::Event& shared, int64_t begin, int64_t end, TrackLot& lot,
           const EventBody::Place& place, size_t bytes_begin);
  // `append` appends the bytes of a note and returns its class.
  template <typename Append>
  Status note(bool is_last, Append append);
  void add_notes();

  // After an event: writes what is enough for it, and all of it when it is time.
  Status after_event(size_t count);
  Status write_lots();

  std::unique_ptr<output::OutputFolder> folder_;
  const SinkOptions options_;
  std::unique_ptr<Trace> trace_;
  Status failure_;
  bool finished_ = false;
  TraceClock clock_;

  std::vector<std::unique_ptr<TrackLot>> lots_;  // by row, twice
  std::vector<uint32_t> used_lots_;              // that are not empty, in order of their first
  std::vector<RecordBody::Counter> counters_;
  std::map<std::string, uint32_t, std::less<>> streams_;  // numbers by name
  std::vector<uint32_t> stream_rows_;                     // where a stream's events went last
  std::string bodies_;
  std::vector<Note> notes_;
  size_t lot_events_ = 0;

  // Of synchronised times; without any, of all.
  int64_t earliest_ = 0;  // in the lot
  int64_t latest_ = 0;
  bool has_earliest_ = false;
  bool has_latest_ = false;
  bool is_synchronised_ = false;
  int64_t noted_ = 0;             // the time of the notes before, or of the first clock point
  size_t events_since_look_ = 0;  // at the clock
  int64_t flushed_ns_ = 0;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_CTF_SINK_H_
