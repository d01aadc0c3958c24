// SPDX-License-Identifier: Apache-2.0
//
// Sessions that the programs write that make samples of each format for tests: to any sink, from
// session() on. What is wrong is printed and counted (sample_events.h).
//
//   write_random_ranges(*sink);
//   expect(sink->finish());
//
// Threads: one. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SAMPLE_SESSIONS_H_
#define RINGSCRIBE_BACKENDS_MODEL_SAMPLE_SESSIONS_H_

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/sample_events.h"

namespace ringscribe::model {

// Begins a session with one track, 0.
inline void begin_one_track(EventSink& sink, std::string_view session) {
  expect(sink.session(session));
  expect(sink.track({0, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0}));
}

// Marks and ranges from each of the times to each that is not before it, which say both in fields.
inline void write_times(EventSink& sink, std::span<const int64_t> times) {
  begin_one_track(sink, "times");
  for (const EventKind kind :
       {EventKind::kMark, EventKind::kRangePushPop, EventKind::kRangeStartEnd}) {
    for (const int64_t begin : times) {
      for (const int64_t end : times) {
        if (kind == EventKind::kMark ? end != begin : end < begin) continue;
        const std::string begin_text = std::to_string(begin);
        const std::string end_text = std::to_string(end);
        const Field fields[] = {{"begin", text(begin_text)}, {"end", text(end_text)}};
        Event event = range(0, begin, end, "time", kind);
        event.fields = fields;
        expect(sink.event(event));
      }
    }
  }
}

// Threads that nest at random, and, but for the first, now and then cut.
inline void write_random_ranges(EventSink& sink) {
  expect(sink.session("lots"));
  expect(sink.track({0, kNoTrack, TrackKind::kProcess, "p", "", 7, 0, 0}));
  std::mt19937 random(1);
  for (uint32_t track = 1; track <= 3; ++track) {
    const int64_t tid = 7 + int64_t{track};
    expect(sink.track({track, 0, TrackKind::kThread, "t", "", 7, tid, tid}));
    std::vector<int64_t> begins;
    int64_t now = 0;
    for (int step = 0; step < 10000; ++step) {
      now += static_cast<int64_t>(random() % 3);
      const auto choice = static_cast<uint32_t>(random() % 100);
      if (choice < 45 && begins.size() < 20) {
        begins.push_back(now);
      } else if (choice < 90 && !begins.empty()) {
        expect(sink.event(range(track, begins.back(), now, "range")));
        begins.pop_back();
      } else if (choice < 99 || track == 1) {
        expect(sink.event(mark(track, now, "mark")));
      } else {
        expect(sink.event(range(track, now - static_cast<int64_t>(random() % 50), now, "cuts")));
      }
    }
    for (++now; !begins.empty(); ++now, begins.pop_back()) {
      expect(sink.event(range(track, begins.back(), now, "range")));
    }
  }
}

// Blocks of ranges on track 0, four levels deep, children first as a live stream has them.
class RangeBlocks {
 public:
  RangeBlocks() {
    for (uint32_t i = 0; i < kLabels; ++i) {
      messages_[i] = "step " + std::to_string(i);
      labels_[i] = {i + 1, 0, 0, messages_[i], ""};
    }
    shared_ = range(0, 0, 0, "");
  }
  RangeBlocks(const RangeBlocks&) = delete;
  RangeBlocks& operator=(const RangeBlocks&) = delete;

  // The next kRows.
  Status write(EventSink& sink) {
    for (size_t i = 0; i < kRows; ++i) {
      const auto level = static_cast<int64_t>(3 - i % 4);
      const int64_t begin = time_ + 40 * level;
      rows_[i] = {begin, time_ + 1000 - 40 * level, 0, &labels_[i % kLabels]};
      if (level == 0) time_ += 1020;
    }
    return sink.events({shared_, rows_, {}, 0, 0});
  }
  static constexpr size_t kRows = 4096;

 private:
  static constexpr size_t kLabels = 16;
  std::string messages_[kLabels];
  EventLabel labels_[kLabels];
  Event shared_;
  std::vector<EventRow> rows_ = std::vector<EventRow>(kRows);
  int64_t time_ = 1'000'000'000'000;
};

// A whole session of at least `count` ranges in blocks; prints the user time of the process.
inline void write_timed_ranges(EventSink& sink, size_t count) {
  begin_one_track(sink, "ranges");
  RangeBlocks blocks;
  for (size_t done = 0; done < count; done += RangeBlocks::kRows) expect(blocks.write(sink));
  expect(sink.finish());
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  std::printf("%ld us user\n", used.ru_utime.tv_sec * 1'000'000L + used.ru_utime.tv_usec);
}

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SAMPLE_SESSIONS_H_
