// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace ringscribe::perfetto {
namespace {

using Message = protozero::pbf_writer;

// Field numbers of Perfetto's trace protos, by message. tests/perfetto reads our files with the
// published protos, so a wrong number does not stay unseen.
namespace trace {
constexpr uint32_t kPacket = 1;
}
namespace packet {  // TracePacket
constexpr uint32_t kClockSnapshot = 6;
constexpr uint32_t kTimestamp = 8;
constexpr uint32_t kTrustedPacketSequenceId = 10;
constexpr uint32_t kTrackEvent = 11;
constexpr uint32_t kInternedData = 12;
constexpr uint32_t kSequenceFlags = 13;
constexpr uint32_t kTracePacketDefaults = 59;
constexpr uint32_t kTrackDescriptor = 60;
constexpr uint32_t kFirstPacketOnSequence = 87;
// Enum SequenceFlags.
constexpr uint32_t kIncrementalStateCleared = 1;
constexpr uint32_t kNeedsIncrementalState = 2;
}  // namespace packet
namespace defaults {  // TracePacketDefaults
constexpr uint32_t kTimestampClockId = 58;
}
namespace snapshot {  // ClockSnapshot
constexpr uint32_t kClocks = 1;
constexpr uint32_t kPrimaryTraceClock = 2;
}  // namespace snapshot
namespace clock {  // ClockSnapshot.Clock
constexpr uint32_t kClockId = 1;
constexpr uint32_t kTimestamp = 2;
// Enum BuiltinClock.
constexpr uint32_t kRealtime = 1;
constexpr uint32_t kMonotonic = 3;
constexpr uint32_t kBoottime = 6;
}  // namespace clock
namespace descriptor {  // TrackDescriptor
constexpr uint32_t kUuid = 1;
constexpr uint32_t kName = 2;
constexpr uint32_t kProcess = 3;
constexpr uint32_t kThread = 4;
constexpr uint32_t kParentUuid = 5;
constexpr uint32_t kCounter = 8;
constexpr uint32_t kDescription = 14;
constexpr uint32_t kSiblingMergeBehavior = 15;
constexpr uint32_t kSiblingMergeKeyInt = 17;
// Enum SiblingMergeBehavior.
constexpr int32_t kBySiblingMergeKey = 3;
}  // namespace descriptor
namespace process {  // ProcessDescriptor
constexpr uint32_t kPid = 1;
constexpr uint32_t kProcessName = 6;
constexpr uint32_t kProcessLabels = 8;
}  // namespace process
namespace thread {  // ThreadDescriptor
constexpr uint32_t kPid = 1;
constexpr uint32_t kTid = 2;
constexpr uint32_t kThreadName = 5;
}  // namespace thread
namespace counter_descriptor {  // CounterDescriptor
constexpr uint32_t kIsIncremental = 5;
constexpr uint32_t kUnitName = 6;
}  // namespace counter_descriptor
namespace interned_data {  // InternedData
constexpr uint32_t kEventCategories = 1;
constexpr uint32_t kEventNames = 2;
constexpr uint32_t kDebugAnnotationNames = 3;
}  // namespace interned_data
namespace entry {  // EventCategory, EventName, DebugAnnotationName
constexpr uint32_t kIid = 1;
constexpr uint32_t kName = 2;
}  // namespace entry
namespace track_event {  // TrackEvent
constexpr uint32_t kCategoryIids = 3;
constexpr uint32_t kDebugAnnotations = 4;
constexpr uint32_t kType = 9;
constexpr uint32_t kNameIid = 10;
constexpr uint32_t kTrackUuid = 11;
constexpr uint32_t kName = 23;
constexpr uint32_t kCounterValue = 30;
constexpr uint32_t kDoubleCounterValue = 44;
// Enum Type, beside those of EventType.
constexpr int32_t kTypeCounter = 4;
}  // namespace track_event
namespace annotation {  // DebugAnnotation
constexpr uint32_t kNameIid = 1;
constexpr uint32_t kBoolValue = 2;
constexpr uint32_t kUintValue = 3;
constexpr uint32_t kIntValue = 4;
constexpr uint32_t kDoubleValue = 5;
constexpr uint32_t kStringValue = 6;
constexpr uint32_t kPointerValue = 7;
constexpr uint32_t kDictEntries = 11;
constexpr uint32_t kArrayValues = 12;
}  // namespace annotation

// Readers keep interned data by the sequence it came on; a file of ours has one.
constexpr uint32_t kSequenceId = 1;
constexpr size_t kInternedNameBytesMax = 256;
constexpr size_t kInternedPacketBytes = size_t{64} << 10;
// Protobuf messages end at 2 GiB, and readers have bounds of their own.
constexpr size_t kTextBytesMax = size_t{64} << 20;
constexpr int kDepthMax = 32;

// Adds a text; one that no reader would take is cut between two characters, and says so.
void add_text(Message& message, uint32_t field, std::string_view text) {
  if (text.size() <= kTextBytesMax) {
    message.add_string(field, text.data(), text.size());
    return;
  }
  size_t size = kTextBytesMax;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  std::string cut(text.substr(0, size));
  cut += "... (cut: " + std::to_string(text.size()) + " bytes)";
  message.add_string(field, cut);
}

void add_value(Message& message, const model::Value& value, Interner& names, int depth) {
  switch (value.kind) {
    case model::ValueKind::kNone:
      return add_text(message, annotation::kStringValue, "(none)");
    case model::ValueKind::kInt:
      return message.add_int64(annotation::kIntValue, value.int_value);
    case model::ValueKind::kUint:
      return message.add_uint64(annotation::kUintValue, value.uint_value);
    case model::ValueKind::kDouble:
      return message.add_double(annotation::kDoubleValue, value.double_value);
    case model::ValueKind::kText:
      return add_text(message, annotation::kStringValue, value.text);
    case model::ValueKind::kAddress:
      return message.add_uint64(annotation::kPointerValue, value.uint_value);
    case model::ValueKind::kStruct:
    case model::ValueKind::kArray:
      break;
  }
  const bool is_struct = value.kind == model::ValueKind::kStruct;
  if (depth == kDepthMax) {
    return add_text(message, annotation::kStringValue, "(nested too deep to show)");
  }
  if (value.children.empty()) {
    return add_text(message, annotation::kStringValue, is_struct ? "{}" : "[]");
  }
  for (const model::Field& child : value.children) {
    Message sub(message, is_struct ? annotation::kDictEntries : annotation::kArrayValues);
    if (is_struct) sub.add_uint64(annotation::kNameIid, names.id(child.name));
    add_value(sub, child.value, names, depth + 1);
  }
}

// A packet of our sequence; `flags` 0 for one that neither uses nor clears the state.
class Packet {
 public:
  Packet(std::string& bytes, uint32_t flags) : trace_(bytes), packet_(trace_, trace::kPacket) {
    packet_.add_uint32(packet::kTrustedPacketSequenceId, kSequenceId);
    if (flags != 0) packet_.add_uint32(packet::kSequenceFlags, flags);
  }
  Message& operator*() noexcept { return packet_; }
  Message* operator->() noexcept { return &packet_; }

