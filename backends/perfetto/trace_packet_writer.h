// SPDX-License-Identifier: Apache-2.0
//
// TracePacketWriter: the packets of a Perfetto trace, as bytes. The one unit that knows protobuf
// field numbers and the library that writes them.
//
//   TracePacketWriter packets;
//   packets.begin_sequence();
//   packets.clocks({.monotonic_ns = ..., .realtime_ns = ...});
//   packets.track({.uuid = 7, .name = "orders"});
//   std::string body;
//   EventBody(body, ids).name("match");        // ids: Interners, kept beside
//   packets.interned(ids);                      // defines what the bodies use
//   packets.event(EventType::kBegin, 100, 7, body);
//   file.write(packets.bytes()); packets.bytes().clear();
//
// All packets are of one sequence. Its interned numbers are good from one begin_sequence() to the
// next; whoever calls that clears the interners and drops the bodies made with them.
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/perfetto/interner.h"

namespace ringscribe::perfetto {

struct Interners {
  Interner names;
  Interner categories;
  Interner annotation_names;

  bool full(size_t entries_max, size_t bytes_max) const noexcept;
  void clear();
};

// The same instant on several clocks, in ns; all >= 0.
struct ClockPacket {
  int64_t monotonic_ns = 0;
  int64_t realtime_ns = 0;
  int64_t boottime_ns = 0;  // 0: not known
};

enum class TrackType : uint8_t { kPlain, kProcess, kThread, kCounter };

struct TrackPacket {
  uint64_t uuid = 0;         // never 0
  uint64_t parent_uuid = 0;  // 0: none
  TrackType type = TrackType::kPlain;
  std::string_view name = {};
  std::string_view description = {};
  int64_t pid = 0;                      // kProcess, kThread
  int64_t tid = 0;                      // kThread
  std::string_view process_label = {};  // kProcess
  std::string_view unit = {};           // kCounter
  uint64_t merge_key = 0;               // kPlain: viewers may show tracks of one key as one row
};

enum class EventType : uint8_t { kBegin = 1, kEnd = 2, kInstant = 3 };

// The fields of one event that do not depend on when it is written: appended to a string, later
// handed to TracePacketWriter::event().
class EventBody {
 public:
  // Both must outlive this object.
  EventBody(std::string& body, Interners& ids) noexcept : body_(body), ids_(ids) {}

  // At most once. A long name is written out rather than interned.
  void name(std::string_view text);
  void category(std::string_view text);
  // Annotations: shown as arguments of the event.
  void flag(std::string_view name);
  void number(std::string_view name, int64_t value);
  void unsigned_number(std::string_view name, uint64_t value);
  void text(std::string_view name, std::string_view value);
  void field(const model::Field& field);

 private:
  std::string& body_;
  Interners& ids_;
};

class TracePacketWriter {
 public:
  // Begins a sequence, or begins it again with nothing interned. Comes before all else.
  void begin_sequence();
  // Comes before all events.
  void clocks(const ClockPacket& clocks);
  // Comes before all events of the track.
  void track(const TrackPacket& track);
  // Defines what was interned since the last call.
  void interned(Interners& ids);
  // `body` was made by EventBody, empty for an end.
  void event(EventType type, int64_t time, uint64_t track_uuid, std::string_view body);
  void counter(int64_t time, uint64_t track_uuid, int64_t value, std::string_view body);
  void counter(int64_t time, uint64_t track_uuid, double value, std::string_view body);

  // What was written; the caller takes it and clears it.
  std::string& bytes() noexcept { return bytes_; }

 private:
  void flush_interned(std::string& entries);

  std::string bytes_;
  bool begun_ = false;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_
