// SPDX-License-Identifier: Apache-2.0
//
// What a file is that a command was given, by its first bytes, so that an error can say more than
// "is no journal".
//
//   if (Status status = check_file_kind("run.pftrace"); !status.ok()) return fail(status);
//
// Threads: any.
#ifndef RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_
#define RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_

#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

// Success for what may be a journal. Else a sentence with what it is and what to do.
Status check_file_kind(const std::string& path);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_
