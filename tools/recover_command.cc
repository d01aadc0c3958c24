// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/recover_command.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/tools/recover.h"

namespace ringscribe::tools {
namespace {

struct RecoverCommand {
  std::vector<std::string> paths;
  RecoverOptions options;
  bool remove = false;
};

int recover_process(const std::string& folder, const RecoverCommand& command) {
  Result<runtime::DeadProcess> process = runtime::read_crash_folder(folder);
  if (!process.ok()) return fail(process.status());
  int result = kDone;
  if (process->sessions.empty())
    std::printf("%s: process %lld ended all its sessions: nothing to recover\n", folder.c_str(),
                static_cast<long long>(process->pid));
  for (const runtime::DeadSession& session : process->sessions) {
    Result<Recovered> done = recover_session(*process, session, command.options);
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
    if (!done->warning.empty()) result = warn(folder, done->warning);
  }
  if (command.remove && result == kDone) {
    if (const Status removed = remove_crash_folder(folder); !removed.ok()) return fail(removed);
  }
  return result;
}

int recover(const RecoverCommand& command) {
  int result = kDone;
  for (const std::string& path : command.paths) {
    Result<std::vector<std::string>> folders = find_crash_folders(path);
    if (!folders.ok()) {
      result = fail(folders.status());
      continue;
    }
    for (const std::string& folder : *folders)
      if (recover_process(folder, command) != kDone) result = kFailed;
  }
  return result;
}

}  // namespace

Command add_recover(CLI::App& app) {
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

}  // namespace ringscribe::tools
