// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/bench/harness.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace bench {

namespace {

struct Options {
  std::string group;
  size_t events = 0;  // 0: what the group takes
  size_t bursts = 20;
  size_t rounds = 3;
  std::string folder = "/tmp";
  std::string suffix;  // of the questions' names: what the environment makes different
};

std::string g_suffix;

void set_cpu(pid_t thread, size_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(thread, sizeof(set), &set);
}

// While it lives, the calling thread runs on the first CPU, and what the process had of other
// threads on the second: a consumer on the producer's CPU would be measured with it. Not with
// fewer than two CPUs.
class PinnedHere {
 public:
  PinnedHere() {
    sched_getaffinity(0, sizeof(before_), &before_);
    if (std::thread::hardware_concurrency() < 2) return;
    DIR* tasks = opendir("/proc/self/task");
    while (const dirent* task = tasks != nullptr ? readdir(tasks) : nullptr)
      if (task->d_name[0] != '.') set_cpu(std::atoi(task->d_name), 1);
    if (tasks != nullptr) closedir(tasks);
    set_cpu(0, 0);
  }
  ~PinnedHere() { sched_setaffinity(0, sizeof(before_), &before_); }
  PinnedHere(const PinnedHere&) = delete;
  PinnedHere& operator=(const PinnedHere&) = delete;

