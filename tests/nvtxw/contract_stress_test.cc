// SPDX-License-Identifier: Apache-2.0
//
// Our recorder as a producer under the eyes of ContractBackend: 8 threads make every kind of call
// of the C++ API at once, in two sessions, with rings and batches so small that they overflow and
// are cut, while streams come and go and definitions are made. Afterwards no rule of NVTXW is
// broken and recorded + lost = written, in each session and at the backend.
#include <ringscribe/ringscribe.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/tests/support/contract_backend.h"

namespace rs = ringscribe;

namespace {

struct Item {
  int64_t start, end;
  rs::FixedString<32> message;
  int64_t items;
  rs::CategoryId category;
};
RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(items),
                  FIELD(category));

struct Span {
  int64_t start, end;
};
RINGSCRIBE_SCHEMA(Span, RANGE_BEGIN(start), RANGE_END(end));

struct EndFirst {
  int64_t end, start;
};
RINGSCRIBE_SCHEMA(EndFirst, RANGE_END(end), RANGE_BEGIN(start));

struct Point {
  int64_t time;
  double values[3];
};
RINGSCRIBE_SCHEMA(Point, MARK(time), FIELD(values));

struct PushWithField {
  int64_t time;
  int32_t depth;
};
RINGSCRIBE_SCHEMA(PushWithField, RANGE_BEGIN(time), FIELD(depth));

struct PopWithField {
  int64_t time;
  uint8_t result;
};
RINGSCRIBE_SCHEMA(PopWithField, RANGE_END(time), FIELD(result));

enum class Side : uint8_t { buy, sell };
RINGSCRIBE_ENUM(Side, buy, sell);

struct Query {
  int64_t start, end;
  rs::Text sql;
  rs::Array<float> rows_ms;
  Side side;
};
RINGSCRIBE_SCHEMA(Query, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(sql), FIELD(rows_ms),
                  FIELD(side));

struct Memory {
  uint32_t used;
  double share;
};
RINGSCRIBE_SCHEMA(Memory, COUNTER(used), COUNTER(share));

constexpr unsigned kThreads = 8;
#ifdef RINGSCRIBE_SANITIZED
constexpr int kRounds = 150;
#else
constexpr int kRounds = 2000;
#endif

// A thread's own random numbers, the same in each run.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint32_t below(uint32_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<uint32_t>((state_ >> 33) % bound);
  }

 private:
  uint64_t state_;
};

// How often the API was called to write, by what arrives for it.
struct Written {
  std::atomic<uint64_t> calls{0};  // all that count as recorded or lost
};

// One session with what its threads share.
struct Recording {
  Recording(const char* name, const rs::testing::ContractBackend& backend)
      : session(*rs::Session::begin(name, {.interface = backend.interface()})),
        domain(session.get_domain("shared")),
        explicit_times(session.create_stream("explicit", {.domain = domain})),
        pairs(session.create_stream("pairs", {.domain = domain})),
        live(session.live_stream("live", domain)),
        whole(domain.get_counter<int64_t>("whole", {.unit = "orders"})),
        real(domain.get_counter<double>("real", {.min = 0.0, .max = 1.0})) {}

  rs::Session session;
  rs::Domain domain;
  rs::Stream explicit_times, pairs, live;
  rs::Counter whole, real;
  Written written;
};

// What one thread does; its times rise and fall, so batches of both orders come about.
class Worker {
 public:
  Worker(Recording* recording, unsigned number)
      : r_(*recording),
        domain_(r_.session.get_domain("shared")),
        own_(r_.session.create_stream("own " + std::to_string(number), {.domain = domain_})),
        number_(number),
        random_(number + 1) {}

  void run() {
    rs::prepare_thread("worker " + std::to_string(number_));
    for (int i = 0; i < kRounds; ++i) {
      time_ += static_cast<int64_t>(random_.below(100)) - 20;
      one_call();
    }
  }

 private:
  void one_call() {
    switch (random_.below(16)) {
      case 0:
        return text_events();
      case 1:
        return pairs();
      case 2:
        return live_events();
      case 3:
        return user_events();
      case 4:
        return event_batches();
      case 5:
        return samples();
      case 6:
        return sample_batches();
      case 7:
        return definitions();
      case 8:
        return another_stream();
      case 9:
        return invalid_calls();
      case 10:
        return ordered_stream();
      case 11:
        return burst();
      case 12:
        return flexible_events();
      case 13:
        return groups();
      case 14:
        return time_conversions();
      default:
        if (random_.below(20) == 0) static_cast<void>(r_.session.flush());
        return text_events();
    }
  }

