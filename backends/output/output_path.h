// SPDX-License-Identifier: Apache-2.0
//
// The output path of a session: `output` of its configuration with %p (process id), %h (host
// name), %t (start time, UTC, 20261202T051037Z) and %% replaced, or, where it is empty, the
// session's name plus the format's extension in the current folder.
#ifndef RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_PATH_H_
#define RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_PATH_H_

#include <string>
#include <string_view>

namespace ringscribe::output {

// `extension` has its dot: ".pftrace". A session name is made a plain file name first: what is not
// a letter, digit, dot, dash, underscore or space, or above ASCII, becomes '_', a leading dot too,
// at most 200 bytes; an empty one becomes "session". A host name is treated alike.
std::string output_path(std::string_view pattern, std::string_view session_name,
                        std::string_view extension);

}  // namespace ringscribe::output

#endif  // RINGSCRIBE_BACKENDS_OUTPUT_OUTPUT_PATH_H_
