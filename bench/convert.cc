// SPDX-License-Identifier: Apache-2.0
//
// How fast `ringscribe convert` is, and what the second thread brings:
//
//   for each question of prepared_session.h, and format: a journal of `--events` events becomes an
//   output on one thread, and on two
//
// Each conversion is a process of its own; formats and threads take turns, `--runs` times. Printed
// are million events a second, best and median; the CPU time of an event, which other work on the
// machine changes little; and the most memory that a run had. All is in the page cache. `work` is
// the CPU time of the busier thread: what an event takes where both threads have a core, but for
// what ends a file after the last event, which is done on one (SQLite's indexes: it says nothing
// there).
//
//   bazel run -c opt //bench:convert -- [--runs N] [--events N] [--file PATH] [--only QUESTION]
//       [--formats FORMAT,...] [--journal FILE] [--make FILE [--codec raw]]
//
// FORMAT: a name, with +KEY=VALUE of the configuration. --journal: that one instead of the
// questions. --make: only writes a journal of all questions in turn.
#include "ringscribe/tools/convert.h"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/bench/child_run.h"
#include "ringscribe/bench/prepared_session.h"

namespace {

using namespace ringscribe;
using namespace ringscribe::bench;

struct Options {
  int runs = 5;
  size_t events = 5'000'000;
  std::string file = "/tmp/bench_convert";
  std::string only;
  std::string formats = "perfetto,perfetto+perfetto_compression=deflate:1,chrome,ctf,sqlite";
  std::string journal;
  std::string make;
  std::string codec = "compact";
};

struct Run {
  double events;
  double seconds;
  double cpu_seconds;
  double busiest_seconds;
  double peak_mib;
};

double seconds_of(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

int write_journal(const std::string& path, std::span<const Question> in_turn,
                  const Options& options) {
  PreparedSession session("format=journal|journal_codec=" + options.codec + "|output=" + path);
  for (size_t batches = 0; batches * kBatchEvents < options.events; ++batches) {
    session.fill(in_turn[batches % in_turn.size()]);
    session.write();
  }
  session.close_stream();
  session.end();
  return 0;
}

Run convert(const std::string& journal, const std::string& format, unsigned threads) {
  tools::ConvertOptions options;
  const size_t name_end = std::min(format.find('+'), format.size());
  options.format = format.substr(0, name_end);
  options.config = format.substr(std::min(name_end + 1, format.size()));
  std::replace(options.config.begin(), options.config.end(), '+', '|');
  options.output = journal + "." + std::to_string(getpid());
  options.threads = threads;
  auto done = tools::convert(journal, options);
  expect(done.ok() ? 0 : 1, done.status().message().c_str());
  for (const std::string& path : done->paths) std::filesystem::remove_all(path);
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  const double here = seconds_of(CLOCK_THREAD_CPUTIME_ID);
  return {static_cast<double>(done->events.value_or(0)), done->seconds, cpu,
          std::max(here, cpu - here), static_cast<double>(usage.ru_maxrss) / 1024};
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view key = argv[i];
    if (key == "--runs") options.runs = std::max(1, std::atoi(argv[i + 1]));
    if (key == "--events") options.events = static_cast<size_t>(std::atoll(argv[i + 1]));
    if (key == "--file") options.file = argv[i + 1];
    if (key == "--only") options.only = argv[i + 1];
    if (key == "--formats") options.formats = argv[i + 1];
    if (key == "--journal") options.journal = argv[i + 1];
    if (key == "--make") options.make = argv[i + 1];
    if (key == "--codec") options.codec = argv[i + 1];
  }
  return options;
}

template <typename Get>
double median(std::vector<Run> runs, Get get) {
  std::sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return get(a) < get(b); });
  return get(runs[runs.size() / 2]);
}

void print(const char* question, const std::string& format, int width, unsigned threads,
           const std::vector<Run>& runs) {
  const auto seconds = [](const Run& run) { return run.seconds / run.events; };
  double best = seconds(runs[0]);
  for (const Run& run : runs) best = std::min(best, seconds(run));
  std::printf("%-8s %-*s %7u %9.2f %10.2f %7.0f %8.0f %9.1f\n", question, width, format.c_str(),
              threads, 1e-6 / best, 1e-6 / median(runs, seconds),
              1e9 * median(runs, [](const Run& run) { return run.cpu_seconds / run.events; }),
              1e9 * median(runs, [](const Run& run) { return run.busiest_seconds / run.events; }),
              median(runs, [](const Run& run) { return run.peak_mib; }));
  std::fflush(stdout);
}

void measure(const Options& options, const char* question, const std::string& journal) {
  const std::vector<std::string> formats = split(options.formats);
  size_t width = 10;
  for (const std::string& format : formats) width = std::max(width, format.size());
  constexpr unsigned kThreads[] = {1, 2};
  std::vector<std::vector<Run>> runs(2 * formats.size());
  for (int i = 0; i < options.runs; ++i) {
    for (size_t f = 0; f < formats.size(); ++f) {
      for (const unsigned threads : kThreads)
        runs[2 * f + threads - 1].push_back(run_in_a_child<Run>(
            formats[f].c_str(), [&] { return convert(journal, formats[f], threads); }));
    }
  }
  for (size_t f = 0; f < formats.size(); ++f)
    for (const unsigned threads : kThreads)
      print(question, formats[f], static_cast<int>(width), threads, runs[2 * f + threads - 1]);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (!options.make.empty()) return write_journal(options.make, questions(), options);
  std::printf("question, format, threads; best M/s, median M/s, CPU ns, work ns, peak MiB\n");
  if (!options.journal.empty()) {
    measure(options, "journal", options.journal);
    return 0;
  }
  const std::string journal = options.file + ".rsj";
  for (const Question& question : questions()) {
    if (!options.only.empty() && options.only != question.name) continue;
    run_in_a_child<int>("writing the journal",
                        [&] { return write_journal(journal, {&question, 1}, options); });
    measure(options, question.name, journal);
    std::filesystem::remove(journal);
  }
  return 0;
}
