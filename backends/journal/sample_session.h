// SPDX-License-Identifier: Apache-2.0
//
// What the tests of the journal share: a session with every kind of call and every kind of
// attribute, and files to put it in.
//
// Threads: one at a time.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_SAMPLE_SESSION_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_SAMPLE_SESSION_H_

#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/session_config.h"

namespace ringscribe::journal {

// Every call of a session but end(). Returns the first failure.
Status make_sample_calls(nvtxw::SessionBackend& backend);

// A schema with one entry of each given type and flags, at offsets 0, 8, 16, ...
struct SampleEntry {
  uint64_t flags;
  uint64_t type;
  uint64_t detail = 0;
};
Status add_schema(nvtxw::SessionBackend& backend, uint64_t id, std::vector<SampleEntry> entries);

// Domain 0 and stream 0 in it.
Status open_sample_stream(nvtxw::SessionBackend& backend);

// A path in a new folder of this test's own.
std::string sample_path(const std::string& name);
std::string read_file(const std::string& path);
void write_file(const std::string& path, const std::string& bytes);

// The calls of a journal as lines of JSON.
std::vector<std::string> printed(const std::string& path);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_SAMPLE_SESSION_H_
