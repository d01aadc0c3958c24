// SPDX-License-Identifier: Apache-2.0
//
// What NVTX calls cost a program: without a tool, with an injection that does nothing, and with
// ours.
//
//   bazel run -c opt //bench:injected -- [RUNS]
//
// Runs itself under each in turn, RUNS times (5); each run makes bursts that fit the ring, with
// pauses in which the flusher empties it. Printed: nanoseconds a call or pair, minimum and median
// over the runs of the best burst of each. A clock read is the floor of what has a time.
//
// Arguments before the user's: the two libraries.
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCounters.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr int kBurst = 10'000;  // pairs of 32 bytes fit a ring of 2 MiB six times
constexpr int kBursts = 30;

uint64_t now_ns() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

// The best burst, in nanoseconds a call.
template <typename Call>
double best(Call call) {
  double result = 1e9;
  for (int burst = 0; burst < kBursts; ++burst) {
    const uint64_t begin = now_ns();
    for (int i = 0; i < kBurst; ++i) call(i);
    result = std::min(result, static_cast<double>(now_ns() - begin) / kBurst);
    usleep(15'000);
  }
  return result;
}

void measure() {
  const auto print = [](const char* question, double ns) {
    std::printf("%s\t%.2f\n", question, ns);
  };
  nvtxDomainHandle_t domain = nvtxDomainCreateA("bench");
  nvtxEventAttributes_t registered{};
  registered.version = NVTX_VERSION;
  registered.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  registered.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  registered.message.registered = nvtxDomainRegisterStringA(domain, "match");
  nvtxEventAttributes_t with_looks = registered;
  with_looks.category = 3;
  with_looks.colorType = NVTX_COLOR_ARGB;
  with_looks.color = 0xFF00FF00;
  nvtxEventAttributes_t with_value = registered;
  with_value.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  nvtxCounterAttr_t attr{};
  attr.structSize = sizeof attr;
  attr.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  attr.name = "depth";
  const uint64_t counter = nvtxCounterRegister(domain, &attr);

  print("clock read", best([](int) {
          const uint64_t ticks = __rdtsc();
          asm volatile("" : : "r"(ticks));
        }));
  print("push+pop, registered string", best([&](int) {
          nvtxDomainRangePushEx(domain, &registered);
          nvtxDomainRangePop(domain);
        }));
  print("push+pop, literal", best([](int) {
          nvtxRangePushA("match");
          nvtxRangePop();
        }));
  print("push+pop, color and category", best([&](int) {
          nvtxDomainRangePushEx(domain, &with_looks);
          nvtxDomainRangePop(domain);
        }));
  print("push+pop, int64 payload", best([&](int i) {
          with_value.payload.llValue = i;
          nvtxDomainRangePushEx(domain, &with_value);
          nvtxDomainRangePop(domain);
        }));
  print("start+end, registered string", best([&](int) {
          nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &registered));
        }));
  print("mark, registered string", best([&](int) { nvtxDomainMarkEx(domain, &registered); }));
  print("mark, literal", best([](int) { nvtxMarkA("match"); }));
  print("counter sample, int64", best([&](int i) { nvtxCounterSampleInt64(domain, counter, i); }));
}

// Its lines, from a run of this program under `library` ("": none).
std::vector<std::pair<std::string, double>> run_under(const char* self,
                                                      const std::string& library) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (library.empty())
      unsetenv("NVTX_INJECTION64_PATH");
    else
      setenv("NVTX_INJECTION64_PATH", library.c_str(), 1);
    setenv("RINGSCRIBE_BACKEND", "null", 1);
    execl(self, self, "measure", nullptr);
    _exit(127);
  }
  close(ends[1]);
  std::vector<std::pair<std::string, double>> result;
  FILE* lines = fdopen(ends[0], "r");
  char question[128];
  double ns = 0;
  while (std::fscanf(lines, " %127[^\t]\t%lf", question, &ns) == 2)
    result.emplace_back(question, ns);
  std::fclose(lines);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0 || result.empty()) {
    std::fprintf(stderr, "the run under \"%s\" failed\n", library.c_str());
    std::exit(1);
  }
  return result;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string(arguments[1]) == "measure") {
    measure();
    return 0;
  }
  if (count < 3) {
    std::fprintf(stderr, "usage: injected EMPTY_LIBRARY LIBRARY [RUNS]\n");
    return 2;
  }
  const int runs = count > 3 ? std::atoi(arguments[3]) : 5;
  const char* names[] = {"no tool", "do-nothing", "ringscribe"};
  const std::string libraries[] = {"", std::string(getcwd(nullptr, 0)) + "/" + arguments[1],
                                   std::string(getcwd(nullptr, 0)) + "/" + arguments[2]};
  std::vector<std::string> questions;
  std::map<std::string, std::vector<double>> figures[3];
  for (int run = 0; run < runs; ++run)
    for (int tool = 0; tool < 3; ++tool)
      for (const auto& [question, ns] : run_under("/proc/self/exe", libraries[tool])) {
        if (run == 0 && tool == 0) questions.push_back(question);
        figures[tool][question].push_back(ns);
      }
  std::printf("%-30s", "ns, minimum (median)");
  for (const char* name : names) std::printf(" %16s", name);
  std::printf(" %18s\n", "over do-nothing");
  for (const std::string& question : questions) {
    std::printf("%-30s", question.c_str());
    double least[3], middle[3];
    for (int tool = 0; tool < 3; ++tool) {
      std::vector<double>& values = figures[tool][question];
      std::sort(values.begin(), values.end());
      least[tool] = values.front();
      middle[tool] = values[values.size() / 2];
      std::printf("  %6.1f (%6.1f)", least[tool], middle[tool]);
    }
    std::printf("    %6.1f (%6.1f)\n", least[2] - least[1], middle[2] - middle[1]);
  }
  return 0;
}