 private:
  cpu_set_t before_;
};

double ns_per_tick() {
  static const double value = [] {
    const uint64_t ns = now_ns(), ticks = fenced_begin();
    while (now_ns() - ns < 50'000'000) continue;
    return static_cast<double>(now_ns() - ns) / static_cast<double>(fenced_end() - ticks);
  }();
  return value;
}

// --- calls: bursts of calls between two drains, the mean of a number of bursts. All questions in
// turn, several rounds; one more round before, which is not counted.

void ask_calls(System& system, const Options& options) {
  const size_t events = options.events != 0 ? options.events : 10'000;
  const std::vector<Call> calls = system.calls();
  for (size_t round = 0; round <= options.rounds; ++round) {
    for (const Call& call : calls) {
      const PinnedHere pinned;
      uint64_t spent = 0;
      for (size_t burst = 0; burst < options.bursts; ++burst) {
        system.drain();
        const uint64_t before = now_ns();
        call.burst(events);
        spent += now_ns() - before;
      }
      if (round != 0)
        report(call.question, "ns",
               static_cast<double>(spent) / static_cast<double>(options.bursts * events));
    }
  }
  system.drain();
  if (system.lost() != 0) report("calls_lost", "events", 0, system.lost());
}

const Call& live_mark_of(const std::vector<Call>& calls) {
  for (const Call& call : calls)
    if (call.question == "live_mark") return call;
  return calls.front();
}

// --- single: each call between two fenced clock reads, less the median of the empty pair.

void ask_single(System& system, const Options& options) {
  const size_t events = options.events != 0 ? options.events : 1'000'000;
  const std::vector<Call> calls = system.calls();
  const Call& mark = live_mark_of(calls);
  std::vector<uint32_t> empty(100'000), ticks(events);
  const PinnedHere pinned;
  mark.one_by_one(ticks);  // touches the whole buffer, and what else a first time costs
  system.drain();
  ask("", [](size_t) {}).one_by_one(empty);
  std::nth_element(empty.begin(), empty.begin() + 50'000, empty.end());
  mark.one_by_one(ticks);
  std::sort(ticks.begin(), ticks.end());
  const double pair = empty[50'000];
  for (const auto& [name, part] : {std::pair("_p50", 0.5), std::pair("_p99", 0.99),
                                   std::pair("_p999", 0.999), std::pair("_p9999", 0.9999)}) {
    const uint32_t value = ticks[static_cast<size_t>(static_cast<double>(events) * part)];
    report("live_mark" + std::string(name), "ns", std::max(0.0, value - pair) * ns_per_tick());
  }
}

// --- sustained: producers that start together, until all is in the file.

void ask_sustained(System& system, const Options& options) {
  const size_t events = options.events != 0 ? options.events : 10'000'000;
  const size_t producers = options.group.ends_with("_2") ? 2 : 1;
  std::optional<Recording> recording = system.sustain(options.group, options.folder);
  if (!recording) return;
  std::atomic<size_t> ready{0};
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < producers; ++i)
    threads.emplace_back([&, i] {
      if (std::thread::hardware_concurrency() >= 2) set_cpu(0, i);
      system.prepare_thread();
      ++ready;
      while (!go) std::this_thread::yield();
      recording->produce(i, events / producers);
    });
  while (ready != producers) std::this_thread::yield();
  const uint64_t begin = now_ns();
  go = true;
  for (std::thread& thread : threads) thread.join();
  const uint64_t produced = now_ns();
  const Outcome outcome = recording->finish();
  const uint64_t end = outcome.end_ns != 0 ? outcome.end_ns : now_ns();
  const auto recorded = static_cast<double>(events - std::min<uint64_t>(outcome.lost, events));
  const std::string& name = options.group;
  report(name, "events/s", recorded * 1e9 / static_cast<double>(end - begin), outcome.lost);
  report(name + "_producer", "ns",
         static_cast<double>(produced - begin) * static_cast<double>(producers) /
             static_cast<double>(events));
  if (outcome.bytes != 0)
    report(name + "_size", "bytes", static_cast<double>(outcome.bytes) / recorded);
  if (outcome.decode_ns != 0)
    report(name + "_decode", "events/s", recorded * 1e9 / static_cast<double>(outcome.decode_ns));
}

// --- first_event: threads one after the other, then 64 that live at the same time, then threads
// that prepared. The median of each.

uint64_t time_first_event(const Call& mark) {
  uint32_t ticks = 0;
  mark.one_by_one(std::span(&ticks, 1));
  return static_cast<uint64_t>(static_cast<double>(ticks) * ns_per_tick());
}

double median(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return static_cast<double>(values[values.size() / 2]);
}

void ask_first_event(System& system, const Options& options) {
  const size_t threads = options.events != 0 ? options.events : 64;
  const std::vector<Call> calls = system.calls();
  const Call& mark = live_mark_of(calls);
  mark.burst(1000);
  (void)ns_per_tick();
  std::vector<uint64_t> in_turn, prepared, together(threads);
  bool can_prepare = false;
  for (size_t i = 0; i < threads; ++i) {
    system.drain();
    std::thread([&] { in_turn.push_back(time_first_event(mark)); }).join();
    std::thread([&] {
      can_prepare = system.prepare_thread();
      if (can_prepare) prepared.push_back(time_first_event(mark));
    }).join();
  }
  // All alive until the last one wrote, so that none can be given what another gave back.
  std::atomic<size_t> turn{0};
  std::vector<std::thread> alive;
  for (size_t i = 0; i < threads; ++i)
    alive.emplace_back([&, i] {
      while (turn != i)
        usleep(500);  // not spinning: that would take the CPU from the one that writes
      together[i] = time_first_event(mark);
      ++turn;
      while (turn != threads) usleep(1000);
    });
  for (std::thread& thread : alive) thread.join();
  report("first_event", "ns", median(in_turn));
  report("first_event_no_spares", "ns", median(together));
  if (can_prepare) report("first_event_prepared", "ns", median(prepared));
}

// --- thread_churn: threads that are created, write 10 events and are joined, four at a time.

uint64_t churn(size_t threads, const std::function<void()>& body) {
  const uint64_t begin = now_ns();
  for (size_t i = 0; i < threads; i += 4) {
    std::vector<std::thread> some;
    for (size_t j = 0; j < 4; ++j) some.emplace_back(body);
    for (std::thread& thread : some) thread.join();
  }
  return now_ns() - begin;
}

double resident_bytes() {
  long pages = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return static_cast<double>(pages * sysconf(_SC_PAGESIZE));
}

void ask_thread_churn(System& system, const Options& options) {
  const size_t threads = options.events != 0 ? options.events : 10'000;
  const std::vector<Call> calls = system.calls();
  const Call& mark = live_mark_of(calls);
  churn(400, [&] { mark.burst(10); });
  system.drain();
  const double before = resident_bytes();
  // In turn, since what creating threads costs changes with what else the machine does.
  uint64_t alone = 0, spent = 0;
  constexpr size_t kTurns = 10;
  for (size_t turn = 0; turn < kTurns; ++turn) {
    alone += churn(threads / kTurns, [] {});
    spent += churn(threads / kTurns, [&] { mark.burst(10); });
  }
  system.drain();
  report("thread_churn", "ns", static_cast<double>(spent) / static_cast<double>(threads),
         system.lost());
  report("thread_churn_alone", "ns", static_cast<double>(alone) / static_cast<double>(threads));
  report("thread_churn_memory", "bytes", std::max(0.0, resident_bytes() - before));
}

// --- idle: CPU time of the process while it sleeps.

void ask_idle(System& system, const Options& options) {
  const std::vector<Call> calls = system.calls();
  live_mark_of(calls).burst(1000);
  system.drain();
  usleep(100'000);
  const auto seconds = static_cast<unsigned>(options.events != 0 ? options.events : 3);
  timespec before, after;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  sleep(seconds);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  const double spent = static_cast<double>(after.tv_sec - before.tv_sec) * 1e9 +
                       static_cast<double>(after.tv_nsec - before.tv_nsec);
  report("idle_cpu_a_second", "ns", spent / seconds);
}

bool parse(int count, char** arguments, Options& options) {
  if (count < 2) return false;
  options.group = arguments[1];
  for (int i = 2; i < count; i += 2) {
    const std::string name = arguments[i];
    if (i + 1 == count) return false;
    const char* value = arguments[i + 1];
    if (name == "--events")
      options.events = std::strtoull(value, nullptr, 10);
    else if (name == "--bursts")
      options.bursts = std::max<size_t>(1, std::strtoull(value, nullptr, 10));
    else if (name == "--rounds")
      options.rounds = std::max<size_t>(1, std::strtoull(value, nullptr, 10));
    else if (name == "--folder")
      options.folder = value;
    else if (name == "--suffix")
      options.suffix = value;
    else
      return false;
  }
  return true;
}

}  // namespace

uint64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

void report(std::string_view question, std::string_view unit, double value, uint64_t lost) {
  std::printf("%.*s%s\t%.*s\t%.3f\t%llu\n", static_cast<int>(question.size()), question.data(),
              g_suffix.c_str(), static_cast<int>(unit.size()), unit.data(), value,
              static_cast<unsigned long long>(lost));
}

int run(int count, char** arguments, const std::function<std::unique_ptr<System>()>& make) {
  Options options;
  if (!parse(count, arguments, options)) {
    std::fprintf(stderr,
                 "usage: %s calls|single|sustained_...|first_event|thread_churn|idle [--events N] "
                 "[--bursts N] [--rounds N] [--folder DIR] [--suffix TEXT]\n",
                 arguments[0]);
    return 2;
  }
  g_suffix = options.suffix;
  const std::unique_ptr<System> system = make();
  if (options.group == "calls")
    ask_calls(*system, options);
  else if (options.group == "single")
    ask_single(*system, options);
  else if (options.group == "first_event")
    ask_first_event(*system, options);
  else if (options.group == "thread_churn")
    ask_thread_churn(*system, options);
  else if (options.group == "idle")
    ask_idle(*system, options);
  else
    ask_sustained(*system, options);
  return 0;
}

int skip(const char* reason) {
  std::printf("skipped\t%s\n", reason);
  return 0;
}

}  // namespace bench
