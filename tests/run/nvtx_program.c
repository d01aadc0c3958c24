// SPDX-License-Identifier: Apache-2.0
// A program with NVTX calls, as `ringscribe run` meets one: it loads the injection library as
// NVTX's headers do. Its first argument is what it does:
//
//   exit CODE | chdir FOLDER | die SIGNAL | signals | children COUNT | arguments ... | remove FILE
//   quiet
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void first_nvtx_call(void) {
  typedef int (*Initialize)(void*);
  const char* path = getenv("NVTX_INJECTION64_PATH");
  void* library = path == NULL ? NULL : dlopen(path, RTLD_LAZY);
  if (library == NULL) {
    fprintf(stderr, "nvtx_program: %s\n", path == NULL ? "no library is named" : dlerror());
    return;
  }
  void* symbol = dlsym(library, "InitializeInjectionNvtx2");
  Initialize initialize;
  memcpy(&initialize, &symbol, sizeof initialize);
  initialize(NULL);
}

// Prints each signal that comes, one at a time in the order of their numbers, until SIGUSR2.
static int print_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  puts("ready");
  for (int number = 0; number != SIGUSR2;) {
    fflush(stdout);
    if (sigwait(&all, &number) == 0) printf("SIG%s\n", sigabbrev_np(number));
  }
  return 0;
}

static void start_children(char** arguments, int count) {
  for (int i = 0; i < count; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      execl(arguments[0], arguments[0], "exit", "0", (char*)NULL);
      _exit(127);
    }
    waitpid(child, NULL, 0);
  }
}

int main(int count, char** arguments) {
  const char* what = count > 1 ? arguments[1] : "";
  const char* value = count > 2 ? arguments[2] : "";
  if (strcmp(what, "chdir") == 0 && chdir(value) != 0) perror(value);
  if (strcmp(what, "quiet") != 0) first_nvtx_call();
  if (strcmp(what, "remove") == 0) remove(value);
  if (strcmp(what, "exit") == 0) return atoi(value);
  if (strcmp(what, "die") == 0) raise(atoi(value));
  if (strcmp(what, "signals") == 0) return print_signals();
  if (strcmp(what, "children") == 0) start_children(arguments, atoi(value));
  if (strcmp(what, "arguments") == 0)
    for (int i = 2; i < count; ++i) printf("<%s>\n", arguments[i]);
  return 0;
}
