// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run_command.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "ringscribe/tools/run/run.h"

namespace ringscribe::tools {

Command add_run(CLI::App& app, std::vector<std::string> command) {
  auto kept = std::make_shared<RunOptions>();
  RunOptions& options = *kept;
  options.command = std::move(command);
  CLI::App* run_app = app.add_subcommand(
      "run", "Record a program that carries NVTX calls: ringscribe run [OPTIONS] -- CMD ARGS...");
  const CLI::Validator not_empty(
      [](const std::string& text) {
        return text.empty() ? "an empty value: leave the option out, or give it one" : "";
      },
      "");
  const auto add = [&](const char* names, std::string& value, const char* meaning) {
    run_app->add_option(names, value, meaning)->check(not_empty);
  };
  add("-f,--format", options.format,
      "perfetto (if nothing else says so), journal, chrome, sqlite, ctf or null, or the path of a "
      "library that speaks NVTXW");
  add("-o,--output", options.output,
      "Path of the output, with %p process id, %h host name, %t start time; the command's name and "
      "the format's extension, in this folder, if it is not given");
  add("--buffer-size", options.buffer_size, "Ring of each thread, such as 8MiB");
  add("--overflow", options.overflow,
      "A full ring: drop the newest event, block the thread, or overwrite: a flight recorder");
  add("--categories", options.categories,
      "Record these only: names with commas between them; -NAME: all but that");
  add("--domains", options.domains, "The same for domains");
  run_app->add_flag(
      "--follow-forks", options.follow_forks,
      "Record the programs that the command starts, too: a file each, with -%p in its "
      "name");
  add("--library", options.library,
      "The injection library; libringscribe_inject.so beside this program, in ../lib or in "
      "../inject if it is not given");
  run_app->footer(
      "The command runs as it would alone, and its exit code is handed on. Afterwards a line a\n"
      "process on stderr says where its trace is, how many events are in it and how many were\n"
      "lost, or why there is none. RINGSCRIBE_... variables stay in force unless an option says\n"
      "otherwise. Exit code 125: the command was not started.\n"
      "Examples:\n"
      "  ringscribe run -- ./app --its-option     # app.pftrace\n"
      "  ringscribe run --format chrome -o /tmp/run-%t.json --overflow block -- ./app\n"
      "  ringscribe run --follow-forks -- sh -c './load && ./train'");
  return {run_app, [kept, run_app] {
            if (!kept->command.empty()) return run(*kept);
            std::fputs(run_app->help().c_str(), stdout);
            return 2;
          }};
}

}  // namespace ringscribe::tools
