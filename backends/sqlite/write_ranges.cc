// SPDX-License-Identifier: Apache-2.0
//
// Writes ranges through the SQLite sink, for tests/sqlite and to measure.
//
//   write_ranges --endless FILE   events until it is killed
//   write_ranges --step FILE      a range and a commit for each line of stdin
//   write_ranges N FILE [OPTION]  N ranges in blocks; prints the times it took.
//       unique: every name another one; fields: two fields each; bare: no indexes
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/sqlite/sqlite_sink.h"

namespace ringscribe {
namespace {

using model::Event;
using model::EventKind;
using model::Field;
using model::kNoTrack;
using model::TrackKind;
using model::Value;
using model::ValueKind;
using sqlite::SinkOptions;
using sqlite::SqliteSink;

int failures = 0;

void expect(const Status& status) { failures += status.print(); }

Event range(int64_t begin, int64_t end, std::string_view message) {
  Event event;
  event.kind = EventKind::kRangePushPop;
  event.track = 0;
  event.begin = begin;
  event.end = end;
  event.synchronised = true;
  event.message = message;
  return event;
}

Value number(int64_t value) {
  Value result;
  result.kind = ValueKind::kInt;
  result.int_value = value;
  return result;
}

Value text(std::string_view value) {
  Value result;
  result.kind = ValueKind::kText;
  result.text = value;
  return result;
}

// Blocks of ranges, four levels deep, children first as a live stream has them.
class RangeBlocks {
 public:
  RangeBlocks(bool is_unique, bool has_fields) : is_unique_(is_unique), has_fields_(has_fields) {
    for (uint32_t i = 0; i < kLabels; ++i) {
      messages_[i] = "process item " + std::to_string(i);
      labels_[i] = {i + 1, 0, 0, messages_[i], ""};
    }
    shared_ = range(0, 0, "");
    for (size_t i = 0; i < kRows; ++i) {
      fields_.push_back({"items", number(static_cast<int64_t>(i))});
      fields_.push_back({"path", text("/usr/include/stdio.h")});
    }
  }
  Status write(SqliteSink& sink) {
    for (size_t i = 0; i < kRows; ++i) {
      const auto level = static_cast<int64_t>(3 - i % 4);
      const int64_t begin = time_ + 40 * level;
      model::EventLabel& label = labels_[i % kLabels];
      rows_[i] = {begin, time_ + 1000 - 40 * level, 0, &label};
      if (level == 0) time_ += 1020;
    }
    if (is_unique_) return write_unique(sink);
    const std::span<const Field> fields(fields_);
    return sink.events({shared_, rows_, has_fields_ ? fields : fields.first(0),
                        has_fields_ ? size_t{2} : size_t{0}, has_fields_ ? 1U : 0U});
  }
  static constexpr size_t kRows = 4096;

 private:
  Status write_unique(SqliteSink& sink) {
    for (const model::EventRow& row : rows_) {
      const std::string name = "process item " + std::to_string(next_++);
      Status status = sink.event(range(row.begin, row.end, name));
      if (!status.ok()) return status;
    }
    return {};
  }

  static constexpr size_t kLabels = 16;
  const bool is_unique_;
  const bool has_fields_;
  std::string messages_[kLabels];
  model::EventLabel labels_[kLabels];
  Event shared_;
  std::vector<model::EventRow> rows_ = std::vector<model::EventRow>(kRows);
  std::vector<Field> fields_;
  int64_t time_ = 1'000'000'000'000;
  uint64_t next_ = 0;
};

std::unique_ptr<SqliteSink> open_for_blocks(const std::string& path, const SinkOptions& options) {
  auto sink = SqliteSink::create(path, options).value();
  expect(sink->session("ranges"));
  expect(sink->track({0, kNoTrack, TrackKind::kStream, "t", "", 0, 0, 0}));
  return sink;
}

int write_endless(const std::string& path) {
  SinkOptions options;
  options.commit_interval_ns = 1'000'000;
  auto sink = open_for_blocks(path, options);
  RangeBlocks blocks(false, true);
  Status status;
  while (status.ok()) status = blocks.write(*sink);
  status.print();
  return 1;
}

int write_step(const std::string& path) {
  SinkOptions options;
  options.commit_interval_ns = 0;
  auto sink = open_for_blocks(path, options);
  int64_t time = 0;
  while (std::getchar() != EOF) {
    const Status status = sink->event(range(time, time + 5, "step"));
    std::puts(status.ok() ? "ok" : status.message().c_str());
    std::fflush(stdout);
    ++time;
  }
  return sink->finish().print();
}

int64_t now_us() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

int write_ranges(size_t count, const std::string& path, std::string_view option) {
  SinkOptions options;
  options.make_indexes = option != "bare";
  auto sink = open_for_blocks(path, options);
  RangeBlocks blocks(option == "unique", option == "fields");
  const int64_t began = now_us();
  size_t done = 0;
  for (; done < count; done += RangeBlocks::kRows) expect(blocks.write(*sink));
  const int64_t written = now_us();
  expect(sink->finish());
  const int64_t finished = now_us();
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return 1;
  const auto events = static_cast<double>(done);
  std::printf("%zu ranges, %.0f events/s, finish %ld us, %.1f bytes an event, %ld KiB of memory\n",
              done, events / static_cast<double>(written - began) * 1e6,
              static_cast<long>(finished - written), static_cast<double>(info.st_size) / events,
              used.ru_maxrss);
  return failures;
}

}  // namespace
}  // namespace ringscribe

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc == 3 && first == "--endless") return ringscribe::write_endless(argv[2]);
  if (argc == 3 && first == "--step") return ringscribe::write_step(argv[2]);
  if (argc == 3 || argc == 4) {
    return ringscribe::write_ranges(std::strtoul(argv[1], nullptr, 10), argv[2],
                                    argc == 4 ? argv[3] : "");
  }
  std::fprintf(stderr, "usage: write_ranges --endless FILE|--step FILE|N FILE [OPTION]\n");
  return 2;
}
