// SPDX-License-Identifier: Apache-2.0
//
// The command line of `ringscribe recover` (command.h).
#ifndef RINGSCRIBE_TOOLS_RECOVER_COMMAND_H_
#define RINGSCRIBE_TOOLS_RECOVER_COMMAND_H_

#include "ringscribe/tools/command.h"

namespace ringscribe::tools {

Command add_recover(CLI::App& app);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RECOVER_COMMAND_H_
