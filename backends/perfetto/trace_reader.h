// SPDX-License-Identifier: Apache-2.0
//
// Reads a Perfetto trace into an EventSink: tracks, slices, instants and counters of track events,
// such as our sink writes them (docs/formats.md), and those of other tracers as far as a sink can
// be told. Packets of other kinds (schedulers, logs, heaps) are counted and left out.
//
//   Result<TraceSummary> read = perfetto::read_trace("a.pftrace", sink);
//   if (read.ok() && read->truncated) ...        // all whole packets were read
//
// What a trace does not say is not there again: the stream of an event on a thread, a domain beside
// a category, the value type of a counter, schemas.
//
// Threads: any; one sink from one thread. The file's bytes are not trusted.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACE_READER_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACE_READER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::perfetto {

struct ReadTraceOptions {
  // Looked at before each packet: once it is true, nothing more is read, and the sink is finished.
  const std::atomic<bool>* stop = nullptr;
  // Called now and then with the bytes of the file that are read.
  std::function<void(uint64_t bytes)> progress = nullptr;
};

struct TraceSummary {
  std::string session_name;
  uint64_t packets = 0;
  uint64_t bytes = 0;          // of the file, up to the end of the last whole packet
  uint64_t other_packets = 0;  // of kinds that are left out
  bool stopped = false;
  bool truncated = false;  // the file ends inside a packet
  bool damaged = false;    // what follows `bytes` is no packet
  std::string damage;
};

// Calls sink.session() first and sink.finish() last. Fails as the sink does, or if there is no
// packet.
Result<TraceSummary> read_trace(const std::string& path, model::EventSink& sink,
                                const ReadTraceOptions& options = {});

// What the session was named; the file's name if it does not say. Fails as read_trace().
Result<std::string> trace_session_name(const std::string& path);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACE_READER_H_
