// SPDX-License-Identifier: Apache-2.0
//
// Processes that die while they record, and what `ringscribe recover` makes of what they left.
//
// CRASH_KILLS says how many processes are killed under load.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/recording_sink.h"
#include "ringscribe/tests/support/probes.h"
#include "ringscribe/tools/recover.h"

namespace ringscribe {
namespace {

namespace fs = std::filesystem;
using testing::ProbeChecker;

// A folder of its own for each test, and the process that dies in it.
class Doomed {
 public:
  Doomed() {
    const char* base = std::getenv("TEST_TMPDIR");
    std::string pattern = std::string(base != nullptr ? base : "/tmp") + "/crash-XXXXXX";
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder = pattern;
    std::ofstream(counts_path()) << std::string(4096, '\0');
    const int fd = ::open(counts_path().c_str(), O_RDWR);
    void* memory = ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0);
    ::close(fd);
    REQUIRE(memory != MAP_FAILED);
    counts = static_cast<const std::atomic<uint64_t>*>(memory);
  }
  ~Doomed() {
    if (pid > 0) wait_for(SIGKILL);
    ::munmap(const_cast<std::atomic<uint64_t>*>(counts), 4096);
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  void start(const char* how, const char* backend = "perfetto") {
    const std::string output = folder + "/unfinished.pftrace";
    const std::string writer = std::getenv("CRASH_WRITER");
    pid = ::fork();
    if (pid != 0) return;
    ::setenv("RINGSCRIBE_CRASH_DIR", crash_dir().c_str(), 1);
    ::setenv("RINGSCRIBE_MEMORY_LIMIT", "64MiB", 1);
    ::setenv("RINGSCRIBE_LOG", "error", 1);
    ::execl(writer.c_str(), writer.c_str(), backend, output.c_str(), counts_path().c_str(), how,
            nullptr);
    ::_exit(127);
  }
  // Its status, after a signal if that is not 0.
  int wait_for(int signal) {
    if (signal != 0) ::kill(pid, signal);
    int status = 0;
    ::waitpid(pid, &status, 0);
    pid = 0;
    return status;
  }

  std::string crash_dir() const { return folder + "/crash dir"; }
  std::string counts_path() const { return folder + "/counts"; }
  std::string the_folder() const {
    auto folders = tools::find_crash_folders(crash_dir());
    REQUIRE(folders.ok());
    REQUIRE(folders->size() == 1);
    return folders->front();
  }

  std::string folder;
  const std::atomic<uint64_t>* counts = nullptr;
  pid_t pid = 0;
};

struct Outcome {
  runtime::DeadProcess process;
  tools::Recovered recovered;
  ProbeChecker probes;
};

void recover(const Doomed& doomed, Outcome& outcome) {
  auto process = runtime::read_crash_folder(doomed.the_folder());
  INFO((process.ok() ? "" : process.status().message()));
  REQUIRE(process.ok());
  REQUIRE(process->sessions.size() == 1);
  outcome.process = *process;
  const std::string output = doomed.folder + "/recovered.rsj";
  auto recovered = tools::recover_session(*process, process->sessions[0], {output, ""});
  INFO((recovered.ok() ? "" : recovered.status().message()));
  REQUIRE(recovered.ok());
  outcome.recovered = *recovered;
  auto replayed = journal::replay(output, outcome.probes);
  REQUIRE(replayed.ok());
  CHECK(replayed->finished);
  CHECK_FALSE(replayed->damaged);
}

// All that had been written when it died, and at most one more of each writer.
void check_all_there(const Doomed& doomed, const Outcome& outcome, size_t writers) {
  CHECK(outcome.recovered.warning == "");
  CHECK(outcome.probes.torn == 0);
  CHECK(outcome.probes.disordered == 0);
  CHECK(outcome.probes.gaps == 0);
  for (size_t writer = 0; writer < writers; ++writer) {
    const auto found = outcome.probes.writers.find(writer);
    const uint64_t events = found == outcome.probes.writers.end() ? 0 : found->second.events;
    const uint64_t written = doomed.counts[writer].load();
    CHECK(events >= written);
    CHECK(events <= written + 1);
  }
}

TEST_CASE("what was written before SIGKILL is recovered, once") {
  const char* wanted = std::getenv("CRASH_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 40;
  std::mt19937 random(static_cast<unsigned>(::getpid()));
  uint64_t events = 0;
  uint64_t from_rings = 0;
  for (int kill = 0; kill < kills; ++kill) {
    Doomed doomed;
    doomed.start("load", kill % 3 == 0 ? "journal" : "perfetto");
    for (int i = 0; i < 3; ++i) {
      for (int waits = 0; doomed.counts[i].load() == 0 && waits < 100'000; ++waits)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    CHECK(WIFSIGNALED(doomed.wait_for(SIGKILL)));
    Outcome outcome;
    recover(doomed, outcome);
    CHECK(outcome.process.signal == 0);
    check_all_there(doomed, outcome, 3);
    events += outcome.probes.events;
    from_rings += outcome.recovered.rings.events;
  }
  std::printf("%d kills: %llu probes recovered; %llu events came out of rings\n", kills,
              static_cast<unsigned long long>(events), static_cast<unsigned long long>(from_rings));
  CHECK(from_rings > 0);
}

TEST_CASE("a process that ends leaves nothing behind") {
  Doomed doomed;
  doomed.start("end");
  CHECK(doomed.wait_for(0) == 0);
  CHECK(fs::is_empty(doomed.crash_dir()));
  CHECK(fs::exists(doomed.folder + "/unfinished.pftrace"));
}

// Push/pop ranges by message, and whether their end is missing.
std::map<std::string, bool> ranges_of(const std::string& path) {
  model::RecordingSink::Log log;
  model::Model events(std::make_unique<model::RecordingSink>(log), "crash");
  REQUIRE(journal::replay(path, events).ok());
  std::map<std::string, bool> ranges;
  for (const model::RecordingSink::RecordedEvent& event : log.events)
    if (event.event.kind == model::EventKind::kRangePushPop)
      ranges[event.message] = event.event.end_is_missing;
  return ranges;
}

TEST_CASE("what was running when the process died comes out as open") {
  Doomed doomed;
  doomed.start("exit");
  doomed.wait_for(0);
  Outcome outcome;
  recover(doomed, outcome);
  const auto ranges = ranges_of(doomed.folder + "/recovered.rsj");
  CHECK(ranges == std::map<std::string, bool>{{"open when it died", true},
                                              {"scoped range in it", true},
                                              {"scoped range that ended", false},
                                              {"scoped range when it died", true}});
}

TEST_CASE("_exit loses nothing") {
  Doomed doomed;
  doomed.start("exit");
  CHECK(WEXITSTATUS(doomed.wait_for(0)) == 3);
  Outcome outcome;
  recover(doomed, outcome);
  check_all_there(doomed, outcome, 1);
}

#ifndef RINGSCRIBE_SANITIZED  // there the sanitizer has these signals
TEST_CASE("the signal that ended a process is known, and has its effect") {
  const std::pair<const char*, int> ends[] = {{"segv", SIGSEGV}, {"abort", SIGABRT}};
  for (const auto& [how, signal] : ends) {
    Doomed doomed;
    doomed.start(how);
    const int status = doomed.wait_for(0);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == signal);
    Outcome outcome;
    recover(doomed, outcome);
    CHECK(outcome.process.signal == signal);
    CHECK(outcome.process.end_realtime_ns > outcome.process.begin_realtime_ns);
    check_all_there(doomed, outcome, 1);
  }
}
#endif

TEST_CASE("the folder of a live process is refused") {
  Doomed doomed;
  doomed.start("stay");
  while (doomed.counts[0].load() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto process = runtime::read_crash_folder(doomed.the_folder());
  REQUIRE_FALSE(process.ok());
  CHECK(process.status().message().find("is still recording into it") != std::string::npos);
  CHECK_FALSE(tools::remove_crash_folder(doomed.the_folder()).ok());
  doomed.wait_for(SIGKILL);
  CHECK(runtime::read_crash_folder(doomed.the_folder()).ok());
  const std::string left = doomed.the_folder();
  CHECK(tools::remove_crash_folder(left).ok());
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("old folders of dead processes are removed when a process begins, new ones are kept") {
  Doomed doomed;
  doomed.start("exit");
  doomed.wait_for(0);
  const std::string old = doomed.the_folder();
  // What is no crash folder stays, however old.
  const std::string other = doomed.crash_dir() + "/of somebody else";
  fs::create_directory(other);
  const auto month_ago = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
  fs::last_write_time(old, month_ago);
  fs::last_write_time(other, month_ago);
  doomed.start("exit");
  doomed.wait_for(0);
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(other));
  const std::string fresh = doomed.the_folder();
  doomed.start("end");
  CHECK(doomed.wait_for(0) == 0);
  CHECK(fs::exists(fresh));
}

TEST_CASE("nobody else may read what is left") {
  Doomed doomed;
  doomed.start("exit");
  doomed.wait_for(0);
  struct stat info = {};
  REQUIRE(::stat(doomed.the_folder().c_str(), &info) == 0);
  CHECK((info.st_mode & 0777) == 0700);
  for (const char* file : {"lock", "control", "definitions", "ring-1"}) {
    REQUIRE(::stat((doomed.the_folder() + "/" + file).c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == 0600);
  }
}

// Whatever is in the files, recovering ends, and says what it could.
TEST_CASE("damaged files are no danger") {
  Doomed doomed;
  doomed.start("exit");
  doomed.wait_for(0);
  const std::string folder = doomed.the_folder();
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  std::mt19937 random(7);
  int recovered = 0;
  for (int round = 0; round < 150; ++round) {
    auto damaged = files.begin();
    std::advance(damaged, random() % files.size());
    std::string bytes = damaged->second;
    // In rings and pages what counts is at the begin.
    const size_t reach = std::min<size_t>(bytes.size(), round % 2 == 0 ? 8192 : bytes.size());
    for (int i = 0; i < 1 + round % 8 && reach != 0; ++i)
      bytes[random() % reach] = static_cast<char>(random());
    if (round % 10 == 9) bytes.resize(random() % (bytes.size() + 1));
    std::ofstream(damaged->first, std::ios::binary) << bytes;
    if (auto process = runtime::read_crash_folder(folder); process.ok()) {
      for (const runtime::DeadSession& session : process->sessions)
        recovered += tools::recover_session(*process, session, {doomed.folder + "/r.rsj", ""}).ok();
    }
    std::ofstream(damaged->first, std::ios::binary) << damaged->second;
  }
  CHECK(recovered > 0);
}

TEST_CASE("what is no crash folder gets a sentence") {
  CHECK_FALSE(tools::find_crash_folders("/nonexistent").ok());
  const char* base = std::getenv("TEST_TMPDIR");
  const auto none = tools::find_crash_folders(base != nullptr ? base : "/tmp");
  if (!none.ok()) CHECK(none.status().message().find("RINGSCRIBE_CRASH_DIR") != std::string::npos);
  const auto process = runtime::read_crash_folder("/");
  REQUIRE_FALSE(process.ok());
  CHECK(process.status().message().find("lock") != std::string::npos);
}

}  // namespace
}  // namespace ringscribe
