// SPDX-License-Identifier: Apache-2.0
//
// Writes traces of many events through the CTF sink, for babeltrace_test.py and for measuring.
//
//   write_many_events --tracks N PATH    two events on each of N tracks
//   write_many_events --endless PATH     events until it is killed
//   write_many_events --ranges N PATH    N ranges in blocks; prints the user time it took
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ringscribe/backends/ctf/sample_events.h"
#include "ringscribe/backends/model/sample_sessions.h"

namespace ringscribe::ctf {
namespace {

int write_tracks(uint32_t count, const std::string& path) {
  auto sink = open(path);
  expect(sink->session("tracks"));
  for (int64_t round = 0; round < 2; ++round) {
    for (uint32_t track = 0; track < count; ++track) {
      const std::string name = "t" + std::to_string(track);
      if (round == 0) expect(sink->track({track, kNoTrack, TrackKind::kStream, name, "", 0, 0, 0}));
      const Field fields[] = {{"track", number(int64_t{track})}};
      Event event = mark(track, 1000 * round + track, name);
      event.fields = fields;
      expect(sink->event(event));
    }
  }
  expect(sink->finish());
  return failures;
}

// Marks with their number on three tracks, now and then large ones, and layouts that are new.
int write_endless(const std::string& path) {
  SinkOptions options;
  options.flush_interval_ns = 1'000'000;
  auto sink = open(path, options);
  expect(sink->session("endless"));
  for (uint32_t track = 0; track < 3; ++track) {
    expect(sink->track({track, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0}));
  }
  const std::string large(10000, 'x');
  int64_t numbers[3] = {};
  for (int64_t time = 0; failures == 0; ++time) {
    const auto track = static_cast<uint32_t>(time % 3);
    const std::string name = "field " + std::to_string(time / 5000);
    const Field fields[] = {{name, number(time)}, {"number", number(numbers[track]++)}};
    const std::string_view message = time % 1000 == 0 ? std::string_view(large) : "small";
    Event event = mark(track, time, message);
    event.fields = fields;
    expect(sink->event(event));
  }
  return 1;
}

int write_ranges(size_t count, const std::string& path) {
  auto sink = open(path);
  model::write_timed_ranges(*sink, count);
  return failures;
}

}  // namespace
}  // namespace ringscribe::ctf

int main(int argc, char** argv) {
  namespace ctf = ringscribe::ctf;
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 3 && first == "--endless") return ctf::write_endless(argv[2]);
  if (argc == 4 && first == "--ranges") {
    return ctf::write_ranges(std::strtoul(argv[2], nullptr, 10), argv[3]);
  }
  if (argc == 4 && first == "--tracks") {
    return ctf::write_tracks(static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)), argv[3]);
  }
  std::fprintf(stderr, "usage: write_many_events --endless PATH|--tracks N PATH|--ranges N PATH\n");
  return 2;
}