 private:
  Message trace_;
  Message packet_;
};

void add_clock(Message& snapshot, uint32_t id, int64_t time) {
  Message clock(snapshot, snapshot::kClocks);
  clock.add_uint32(clock::kClockId, id);
  clock.add_uint64(clock::kTimestamp, static_cast<uint64_t>(time));
}

void add_process(Message& track, const TrackPacket& info) {
  Message process(track, descriptor::kProcess);
  process.add_int32(process::kPid, static_cast<int32_t>(info.pid));
  add_text(process, process::kProcessName, info.name);
  if (!info.process_label.empty()) add_text(process, process::kProcessLabels, info.process_label);
}

void add_thread(Message& track, const TrackPacket& info) {
  Message thread(track, descriptor::kThread);
  thread.add_int32(thread::kPid, static_cast<int32_t>(info.pid));
  thread.add_int64(thread::kTid, info.tid);
  add_text(thread, thread::kThreadName, info.name);
}

void add_counter(Message& track, const TrackPacket& info) {
  Message counter(track, descriptor::kCounter);
  // Written out although it is the default: an empty message would not say "counter" to all.
  counter.add_bool(counter_descriptor::kIsIncremental, false);
  if (!info.unit.empty()) add_text(counter, counter_descriptor::kUnitName, info.unit);
}

// One field after the other in a small array: events are most of a trace, and a string that grows
// byte by byte is slow. What an event needs besides its body always fits.
class SmallMessage {
 public:
  void add_varint(uint32_t field, uint64_t value) {
    put(static_cast<uint64_t>(field) << 3U);
    put(value);
  }
  void add_double(uint32_t field, double value) {
    std::string bytes;
    Message(bytes).add_double(field, value);
    size_ += bytes.copy(bytes_ + size_, sizeof(bytes_) - size_);
  }
  // The head of a submessage of that many bytes, which are to follow.
  void add_length(uint32_t field, size_t bytes) {
    constexpr uint64_t kLengthDelimited = 2;
    put(static_cast<uint64_t>(field) << 3U | kLengthDelimited);
    put(bytes);
  }
  std::string_view bytes() const noexcept { return {bytes_, size_}; }

