// SPDX-License-Identifier: Apache-2.0
//
// SessionState: a session's side of the backend: its handle, domains and streams, and the stream of
// our own, `ringscribe`, that carries clock points, settings and losses (DESIGN D7, D9).
//
// Threads: everything under the flusher's step lock (flusher.h), except what says otherwise.
// Lifetime: shared by the runtime and by the application's handles; end() frees what is heavy.
#ifndef RINGSCRIBE_RUNTIME_SESSION_STATE_H_
#define RINGSCRIBE_RUNTIME_SESSION_STATE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/extension.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/counts.h"
#include "ringscribe/runtime/domain_state.h"
#include "ringscribe/runtime/knobs.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/shared_backend.h"
#include "ringscribe/runtime/stream_writer.h"

namespace ringscribe::runtime {

class SessionState {
 public:
  SessionState(const nvtxwInterface_v2_t* interface, std::string_view name, StreamTable* streams,
               DefinitionTables* tables, const StreamWriter::Limits& limits);
  ~SessionState();
  SessionState(const SessionState&) = delete;
  SessionState& operator=(const SessionState&) = delete;

  // SessionBegin, then our own stream with `first_points` and the settings as they took effect.
  Status begin(const char* config, std::span<const SyncPoint> first_points,
               const Settings& settings);
  // Finds or registers a domain. nullptr and `status` on failure. `domain_number`: what another
  // process gave it; 0: a new one.
  DomainState* domain(std::string_view name, Status& status, uint32_t domain_number = 0);
  struct NewStream {
    std::string_view name;
    DomainState* domain = nullptr;
    uint64_t time_domain = 0;
    int16_t interleaving = 0, ordering = 0;
    int32_t skid = 0;
    int64_t skid_amount = 0;
    StreamOptions options;
  };
  // StreamOpen. On success `writer` is a new stream's, owned here, and `ref` opens it.
  Status open_stream(const NewStream& attributes, StreamRef& ref, StreamWriter*& writer);
  // StreamClose. REQUIRES: closed in the StreamTable, and all rings were read since.
  Status close_stream(StreamWriter* writer);
  // Closes what is open, writes the last losses, SessionEnd. Reports the first failure since the
  // last take_failure(), with counts.
  Status end();

  // --- Between two steps.
  // A mark on our own stream, now or at a time of CLOCK_MONOTONIC.
  void write_own_mark(std::string_view message);
  void write_own_mark(std::string_view message, int64_t monotonic_ns);
  void register_pending();
  void write_sync_point(const SyncPoint& point);
  // Tells the backend of losses that came since the last call.
  void report_losses();
  // The first failure of the backend since the last call.
  Status take_failure();

  // --- Any thread; numbers may be a step old.
  Counts counts() const;
  // Of a stream of this session; nothing once another stream has its number.
  Counts counts_of(const StreamRef& stream) const;
  // From the moment when end() was asked for.
  bool is_ended() const noexcept { return is_ended_.load(std::memory_order_acquire); }
  // SessionEnd returned success.
  bool is_output_finished() const noexcept { return is_output_finished_; }
  void mark_ended() noexcept { is_ended_.store(true, std::memory_order_release); }
  const String& name() const noexcept { return name_; }
  const nvtxwInterface_v2_t* interface() const noexcept { return interface_; }
  nvtxwSessionHandle_t handle() const noexcept { return handle_; }
  uint32_t number = 0;  // unique in the process. Set before begin(), as the next ones
  // What a dead process recorded is being written: clocks, settings and losses of this process are
  // none of its business.
  bool is_recovery = false;
  bool is_flight_recorder = false;
  const nvtxw::Extension* extension = nullptr;    // of our own backends
  String output;                                  // what the backend was told; "" if nothing
  String backend_name;                            // for messages
  std::shared_ptr<SharedBackend> loaded_backend;  // the application's, if it gave one

  // Streams that are open, for the flusher's list.
  const Vector<StreamWriter*>& open_streams() const { return open_; }

 private:
  struct ClosedStream {
    uint64_t word = 0;  // StreamRef::word()
    uint64_t recorded = 0;
  };
  Status open_own_stream();
  void write_settings(const Settings& settings);
  void report_losses_of(StreamWriter& writer);
  void write_gap(const String& stream, LossCause cause, uint64_t events);
  // Registered once each, however many gaps there are.
  uint64_t gap_string(std::string_view text);
  void latch(Status status);

  const nvtxwInterface_v2_t* interface_;
  String name_;
  StreamTable* streams_;
  DefinitionTables* tables_;
  StreamWriter::Limits limits_;
  nvtxwSessionHandle_t handle_ = nullptr;
  Vector<DomainState*> domains_;
  Vector<StreamWriter*> open_;
  Vector<String> open_names_;  // of open_, by index
  Vector<Counts> reported_;    // the losses told of open_, by index

  DomainState* own_domain_ = nullptr;
  nvtxwStreamHandle_t own_stream_ = nullptr;
  CounterDefinition* lost_counter_ = nullptr;
  StringMap<uint64_t> gap_strings_;

  mutable std::mutex counts_mutex_;  // of open_ as counts() reads it, and closed_
  // By number. Late calls are counted in the table as long as the number is the stream's, and
  // go to settled_ then.
  Map<uint16_t, ClosedStream> closed_;
  uint64_t recorded_by_closed_ = 0;
  const std::shared_ptr<SettledLosses> settled_;
  std::atomic<bool> is_ended_{false};
  bool is_output_finished_ = false;
  Status failure_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SESSION_STATE_H_
