// SPDX-License-Identifier: Apache-2.0
//
// The command line of `ringscribe convert` (command.h).
#ifndef RINGSCRIBE_TOOLS_CONVERT_COMMAND_H_
#define RINGSCRIBE_TOOLS_CONVERT_COMMAND_H_

#include "ringscribe/tools/command.h"

namespace ringscribe::tools {

Command add_convert(CLI::App& app);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_CONVERT_COMMAND_H_
