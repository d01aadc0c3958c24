// SPDX-License-Identifier: Apache-2.0
//
//   const std::string told = told_by([&] { session.end(); });   // what that wrote to stderr
//
// Threads: one; stderr is redirected meanwhile.
#ifndef RINGSCRIBE_TESTS_SUPPORT_TOLD_BY_H_
#define RINGSCRIBE_TESTS_SUPPORT_TOLD_BY_H_

#include <unistd.h>

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

namespace ringscribe::testing {

inline std::string told_by(const std::function<void()>& call) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) throw std::runtime_error("no temporary file could be made");
  std::fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  call();
  std::fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    text.push_back(static_cast<char>(c));
  std::fclose(file);
  return text;
}

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_TOLD_BY_H_
