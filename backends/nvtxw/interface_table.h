// SPDX-License-Identifier: Apache-2.0
//
// The C interface of NVTXW, version 2, in front of backends of ours: 21 functions that look
// handles up, check arguments (checked_session.h) and call a SessionBackend.
//
//   static constexpr BackendFormat kFormats[] = {{"null", "", open_null_session, {}}};
//   static constexpr FormatTable kTable = {kFormats, "null"};
//   const nvtxwInterface_v2_t* interface = make_interface(&kTable);
//
// Errors: a failing call returns its code, and its sentence goes to stderr once for each kind
// (log.h). No exception leaves a function. Output arguments of a call that fails are 0 or NULL.
//
// Threads: any function from any thread; one session's calls wait for each other.
// Lifetime: the state is made at the first SessionBegin and never destroyed. A forked child begins
// without sessions: handles of the parent are unknown there, so that it cannot write into the
// parent's files.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_INTERFACE_TABLE_H_
#define RINGSCRIBE_BACKENDS_NVTXW_INTERFACE_TABLE_H_

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/backend_format.h"

namespace ringscribe::nvtxw {

// The table of functions. `formats` stays in use until the process ends and counts for sessions
// that begin from now on.
const nvtxwInterface_v2_t* make_interface(const FormatTable* formats) noexcept;

// What an exported nvtxwFinalize does: ends the sessions that are still open. May be called again,
// and sessions may begin after it.
void finalize_interface() noexcept;

// The same for the end of the process: sessions that another thread is using are left alone, so
// that it never waits.
void finalize_interface_at_exit() noexcept;

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_INTERFACE_TABLE_H_
