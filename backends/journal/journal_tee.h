// SPDX-License-Identifier: Apache-2.0
//
// A journal beside another backend: every call goes into a journal first, whose frames are in the
// kernel's hands when the call returns, and then to the backend. What a process that dies had
// handed to a backend that was still buffering it is found there (runtime/crash_folder.h).
//
//   config: "format=perfetto|output=a.pftrace|crash_journal=/dev/shm/crash/a.rsj"
//
// Calls return what the backend returns. A journal that cannot be written is given up with an
// error message; the backend goes on.
//
// Threads: as nvtxw::SessionBackend.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_TEE_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_TEE_H_

#include <memory>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

inline constexpr std::string_view kTeeKey = "crash_journal";

// The session itself if the configuration has no such key. Never fails for the journal's sake.
Result<std::unique_ptr<nvtxw::SessionBackend>> tee_if_asked(
    std::unique_ptr<nvtxw::SessionBackend> session, const nvtxw::SessionConfig& config);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_TEE_H_
