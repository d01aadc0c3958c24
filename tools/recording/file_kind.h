// SPDX-License-Identifier: Apache-2.0
//
// What kind of recording a file is, by its first bytes; for what is none, what it is instead.
//
//   Result<FileKind> kind = recording_kind("run.pftrace");
//   if (!kind.ok()) return fail(kind.status());
//
// Threads: any.
#ifndef RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_
#define RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_

#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

enum class FileKind {
  kJournal,  // or what only reading it can say: an empty file, a pipe, none at all
  kPerfettoTrace,
};

// Else a sentence with what it is and what to do.
Result<FileKind> recording_kind(const std::string& path);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECORDING_FILE_KIND_H_
