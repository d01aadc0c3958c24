// SPDX-License-Identifier: Apache-2.0
//
// open_ctf_session: a session of the `ctf` backend, from its configuration.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_ctf_session(config);
//
// The trace is the folder PATH, and can be opened at any time; PATH is config.output, or the
// session's name with the extension .ctf (output_path.h). What stands at PATH already is treated as
// output_folder.h says.
#ifndef RINGSCRIBE_BACKENDS_CTF_CTF_SESSION_H_
#define RINGSCRIBE_BACKENDS_CTF_CTF_SESSION_H_

#include <memory>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::ctf {

// Fails if the folder cannot be made, with its path, the errno text and what to do.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_ctf_session(const nvtxw::SessionConfig& config);

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_CTF_SESSION_H_
