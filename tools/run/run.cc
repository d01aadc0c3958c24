// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "ringscribe/runtime/knobs.h"
#include "ringscribe/tools/run/child_process.h"
#include "ringscribe/tools/run/injection_library.h"
#include "ringscribe/tools/run/run_report.h"

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

constexpr int kWrongLine = 2, kNotStarted = 125;
constexpr const char* kInjection = "NVTX_INJECTION64_PATH";
constexpr const char* kReport = "RINGSCRIBE_INJECT_REPORT";
constexpr const char* kProcess = "RINGSCRIBE_INJECT_PID";

// A line in one write(2), so that it does not mix with what processes still write.
void say(const std::string& sentence) {
  const std::string line = "ringscribe: " + sentence + "\n";
  const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
  (void)written;  // there is nowhere to say it
}

// `bazel run` starts us among its files; the command and its paths are meant from where the user
// is.
void enter_users_folder() {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (folder != nullptr && here.find("/ringscribe.runfiles/") != std::string::npos)
    fs::current_path(folder, error);
}

// What is there of the output that a process did not finish, and is not of an older run; "" if
// nothing.
std::string unfinished_output(const std::string& output, const timespec& begin) {
  for (const std::string& path : {output + ".part", output}) {
    struct stat state = {};
    if (output.empty() || stat(path.c_str(), &state) != 0) continue;
    const timespec& written = state.st_mtim;
    if (written.tv_sec > begin.tv_sec ||
        (written.tv_sec == begin.tv_sec && written.tv_nsec >= begin.tv_nsec))
      return path;
  }
  return {};
}

struct Run {
  const RunOptions& options;
  const RunPlan& plan;
  const std::string folder;  // the current one
  const CommandEnd& end;
  const timespec begin;
};

bool is_switched_off(const Environment& environment) {
  bool enabled = true;
  return runtime::parse_switch(environment.get("RINGSCRIBE_ENABLED"), enabled) && !enabled;
}

void say_why_there_is_nothing(const Run& run) {
  if (is_switched_off(run.plan.environment)) {
    say("no events: RINGSCRIBE_ENABLED=" +
        std::string(run.plan.environment.get("RINGSCRIBE_ENABLED")) + " switches recording off");
    return;
  }
  say("no events: " + run.options.command.front() +
      " never called NVTX, or ended by _exit or a signal before its session could be finished" +
      (run.options.follow_forks ? ""
                                : "; if a program that it starts is meant, use --follow-forks"));
}

// The command itself has not told of its session.
void say_what_is_left(const Run& run) {
  const std::string output = expand_pattern(run.plan.output, run.end.pid);
  const std::string left = unfinished_output(output, run.begin);
  if (!left.empty()) say(without_folder(left, run.folder) + " has what was written until then");
  if (run.end.signal == 0) return;
  const std::string died = run.options.command.front() + " died of signal " +
                           std::to_string(run.end.signal) + " (" + strsignal(run.end.signal) + ")";
  const std::string crashed(run.plan.environment.get("RINGSCRIBE_CRASH_DIR"));
  if (crashed.empty())
    say(died +
        ": with RINGSCRIBE_CRASH_DIR=FOLDER in the environment, `ringscribe recover FOLDER` writes "
        "what such a process has recorded");
  else
    say(died + ": `ringscribe recover " + crashed + "` writes what it has recorded");
}

void say_what_was_recorded(const Run& run, const std::string& text) {
  Report report = parse_report(text);
  bool is_told = false, has_lost = false;
  std::error_code error;
  for (ReportLine& line : report.lines) {
    if (!run.plan.writes_output) line.output.clear();
    const bool is_missing = !line.output.empty() && !fs::exists(line.output, error);
    say(sentence(line, run.folder) + (is_missing ? "; but there is no such file" : ""));
    is_told = is_told || line.pid == static_cast<uint64_t>(run.end.pid);
    has_lost = has_lost || line.lost != 0;
  }
  if (report.unreadable != 0)
    say(std::to_string(report.unreadable) +
        " lines of the library's report cannot be read: are this program and the library of one "
        "version?");
  if (has_lost) say("less is lost with a larger --buffer-size, or with --overflow block");
  if (report.lines.empty()) say_why_there_is_nothing(run);
  if (!is_told) say_what_is_left(run);
}

