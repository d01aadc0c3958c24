/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes calls and ends as its argument says; surroundings_test.py looks what is left.
 */
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

int main(int count, char** arguments) {
  const char* how = count > 1 ? arguments[1] : "";
  nvtxRangePushA("open");
  make_calls("inner");
  if (strcmp(how, "close") == 0) {
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
  }
  if (strcmp(how, "_exit") == 0) _exit(3);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "fork") == 0) return fork_child();
  return 0;
}
