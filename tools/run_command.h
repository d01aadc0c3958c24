// SPDX-License-Identifier: Apache-2.0
//
// The command line of `ringscribe run` (command.h).
#ifndef RINGSCRIBE_TOOLS_RUN_COMMAND_H_
#define RINGSCRIBE_TOOLS_RUN_COMMAND_H_

#include <string>
#include <vector>

#include "ringscribe/tools/command.h"

namespace ringscribe::tools {

// `command`: what stands behind "--" (run/run.h, take_command()).
Command add_run(CLI::App& app, std::vector<std::string> command);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_COMMAND_H_
