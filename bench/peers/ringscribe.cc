// SPDX-License-Identifier: Apache-2.0
//
// Ringscribe under the harness. Calls go to the null backend; sustained recordings to a journal
// (perfetto_…: to a trace), which is read back: its events are counted and the reading is timed.
#include <ringscribe/ringscribe.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/null/null_session.h"
#include "ringscribe/bench/harness.h"
#include "ringscribe/runtime/clock.h"

namespace rs = ringscribe;

namespace {

struct Row {
  int64_t time;
  int64_t a, b, c;
  double d;
};
RINGSCRIBE_SCHEMA(Row, MARK(time), FIELD(a), FIELD(b), FIELD(c), FIELD(d));

rs::Session begin(const rs::SessionOptions& options) {
  auto session = rs::Session::begin("bench", options);
  if (!session.ok()) std::exit(session.status().print());
  return std::move(*session);
}

// The floor of a live event: the clock, and a store of 16 bytes.
void clock_read_store(size_t i) {
  static uint64_t buffer[(size_t{1} << 20) / 8];
  uint64_t* at = buffer + (2 * i & (std::size(buffer) - 1));
  at[0] = i;
  at[1] = static_cast<uint64_t>(rs::runtime::now_ticks());
  bench::keep(at);
}

// The rows of marks and of ranges as NVTXW's batches have them: time or times, colour, category,
// message (runtime/text_rows.h).
constexpr uint64_t kMarkRowBytes = 24, kRangeRowBytes = 32;

// Reads a journal back. What is not in it was lost, whatever the recorder says; more than was
// written shows as a huge loss, too.
void decode(const std::string& path, uint64_t row_bytes, uint64_t written,
            bench::Outcome& outcome) {
  const uint64_t before = bench::now_ns();
  rs::null::NullSession counter("bench");
  auto summary = rs::journal::replay(path, counter);
  if (!summary.ok()) std::exit(summary.status().print());
  outcome.decode_ns = bench::now_ns() - before;
  // The stream of our own holds single events, which are not among these.
  outcome.lost = written - counter.counts().event_batch_bytes / row_bytes;
}

// Times that rise by 10 to 73: even steps would be coded to nothing. The clock's own are uneven.
void write_irregular_marks(const rs::Stream& stream, rs::RegisteredString message, size_t count) {
  uint64_t state = 1;
  int64_t time = 0;
  for (size_t i = 0; i < count; ++i) {
    state = state * 6'364'136'223'846'793'005 + 1;
    time += 10 + static_cast<int64_t>(state >> 58);
    stream.write_mark(time, {.message = message});
  }
}

class Ringscribe final : public bench::System {
 public:
  std::vector<bench::Call> calls() override;
  void drain() override { (void)session_.flush().print(); }
  uint64_t lost() override { return session_.stats().lost(); }
  bool prepare_thread() override {
    rs::prepare_thread();
    return true;
  }
  std::optional<bench::Recording> sustain(std::string_view question,
                                          const std::string& folder) override;

 private:
  rs::Session session_;
};

std::vector<bench::Call> Ringscribe::calls() {
  session_ = begin({.backend = "null"});
  rs::Domain domain = session_.get_domain("bench");
  const rs::Stream live = session_.live_stream("live", domain);
  const rs::Stream stream = session_.create_stream("explicit", {.domain = domain});
  const rs::RegisteredString message = domain.get_registered_string("explicit mark");
  const rs::Counter counter = domain.get_counter<int64_t>("counter");
  const rs::Schema<Row> schema = domain.get_schema<Row>(rs::EventKind::kMark);
  static const std::string text = "a message of 24 bytes ..";
  std::vector<bench::Call> all;
  all.push_back(
      bench::ask("clock_read", [](size_t) BENCH_INLINE { bench::keep(rs::runtime::now_ticks()); }));
  all.push_back(bench::ask("clock_read_store", clock_read_store));
  all.push_back(
      bench::ask("live_mark", [=](size_t) BENCH_INLINE { RINGSCRIBE_MARK(live, "live mark"); }));
  all.push_back(
      bench::ask("live_range", [=](size_t) BENCH_INLINE { RINGSCRIBE_RANGE(live, "live range"); }));
  all.push_back(bench::ask("live_counter",
                           [=](size_t i) BENCH_INLINE { RINGSCRIBE_SAMPLE(live, counter, i); }));
  all.push_back(
      bench::ask("live_message24", [=](size_t) BENCH_INLINE { live.mark({.message = text}); }));
  all.push_back(bench::ask("explicit_mark", [=](size_t i) BENCH_INLINE {
    stream.write_mark(static_cast<int64_t>(i), {.message = message});
  }));
  all.push_back(bench::ask("explicit_range", [=](size_t i) BENCH_INLINE {
    stream.write_pushpop(static_cast<int64_t>(i), static_cast<int64_t>(i) + 1,
                         {.message = message});
  }));
  all.push_back(bench::ask("message24", [=](size_t i) BENCH_INLINE {
    stream.write_mark(static_cast<int64_t>(i), {.message = text});
  }));
  all.push_back(bench::ask("counter", [=](size_t i) BENCH_INLINE {
    stream.write_counter_sample(counter, static_cast<int64_t>(i), i);
  }));
  all.push_back(bench::ask("event40", [=](size_t i) BENCH_INLINE {
    stream.write_event(schema, Row{static_cast<int64_t>(i), 1, 2, 3, 4.0});
  }));
  all.push_back(bench::ask("disabled", [off = rs::Stream()](size_t) BENCH_INLINE {
    RINGSCRIBE_MARK(off, "disabled mark");
  }));
  return all;
}

std::optional<bench::Recording> Ringscribe::sustain(std::string_view question,
                                                    const std::string& folder) {
  const bool is_perfetto = question.starts_with("sustained_perfetto");
  const std::string path = folder + (is_perfetto ? "/bench.pftrace" : "/bench.rsj");
  session_ = begin({.backend = is_perfetto ? "perfetto" : "journal", .output = path});
  const bool is_range = question.find("range") != question.npos;
  const bool is_explicit = question.find("explicit") != question.npos;
  rs::Domain domain = session_.get_domain("bench");
  const rs::Stream live = session_.live_stream("live", domain);
  const rs::Stream stream = session_.create_stream("explicit", {.domain = domain});
  const rs::RegisteredString message = domain.get_registered_string("explicit mark");
  auto written = std::make_shared<std::atomic<uint64_t>>(0);
  auto produce = [=](size_t, size_t count) {
    *written += count;
    if (is_explicit)
      write_irregular_marks(stream, message, count);
    else if (is_range)
      for (size_t i = 0; i < count; ++i) {
        RINGSCRIBE_RANGE(live, "live range");
      }
    else
      for (size_t i = 0; i < count; ++i) RINGSCRIBE_MARK(live, "live mark");
  };
  auto finish = [=, this] {
    bench::Outcome outcome;
    (void)session_.end().print();
    outcome.end_ns = bench::now_ns();
    outcome.lost = session_.stats().lost();
    outcome.bytes = std::filesystem::file_size(path);
    if (!is_perfetto) {
      decode(path, is_range ? kRangeRowBytes : kMarkRowBytes, *written, outcome);
    }
    return outcome;
  };
  return bench::Recording{produce, finish};
}

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<Ringscribe>(); });
}