 private:
  void put(uint64_t value) {
    size_ += static_cast<size_t>(protozero::write_varint(bytes_ + size_, value));
  }

  char bytes_[96];  // at most 5 fields of up to 12 bytes, in either part
  size_t size_ = 0;
};

// Writes a packet with an event; `event` holds its type and track and what `body` does not.
void add_event(std::string& bytes, int64_t time, const SmallMessage& event, std::string_view body) {
  const size_t event_bytes = event.bytes().size() + body.size();
  SmallMessage head;
  head.add_varint(packet::kTrustedPacketSequenceId, kSequenceId);
  head.add_varint(packet::kSequenceFlags, packet::kNeedsIncrementalState);
  head.add_varint(packet::kTimestamp, static_cast<uint64_t>(time));
  head.add_length(packet::kTrackEvent, event_bytes);
  SmallMessage start;
  start.add_length(trace::kPacket, head.bytes().size() + event_bytes);
  bytes += start.bytes();
  bytes += head.bytes();
  bytes += event.bytes();
  bytes += body;
}

SmallMessage event_head(int32_t type, uint64_t track_uuid) {
  SmallMessage event;
  event.add_varint(track_event::kType, static_cast<uint64_t>(type));
  event.add_varint(track_event::kTrackUuid, track_uuid);
  return event;
}

}  // namespace

bool Interners::full(size_t entries_max, size_t bytes_max) const noexcept {
  return names.full(entries_max, bytes_max) || categories.full(entries_max, bytes_max) ||
         annotation_names.full(entries_max, bytes_max);
}

void Interners::clear() {
  names.clear();
  categories.clear();
  annotation_names.clear();
}

void EventBody::name(std::string_view text) {
  Message event(body_);
  if (text.size() > kInternedNameBytesMax) {
    add_text(event, track_event::kName, text);
  } else {
    event.add_uint64(track_event::kNameIid, ids_.names.id(text));
  }
}

void EventBody::category(std::string_view text) {
  Message(body_).add_uint64(track_event::kCategoryIids, ids_.categories.id(text));
}

void EventBody::flag(std::string_view name) {
  Message event(body_);
  Message annotation(event, track_event::kDebugAnnotations);
  annotation.add_uint64(annotation::kNameIid, ids_.annotation_names.id(name));
  annotation.add_bool(annotation::kBoolValue, true);
}

void EventBody::number(std::string_view name, int64_t value) {
  model::Value number;
  number.kind = model::ValueKind::kInt;
  number.int_value = value;
  field({name, number});
}

void EventBody::unsigned_number(std::string_view name, uint64_t value) {
  model::Value number;
  number.kind = model::ValueKind::kUint;
  number.uint_value = value;
  field({name, number});
}

void EventBody::text(std::string_view name, std::string_view value) {
  model::Value text;
  text.kind = model::ValueKind::kText;
  text.text = value;
  field({name, text});
}

