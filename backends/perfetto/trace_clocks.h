// SPDX-License-Identifier: Apache-2.0
//
// TraceClocks: decides which clock snapshots a trace gets, so that a viewer can tell the wall clock
// time of an event.
//
// The model's clock points are the first choice: they are right also for a recording of yesterday
// or of another machine. Only when none came before the first events, the clocks are read now. A
// later point is written if it is later in time and the offset between the clocks has changed:
// readers refuse a clock that goes back.
//
//   TraceClocks clocks(read_system_clocks);
//   clocks.point(monotonic_ns, realtime_ns);
//   for (const ClockPacket& packet : clocks.take()) packets.clocks(packet);
//
// Threads: one at a time. Lifetime: a value.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_CLOCKS_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_CLOCKS_H_

#include <cstdint>
#include <vector>

#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

using ReadClocks = ClockPacket (*)();

// CLOCK_MONOTONIC, CLOCK_REALTIME and CLOCK_BOOTTIME now.
ClockPacket read_system_clocks();

// What the clocks showed when CLOCK_MONOTONIC was at `monotonic_ns`, which is not after `clocks`. A
// time of day before 1970 is negative, a time since boot that is not known 0.
ClockPacket clocks_at(const ClockPacket& clocks, int64_t monotonic_ns) noexcept;

class TraceClocks {
 public:
  explicit TraceClocks(ReadClocks read_clocks) noexcept : read_clocks_(read_clocks) {}

  // A point of the model. Returns false if no trace can hold it (a negative time).
  bool point(int64_t monotonic_ns, int64_t realtime_ns);
  // The snapshots to write before the next events; the first call gives at least one.
  std::vector<ClockPacket> take();

 private:
  ReadClocks read_clocks_;
  std::vector<ClockPacket> waiting_;
  ClockPacket last_;
  bool any_ = false;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_CLOCKS_H_
