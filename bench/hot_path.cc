// SPDX-License-Identifier: Apache-2.0
//
// What one call costs the recording thread, in bursts that fit the ring:
//
//   clock_read         now_ticks() alone
//   clock_read_store   now_ticks() and a 16-byte store into a 1 MiB buffer: the floor of a live
//   mark live_mark          RINGSCRIBE_MARK live_range         RINGSCRIBE_RANGE, begin and end
//   explicit_mark      write_mark with a registered string
//   message24          write_mark with a message of 24 bytes made at run time
//   counter            write_counter_sample, 64 bits
//   event40            write_event, five fields in 40 bytes
//   disabled           RINGSCRIBE_MARK on a stream that records nothing
//
// All questions are asked in turn, `--runs` times (5); each run is a number of bursts of
// `--events` calls (10000), and the flusher empties the ring between two bursts. Printed are
// nanoseconds a call, minimum and median over the runs. Not shown: waits for a full ring, a
// thread's first event, the tail of single calls. Backend: null.
//
//   bazel run -c opt //bench:hot_path -- [--runs N] [--events N] [--bursts N]
#include <ringscribe/ringscribe.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/wake_up.h"

namespace rs = ringscribe;

namespace {

struct Row {
  int64_t time;
  int64_t a, b, c;
  double d;
};
RINGSCRIBE_SCHEMA(Row, MARK(time), FIELD(a), FIELD(b), FIELD(c), FIELD(d));

struct Options {
  size_t runs = 5;
  size_t events = 10'000;
  size_t bursts = 20;
};

struct Question {
  const char* name;
  std::function<void(size_t)> ask;  // makes so many calls
  std::vector<double> nanoseconds = {};
};

// Keeps the compiler from dropping a value that nothing else uses.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

double time_one(const Options& options, rs::Session& session, const Question& question) {
  uint64_t spent = 0;
  for (size_t burst = 0; burst < options.bursts; ++burst) {
    (void)session.flush().print();
    const uint64_t before = rs::runtime::monotonic_now_ns();
    question.ask(options.events);
    spent += rs::runtime::monotonic_now_ns() - before;
  }
  return static_cast<double>(spent) / static_cast<double>(options.bursts * options.events);
}

void clock_read(size_t count) {
  for (size_t i = 0; i < count; ++i) keep(rs::runtime::now_ticks());
}

void clock_read_store(size_t count) {
  static std::vector<uint64_t> buffer((size_t{1} << 20) / 8);
  static size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    buffer[at] = i;
    buffer[at + 1] = static_cast<uint64_t>(rs::runtime::now_ticks());
    at = (at + 2) & (buffer.size() - 1);
    asm volatile("" : : : "memory");
  }
}

std::vector<Question> questions(rs::Session& session) {
  rs::Domain domain = session.get_domain("bench");
  const rs::Stream live = session.live_stream("live", domain);
  const rs::Stream stream = session.create_stream("explicit", {.domain = domain});
  const rs::RegisteredString message = domain.get_registered_string("explicit mark");
  const rs::Counter counter = domain.get_counter<int64_t>("counter");
  const rs::Schema<Row> schema = domain.get_schema<Row>(rs::EventKind::kMark);
  static const std::string text = "a message of 24 bytes ..";
  std::vector<Question> all;
  all.push_back({"clock_read", clock_read});
  all.push_back({"clock_read_store", clock_read_store});
  all.push_back({"live_mark", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i) RINGSCRIBE_MARK(live, "live mark");
                 }});
  all.push_back({"live_range", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i) {
                     RINGSCRIBE_RANGE(live, "live range");
                   }
                 }});
  all.push_back({"explicit_mark", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i)
                     stream.write_mark(static_cast<int64_t>(i), {.message = message});
                 }});
  all.push_back({"message24", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i)
                     stream.write_mark(static_cast<int64_t>(i), {.message = text});
                 }});
  all.push_back({"counter", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i)
                     stream.write_counter_sample(counter, static_cast<int64_t>(i), i);
                 }});
  all.push_back({"event40", [=](size_t count) {
                   for (size_t i = 0; i < count; ++i)
                     stream.write_event(schema, Row{static_cast<int64_t>(i), 1, 2, 3, 4.0});
                 }});
  all.push_back({"disabled", [off = rs::Stream()](size_t count) {
                   for (size_t i = 0; i < count; ++i) RINGSCRIBE_MARK(off, "disabled mark");
                 }});
  return all;
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const size_t value = std::strtoull(arguments[i + 1], nullptr, 10);
    if (std::strcmp(arguments[i], "--runs") == 0) options.runs = std::max<size_t>(value, 1);
    if (std::strcmp(arguments[i], "--events") == 0) options.events = std::max<size_t>(value, 1);
    if (std::strcmp(arguments[i], "--bursts") == 0) options.bursts = std::max<size_t>(value, 1);
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  auto session = rs::Session::begin("hot path", {.backend = "null"});
  if (!session.ok()) return session.status().print();
  std::vector<Question> all = questions(*session);
  for (const Question& question : all) time_one(options, *session, question);  // warm-up
  for (size_t run = 0; run < options.runs; ++run)
    for (Question& question : all)
      question.nanoseconds.push_back(time_one(options, *session, question));
  std::printf("%-18s %10s %10s   ns a call, %zu runs of %zu x %zu calls\n", "question", "min",
              "median", options.runs, options.bursts, options.events);
  for (Question& question : all) {
    std::sort(question.nanoseconds.begin(), question.nanoseconds.end());
    std::printf("%-18s %10.2f %10.2f\n", question.name, question.nanoseconds.front(),
                question.nanoseconds[question.nanoseconds.size() / 2]);
  }
  const rs::Counts counts = session->stats();
  std::printf("recorded %llu, lost %llu\n", static_cast<unsigned long long>(counts.recorded),
              static_cast<unsigned long long>(counts.lost()));
  return session->end().print();
}
