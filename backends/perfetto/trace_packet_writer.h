// SPDX-License-Identifier: Apache-2.0
//
// TracePacketWriter: the packets of a Perfetto trace, as bytes. The one unit that knows protobuf
// field numbers and the library that writes them.
//
//   TracePacketWriter packets;
//   packets.begin();
//   packets.clocks({.monotonic_ns = ..., .realtime_ns = ...});
//   packets.track({.uuid = 7, .name = "orders"});
//   std::string bytes;
//   EventBody body(bytes, ids);                  // ids: Interners, kept beside
//   body.name("match");
//   body.category("hot");
//   Sequence sequence{.track_uuid = 7};
//   packets.event(sequence, EventType::kBegin, 100, {body.head(), body.name_set(), bytes}, ids);
//   packets.end(sequence, 150);
//   file.write(packets.bytes()); packets.bytes().clear();
//
// Sequence 1 holds clocks and descriptors, each track's events are a sequence of their own. Its
// first packet has the defaults for all that follow: the track, and an incremental clock (number
// 64) whose times are distances from the time before. An event that lies before the one written
// last has its time in full. Packets of events do not repeat the flag that they need the state of
// their sequence: it only lets a reader pass over packets whose state was lost, and nothing is lost
// in a file; readers apply defaults and interned texts without it.
//
// Texts that an event needs and its sequence was not told yet are defined right before it. After
// forget() each sequence begins again, with nothing told: the interners are cleared at the same
// time, and bodies made with them dropped.
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/perfetto/interned_event.h"
#include "ringscribe/backends/perfetto/sequence.h"

namespace ringscribe::perfetto {

// The same instant on several clocks, in ns; all >= 0.
struct ClockPacket {
  int64_t monotonic_ns = 0;
  int64_t realtime_ns = 0;  // negative: not known
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

// TrackEvent.Type.
enum class EventType : uint8_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };

// The fields of one event that do not depend on when it is written: appended to a string, later
// handed to TracePacketWriter::event().
class EventBody {
 public:
  // Both must outlive this object.
  EventBody(std::string& body, Interners& ids) noexcept : body_(body), ids_(ids) {}

  // Each at most once. A long name is written out rather than interned.
  void name(std::string_view text);
  void category(std::string_view text);
  // Annotations: shown as arguments of the event.
  void flag(std::string_view name);
  void number(std::string_view name, int64_t value);
  void unsigned_number(std::string_view name, uint64_t value);
  void text(std::string_view name, std::string_view value);
  void field(const model::Field& field);
  // The flow, an arrow between its events, that the event is in.
  void flow(uint64_t number);

  // What is to be handed over beside the body.
  uint32_t head() { return ids_.head(head_); }
  uint32_t name_set() { return ids_.name_set(annotations_); }
  // The annotation names used, in order.
  const std::vector<uint32_t>& annotations() const noexcept { return annotations_; }

 private:
  std::string& body_;
  Interners& ids_;
  EventHead head_;
  std::vector<uint32_t> annotations_;
};

// The name that a field is shown by.
std::string_view field_name(const model::Field& field) noexcept;
// The same bytes as EventBody::field() for each field. Their names are interned as `names`, and
// none has children.
void add_annotations(std::span<const uint32_t> names, std::span<const model::Field> fields,
                     std::string& body);

// An event apart from its time and place.
struct EventContent {
  uint32_t head = 0;
  uint32_t name_set = 0;  // 0: no annotations
  std::string_view body = {};
};

class TracePacketWriter {
 public:
  // The first packet of the file.
  void begin();
  // Comes before all events.
  void clocks(const ClockPacket& clocks);
  // Comes before all events of the track.
  void track(const TrackPacket& track);
  // kBegin or kInstant.
  void event(Sequence& sequence, EventType type, int64_t time, const EventContent& content,
             const Interners& ids);
  void end(Sequence& sequence, int64_t time);
  // A sample of a counter track. Of `content` the head counts for nothing.
  void counter(Sequence& sequence, int64_t time, int64_t value, const EventContent& content,
               const Interners& ids);
  void counter(Sequence& sequence, int64_t time, double value, const EventContent& content,
               const Interners& ids);

  // From now on nothing that was interned is known to any sequence.
  void forget() noexcept {
    ++generation_;
    heads_.clear();
  }

  // What was written; the caller takes it and clears it.
  std::string& bytes() {
    if (staged_ != 0) unstage();
    return bytes_;
  }
  size_t size() const noexcept { return bytes_.size() + staged_; }

 private:
  void start(Sequence& sequence, int64_t time);
  // Writes a packet whose event is of that type and is `event`, then `body`.
  void add_event(Sequence& sequence, EventType type, int64_t time, const PacketFields& event,
                 std::string_view body);
  void add_long_event(char* fields_end, EventType type, const PacketFields& event,
                      std::string_view body);
  void add_body(std::string_view body);
  // Fills heads_ up to that one.
  void prepare_heads(uint32_t head, const Interners& ids);
  void unstage();
  void define(Sequence& sequence, const EventContent& content, bool with_head,
              const Interners& ids);
  void annotations(Sequence& sequence, const EventContent& content, const Interners& ids) {
    if (content.name_set != 0 && sequence.name_sets.insert(content.name_set)) {
      define(sequence, content, false, ids);
    }
  }

  std::string bytes_;
  std::array<char, 4096> stage_;  // the latest packets; they come after bytes_
  size_t staged_ = 0;
  std::vector<PacketFields> heads_;  // by number: an event with category and name
  uint32_t generation_ = 1;
  uint32_t last_sequence_ = 1;
};

// The size of the packet that `bytes` begin with. REQUIRES: whole packets, at least one.
size_t first_packet_bytes(std::string_view bytes) noexcept;
// `blob`: packets compressed by zlib. Appends the packet that holds them.
void add_compressed_packets(std::string_view blob, std::string& bytes);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_PACKET_WRITER_H_
