// SPDX-License-Identifier: Apache-2.0
//
// The journal backend: writes every call of a session as a frame of a file (FORMAT.md), so that
// journal_reader.h can repeat it. The file is valid at every prefix.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session =
//       journal::open_journal_session({.name = "engine", .output = "engine.rsj"});
//
// What it takes out of the configuration: `journal_flush` = `buffer` (default: frames go to the
// kernel when 256 KiB are buffered, on stream_close() and on end()) or `batch` (after each data
// frame); `journal_codec` = `compact` (default: batches are written by column) or `raw` (as they
// are, for readers of version 1).
//
// Threads: as nvtxw::SessionBackend. Errors: once the file cannot be written, every call returns
// that first failure; what was written before stays readable.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_WRITER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_WRITER_H_

#include <memory>

#include "ringscribe/backends/journal/frame_writer.h"
#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::journal {

inline constexpr const char* kExtension = ".rsj";

Result<std::unique_ptr<nvtxw::SessionBackend>> open_journal_session(
    const nvtxw::SessionConfig& config);
// In a file that only this user may read (output::Finish::kPrivate).
Result<std::unique_ptr<nvtxw::SessionBackend>> open_private_journal(
    const nvtxw::SessionConfig& config);

// The frames of a session without the first, which names it, into a sink; by column.
std::unique_ptr<nvtxw::SessionBackend> journal_into(std::unique_ptr<FrameSink> sink);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_JOURNAL_WRITER_H_