int say_not_executed(const std::string& name, const CommandEnd& end) {
  const std::string why = std::generic_category().message(end.exec_error) + " (errno " +
                          std::to_string(end.exec_error) + ")";
  std::error_code error;
  const bool is_path = name.find('/') != std::string::npos;
  if (end.exec_error != ENOENT)
    say("cannot execute \"" + name + "\": " + why + "; name a program that this user may execute");
  else if (is_path && fs::exists(name, error))
    say("cannot execute \"" + name + "\": the interpreter that it names is not there");
  else
    say("cannot find \"" + name + "\": " + why + "; " +
        (is_path ? "check the path" : "it is in no folder of PATH, or name it with its folder"));
  return end.exit_code;
}

int not_started(const Status& status) {
  say(status.message());
  return status.code() == ResultCode::kInvalidArgument ? kWrongLine : kNotStarted;
}

bool takes_a_value(const std::string& word) {
  return word != "--follow-forks" && word != "--help" && word != "-h" &&
         word.find('=') == std::string::npos;
}

}  // namespace

std::vector<std::string> take_command(int& count, char** arguments) {
  if (count < 2 || std::strcmp(arguments[1], "run") != 0) return {};
  int first = 2;
  while (first < count && arguments[first][0] == '-' && std::strcmp(arguments[first], "--") != 0) {
    // A `--` is nobody's value: what follows it is the command.
    const bool has_value = takes_a_value(arguments[first]) && first + 1 < count &&
                           std::strcmp(arguments[first + 1], "--") != 0;
    first += has_value ? 2 : 1;
  }
  const int options = first;
  if (first < count && std::strcmp(arguments[first], "--") == 0) ++first;
  std::vector<std::string> command(arguments + first, arguments + std::max(first, count));
  count = options;
  return command;
}

int run(const RunOptions& options) {
  enter_users_folder();
  std::error_code error;
  const std::string folder = fs::current_path(error).string();
  Environment users = Environment::of_this_process();
  Result<std::string> library = find_injection_library(options.library, folder_of_tool());
  Result<RunPlan> plan = plan_run(options, users, folder);
  if (!plan.ok()) return not_started(plan.status());
  if (!library.ok()) return not_started(library.status());
  // Before there is a temporary folder, and until it is removed.
  const HeldSignals signals;
  Result<ReportFile> report = ReportFile::create();
  if (!report.ok()) return not_started(report.status());

  const std::string replaced(users.get(kInjection));
  if (!replaced.empty() && replaced != *library)
    plan->warnings.push_back(std::string(kInjection) + "=\"" + replaced + "\" is replaced by \"" +
                             *library + "\"");
  for (const std::string& warning : plan->warnings) say(warning);
  plan->environment.set(kInjection, *library);
  plan->environment.set(kReport, report->path());
  plan->environment.unset(kProcess);  // of a `run` around this one

  timespec begin = {};
  clock_gettime(CLOCK_REALTIME_COARSE, &begin);  // the clock of files
  Result<CommandEnd> done = run_command(options.command, plan->environment,
                                        options.follow_forks ? nullptr : kProcess, signals);
  if (!done.ok()) return not_started(done.status());
  const CommandEnd& end = *done;
  if (end.exec_error != 0) return say_not_executed(options.command.front(), end);
  if (end.pid != 0) say_what_was_recorded({options, *plan, folder, end, begin}, report->read());
  return end.exit_code;
}

}  // namespace ringscribe::tools
