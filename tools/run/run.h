// SPDX-License-Identifier: Apache-2.0
//
// `ringscribe run -- CMD ARGS…`: runs a program that carries NVTX calls under our injection
// library, and says on stderr what was recorded and where it is, or why nothing was.
//
//   RunOptions options;
//   options.command = take_command(count, arguments);   // before the rest is parsed
//   return run(options);
//
// Threads: from a program with one thread only.
#ifndef RINGSCRIBE_TOOLS_RUN_RUN_H_
#define RINGSCRIBE_TOOLS_RUN_RUN_H_

#include <string>
#include <vector>

#include "ringscribe/tools/run/run_plan.h"

namespace ringscribe::tools {

// The words of the command, as they are: those after the first `--`, else from the first word that
// is neither an option of `run` nor the value of one. They and the `--` are taken off the line, for
// which a parser of options would have uses of its own. Nothing, if the line is not one of `run`.
std::vector<std::string> take_command(int& count, char** arguments);

// Returns the command's exit code, 128 + N if signal N ended it, 127 if it was not found and 126 if
// it could not be executed; 2 for an option that cannot be used and 125 for what else kept the
// command from being started (as env and timeout do).
int run(const RunOptions& options);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_RUN_H_
