// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/perfetto/packet_parts.h"

#include <protozero/pbf_reader.hpp>

#include "ringscribe/backends/perfetto/trace_fields.h"
#include "ringscribe/backends/perfetto/track_event_decoder.h"

namespace ringscribe::perfetto {
namespace {

using Message = protozero::pbf_reader;

Message message_of(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(protozero::data_view data) { return {data.data(), data.size()}; }

}  // namespace

PacketParts read_parts(std::string_view bytes) {
  PacketParts parts;
  Message message = message_of(bytes);
  while (message.next()) {
    switch (message.tag()) {
      case packet::kTimestamp:
        parts.timestamp = message.get_uint64();
        break;
      case packet::kTimestampClockId:
        parts.clock = message.get_uint32();
        break;
      case packet::kTrustedPacketSequenceId:
        parts.sequence = message.get_uint32();
        break;
      case packet::kSequenceFlags:
        parts.flags = message.get_uint32();
        break;
      case packet::kClockSnapshot:
        parts.clock_snapshot = view(message.get_view());
        break;
      case packet::kInternedData:
        parts.interned_data = view(message.get_view());
        break;
      case packet::kTracePacketDefaults:
        parts.defaults = view(message.get_view());
        break;
      case packet::kTrackEvent:
        parts.track_event = view(message.get_view());
        break;
      case packet::kTrackDescriptor:
        parts.track_descriptor = view(message.get_view());
        break;
      default:
        message.skip();
    }
  }
  return parts;
}

TrackPacket read_descriptor(std::string_view bytes) {
  TrackPacket track;
  Message message = message_of(bytes);
  while (message.next()) {
    switch (message.tag()) {
      case descriptor::kUuid:
        track.uuid = message.get_uint64();
        break;
      case descriptor::kParentUuid:
        track.parent_uuid = message.get_uint64();
        break;
      case descriptor::kName:
      case descriptor::kStaticName:
        track.name = view(message.get_view());
        break;
      case descriptor::kDescription:
        track.description = view(message.get_view());
        break;
      case descriptor::kSiblingMergeKeyInt:
        track.merge_key = message.get_uint64();
        break;
      case descriptor::kProcess:
        track.type = TrackType::kProcess;
        for (Message process = message.get_message(); process.next();) {
          if (process.tag() == process::kPid) {
            track.pid = process.get_int32();
          } else if (process.tag() == process::kProcessName) {
            track.name = view(process.get_view());
          } else if (process.tag() == process::kProcessLabels) {
            track.process_label = view(process.get_view());
          } else {
            process.skip();
          }
        }
        break;
      case descriptor::kThread:
        track.type = TrackType::kThread;
        for (Message thread = message.get_message(); thread.next();) {
          if (thread.tag() == thread::kPid) {
            track.pid = thread.get_int32();
          } else if (thread.tag() == thread::kTid) {
            track.tid = thread.get_int64();
          } else if (thread.tag() == thread::kThreadName) {
            track.name = view(thread.get_view());
          } else {
            thread.skip();
          }
        }
        break;
      case descriptor::kCounter:
        track.type = TrackType::kCounter;
        for (Message counter = message.get_message(); counter.next();) {
          if (counter.tag() == counter_descriptor::kUnitName) {
            track.unit = view(counter.get_view());
          } else {
            counter.skip();
          }
        }
        break;
      default:
        message.skip();
    }
  }
  return track;
}

std::vector<ClockReading> read_clocks(std::string_view snapshot) {
  std::vector<ClockReading> readings;
  Message message = message_of(snapshot);
  while (message.next()) {
    if (message.tag() != snapshot::kClocks) {
      message.skip();
      continue;
    }
    ClockReading reading;
    for (Message clock = message.get_message(); clock.next();) {
      switch (clock.tag()) {
        case clock::kClockId:
          reading.id = clock.get_uint32();
          break;
        case clock::kTimestamp:
          reading.time = static_cast<int64_t>(clock.get_uint64());
          break;
        case clock::kIsIncremental:
          reading.is_incremental = clock.get_bool();
          break;
        case clock::kUnitMultiplierNs:
          reading.unit_ns = static_cast<int64_t>(clock.get_uint64());
          break;
        default:
          clock.skip();
      }
    }
    readings.push_back(reading);
  }
  return readings;
}

PacketDefaults read_defaults(std::string_view bytes) {
  PacketDefaults defaults;
  Message message = message_of(bytes);
  while (message.next()) {
    if (message.tag() == defaults::kTimestampClockId) {
      defaults.clock = message.get_uint32();
    } else if (message.tag() == defaults::kTrackEventDefaults) {
      const TrackEventHead head = read_head(view(message.get_view()));
      defaults.has_track = head.has_track;
      defaults.track_uuid = head.track_uuid;
    } else {
      message.skip();
    }
  }
  return defaults;
}

}  // namespace ringscribe::perfetto
