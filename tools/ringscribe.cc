// SPDX-License-Identifier: Apache-2.0
//
// The command `ringscribe`.
//
// Exit codes: 0 all was done; 1 something could not be done, and stderr says what; 2 the command
// line is wrong.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "ringscribe/tools/recover.h"

namespace {

using namespace ringscribe;

struct RecoverCommand {
  std::vector<std::string> paths;
  tools::RecoverOptions options;
  bool remove = false;
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

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("Ringscribe: what is done with recordings after the fact.", "ringscribe");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  RecoverCommand command;
  CLI::App* recover_app =
      app.add_subcommand("recover", "Write the output that a process which crashed did not finish");
  recover_app->footer(
      "Example:\n"
      "  RINGSCRIBE_CRASH_DIR=/dev/shm/crash ./app      # ... crashes\n"
      "  ringscribe recover /dev/shm/crash -o app.pftrace --remove");
  recover_app
      ->add_option("DIR", command.paths,
                   "What RINGSCRIBE_CRASH_DIR named, or one of the folders in it")
      ->required();
  recover_app->add_option("-o,--output", command.options.output,
                          "Path of the output; of the session's name if it is not given. Further "
                          "sessions get -2, -3, ... before the extension");
  recover_app->add_option("-f,--format", command.options.format,
                          "perfetto or journal; as the output's extension says if it is not given");
  recover_app->add_flag("--remove", command.remove,
                        "Remove each folder that was recovered without a warning");
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return recover(command);
}
