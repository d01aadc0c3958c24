// SPDX-License-Identifier: Apache-2.0
//
// A command of `ringscribe`: NAME_command.h declares `add_NAME()`, which adds it to the command
// line with its options and help, and NAME_command.cc does what is printed; what it is about is in
// units that print nothing.
//
//   Command add_info(CLI::App& app);
//
// Threads: one.
#ifndef RINGSCRIBE_TOOLS_COMMAND_H_
#define RINGSCRIBE_TOOLS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;  // stderr says what
inline constexpr int kWrongUsage = 2;

struct Command {
  CLI::App* app;
  std::function<int()> run;  // returns the exit code
};

// Says on stderr what failed; returns kFailed.
inline int fail(const Status& status) {
  std::fprintf(stderr, "ringscribe: %s\n", status.message().c_str());
  return kFailed;
}

// Says on stderr what of a file is not in the result; returns kFailed. REQUIRES: not "".
inline int warn(const std::string& path, const std::string& warning) {
  std::fprintf(stderr, "ringscribe: %s: %s\n", path.c_str(), warning.c_str());
  return kFailed;
}

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_COMMAND_H_
