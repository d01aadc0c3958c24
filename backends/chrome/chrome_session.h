// SPDX-License-Identifier: Apache-2.0
//
// open_chrome_session: a session of the `chrome` backend, from its configuration.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_chrome_session(config);
//
// The file is PATH from the beginning, and can be opened at any time; PATH is config.output, or the
// session's name with the extension .json (output_path.h).
#ifndef RINGSCRIBE_BACKENDS_CHROME_CHROME_SESSION_H_
#define RINGSCRIBE_BACKENDS_CHROME_CHROME_SESSION_H_

#include <memory>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::chrome {

// Fails if the file cannot be made, with its path, the errno text and what to do.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_chrome_session(
    const nvtxw::SessionConfig& config);

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_CHROME_SESSION_H_
