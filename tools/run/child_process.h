// SPDX-License-Identifier: Apache-2.0
//
// Runs one command as if it had been started in our place: it has our terminal, our standard
// streams, our process group, our signal mask and what we ignore; what ends us ends it.
//
//   const HeldSignals signals;
//   Result<CommandEnd> end = run_command({"ls", "-l"}, environment, "MY_PID_VARIABLE", signals);
//
// Signals: INT, TERM, HUP, QUIT, USR1, USR2, TSTP and CONT that a process sends to us are sent on.
// Those of the terminal (Ctrl-C, Ctrl-\, Ctrl-Z) are not: it sends them to the whole group, and the
// command is in it, so that each arrives once. A group of the command's own would tell the two
// apart without looking at who sent a signal, but would take the terminal from the other programs
// of a pipeline (`ringscribe run -- app | less`). What remains: a process that signals the whole
// group (`kill -TERM -GROUP`, as timeout does) may reach the command twice.
//
// Threads: from a program with one thread only: there is a fork in it.
#ifndef RINGSCRIBE_TOOLS_RUN_CHILD_PROCESS_H_
#define RINGSCRIBE_TOOLS_RUN_CHILD_PROCESS_H_

#include <signal.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/tools/run/environment.h"

namespace ringscribe::tools {

// The signals above and SIGCHLD, blocked as long as this lives and taken one by one, so that none
// comes between a look and a wait; SIGPIPE is ignored. Those that come after the command's end are
// dropped, so that what is to be said of it is said.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // Sets mask and dispositions as they were.
  void restore() const;
  siginfo_t wait() const;
  // One that is pending and would have ended us; 0 if none.
  int pending_end() const;

 private:
  sigset_t held_;
  sigset_t mask_before_;
  struct sigaction child_before_ = {};
  struct sigaction pipe_before_ = {};
};

struct CommandEnd {
  pid_t pid = 0;       // 0: a signal came before it was started
  int exec_error = 0;  // errno, if it could not be executed
  int signal = 0;      // that it died of
  int exit_code = 0;   // as a shell says it: 128 + signal, 127 not found, 126 not executed
};

// Starts `command`, found through PATH, and waits for it, not for what it leaves behind. It finds
// its process id in the variable `pid_variable`, unless that is nullptr, and dies with us if we are
// killed.
// REQUIRES: a command of one word or more.
// Fails if no process can be made.
Result<CommandEnd> run_command(const std::vector<std::string>& command, Environment environment,
                               const char* pid_variable, const HeldSignals& signals);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_CHILD_PROCESS_H_