  void count(uint64_t calls) { r_.written.calls += calls; }

  rs::EventArgs args() {
    rs::EventArgs result;
    switch (random_.below(4)) {
      case 0:
        text_ = "text " + std::string(random_.below(60), 'x') + "\xC3\xBC";
        result.message = text_;
        break;
      case 1:
        result.message =
            domain_.get_registered_string("shared " + std::to_string(random_.below(9)));
        break;
      case 2:
        result.message = std::string_view("no\0 \xFFtext", 9);
        break;
      default:
        break;
    }
    if (random_.below(2) == 0) result.color = rs::color::green;
    if (random_.below(3) == 0) result.category = "category";
    return result;
  }

  void text_events() {
    r_.explicit_times.write_mark(time_, args());
    r_.explicit_times.write_pushpop(time_, time_ + 5, args());
    r_.explicit_times.write_startend(time_ + 1, time_ - 5, args());
    own_.write_mark(time_, args());
    count(4);
  }

  void pairs() {
    r_.pairs.write_push(time_, args());
    r_.pairs.write_push(time_ + 1, args());
    if (random_.below(8) == 0) static_cast<void>(r_.session.flush());  // parts the pair
    r_.pairs.write_pop(time_ + 2);
    if (random_.below(8) != 0) {
      r_.pairs.write_pop(time_ + 3);
      count(1);
    }
    const rs::RangeId id = r_.pairs.write_start(time_, args());
    r_.pairs.write_end(time_ + 9, random_.below(8) == 0 ? rs::RangeId{id.value + 99} : id);
    count(5);
  }

  void live_events() {
    RINGSCRIBE_RANGE(r_.live, "a range of one place", {.color = rs::color::red, .category = "hot"});
    RINGSCRIBE_MARK(r_.live, "a mark of one place");
    RINGSCRIBE_SAMPLE(r_.live, r_.whole, number_);
    // Not ScopedRange, which calls no pop if its push was lost.
    r_.live.push(args());
    r_.live.mark(args());
    r_.live.pop();
    count(6);  // the range, the mark, the sample, push and pop, the mark
  }

  void user_events() {
    const auto items = domain_.get_schema<Item>(rs::EventKind::kRangePushPop);
    const auto points = domain_.get_schema<Point>(rs::EventKind::kMark);
    const auto push = domain_.get_schema<PushWithField>(rs::EventKind::kRangePush);
    const auto pop = domain_.get_schema<PopWithField>(rs::EventKind::kRangePop);
    own_.write_event(items, Item{time_, time_ + 3, "item", 7, {}});
    r_.explicit_times.write_event(points, Point{time_, {0.5, 1.5, 2.5}});
    own_.write_event(push, PushWithField{time_, 1});
    own_.write_push(time_ + 1, args());
    own_.write_pop(time_ + 2);
    own_.write_event(pop, PopWithField{time_ + 3, 2});
    r_.live.write_event(points, Point{rs::now(), {1, 2, 3}});
    r_.live.write_event(push, PushWithField{rs::now(), 1});
    r_.live.write_event(pop, PopWithField{rs::now(), 2});
    count(9);
  }

  void event_batches() {
    const auto spans = domain_.get_schema<Span>(rs::EventKind::kRangeStartEnd);
    std::array<Span, 40> rows;
    const uint32_t rows_count = random_.below(40);
    for (uint32_t i = 0; i < rows_count; ++i)
      rows[i] = {random_.below(99) == 0 ? time_ - 7 : time_ + i, time_ + 1000 - i};
    r_.explicit_times.write_event_batch(spans, std::span(rows.data(), rows_count));
    count(rows_count);
  }

  void flexible_events() {
    const auto queries = domain_.get_schema<Query>(rs::EventKind::kRangeStartEnd);
    const std::string sql = "select " + std::string(random_.below(40), 'c');
    const std::vector<float> rows(random_.below(9), 0.5f);
    own_.write_event(queries, Query{time_, time_ + 2, sql, rows, Side::sell});
    r_.explicit_times.write_event(queries, Query{time_, time_ + 2, "\xFF", {}, Side::buy});
    const auto points = domain_.get_schema<Point>(rs::EventKind::kMark);
    const Point point{time_, {}};
    own_.write_event({rs::Payload(points, &point, sizeof point),
                      rs::Payload(rs::EntryType::kUtf8, sql.data(), sql.size())});
    count(3);
  }

