// SPDX-License-Identifier: Apache-2.0
//
// What each format makes of prepared batches, through NVTXW's table into a file:
//
//   range        the recorder's own rows: push/pop ranges with a registered message
//   nested       the same, four levels deep
//   text         the same as range, with a message that was made at run time
//   user5        marks of a schema with five fields in 48-byte rows
//
// Each run is a session of its own, in a process of its own, with `--events` events in batches of
// 8192, which ends in the time that is taken: all of it is in the page cache then. Formats take
// turns. Printed are events a second, best and median of `--runs`, bytes an event, and the most
// memory that a run had; a range is one event. Not shown: the recorder in front, the disk behind.
//
//   bazel run -c opt //bench:formats -- [--runs N] [--events N] [--file PATH] [--only QUESTION]
//       [--formats FORMAT,...]      FORMAT: a name, with +KEY=VALUE of the configuration
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/bench/child_run.h"
#include "ringscribe/bench/prepared_session.h"

namespace {

using namespace ringscribe::bench;

struct Options {
  int runs = 5;
  size_t events = 5'000'000;
  std::string file = "/tmp/bench_formats";
  std::string only;  // a question; all if empty
  std::string formats =
      "null,journal,perfetto,perfetto+perfetto_compression=deflate:1,chrome,ctf,sqlite";
};

struct Result {
  double events_per_second;
  double bytes_per_event;
  double peak_mib;
};

// `format`: a name, with +KEY=VALUE behind it.
Result run(const Options& options, const Question& question, const std::string& format) {
  const std::string file = options.file + "." + std::to_string(getpid());
  std::string config = "format=" + format + "|output=" + file;
  std::replace(config.begin(), config.end(), '+', '|');
  PreparedSession session(config);
  std::chrono::steady_clock::duration spent = {};
  size_t events = 0;
  const auto timed = [&spent](auto work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    spent += std::chrono::steady_clock::now() - begin;
  };
  for (; events < options.events; events += kBatchEvents) {
    session.fill(question);
    timed([&] { session.write(); });
  }
  session.close_stream();
  timed([&] { session.end(); });
  const auto bytes = static_cast<double>(bytes_of(file));
  std::filesystem::remove_all(file);
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto count = static_cast<double>(events);
  return {count / std::chrono::duration<double>(spent).count(), bytes / count,
          static_cast<double>(usage.ru_maxrss) / 1024};
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
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const std::vector<std::string> formats = split(options.formats);
  size_t width = 10;
  for (const std::string& format : formats) width = std::max(width, format.size());
  const int column = static_cast<int>(width);
  std::printf("%-8s %-*s %10s %11s %12s %9s\n", "question", column, "format", "best M/s",
              "median M/s", "bytes/event", "peak MiB");
  for (const Question& question : questions()) {
    if (!options.only.empty() && options.only != question.name) continue;
    std::vector<std::vector<double>> speeds(formats.size());
    std::vector<Result> last(formats.size());
    for (int i = 0; i < options.runs; ++i) {
      for (size_t f = 0; f < formats.size(); ++f) {
        last[f] = run_in_a_child<Result>(formats[f].c_str(),
                                         [&] { return run(options, question, formats[f]); });
        speeds[f].push_back(last[f].events_per_second / 1e6);
      }
    }
    for (size_t f = 0; f < formats.size(); ++f) {
      std::sort(speeds[f].begin(), speeds[f].end());
      std::printf("%-8s %-*s %10.1f %11.1f %12.2f %9.1f\n", question.name, column,
                  formats[f].c_str(), speeds[f].back(), speeds[f][speeds[f].size() / 2],
                  last[f].bytes_per_event, last[f].peak_mib);
    }
  }
  return 0;
}
