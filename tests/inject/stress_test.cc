// SPDX-License-Identifier: Apache-2.0
//
// Sixteen threads make all kinds of NVTX calls under the injection, with rings so small that events
// are lost: each call is recorded or lost, levels are right, and no range ends another one's.
//
//   stress_test INJECTION NESTED_LIBRARY...     # runs itself: stress_test work NESTED_LIBRARY...
//
// INJECTION "-": it is linked in. With rings that are large enough nothing is lost, and what is in
// the journal is all that was called.
#include <dlfcn.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/model.h"

namespace {

namespace model = ringscribe::model;
using ringscribe::Status;

constexpr int kThreads = 16;
constexpr int kRounds = 300;
constexpr int kDepth = 6;

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "stress_test: %s\n", what.c_str());
  std::_Exit(1);
}
void check(bool is_right, const char* what) {
  if (!is_right) fail(what);
}

// --- The program: prints how many calls it made that are events.

struct Thread {
  int number;
  uint64_t calls = 0;
  uint64_t schema = 0, counter = 0;
  nvtxDomainHandle_t domain = nullptr;
  nvtxRangeId_t from_neighbour = 0;
};

nvtxEventAttributes_t attributes_of(const char* message) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = message;
  return attributes;
}

void enter(Thread& self) {
  const std::string name = "domain " + std::to_string(self.number % 5);
  self.domain = nvtxDomainCreateA(name.c_str());
  const nvtxPayloadSchemaEntry_t entries[] = {
      {0, NVTX_PAYLOAD_ENTRY_TYPE_INT64, "round", nullptr, 0, 0, nullptr, nullptr},
      {NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY, NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF8, "text", nullptr, 0,
       0, nullptr, nullptr}};
  nvtxPayloadSchemaAttr_t schema{};
  schema.fieldMask = NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE | NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES |
                     NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE;
  schema.type = NVTX_PAYLOAD_SCHEMA_TYPE_STATIC;
  schema.entries = entries;
  schema.numEntries = 2;
  schema.payloadStaticSize = 16;
  self.schema = nvtxPayloadSchemaRegister(self.domain, &schema);
  nvtxCounterAttr_t counter{};
  counter.structSize = sizeof counter;
  counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  counter.name = "rounds";
  self.counter = nvtxCounterRegister(self.domain, &counter);
  check(self.schema != 0 && self.counter != 0, "a schema or a counter was refused");
}

struct Row {
  int64_t round;
  const char* text;
};

void make_round(Thread& self, int round, std::atomic<nvtxRangeId_t>& slot) {
  static const char* const kNames[kDepth] = {"level 0", "level 1", "level 2",
                                             "level 3", "level 4", "level 5"};
  const std::string once = "round " + std::to_string(round);
  const Row row{round, once.c_str()};
  const nvtxPayloadData_t payload{self.schema, sizeof row, &row};
  for (int level = 0; level < kDepth; ++level) {
    nvtxEventAttributes_t push = attributes_of(kNames[level]);
    if (level % 3 == 2) {
      push.payloadType = NVTX_PAYLOAD_TYPE_INT64;
      push.payload.llValue = round;
    }
    check(nvtxDomainRangePushEx(self.domain, &push) == level, "a push has another level");
    nvtxEventAttributes_t mark = attributes_of(once.c_str());
    if (level % 2 == 1) {
      mark.payloadType = static_cast<int32_t>(NVTX_PAYLOAD_TYPE_EXT);
      mark.reserved0 = 1;
      mark.payload.ullValue = reinterpret_cast<uint64_t>(&payload);
    }
    nvtxDomainMarkEx(self.domain, &mark);
    self.calls += 2;
  }
  for (int level = kDepth - 1; level >= 0; --level, ++self.calls) {
    const int ended = level == 3 ? nvtxRangePopPayload(self.domain, &payload, 1)
                                 : nvtxDomainRangePop(self.domain);
    check(ended == level, "a pop has another level");
    // A neighbour, so that what a lost pop left open has something to end with.
    if (level == 1) {
      const nvtxEventAttributes_t neighbour = attributes_of("level 1");
      check(nvtxDomainRangePushEx(self.domain, &neighbour) == 1, "a neighbour has another level");
      check(nvtxDomainRangePop(self.domain) == 1, "a neighbour's pop has another level");
      self.calls += 2;
    }
  }
  check(nvtxDomainRangePop(self.domain) < 0, "a pop without a push has a level");
  const nvtxEventAttributes_t start = attributes_of("handed on");
  const nvtxRangeId_t id = nvtxDomainRangeStartEx(nullptr, &start);
  check(id != 0, "a range id is 0");
  ++self.calls;
  // Ended by whichever thread comes next.
  if (const nvtxRangeId_t other = slot.exchange(id); other != 0) {
    nvtxDomainRangeEnd(nullptr, other);
    ++self.calls;
  }
  nvtxCounterSampleInt64(self.domain, self.counter, round);
  nvtxMarkW(L"w\u00efde");
  self.calls += 2;
}

