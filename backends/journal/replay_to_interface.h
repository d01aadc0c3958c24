// SPDX-License-Identifier: Apache-2.0
//
// Replays into any backend that has an NVTXW table: a SessionBackend that makes the calls of one
// session on it, such as a journal's.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> target =
//       journal::replay_to_interface(*backend.interface, info.session_name, "format=perfetto");
//   if (target.ok()) summary = journal::replay("a.rsj", *target.value());
//
// What the backend hands out takes the place of what was recorded, wherever it stands: handles of
// domains, streams and strings, also in payload rows; and the IDs from 1 << 32 up, which only a
// backend may give, of schemas, enums, scopes, counters and time domains, in attributes, semantics,
// payloads and SCOPE_ID entries. Other IDs are passed on as they are.
//
// Threads: as nvtxw::SessionBackend. Lifetime: the table must stay; the destructor ends the
// session if end() did not.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_REPLAY_TO_INTERFACE_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_REPLAY_TO_INTERFACE_H_

#include <memory>
#include <string>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

// Begins a session of that name. `config` is a configuration string of NVTXW ("key=value|...").
// Fails with the backend's code if it refuses.
Result<std::unique_ptr<nvtxw::SessionBackend>> replay_to_interface(
    const nvtxwInterface_v2_t& interface, const std::string& session_name,
    const std::string& config);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_REPLAY_TO_INTERFACE_H_