  void groups() {
    const auto memory = domain_.get_counter<Memory>("memory");
    const std::array<Memory, 3> samples = {{{1, 0.1}, {2, 0.2}, {3, 0.3}}};
    const std::array<int64_t, 3> times = {time_, time_ - 1, time_ + 1};
    own_.write_counter_sample(memory, time_, samples[0]);
    own_.write_counter_batch(memory, samples, times);
    own_.write_counter_batch(memory, samples, rs::SampleTimes::from(time_, 5));
    r_.explicit_times.write_counter_sample_no_value(r_.whole, time_,
                                                    rs::CounterNoValueReason::kUnchanged);
    count(8);
  }

  void time_conversions() {
    const rs::TimeDomain clock = domain_.get_time_domain(
        {.scope = domain_.get_scope("clock"), .ticks_per_second = 1'000'000});
    const std::array<rs::SyncPoint, 2> points = {{{1, 2}, {3, 4}}};
    own_.write_sync_point(clock, rs::TimestampType::kCpuTsc, time_, time_);
    own_.write_sync_points(clock, rs::TimestampType::kCpuClockMonotonic, points);
    own_.write_conversion_factor(clock, rs::TimestampType::kCppSteadyClock, 0.5, 1, 2);
    domain_.name_category(77, "category of a number");
    domain_.register_resource(rs::ResourceType::kGenericHandle, number_, "resource");
    count(4);  // each point of a table counts
  }

  // More than a ring holds, now and then.
  void burst() {
    const uint64_t marks = random_.below(10) == 0 ? 1000 : 1;
    for (uint64_t i = 0; i < marks; ++i) own_.write_mark(time_, {.message = "one of many"});
    count(marks);
  }

  void samples() {
    r_.explicit_times.write_counter_sample(r_.whole, time_, number_);
    r_.explicit_times.write_counter_sample(r_.real, time_, 0.25);
    own_.write_counter_sample(r_.real, time_, 1);
    count(3);
  }

  void sample_batches() {
    const std::array<int64_t, 5> values = {1, 2, 3, 4, 5};
    const std::array<double, 5> reals = {1, 2, 3, 4, 5};
    std::array<int64_t, 5> times;
    for (int64_t& time : times) time = time_ += static_cast<int64_t>(random_.below(9)) - 2;
    r_.explicit_times.write_counter_batch(r_.whole, values, times);
    own_.write_counter_batch(r_.real, reals, times);
    count(10);
  }

  // Of names that several threads ask for at the same time, and of new ones.
  void definitions() {
    const std::string name = std::to_string(random_.below(40));
    const rs::Scope scope = domain_.get_scope("scope[" + name + "]/inner");
    const rs::Counter counter =
        domain_.get_counter<int32_t>("counter " + name, {.unit = "u", .scope = scope});
    own_.write_counter_sample(counter, time_, 1);
    own_.write_mark(time_, {.category = domain_.get_category("category " + name)});
    count(2);
  }

  void another_stream() {
    rs::Domain domain = random_.below(2) == 0 ? domain_ : r_.session.get_domain("second");
    const rs::Scope scope = domain.get_scope("stream[" + std::to_string(random_.below(5)) + "]");
    const rs::StreamOptions options{
        .domain = domain, .scope = scope, .time_domain = rs::TimestampType::kCpuClockMonotonic};
    // A name of the thread's own, or one that another may have open.
    const std::string name =
        random_.below(30) == 0 ? "contested" : "passing " + std::to_string(number_);
    rs::Stream stream = r_.session.create_stream(name, options);
    if (!stream.ok()) return;
    stream.write_mark(time_, args_without_string());
    stream.write_pushpop(time_, time_ + 1, args_without_string());
    count(2);
    static_cast<void>(stream.close());
    stream.write_mark(time_);  // counted as lost
    count(1);
  }

  // Registered strings are of the shared domain; a stream of another one refuses them.
  rs::EventArgs args_without_string() { return {.message = text_, .color = rs::color::blue}; }