void EventBody::field(const model::Field& field) {
  Message event(body_);
  Message annotation(event, track_event::kDebugAnnotations);
  annotation.add_uint64(
      annotation::kNameIid,
      ids_.annotation_names.id(field.name.empty() ? std::string_view("(unnamed)") : field.name));
  add_value(annotation, field.value, ids_.annotation_names, 0);
}

void TracePacketWriter::begin_sequence() {
  Packet packet(bytes_, packet::kIncrementalStateCleared);
  if (!begun_) packet->add_bool(packet::kFirstPacketOnSequence, true);
  begun_ = true;
  Message(*packet, packet::kTracePacketDefaults)
      .add_uint32(defaults::kTimestampClockId, clock::kMonotonic);
}

void TracePacketWriter::clocks(const ClockPacket& clocks) {
  Packet packet(bytes_, 0);
  Message snapshot(*packet, packet::kClockSnapshot);
  add_clock(snapshot, clock::kMonotonic, clocks.monotonic_ns);
  add_clock(snapshot, clock::kRealtime, clocks.realtime_ns);
  if (clocks.boottime_ns != 0) add_clock(snapshot, clock::kBoottime, clocks.boottime_ns);
  snapshot.add_enum(snapshot::kPrimaryTraceClock, clock::kMonotonic);
}

void TracePacketWriter::track(const TrackPacket& info) {
  Packet packet(bytes_, 0);
  Message track(*packet, packet::kTrackDescriptor);
  track.add_uint64(descriptor::kUuid, info.uuid);
  if (info.parent_uuid != 0) track.add_uint64(descriptor::kParentUuid, info.parent_uuid);
  if (!info.description.empty()) add_text(track, descriptor::kDescription, info.description);
  switch (info.type) {
    case TrackType::kProcess:
      return add_process(track, info);
    case TrackType::kThread:
      return add_thread(track, info);
    case TrackType::kCounter:
      add_text(track, descriptor::kName, info.name);
      return add_counter(track, info);
    case TrackType::kPlain:
      add_text(track, descriptor::kName, info.name);
      if (info.merge_key == 0) return;
      track.add_enum(descriptor::kSiblingMergeBehavior, descriptor::kBySiblingMergeKey);
      track.add_uint64(descriptor::kSiblingMergeKeyInt, info.merge_key);
  }
}

void TracePacketWriter::interned(Interners& ids) {
  std::string entries;
  const auto add_all = [&](Interner& interner, uint32_t field) {
    interner.drain([&](uint64_t iid, std::string_view name) {
      {
        Message data(entries);
        Message entry(data, field);
        entry.add_uint64(entry::kIid, iid);
        add_text(entry, entry::kName, name);
      }
      if (entries.size() >= kInternedPacketBytes) flush_interned(entries);
    });
  };
  add_all(ids.categories, interned_data::kEventCategories);
  add_all(ids.names, interned_data::kEventNames);
  add_all(ids.annotation_names, interned_data::kDebugAnnotationNames);
  if (!entries.empty()) flush_interned(entries);
}

void TracePacketWriter::flush_interned(std::string& entries) {
  Packet packet(bytes_, packet::kNeedsIncrementalState);
  packet->add_message(packet::kInternedData, entries);
  entries.clear();
}

void TracePacketWriter::event(EventType type, int64_t time, uint64_t track_uuid,
                              std::string_view body) {
  add_event(bytes_, time, event_head(static_cast<int32_t>(type), track_uuid), body);
}

void TracePacketWriter::counter(int64_t time, uint64_t track_uuid, int64_t value,
                                std::string_view body) {
  SmallMessage event = event_head(track_event::kTypeCounter, track_uuid);
  event.add_varint(track_event::kCounterValue, static_cast<uint64_t>(value));
  add_event(bytes_, time, event, body);
}

void TracePacketWriter::counter(int64_t time, uint64_t track_uuid, double value,
                                std::string_view body) {
  SmallMessage event = event_head(track_event::kTypeCounter, track_uuid);
  event.add_double(track_event::kDoubleCounterValue, value);
  add_event(bytes_, time, event, body);
}

}  // namespace ringscribe::perfetto
