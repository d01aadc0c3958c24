// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace ringscribe;

namespace {

tools::CommandEnd run_it(const std::vector<std::string>& command,
                         const char* pid_variable = nullptr) {
  const tools::HeldSignals signals;
  return tools::run_command(command, tools::Environment::of_this_process(), pid_variable, signals)
      .value();
}

tools::CommandEnd run_shell(const std::string& script, const char* pid_variable = nullptr) {
  return run_it({"sh", "-c", script}, pid_variable);
}

}  // namespace

TEST_CASE("the exit code is the command's") {
  CHECK(run_shell("exit 0").exit_code == 0);
  CHECK(run_shell("exit 7").exit_code == 7);
  CHECK(run_shell("exit 7").signal == 0);
  CHECK(run_shell("exit 255").exit_code == 255);
}

TEST_CASE("a command that died of a signal is 128 and the signal") {
  const tools::CommandEnd end = run_shell("kill -KILL $$");
  CHECK(end.signal == SIGKILL);
  CHECK(end.exit_code == 128 + SIGKILL);
}

TEST_CASE("a command that is not there, and one that cannot be executed") {
  for (const char* missing : {"no-such-command", "/no/such/command", ""}) {
    const tools::CommandEnd end = run_it({missing});
    CHECK(end.exit_code == 127);
    CHECK(end.exec_error == ENOENT);
  }
  const tools::CommandEnd folder = run_it({"/tmp"});
  CHECK(folder.exit_code == 126);
  CHECK(folder.exec_error == EACCES);
}

TEST_CASE("the command finds its process id in the environment, and only if it should") {
  CHECK(run_shell("test \"$OWN_PID\" = $$", "OWN_PID").exit_code == 0);
  CHECK(run_shell("test -z \"$OWN_PID\"").exit_code == 0);
}

TEST_CASE("the command's signals are as if it had been started in our place") {
  const auto waiting = [](int number, sighandler_t disposition) {
    const sighandler_t before = signal(number, disposition);
    const int code = run_shell("kill -s " + std::to_string(number) + " $$").exit_code;
    signal(number, before);
    return code;
  };
  CHECK(waiting(SIGTERM, SIG_DFL) == 128 + SIGTERM);
  CHECK(waiting(SIGPIPE, SIG_DFL) == 128 + SIGPIPE);
  CHECK(waiting(SIGHUP, SIG_IGN) == 0);
  // A parent that ignores it leaves the kernel to reap.
  CHECK(waiting(SIGCHLD, SIG_IGN) == 0);
  CHECK(run_shell("exit 3").exit_code == 3);
}

TEST_CASE("a signal that came before the command keeps it from being started") {
  int code = 0;
  const sighandler_t of_catch = signal(SIGTERM, SIG_DFL);
  {
    const tools::HeldSignals signals;
    raise(SIGTERM);
    const tools::CommandEnd end =
        tools::run_command({"false"}, tools::Environment(), nullptr, signals).value();
    CHECK(end.pid == 0);
    code = end.exit_code;
  }
  signal(SIGTERM, of_catch);
  CHECK(code == 128 + SIGTERM);  // and it has not ended us
}

TEST_CASE("a process that the command leaves behind is not waited for") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const int inherited = fcntl(ends[0], F_DUPFD, 3);
  // It reads until we have closed our end: it is there when the command is gone.
  CHECK(run_shell("cat <&" + std::to_string(inherited) + " >/dev/null & exit 5").exit_code == 5);
  close(inherited);
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("standard streams that are closed stay closed for the command") {
  const int saved = dup(STDOUT_FILENO);
  close(STDOUT_FILENO);
  const int code = run_shell("if test -e /proc/self/fd/1; then exit 1; else exit 9; fi").exit_code;
  dup2(saved, STDOUT_FILENO);
  close(saved);
  CHECK(code == 9);
}
