// SPDX-License-Identifier: Apache-2.0
//
// Runs work in a process of its own, so that it neither inherits the memory of runs before it nor
// leaves any.
//
//   Result result = run_in_a_child<Result>("perfetto", [] { return run(); });
//
// Threads: none may run in the parent. Errors: a child that fails ends the program.
#ifndef RINGSCRIBE_BENCH_CHILD_RUN_H_
#define RINGSCRIBE_BENCH_CHILD_RUN_H_

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace ringscribe::bench {

template <typename Result, typename Work>
Result run_in_a_child(const char* what, Work work) {
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2] = {-1, -1};
  Result result = {};
  int status = 1;
  if (pipe(ends) == 0) {
    const pid_t child = fork();
    if (child == 0) {
      result = work();
      _exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
    }
    close(ends[1]);
    const bool is_whole = read(ends[0], &result, sizeof(result)) == sizeof(result);
    close(ends[0]);
    waitpid(child, &status, 0);
    if (is_whole && status == 0) return result;
  }
  std::fprintf(stderr, "%s failed\n", what);
  std::exit(1);
}

}  // namespace ringscribe::bench

#endif  // RINGSCRIBE_BENCH_CHILD_RUN_H_
