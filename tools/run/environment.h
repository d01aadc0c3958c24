// SPDX-License-Identifier: Apache-2.0
//
// Environment: the environment variables of a program that is to be started.
//
//   Environment environment = Environment::of_this_process();
//   environment.set("RINGSCRIBE_BACKEND", "journal");
//   execvpe(arguments[0], arguments, environment.pointers().data());
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TOOLS_RUN_ENVIRONMENT_H_
#define RINGSCRIBE_TOOLS_RUN_ENVIRONMENT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringscribe::tools {

class Environment {
 public:
  static Environment of_this_process();
  // Entries are "NAME=VALUE".
  Environment() = default;
  explicit Environment(std::vector<std::string> entries) : entries_(std::move(entries)) {}

  // "" if it is unset: the knobs do not tell the two apart.
  std::string_view get(std::string_view name) const;
  void set(std::string_view name, std::string_view value);
  void unset(std::string_view name);
  // As `environ`. Valid until the next change.
  std::vector<char*> pointers();

 private:
  std::vector<std::string> entries_;
};

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_ENVIRONMENT_H_
