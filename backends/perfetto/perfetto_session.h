// SPDX-License-Identifier: Apache-2.0
//
// open_perfetto_session: a session of the `perfetto` backend, from its configuration.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_perfetto_session(config);
//
// The file is PATH.part until the session ends, then PATH; PATH is config.output, or the session's
// name with the extension .pftrace (output_path.h). One more key of the configuration is known:
//   perfetto_compression=none|deflate[:LEVEL]     packets are compressed; 1 is fast, 9 small (6)
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SESSION_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SESSION_H_

#include <memory>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::perfetto {

// Fails if the file cannot be made, with its path, the errno text and what to do; and with
// kInvalidArgument for a compression that there is not.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_perfetto_session(
    const nvtxw::SessionConfig& config);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_PERFETTO_SESSION_H_
