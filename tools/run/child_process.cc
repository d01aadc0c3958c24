// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ringscribe::tools {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

Status failure(const char* what, int error) {
  return Status(ResultCode::kFailed,
                std::string(what) + ": " + std::generic_category().message(error) + " (errno " +
                    std::to_string(error) + "); free some of what the system ran out of");
}

// Above the standard streams, one of which may be closed, and not inherited by the command.
int move_up(int fd) {
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(fd);
  errno = error;
  return moved;
}

// Does not return. `error_pipe` gets the errno if the command cannot be executed.
[[noreturn]] void become(const std::vector<std::string>& command, Environment& environment,
                         const char* pid_variable, const HeldSignals& signals, pid_t parent,
                         int error_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(128 + SIGKILL);  // it was killed before that
  if (pid_variable != nullptr) environment.set(pid_variable, std::to_string(getpid()));
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  signals.restore();
  execvpe(arguments[0], arguments.data(), environment.pointers().data());
  const int error = errno;
  const ssize_t written = write(error_pipe, &error, sizeof error);
  _exit(written == sizeof error && error == ENOENT ? 127 : 126);
}

// Sends on what is not the command's already, or stops with it.
void pass_on(const siginfo_t& info, pid_t child) {
  // The terminal's come from the kernel, to the whole group. But if it hangs up, the leader of its
  // session gets a signal alone.
  const bool of_terminal = info.si_code > 0;
  const bool is_ours_alone = info.si_signo == SIGHUP && getsid(0) == getpid();
  if (!of_terminal || is_ours_alone) kill(child, info.si_signo);
  if (info.si_signo != SIGTSTP) return;
  // As if it had never been blocked: it stops us, unless nobody could start us again.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

int wait_for(pid_t child, const HeldSignals& signals) {
  for (;;) {
    const siginfo_t info = signals.wait();
    if (info.si_signo != SIGCHLD) {
      pass_on(info, child);
      continue;
    }
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) return status;
  }
}

}  // namespace

HeldSignals::HeldSignals() {
  sigemptyset(&held_);
  for (const int number : kPassedOn) sigaddset(&held_, number);
  sigaddset(&held_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &held_, &mask_before_);
  // A parent that ignores it would have us wait for a child that leaves no exit status.
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &child_before_);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &pipe_before_);
}

HeldSignals::~HeldSignals() {
  const timespec no_wait = {};
  while (sigtimedwait(&held_, nullptr, &no_wait) > 0) {
  }
  restore();
}

void HeldSignals::restore() const {
  sigaction(SIGCHLD, &child_before_, nullptr);
  sigaction(SIGPIPE, &pipe_before_, nullptr);
  sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

siginfo_t HeldSignals::wait() const {
  siginfo_t info = {};
  while (sigwaitinfo(&held_, &info) < 0) {
  }
  return info;
}

int HeldSignals::pending_end() const {
  sigset_t pending;
  sigpending(&pending);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction action = {};
    sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_DFL && sigismember(&pending, number) == 1 &&
        sigismember(&mask_before_, number) == 0)
      return number;
  }
  return 0;
}

Result<CommandEnd> run_command(const std::vector<std::string>& command, Environment environment,
                               const char* pid_variable, const HeldSignals& signals) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return failure("cannot make a pipe", errno);
  const int read_end = move_up(ends[0]);
  const int write_end = move_up(ends[1]);
  const int moved_error = errno;
  if (read_end < 0 || write_end < 0) {
    close(read_end);
    close(write_end);
    return failure("cannot make a pipe", moved_error);
  }
  CommandEnd end;
  end.signal = signals.pending_end();
  if (end.signal != 0) {
    end.exit_code = 128 + end.signal;
    return end;
  }
  const pid_t self = getpid();
  end.pid = fork();
  const int fork_error = errno;
  if (end.pid == 0) become(command, environment, pid_variable, signals, self, write_end);
  close(write_end);
  if (end.pid < 0) {
    close(read_end);
    return failure("cannot make a process", fork_error);
  }
  if (read(read_end, &end.exec_error, sizeof end.exec_error) != sizeof end.exec_error)
    end.exec_error = 0;
  close(read_end);
  const int status = wait_for(end.pid, signals);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.exit_code = end.signal != 0 ? 128 + end.signal : WEXITSTATUS(status);
  return end;
}

}  // namespace ringscribe::tools