uint64_t call_library(const char* path, int level) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(dlerror());
  const auto call = reinterpret_cast<int (*)(int)>(dlsym(library, "calls_of_library"));
  const int calls = call(level);
  check(calls > 0, "a level in a library is wrong");
  dlclose(library);
  return static_cast<uint64_t>(calls);
}

int work(const std::vector<const char*>& nested_libraries) {
  std::atomic<nvtxRangeId_t> slot{0};
  std::mutex one_at_a_time;
  // All modules before the first thread, for the same reason.
  nvtxInitialize(nullptr);
  check(nvtxDomainIsEnabled(nullptr) == 1, "the default domain is not recorded");
  check(nvtxCounterRegister(nullptr, nullptr) == 0, "a counter without attributes has an ID");
  std::vector<Thread> threads(kThreads);
  std::vector<std::thread> running;
  for (int i = 0; i < kThreads; ++i) {
    threads[static_cast<size_t>(i)].number = i;
    running.emplace_back([&, i] {
      Thread& self = threads[static_cast<size_t>(i)];
      for (int round = 0; round < kRounds; ++round) {
        if (round % 50 == 0) enter(self);
        make_round(self, round, slot);
        if (round % 50 == 49) nvtxDomainDestroy(self.domain);
        if (round % 100 == 0) {
          // NVTX's own initialisation orders its threads by fences, which ThreadSanitizer does not
          // see.
          const std::lock_guard lock(one_at_a_time);
          for (const char* library : nested_libraries) self.calls += call_library(library, 0);
        }
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  uint64_t calls = 1;
  nvtxRangeEnd(slot);
  for (const Thread& thread : threads) calls += thread.calls;
  std::printf("%llu\n", static_cast<unsigned long long>(calls));
  return 0;
}

// --- What is in the journal.

struct Range {
  int64_t begin, end;
  int level;
};

struct Shown {
  std::map<uint32_t, std::vector<Range>> rows;  // by track
  uint64_t calls = 0;                           // that what is shown takes
  uint64_t problems = 0;
};

class Ranges final : public model::EventSink {
 public:
  explicit Ranges(Shown* shown) : shown_(*shown) {}
  Status session(std::string_view) override { return {}; }
  Status track(const model::Track&) override { return {}; }
  Status counter_track(const model::CounterTrack& track) override {
    is_own_counter_[track.id] = track.domain == "ringscribe";
    return {};
  }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status counter_sample(const model::CounterSample& sample) override {
    if (!is_own_counter_[sample.counter_track]) ++shown_.calls;
    return {};
  }
  Status event(const model::Event& event) override {
    if (event.domain == "ringscribe") return {};
    shown_.calls += event.kind == model::EventKind::kMark ? 1 : 2;
    constexpr std::string_view kHead = "level ";
    if (event.kind == model::EventKind::kRangePushPop && event.message.starts_with(kHead))
      shown_.rows[event.track].push_back(
          {event.begin, event.end, event.message[kHead.size()] - '0'});
    return {};
  }
  Status problem(std::string_view, uint64_t count) override {
    shown_.problems += count;
    return {};
  }
  Status finish() override { return {}; }

 private:
  Shown& shown_;
  std::map<uint32_t, bool> is_own_counter_;
};

// Ranges nest. One whose pop was lost may lie around later ones of its thread; with `is_whole` none
// was, and each lies as deep as its push said. Returns how many calls are shown.
uint64_t check_rows(const std::string& journal, bool is_whole) {
  Shown shown;
  model::Model target(std::make_unique<Ranges>(&shown), "stress");
  const auto replayed = ringscribe::journal::replay(journal, target);
  if (!replayed.ok()) fail(replayed.status().message());
  size_t count = 0;
  for (auto& [track, ranges] : shown.rows) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Range> around;
    for (const Range& range : ranges) {
      while (!around.empty() && around.back().end <= range.begin) around.pop_back();
      if (!around.empty() && range.end > around.back().end)
        fail("a range of level " + std::to_string(range.level) + " cuts one of level " +
             std::to_string(around.back().level));
      if (is_whole && static_cast<size_t>(range.level) != around.size())
        fail("a range of level " + std::to_string(range.level) + " lies at level " +
             std::to_string(around.size()));
      around.push_back(range);
      ++count;
    }
  }
  std::printf("%zu rows, %zu ranges\n", shown.rows.size(), count);
  check(count > 0, "no range was recorded");
  check(shown.problems == 0, "something in the journal cannot be decoded");
  return shown.calls;
}

std::string absolute(const char* path) {
  return path[0] == '/' || path[0] == '-' ? path : std::string(getcwd(nullptr, 0)) + "/" + path;
}

// The calls that the program says it made.
uint64_t run(const char* buffer_size, const std::string& injection, std::vector<std::string> nested,
             const std::string& journal, const std::string& report) {
  std::ofstream(report).close();
  int ends[2];
  check(pipe(ends) == 0, "no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    if (injection == "-")
      unsetenv("NVTX_INJECTION64_PATH");
    else
      setenv("NVTX_INJECTION64_PATH", injection.c_str(), 1);
    setenv("RINGSCRIBE_BACKEND", "journal", 1);
    setenv("RINGSCRIBE_OUTPUT", journal.c_str(), 1);
    setenv("RINGSCRIBE_BUFFER_SIZE", buffer_size, 1);
    setenv("RINGSCRIBE_INJECT_REPORT", report.c_str(), 1);
    std::string name = "stress_test", mode = "work";
    std::vector<char*> words{name.data(), mode.data()};
    for (std::string& library : nested) words.push_back(library.data());
    words.push_back(nullptr);
    execv("/proc/self/exe", words.data());
    _exit(127);
  }
  close(ends[1]);
  FILE* lines = fdopen(ends[0], "r");
  unsigned long long calls = 0;
  check(std::fscanf(lines, "%llu", &calls) == 1, "the program said nothing");
  std::fclose(lines);
  int status = 0;
  waitpid(child, &status, 0);
  check(status == 0, "the program failed");
  return calls;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) fail("usage: stress_test INJECTION NESTED_LIBRARY...");
  if (std::strcmp(arguments[1], "work") == 0) return work({arguments + 2, arguments + count});
  std::vector<std::string> nested;
  for (int i = 2; i < count; ++i) nested.push_back(absolute(arguments[i]));
  const char* folder = getenv("TEST_TMPDIR");
  const std::string base = folder == nullptr ? "/tmp" : folder;
  for (const char* buffer_size : {"16KiB", "8MiB"}) {
    const std::string journal = base + "/stress-" + buffer_size + ".rsj";
    const std::string report = base + "/report";
    const uint64_t calls = run(buffer_size, absolute(arguments[1]), nested, journal, report);
    std::ifstream file(report);
    uint64_t pid = 0, recorded = 0, lost = 0;
    file >> pid >> recorded >> lost;
    std::printf("%s: %llu calls, %llu recorded, %llu lost\n", buffer_size,
                static_cast<unsigned long long>(calls), static_cast<unsigned long long>(recorded),
                static_cast<unsigned long long>(lost));
    std::fflush(stdout);
    check(calls == recorded + lost, "recorded and lost do not make the calls");
    const uint64_t shown = check_rows(journal, lost == 0);
    if (std::strcmp(buffer_size, "8MiB") != 0) continue;
    check(lost == 0, "something was lost, though there was room");
    check(shown == calls, "what is in the journal is not what was called");
  }
  return 0;
}
