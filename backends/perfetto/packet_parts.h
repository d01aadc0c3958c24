// SPDX-License-Identifier: Apache-2.0
//
// What a packet of a trace says around its event, taken out of its bytes. What is in it but not
// here is passed over.
//
//   const PacketParts parts = read_parts(packet);
//   if (parts.track_descriptor.data() != nullptr) track = read_descriptor(parts.track_descriptor);
//
// Threads: any. Lifetime: views are into the bytes. Errors: protozero::exception for what is no
// protobuf.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_PACKET_PARTS_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_PACKET_PARTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

// A part that is not there is a view of nullptr.
struct PacketParts {
  uint64_t timestamp = 0;
  uint32_t clock = 0;  // 0: the sequence's default
  uint32_t sequence = 0;
  uint32_t flags = 0;
  std::string_view clock_snapshot, interned_data, defaults, track_event, track_descriptor;

  bool is_other() const {
    return clock_snapshot.data() == nullptr && interned_data.data() == nullptr &&
           defaults.data() == nullptr && track_event.data() == nullptr &&
           track_descriptor.data() == nullptr && flags == 0;
  }
};

PacketParts read_parts(std::string_view packet);

TrackPacket read_descriptor(std::string_view track_descriptor);

// What a sequence's packets leave out.
struct PacketDefaults {
  uint32_t clock = 0;
  bool has_track = false;
  uint64_t track_uuid = 0;
};
PacketDefaults read_defaults(std::string_view trace_packet_defaults);

struct ClockReading {
  uint32_t id = 0;
  int64_t time = 0;
  bool is_incremental = false;
  int64_t unit_ns = 1;
};

std::vector<ClockReading> read_clocks(std::string_view clock_snapshot);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PACKET_PARTS_H_
