// SPDX-License-Identifier: Apache-2.0
//
// What `ringscribe run` is asked to do, and the environment that follows from it.
//
//   RunOptions options{.format = "journal", .command = {"./app", "-v"}};
//   Result<RunPlan> plan = plan_run(options, Environment::of_this_process(), "/home/me");
//
// Variables that the user has set stay, unless an option says otherwise. The command may change its
// folder, so that the output's path is made absolute.
// Threads: any.
#ifndef RINGSCRIBE_TOOLS_RUN_RUN_PLAN_H_
#define RINGSCRIBE_TOOLS_RUN_RUN_PLAN_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/tools/run/environment.h"

namespace ringscribe::tools {

// Each text as it stands on the command line; "": not given.
struct RunOptions {
  std::string format;
  std::string output;
  std::string buffer_size;
  std::string overflow;
  std::string categories;
  std::string domains;
  std::string library;
  bool follow_forks = false;
  std::vector<std::string> command;
};

struct RunPlan {
  Environment environment;            // without what names the library, the process and the report
  std::string output;                 // pattern of the path, absolute if we chose it; "" if unknown
  bool writes_output = true;          // false: a format that has none
  std::vector<std::string> warnings;  // sentences
};

// `folder` is the current one. Fails with kInvalidArgument for a value that cannot be used, and if
// the output's folder is not there: the option, the value and what to do.
Result<RunPlan> plan_run(const RunOptions& options, const Environment& users,
                         const std::string& folder);

// The path that `pattern` means in process `pid` (as RINGSCRIBE_OUTPUT; a start time is a guess).
std::string expand_pattern(const std::string& pattern, pid_t pid);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_RUN_PLAN_H_
