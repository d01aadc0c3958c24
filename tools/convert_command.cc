// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/convert_command.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/tools/convert.h"
#include "ringscribe/tools/recording/interrupt.h"
#include "ringscribe/tools/recording/progress.h"

namespace ringscribe::tools {
namespace {

struct ConvertCommand {
  std::vector<std::string> journals;
  ConvertOptions options;
};

int convert(ConvertCommand& command) {
  command.options.stop = &catch_interrupts();
  int result = kDone;
  for (const std::string& journal : command.journals) {
    Result<Converted> done = [&] {
      Progress progress(journal);
      command.options.progress = std::ref(progress);
      return convert(journal, command.options);
    }();
    if (!done.ok()) {
      result = fail(done.status());
      continue;
    }
    if (done->stopped) {
      std::fprintf(stderr, "ringscribe: %s: stopped; what was written of it is removed\n",
                   journal.c_str());
      return kFailed;
    }
    std::printf("%s\n", summary_line(*done).c_str());
    if (!done->warning.empty()) result = warn(journal, done->warning);
  }
  return result;
}

}  // namespace

Command add_convert(CLI::App& app) {
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

}  // namespace ringscribe::tools
