// SPDX-License-Identifier: Apache-2.0
//
// The flight recorder: a session that writes nothing until it is asked to, and then the latest of
// what it was given. In memory it is a journal by columns: a mark takes a byte or two.
//
//   config: "format=perfetto|output=a.pftrace|flight_memory=67108864|flight_time_ns=10000000000"
//
// snapshot(path, reason) writes into a file of its own, as often as wanted, while recording goes
// on; the end of the session writes the output. Each has a stream "flight recorder" with one mark:
// the reason, when, and how many events of which stream had been forgotten by then.
//
// Threads: as nvtxw::SessionBackend; what snapshot() returns is anybody's.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FLIGHT_SESSION_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FLIGHT_SESSION_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

inline constexpr std::string_view kFlightMemoryKey = "flight_memory";
inline constexpr std::string_view kFlightTimeKey = "flight_time_ns";

// Opens a target for a snapshot; "" for the session's own output.
using OpenTarget =
    std::function<Result<std::unique_ptr<nvtxw::SessionBackend>>(std::string_view path)>;

// Fails with kInvalidArgument for a value that is no number.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_flight_session(
    const nvtxw::SessionConfig& config, OpenTarget open_target);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FLIGHT_SESSION_H_