  void invalid_calls() {
    rs::Domain second = r_.session.get_domain("second");
    const rs::Counter foreign = second.get_counter<int64_t>("foreign");
    own_.write_counter_sample(foreign, time_, 1);
    own_.write_event(second.get_schema<Point>(rs::EventKind::kMark), Point{time_, {}});
    r_.explicit_times.mark(args());  // a live call without a live stream
    own_.write_mark(time_, {.message = std::string(20'000, 'x')});  // larger than the ring
    count(4);
  }

  void ordered_stream() {
    rs::Stream stream = r_.session.create_stream("ordered " + std::to_string(number_),
                                                 {.domain = domain_,
                                                  .ordering = rs::StreamOrdering::kPackedRangeStart,
                                                  .skid = rs::StreamSkid::kNone});
    if (!stream.ok()) return;
    for (int64_t i = 0; i < 5; ++i) {
      stream.write_mark(10 * i, args());
      stream.write_push(10 * i + 1, args());
      stream.write_pop(10 * i + 2);
      stream.write_counter_sample(r_.whole, 10 * i + 3, i);
    }
    count(20);
    static_cast<void>(stream.close());
  }

  Recording& r_;
  rs::Domain domain_;  // a handle of the thread's own
  rs::Stream own_;
  unsigned number_;
  Random random_;
  int64_t time_ = 1000;
  std::string text_ = "text";
};

// Both sessions have streams of these names. A call of "explicit" is one event or sample; of
// "pairs" a push and its pop, or start and end, are one range in a batch, or two events.
void check_arrived(const Recording& first, const Recording& second,
                   const rs::testing::ContractBackend& backend) {
  const auto events = backend.arrived("explicit");
  CHECK(first.explicit_times.stats().recorded + second.explicit_times.stats().recorded ==
        events.events + events.batched_events + events.samples);
  const auto pairs = backend.arrived("pairs");
  CHECK(first.pairs.stats().recorded + second.pairs.stats().recorded ==
        pairs.events + 2 * pairs.batched_events);
}

void check_counts(const Recording& recording) {
  const rs::Counts counts = recording.session.stats();
  CHECK(counts.recorded + counts.lost() == recording.written.calls.load());
  CHECK(counts.lost(rs::LossCause::kRejected) == 0);
}

void record(const rs::runtime::Settings& settings, int yields) {
  rs::testing::ContractBackend backend;
  backend.yields = yields;
  {
    rs::runtime::Runtime runtime(settings, rs::runtime::Runtime::Drive::kThread);
    Recording first("first", backend), second("second", backend);
    std::vector<Worker> workers;
    for (unsigned i = 0; i < kThreads; ++i) workers.emplace_back(i % 2 == 0 ? &first : &second, i);
    std::vector<std::thread> threads;
    for (Worker& worker : workers) threads.emplace_back([&worker] { worker.run(); });
    for (std::thread& thread : threads) thread.join();
    CHECK(first.session.flush().ok());
    CHECK(second.session.flush().ok());
    check_arrived(first, second, backend);
    CHECK(first.session.end().ok());
    CHECK(second.session.end().ok());
    check_counts(first);
    check_counts(second);
  }
  const std::vector<std::string> violations = backend.violations();
  CHECK(std::set<std::string>(violations.begin(), violations.end()) == std::set<std::string>{});
}

TEST_CASE("a producer of 8 threads and two sessions keeps the contract while rings overflow") {
  rs::runtime::Settings settings;
  settings.ring_bytes = rs::runtime::kSmallRingBytes;
  settings.batch_events_max = 16;
  // Nothing wakes the flusher, so rings fill up meanwhile.
  settings.flush_watermark_percent = 0;
  settings.flush_interval_ns = 5'000'000;
  record(settings, 3);
}

TEST_CASE("a producer of 8 threads and two sessions keeps the contract while threads block") {
  rs::runtime::Settings settings;
  settings.ring_bytes = rs::runtime::kSmallRingBytes;
  settings.overflow = rs::runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  settings.batch_events_max = 1000;
  record(settings, 0);
}

// The first timestamp of a range is its begin (nvtxEventBatch_t), wherever it stands in the row.
TEST_CASE("a batch whose rows have the end first is flagged by the begins") {
  rs::testing::ContractBackend backend;
  rs::runtime::Runtime runtime({}, rs::runtime::Runtime::Drive::kByHand);
  Recording recording("end first", backend);
  const auto schema = recording.domain.get_schema<EndFirst>(rs::EventKind::kRangeStartEnd);
  const std::array<EndFirst, 3> rows = {{{9, 1}, {8, 2}, {7, 3}}};
  recording.explicit_times.write_event_batch(schema, rows);
  CHECK(recording.session.flush().ok());
  CHECK(backend.violations() == std::vector<std::string>{});
  CHECK(backend.arrived("explicit").batched_events == 3);
}

}  // namespace
