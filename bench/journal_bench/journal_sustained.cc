// SPDX-License-Identifier: Apache-2.0
//
// journal_sustained [OUTPUT [EVENTS]]: how many events a second does one producer get into a
// journal without loss, with each codec, and how many bytes is each? Policy block, so the flusher
// sets the pace; ending the session is part of the time.
//
// Minimum and median of five runs, interleaved, each in a session of its own.
#include <ringscribe/ringscribe.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace rs = ringscribe;

namespace {

constexpr int kRuns = 5;
constexpr const char* kCodecs[] = {"raw", "compact"};
constexpr const char* kLoads[] = {"live marks", "live ranges", "explicit marks"};

struct Figures {
  std::vector<double> ns;
  double bytes = 0;
};

void produce(size_t load, const rs::Stream& live, const rs::Stream& stream,
             rs::RegisteredString message, uint64_t events) {
  if (load == 0) {
    for (uint64_t i = 0; i < events; ++i) RINGSCRIBE_MARK(live, "live mark");
  } else if (load == 1) {
    for (uint64_t i = 0; i < events; ++i) {
      RINGSCRIBE_RANGE(live, "live range");
    }
  } else {
    // Steps that a code for differences cannot foresee.
    int64_t time = 0;
    for (uint64_t i = 0; i < events; ++i) {
      time += 10 + static_cast<int64_t>(i * 0x9E3779B97F4A7C15u >> 58);
      stream.write_mark(time, {.message = message});
    }
  }
}

void run(size_t load, const char* codec, const std::string& path, uint64_t events,
         Figures* figures) {
  auto session = rs::Session::begin(
      "bench",
      {.backend = "journal", .output = path, .config = std::string("journal_codec=") + codec});
  if (!session.ok()) std::exit(session.status().print());
  rs::Domain domain = session->get_domain("bench");
  const rs::Stream live = session->live_stream("live", domain);
  const rs::Stream stream = session->create_stream("explicit", {.domain = domain});
  const rs::RegisteredString message = domain.get_registered_string("explicit mark");
  const auto before = std::chrono::steady_clock::now();
  produce(load, live, stream, message, events);
  if (!session->end().ok()) std::exit(1);
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - before;
  if (session->stats().lost() != 0) {
    std::fprintf(stderr, "%s: events were lost, the figures are void\n", kLoads[load]);
    std::exit(1);
  }
  figures->ns.push_back(spent.count() / static_cast<double>(events));
  figures->bytes =
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(events);
  std::filesystem::remove(path);
}

}  // namespace

int main(int count, char** arguments) {
  setenv("RINGSCRIBE_OVERFLOW", "block", 1);
  setenv("RINGSCRIBE_BLOCK_TIMEOUT", "0", 1);
  const std::string output = count > 1 ? arguments[1] : "/tmp/journal_sustained";
  const uint64_t events = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 10'000'000;
  Figures figures[std::size(kLoads) * 2];
  for (int round = 0; round < kRuns; ++round) {
    for (size_t i = 0; i < std::size(figures); ++i) {
      const std::string path =
          output + "-" + std::to_string(round) + "-" + std::to_string(i) + ".rsj";
      run(i / 2, kCodecs[i % 2], path, events, &figures[i]);
    }
  }
  std::printf("%llu events, 1 producer, block; nanoseconds an event, minimum / median of %d runs\n",
              static_cast<unsigned long long>(events), kRuns);
  for (size_t i = 0; i < std::size(figures); ++i) {
    std::vector<double>& ns = figures[i].ns;
    std::sort(ns.begin(), ns.end());
    std::printf("%-16s %-8s %7.2f / %6.2f  %6.1f million/s  %6.2f bytes\n", kLoads[i / 2],
                kCodecs[i % 2], ns[0], ns[ns.size() / 2], 1000 / ns[0], figures[i].bytes);
  }
  return 0;
}
