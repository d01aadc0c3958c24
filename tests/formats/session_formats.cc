// SPDX-License-Identifier: Apache-2.0
//
// session_formats [--rotate=BOUNDS] FORMATS JOURNAL FOLDER [JOURNAL FOLDER]...
//
// Replays each journal into a model whose sink says all that it is told (FOLDER/facts.jsonl, see
// fact_sink.h), and into each of FORMATS ("perfetto,chrome"), as FOLDER/session.EXT; with --rotate,
// that key is handed to the formats, and FOLDER/session-0001.EXT and so on are written. The format
// "perfetto-again" is a compressed Perfetto trace that is read and written again. The first
// line of facts is {"fact": "clock", ...}: what all clocks show.
//
//   session_formats perfetto,chrome a.rsj /tmp/a
//
// Clocks stand still here: the same journal makes the same times in each model, and no sink cuts
// what it gathers because a second is over. Exit code 1, with a sentence, at the first failure.
#include <time.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/output/output_file.h"
#include "ringscribe/backends/perfetto/perfetto_sink.h"
#include "ringscribe/backends/perfetto/trace_reader.h"
#include "ringscribe/tests/differential/fact_sink.h"

namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kRealtime = 1'700'000'000;
constexpr int64_t kSinceBoot = 1'000;

}  // namespace

// In the place of the C library's. No seconds pass in what is tested.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  *now = {};
  now->tv_sec = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? kRealtime : kSinceBoot;
  return 0;
}

namespace {

using namespace ringscribe;

struct Request {
  std::string rotate;
  std::vector<std::string> formats;
};

// "" if the replay went well.
std::string replay(const std::string& journal, nvtxw::SessionBackend& target) {
  auto summary = journal::replay(journal, target);
  if (!summary.ok()) return summary.status().to_string();
  if (!summary->finished || summary->damaged) return "the journal is not whole";
  if (summary->rejected != 0) return "refused: " + summary->first_rejection.to_string();
  return summary->end_status.ok() ? "" : summary->end_status.to_string();
}

std::string tell_facts(const std::string& journal, const std::string& name,
                       const std::string& path) {
  std::vector<std::string> lines;
  const uint32_t stream = testing::kNoStream;
  model::Model model(
      std::make_unique<testing::FactSink>(&lines, &stream, testing::FactSink::Detail::kAll), name);
  if (const std::string failure = replay(journal, model); !failure.empty()) return failure;
  std::ofstream out(path);
  out << R"({"fact": "clock", "monotonic": )" << kSinceBoot * kSecond << R"(, "realtime": )"
      << kRealtime * kSecond << "}\n";
  for (const std::string& line : lines) out << line << '\n';
  return out.flush() ? "" : "cannot be written";
}

// "" if it went well; `path` becomes that of the file.
std::string write_session(const std::string& journal, const nvtxw::BackendFormat& format,
                          const nvtxw::SessionConfig& config, std::string& path) {
  Result<std::unique_ptr<nvtxw::SessionBackend>> session = format.open(config);
  if (!session.ok()) return session.status().to_string();
  std::string failure = replay(journal, **session);
  if (failure.empty()) path = (*session)->written().paths.at(0);
  return failure;
}

std::string write_again(const std::string& journal, const std::string& name,
                        const std::string& folder) {
  nvtxw::SessionConfig config;
  config.name = name;
  config.output = folder + "/compressed.pftrace";
  config.other.emplace_back("perfetto_compression", "deflate:1");
  std::string path;
  std::string failure = write_session(journal, *find_backend_format("perfetto"), config, path);
  if (!failure.empty()) return failure;
  auto file = output::OutputFile::create(folder + "/session.again", output::Finish::kRename);
  if (!file.ok()) return file.status().to_string();
  perfetto::PerfettoSink sink(std::move(*file));
  Result<perfetto::TraceSummary> read = perfetto::read_trace(path, sink);
  if (!read.ok()) return read.status().to_string();
  if (read->truncated || read->damaged) return "the trace is not whole: " + read->damage;
  return read->other_packets == 0 ? "" : "the trace has packets that the reader does not know";
}

std::string write_format(const std::string& journal, const std::string& name,
                         const std::string& format_name, const std::string& rotate,
                         const std::string& folder) {
  if (format_name == "perfetto-again") return write_again(journal, name, folder);
  const nvtxw::BackendFormat* format = find_backend_format(format_name);
  if (format == nullptr) return "there is no such format";
  nvtxw::SessionConfig config;
  config.name = name;
  config.format = format_name;
  config.output = folder + "/session" + std::string(format->extension);
  if (!rotate.empty()) config.other.emplace_back("rotate", rotate);
  std::string path;
  return write_session(journal, *format, config, path);
}

// Returns false after a sentence on stderr.
bool convert(const Request& request, const std::string& journal, const std::string& folder) {
  const auto is_done = [&](const std::string& what, const std::string& failure) {
    if (failure.empty()) return true;
    std::fprintf(stderr, "session_formats: %s of %s: %s\n", what.c_str(), journal.c_str(),
                 failure.c_str());
    return false;
  };
  auto info = journal::read_header(journal);
  if (!info.ok()) return is_done("the header", info.status().to_string());
  const std::string& name = info->session_name;
  if (!is_done("the facts", tell_facts(journal, name, folder + "/facts.jsonl"))) return false;
  for (const std::string& format : request.formats) {
    if (!is_done(format, write_format(journal, name, format, request.rotate, folder))) return false;
  }
  return true;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

int run(std::vector<std::string> arguments) {
  Request request;
  constexpr std::string_view kRotate = "--rotate=";
  if (!arguments.empty() && arguments[0].starts_with(kRotate)) {
    request.rotate = arguments[0].substr(kRotate.size());
    arguments.erase(arguments.begin());
  }
  if (arguments.size() < 3 || arguments.size() % 2 == 0) {
    std::fprintf(stderr,
                 "usage: session_formats [--rotate=BOUNDS] FORMATS JOURNAL FOLDER "
                 "[JOURNAL FOLDER]...\n");
    return 1;
  }
  request.formats = split(arguments[0]);
  for (size_t i = 1; i < arguments.size(); i += 2) {
    if (!convert(request, arguments[i], arguments[i + 1])) return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "session_formats: %s\n", error.what());
    return 1;
  }
}
