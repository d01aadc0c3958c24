// SPDX-License-Identifier: Apache-2.0
//
// The command `ringscribe`.
//
// Exit codes: 0 all was done; 1 something could not be done, and stderr says what; 2 the command
// line is wrong. `run` exits as its command does.
#include "ringscribe/tools/convert_command.h"
#include "ringscribe/tools/recover_command.h"
#include "ringscribe/tools/run/run.h"
#include "ringscribe/tools/run_command.h"

int main(int count, char** arguments) {
  using namespace ringscribe::tools;
  CLI::App app("Ringscribe: records programs, and what is done with recordings afterwards.",
               "ringscribe");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  const Command commands[] = {
      add_convert(app),
      add_recover(app),
      add_run(app, take_command(count, arguments)),
  };
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  for (const Command& command : commands)
    if (command.app->parsed()) return command.run();
  return kWrongUsage;
}
