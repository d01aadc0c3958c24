// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include "ringscribe/backends/perfetto/trace_fields.h"

namespace ringscribe::perfetto {
namespace {

using Message = protozero::pbf_writer;

// Of clocks and descriptors.
constexpr uint32_t kFileSequence = 1;
constexpr size_t kInternedNameBytesMax = 256;
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

// Numbers annotation names and notes which were used.
struct AnnotationNames {
  Interner& names;
  std::vector<uint32_t>& used;

  uint32_t id(std::string_view name) {
    used.push_back(names.id(name));
    return used.back();
  }
};

void add_value(Message& message, const model::Value& value, AnnotationNames& names, int depth) {
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
    if (is_struct) sub.add_uint64(annotation::kNameIid, names.id(field_name(child)));
    add_value(sub, child.value, names, depth + 1);
  }
}

class Packet {
 public:
  Packet(std::string& bytes, uint32_t sequence) : trace_(bytes), packet_(trace_, trace::kPacket) {
    packet_.add_uint32(packet::kTrustedPacketSequenceId, sequence);
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

constexpr unsigned char tag(uint32_t field, uint32_t wire) {
  return static_cast<unsigned char>(field << 3U | wire);
}
constexpr uint32_t kVarint = 0;
constexpr uint32_t kFixed64 = 1;
constexpr uint32_t kLengthDelimited = 2;

char* put_long_varint(char* to, uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7U) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

// May write up to 10 bytes, of which those behind its end count for nothing.
[[gnu::always_inline]] inline char* put_varint(char* to, uint64_t value) noexcept {
  if (value < uint64_t{1} << 28U) [[likely]] {
    // Seven bits to a byte, and a flag on all bytes but the last: without a branch, as the number
    // of bytes varies from event to event.
    const auto small = static_cast<uint32_t>(value);
    const uint32_t spread = (small & 0x7FU) | (small & 0x3F80U) << 1U | (small & 0x1FC000U) << 2U |
                            (small & 0xFE00000U) << 3U;
    const auto last = static_cast<uint32_t>((std::bit_width(spread | 1U) - 1) / 8);
    const uint32_t flags = 0x80808080U & ((uint32_t{1} << (8 * last)) - 1);
    const uint32_t bytes = spread | flags;
    static_assert(std::endian::native == std::endian::little);
    std::memcpy(to, &bytes, sizeof(bytes));
    return to + last + 1;
  }
  return put_long_varint(to, value);
}

[[gnu::always_inline]] inline char* put_field(char* to, uint32_t field, uint64_t value) noexcept {
  to = field < 16 ? (*to = static_cast<char>(tag(field, kVarint)), to + 1)
                  : put_varint(to, uint64_t{field} << 3U);
  return put_varint(to, value);
}

// The tag of a packet's event, its length, and its type.
constexpr size_t kLengthAt = 1;
constexpr size_t kTypeAt = 3;
constexpr size_t kFrame = 2;       // a packet's tag, and a length below 128
constexpr size_t kFieldsMax = 80;  // tags, lengths, sequence, time, event, and what may be behind

// The begin of any event, up to its type: length and type are filled in where it is copied to.
constexpr char kEventBegin[] = {static_cast<char>(tag(packet::kTrackEvent, kLengthDelimited)), 0,
                                static_cast<char>(tag(track_event::kType, kVarint)), 0};

// Puts an event's fields behind its begin.
template <typename Fields>
PacketFields event_with(Fields fields) noexcept {
  char bytes[32];
  char* const end = fields(std::copy(std::begin(kEventBegin), std::end(kEventBegin), bytes));
  PacketFields event;
  event.size = static_cast<uint32_t>(end - bytes);
  std::memcpy(event.bytes.data(), bytes, event.size);
  return event;
}

void put_fields(char*& to, const PacketFields& fields) noexcept {
  std::memcpy(to, fields.bytes.data(), fields.bytes.size());
  to += fields.size;
}

}  // namespace

void EventBody::name(std::string_view text) {
  if (text.size() > kInternedNameBytesMax) {
    Message event(body_);
    add_text(event, track_event::kName, text);
  } else {
    head_.name = ids_.names.id(text);
  }
}

void EventBody::category(std::string_view text) { head_.category = ids_.categories.id(text); }

void EventBody::flag(std::string_view name) {
  Message event(body_);
  Message annotation(event, track_event::kDebugAnnotations);
  AnnotationNames names{ids_.annotation_names, annotations_};
  annotation.add_uint64(annotation::kNameIid, names.id(name));
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
  AnnotationNames names{ids_.annotation_names, annotations_};
  annotation.add_uint64(annotation::kNameIid, names.id(field_name(field)));
  add_value(annotation, field.value, names, 0);
}

void EventBody::flow(uint64_t number) {
  Message event(body_);
  event.add_fixed64(track_event::kFlowIds, number);
}

std::string_view field_name(const model::Field& field) noexcept {
  return field.name.empty() ? std::string_view("(unnamed)") : field.name;
}

void add_annotations(std::span<const uint32_t> names, std::span<const model::Field> fields,
                     std::string& body) {
  constexpr size_t kAnnotationMax = 32;  // of a number, with what put_varint() may write behind it
  char bytes[512];
  char* next = bytes;
  for (size_t i = 0; i < fields.size(); ++i) {
    if (next > std::end(bytes) - kAnnotationMax) body.append(bytes, std::exchange(next, bytes));
    const model::Value& value = fields[i].value;
    char* const begin = next + 2;  // behind tag and length, which is one byte for a number
    char* to = put_field(begin, annotation::kNameIid, names[i]);
    switch (value.kind) {
      case model::ValueKind::kInt:
        to = put_field(to, annotation::kIntValue, static_cast<uint64_t>(value.int_value));
        break;
      case model::ValueKind::kUint:
        to = put_field(to, annotation::kUintValue, value.uint_value);
        break;
      case model::ValueKind::kAddress:
        to = put_field(to, annotation::kPointerValue, value.uint_value);
        break;
      case model::ValueKind::kDouble:
        *to++ = static_cast<char>(tag(annotation::kDoubleValue, kFixed64));
        std::memcpy(to, &value.double_value, sizeof(double));
        to += sizeof(double);
        break;
      default: {
        body.append(bytes, std::exchange(next, bytes));
        Message event(body);
        Message annotation(event, track_event::kDebugAnnotations);
        annotation.add_uint64(annotation::kNameIid, names[i]);
        add_text(annotation, annotation::kStringValue,
                 value.kind == model::ValueKind::kText ? value.text : "(none)");
        continue;
      }
    }
    next[0] = static_cast<char>(tag(track_event::kDebugAnnotations, kLengthDelimited));
    next[1] = static_cast<char>(to - begin);
    next = to;
  }
  body.append(bytes, next);
}

// Events are most of a trace, so their packets are put together in a small array, and a growing
// string sees many of them at once.
[[gnu::always_inline]] inline void TracePacketWriter::add_event(Sequence& sequence, EventType type,
                                                                int64_t time,
                                                                const PacketFields& event,
                                                                std::string_view body) {
  if (stage_.size() - staged_ < kFrame + kFieldsMax) [[unlikely]]
    unstage();
  char* const packet = stage_.data() + staged_;
  char* to = packet + kFrame;
  put_fields(to, sequence.packet_begin);
  if (time >= sequence.last_time) [[likely]] {
    const auto distance = static_cast<uint64_t>(time) - static_cast<uint64_t>(sequence.last_time);
    sequence.last_time = time;
    to = put_varint(to, distance);
  } else {
    to = put_long_varint(to, static_cast<uint64_t>(time));
    to = put_field(to, packet::kTimestampClockId, clock::kMonotonic);
  }
  // With the event's tag, length and fields it is the whole packet if that is short.
  const size_t length = static_cast<size_t>(to - packet) - kFrame + event.size + body.size();
  if (length >= 0x80) [[unlikely]]
    return add_long_event(to, type, event, body);
  packet[0] = static_cast<char>(tag(trace::kPacket, kLengthDelimited));
  packet[1] = static_cast<char>(length);
  // The rest goes in behind the copy: what was just stored in `event` would not be ready for it.
  char* const track_event = to;
  put_fields(to, event);
  track_event[kLengthAt] = static_cast<char>(event.size - kLengthAt - 1 + body.size());
  track_event[kTypeAt] = static_cast<char>(type);
  staged_ = static_cast<size_t>(to - stage_.data());
  if (!body.empty()) add_body(body);
}

void TracePacketWriter::add_body(std::string_view body) {
  if (stage_.size() - staged_ < body.size()) unstage();
  if (body.size() > stage_.size()) {
    bytes_.append(body);
  } else {
    std::memcpy(stage_.data() + staged_, body.data(), body.size());
    staged_ += body.size();
  }
}

// The packet's fields up to `fields_end` are in their place for a length of one byte.
void TracePacketWriter::add_long_event(char* fields_end, EventType type, const PacketFields& event,
                                       std::string_view body) {
  char* const fields = stage_.data() + staged_ + kFrame;
  char bytes[kFieldsMax];
  char* to = std::copy(fields, fields_end, bytes);
  *to++ = event.bytes[0];
  to = put_varint(to, event.size - kLengthAt - 1 + body.size());
  *to++ = event.bytes[kTypeAt - 1];
  *to++ = static_cast<char>(type);
  to = std::copy_n(event.bytes.data() + kTypeAt + 1, event.size - kTypeAt - 1, to);
  char* packet = fields - kFrame;
  *packet++ = static_cast<char>(tag(trace::kPacket, kLengthDelimited));
  packet = put_varint(packet, static_cast<size_t>(to - bytes) + body.size());
  packet = std::copy(bytes, to, packet);
  staged_ = static_cast<size_t>(packet - stage_.data());
  add_body(body);
}

void TracePacketWriter::unstage() {
  bytes_.append(stage_.data(), staged_);
  staged_ = 0;
}

void TracePacketWriter::begin() {
  Packet packet(bytes(), kFileSequence);
  packet->add_uint32(packet::kSequenceFlags, packet::kIncrementalStateCleared);
  packet->add_bool(packet::kFirstPacketOnSequence, true);
}

void TracePacketWriter::clocks(const ClockPacket& clocks) {
  Packet packet(bytes(), kFileSequence);
  Message snapshot(*packet, packet::kClockSnapshot);
  add_clock(snapshot, clock::kMonotonic, clocks.monotonic_ns);
  if (clocks.realtime_ns >= 0) add_clock(snapshot, clock::kRealtime, clocks.realtime_ns);
  if (clocks.boottime_ns != 0) add_clock(snapshot, clock::kBoottime, clocks.boottime_ns);
  snapshot.add_enum(snapshot::kPrimaryTraceClock, clock::kMonotonic);
}

void TracePacketWriter::track(const TrackPacket& info) {
  Packet packet(bytes(), kFileSequence);
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

// One packet clears what the sequence was told, sets its defaults, and says when its clock begins.
void TracePacketWriter::start(Sequence& sequence, int64_t time) {
  const bool is_first = sequence.id == 0;
  if (is_first) {
    sequence.id = ++last_sequence_;
    char* const fields = sequence.packet_begin.bytes.data();
    char* to = put_field(fields, packet::kTrustedPacketSequenceId, sequence.id);
    *to++ = static_cast<char>(tag(packet::kTimestamp, kVarint));
    sequence.packet_begin.size = static_cast<uint32_t>(to - fields);
  }
  sequence.generation = generation_;
  sequence.forget();
  // A clock that goes back would be refused.
  sequence.last_time = is_first ? time : std::max(time, sequence.last_time);
  Packet packet(bytes(), sequence.id);
  packet->add_uint32(packet::kSequenceFlags, packet::kIncrementalStateCleared);
  if (is_first) packet->add_bool(packet::kFirstPacketOnSequence, true);
  {
    Message defaults(*packet, packet::kTracePacketDefaults);
    defaults.add_uint32(defaults::kTimestampClockId, clock::kOfSequence);
    Message(defaults, defaults::kTrackEventDefaults)
        .add_uint64(track_event::kTrackUuid, sequence.track_uuid);
  }
  Message snapshot(*packet, packet::kClockSnapshot);
  add_clock(snapshot, clock::kMonotonic, sequence.last_time);
  Message own(snapshot, snapshot::kClocks);
  own.add_uint32(clock::kClockId, clock::kOfSequence);
  own.add_uint64(clock::kTimestamp, static_cast<uint64_t>(sequence.last_time));
  own.add_bool(clock::kIsIncremental, true);
}

void TracePacketWriter::define(Sequence& sequence, const EventContent& content, bool with_head,
                               const Interners& ids) {
  std::string entries;
  const auto add = [&](NumberSet& told, const Interner& interner, uint32_t field, uint32_t id) {
    if (id == 0 || !told.insert(id)) return;
    Message data(entries);
    Message entry(data, field);
    entry.add_uint64(entry::kIid, id);
    add_text(entry, entry::kName, interner.text(id));
  };
  if (with_head) {
    const EventHead& head = ids.head_of(content.head);
    add(sequence.categories, ids.categories, interned_data::kEventCategories, head.category);
    add(sequence.names, ids.names, interned_data::kEventNames, head.name);
  } else {
    for (const uint32_t id : ids.names_of(content.name_set)) {
      add(sequence.annotation_names, ids.annotation_names, interned_data::kDebugAnnotationNames,
          id);
    }
  }
  if (entries.empty()) return;
  Packet packet(bytes(), sequence.id);
  packet->add_uint32(packet::kSequenceFlags, packet::kNeedsIncrementalState);
  packet->add_message(packet::kInternedData, entries);
}

void TracePacketWriter::prepare_heads(uint32_t head, const Interners& ids) {
  while (heads_.size() <= head) {
    const EventHead& texts = ids.head_of(static_cast<uint32_t>(heads_.size()));
    heads_.push_back(event_with([&texts](char* to) {
      if (texts.category != 0) to = put_field(to, track_event::kCategoryIids, texts.category);
      return texts.name != 0 ? put_field(to, track_event::kNameIid, texts.name) : to;
    }));
  }
}

void TracePacketWriter::event(Sequence& sequence, EventType type, int64_t time,
                              const EventContent& content, const Interners& ids) {
  if (sequence.generation != generation_) start(sequence, time);
  if (sequence.heads.insert(content.head)) define(sequence, content, true, ids);
  annotations(sequence, content, ids);
  if (content.head >= heads_.size()) prepare_heads(content.head, ids);
  add_event(sequence, type, time, heads_[content.head], content.body);
}

void TracePacketWriter::end(Sequence& sequence, int64_t time) {
  static const PacketFields kEnd = event_with([](char* to) { return to; });
  if (sequence.generation != generation_) start(sequence, time);
  add_event(sequence, EventType::kEnd, time, kEnd, {});
}

void TracePacketWriter::counter(Sequence& sequence, int64_t time, int64_t value,
                                const EventContent& content, const Interners& ids) {
  if (sequence.generation != generation_) start(sequence, time);
  annotations(sequence, content, ids);
  const PacketFields event = event_with([value](char* to) {
    return put_field(to, track_event::kCounterValue, static_cast<uint64_t>(value));
  });
  add_event(sequence, EventType::kCounter, time, event, content.body);
}

void TracePacketWriter::counter(Sequence& sequence, int64_t time, double value,
                                const EventContent& content, const Interners& ids) {
  if (sequence.generation != generation_) start(sequence, time);
  annotations(sequence, content, ids);
  const PacketFields event = event_with([value](char* to) {
    to = put_varint(to, track_event::kDoubleCounterValue << 3U | kFixed64);
    std::memcpy(to, &value, sizeof(value));
    return to + sizeof(value);
  });
  add_event(sequence, EventType::kCounter, time, event, content.body);
}

size_t first_packet_bytes(std::string_view bytes) noexcept {
  uint64_t length = 0;
  size_t at = 1;
  for (uint32_t shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    length |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  return at + static_cast<size_t>(length);
}

void add_compressed_packets(std::string_view blob, std::string& bytes) {
  Message trace(bytes);
  Message packet(trace, trace::kPacket);
  packet.add_bytes(packet::kCompressedPackets, blob.data(), blob.size());
}

}  // namespace ringscribe::perfetto
