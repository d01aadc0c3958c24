// SPDX-License-Identifier: Apache-2.0
//
// The configuration string of a session (nvtxw3_loader.h, "Config string format"): entries
// key=value between '|' and line breaks, '#' begins a comment, white space around is trimmed, the
// first of two equal keys counts.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_CONFIG_STRING_H_
#define RINGSCRIBE_BACKENDS_NVTXW_CONFIG_STRING_H_

#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/session_config.h"

namespace ringscribe::nvtxw {

// Puts `format`, `output` and the other keys of `text` into a configuration. Entries without key or
// without value are skipped, as the specification has it; those without '=', too, but they are kept
// to be warned of.
SessionConfig parse_session_config(std::string_view session_name, std::string_view text);

// Appends the entry key=value. Refuses, with kInvalidArgument and the key, what would not come back
// from the parser as it is: delimiters, zeros, blanks at an end, an empty key or value.
Status append_config(std::string* text, std::string_view key, std::string_view value);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_CONFIG_STRING_H_
