// SPDX-License-Identifier: Apache-2.0
//
// open_sqlite_session: a session of the `sqlite` backend, from its configuration.
//
//   Result<std::unique_ptr<nvtxw::SessionBackend>> session = open_sqlite_session(config);
//
// The file is PATH from the beginning, and can be queried at any time; PATH is config.output, or
// the session's name with the extension .sqlite (output_path.h). Key `sqlite_indexes`: `end` (the
// default) or `none`; any other value is a failure that says so.
#ifndef RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SESSION_H_
#define RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SESSION_H_

#include <memory>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::sqlite {

inline constexpr std::string_view kExtension = ".sqlite";
inline constexpr std::string_view kIndexesKey = "sqlite_indexes";

// Fails if the database cannot be made, with its path, the reason and what to do.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_sqlite_session(
    const nvtxw::SessionConfig& config);

}  // namespace ringscribe::sqlite

#endif  // RINGSCRIBE_BACKENDS_SQLITE_SQLITE_SESSION_H_
