/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes calls and ends as its argument says; surroundings_test.py looks what is left.
 */
#include <fcntl.h>
#include <nvtx3/nvToolsExt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void make_calls(const char* name) {
  for (int i = 0; i < 1000; ++i) {
    nvtxRangePushA(name);
    nvtxRangePop();
  }
}

/* A child that does not exec: its calls do nothing, and it ends as it wants to. */
static int fork_child(void) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    make_calls("child");
    exit(7);
  }
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/* As daemons do: all descriptors but the standard streams; then files of its own get their
 * numbers. */
static void close_all_and_open_files(void) {
  for (int fd = STDERR_FILENO + 1; fd < 1024; ++fd) close(fd);
  for (int i = 0; i < 20; ++i) {
    char name[32];
    snprintf(name, sizeof name, "own-%d.txt", i);
    const int fd = open(name, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, "mine", 4) != 4) exit(99);
  }
}

int main(int count, char** arguments) {
  const char* how = count > 1 ? arguments[1] : "";
  nvtxRangePushA("open");
  make_calls("inner");
  if (strcmp(how, "close") == 0) {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
  }
  if (strcmp(how, "close all") == 0) {
    close_all_and_open_files();
    make_calls("later");
  }
  /* Not by stdio: whatever has these numbers gets it. */
  if (strcmp(how, "print") == 0)
    return (write(STDOUT_FILENO, "printed", 7) < 0) + 2 * (write(STDERR_FILENO, "printed", 7) < 0);
  if (strcmp(how, "_exit") == 0) _exit(3);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "fork") == 0) return fork_child();
  return 0;
}
