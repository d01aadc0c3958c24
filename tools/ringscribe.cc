// SPDX-License-Identifier: Apache-2.0
//
// The command `ringscribe`.
//
// Exit codes: 0 all was done; 1 something could not be done, and stderr says what; 2 the command
// line is wrong. `run` exits as its command does.
#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/tools/convert.h"
#include "ringscribe/tools/recover.h"
#include "ringscribe/tools/run.h"

namespace {

using namespace ringscribe;

struct RecoverCommand {
  std::vector<std::string> paths;
  tools::RecoverOptions options;
  bool remove = false;
};

struct ConvertCommand {
  std::vector<std::string> journals;
  tools::ConvertOptions options;
};

int fail(const Status& status) {
  std::fprintf(stderr, "ringscribe: %s\n", status.message().c_str());
  return 1;
}

int recover_process(const std::string& folder, const RecoverCommand& command) {
  Result<runtime::DeadProcess> process = runtime::read_crash_folder(folder);
  if (!process.ok()) return fail(process.status());
  int result = 0;
  if (process->sessions.empty())
    std::printf("%s: process %lld ended all its sessions: nothing to recover\n", folder.c_str(),
                static_cast<long long>(process->pid));
  for (const runtime::DeadSession& session : process->sessions) {
    Result<tools::Recovered> done = tools::recover_session(*process, session, command.options);
    if (!done.ok()) {
      result = fail(done.status());
      continue;
    }
    std::printf(
        "session \"%s\" of process %lld (%s), %s: %llu frames that were written, and %llu "
        "events of %llu rings\n",
        session.name.c_str(), static_cast<long long>(process->pid), process->name.c_str(),
        process->signal == 0 ? "killed or gone"
                             : ("signal " + std::to_string(process->signal)).c_str(),
        static_cast<unsigned long long>(done->journal_frames),
        static_cast<unsigned long long>(done->rings.events),
        static_cast<unsigned long long>(done->rings.rings));
    if (!done->warning.empty()) {
      std::fprintf(stderr, "ringscribe: %s: %s\n", folder.c_str(), done->warning.c_str());
      result = 1;
    }
  }
  if (command.remove && result == 0) {
    if (const Status removed = tools::remove_crash_folder(folder); !removed.ok())
      return fail(removed);
  }
  return result;
}

int recover(const RecoverCommand& command) {
  int result = 0;
  for (const std::string& path : command.paths) {
    Result<std::vector<std::string>> folders = tools::find_crash_folders(path);
    if (!folders.ok()) {
      result = fail(folders.status());
      continue;
    }
    for (const std::string& folder : *folders)
      if (recover_process(folder, command) != 0) result = 1;
  }
  return result;
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler may set it

// The first signal asks to stop; the next one ends the process.
void ask_to_stop(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

int convert(ConvertCommand& command) {
  command.options.stop = &interrupted;
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  for (const int signal : signals) std::signal(signal, ask_to_stop);
  int result = 0;
  for (const std::string& journal : command.journals) {
    Result<tools::Converted> done = tools::convert(journal, command.options);
    if (!done.ok()) {
      result = fail(done.status());
      continue;
    }
    if (done->stopped) {
      std::fprintf(stderr, "ringscribe: %s: stopped; what was written of it is removed\n",
                   journal.c_str());
      return 1;
    }
    std::printf("%s\n", tools::summary_line(*done).c_str());
    if (!done->warning.empty()) {
      std::fprintf(stderr, "ringscribe: %s: %s\n", journal.c_str(), done->warning.c_str());
      result = 1;
    }
  }
  return result;
}

// --- Each subcommand adds itself, and says what runs it.
using Run = std::function<int()>;
struct Subcommand {
  CLI::App* app;
  Run run;
};

Subcommand add_recover(CLI::App& app) {
  auto command = std::make_shared<RecoverCommand>();
  CLI::App* recover_app =
      app.add_subcommand("recover", "Write the output that a process which crashed did not finish");
  recover_app->footer(
      "Example:\n"
      "  RINGSCRIBE_CRASH_DIR=/dev/shm/crash ./app      # ... crashes\n"
      "  ringscribe recover /dev/shm/crash -o app.pftrace --remove");
  recover_app
      ->add_option("DIR", command->paths,
                   "What RINGSCRIBE_CRASH_DIR named, or one of the folders in it")
      ->required();
  recover_app->add_option("-o,--output", command->options.output,
                          "Path of the output; of the session's name if it is not given. Further "
                          "sessions get -2, -3, ... before the extension");
  recover_app->add_option("-f,--format", command->options.format,
                          "perfetto or journal; as the output's extension says if it is not given");
  recover_app->add_flag("--remove", command->remove,
                        "Remove each folder that was recovered without a warning");
  return {recover_app, [command] { return recover(*command); }};
}

// `command`: what stands behind "--".
Subcommand add_run(CLI::App& app, std::vector<std::string> command) {
  auto kept = std::make_shared<tools::RunOptions>();
  tools::RunOptions& options = *kept;
  options.command = std::move(command);
  CLI::App* run = app.add_subcommand(
      "run", "Record a program that carries NVTX calls: ringscribe run [OPTIONS] -- CMD ARGS...");
  const CLI::Validator not_empty(
      [](const std::string& text) {
        return text.empty() ? "an empty value: leave the option out, or give it one" : "";
      },
      "");
  const auto add = [&](const char* names, std::string& value, const char* meaning) {
    run->add_option(names, value, meaning)->check(not_empty);
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
  run->add_flag("--follow-forks", options.follow_forks,
                "Record the programs that the command starts, too: a file each, with -%p in its "
                "name");
  add("--library", options.library,
      "The injection library; libringscribe_inject.so beside this program, in ../lib or in "
      "../inject if it is not given");
  run->footer(
      "The command runs as it would alone, and its exit code is handed on. Afterwards a line a\n"
      "process on stderr says where its trace is, how many events are in it and how many were\n"
      "lost, or why there is none. RINGSCRIBE_... variables stay in force unless an option says\n"
      "otherwise. Exit code 125: the command was not started.\n"
      "Examples:\n"
      "  ringscribe run -- ./app --its-option     # app.pftrace\n"
      "  ringscribe run --format chrome -o /tmp/run-%t.json --overflow block -- ./app\n"
      "  ringscribe run --follow-forks -- sh -c './load && ./train'");
  return {run, [kept, run] {
            if (!kept->command.empty()) return tools::run(*kept);
            std::fputs(run->help().c_str(), stdout);
            return 2;
          }};
}

Subcommand add_convert(CLI::App& app) {
  auto command = std::make_shared<ConvertCommand>();
  CLI::App* convert_app = app.add_subcommand("convert", "Write journals in another format");
  convert_app->footer(
      "Example:\n"
      "  ringscribe convert run.rsj                     # run.pftrace\n"
      "  ringscribe convert *.rsj --to chrome -o /tmp/  # /tmp/NAME.json of each NAME.rsj\n"
      "  ringscribe convert run.rsj -o run.sqlite --config sqlite_indexes=none");
  convert_app->add_option("IN", command->journals, "Journals (.rsj)")->required();
  convert_app->add_option("-t,--to", command->options.format,
                          "Format: perfetto, chrome, ctf, sqlite, journal or null; as the output's "
                          "extension says if it is not given, else perfetto");
  convert_app->add_option("-o,--output", command->options.output,
                          "Path of the output, or a folder for it; IN with the format's extension "
                          "if it is not given. Of several journals, the others get -2, -3, ... "
                          "before the extension");
  convert_app->add_option("-c,--config", command->options.config,
                          "For the format: KEY=VALUE|..., such as rotate=512MiB");
  convert_app
      ->add_option("--threads", command->options.threads,
                   "2: the output is written on a thread of its own; 1: on this one, too")
      ->check(CLI::Range(1, 2))
      ->capture_default_str();
  return {convert_app, [command] { return convert(*command); }};
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("Ringscribe: records programs, and what is done with recordings afterwards.",
               "ringscribe");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  const Subcommand subcommands[] = {
      add_convert(app),
      add_recover(app),
      add_run(app, tools::take_command(count, arguments)),
  };
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) return subcommand.run();
  return 2;
}
