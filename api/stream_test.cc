// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/stream.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "ringscribe/runtime/runtime.h"
#include "ringscribe/session.h"
#include "ringscribe/tests/support/recording_backend.h"

namespace ringscribe {
namespace {

using testing::RecordedEvent;
using testing::RecordingBackend;

struct Item {
  int64_t start, end;
  FixedString<32> message;
  int64_t items, input_bytes;
};
RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(items),
                  FIELD(input_bytes));

struct PushWithField {
  int64_t time;
  int32_t depth;
};
RINGSCRIBE_SCHEMA(PushWithField, RANGE_BEGIN(time), FIELD(depth));

// A runtime that is driven by hand: nothing happens but in flush().
struct Fixture {
  explicit Fixture(runtime::Settings settings = {})
      : runtime(settings, runtime::Runtime::Drive::kByHand),
        session(*Session::begin("test", {.interface = backend.interface()})) {}
  RecordingBackend backend;
  runtime::Runtime runtime;
  Session session;
};

TEST_CASE("the seed's example: a mark, a range, counter samples and a user's event, as written") {
  Fixture f;
  Domain domain = f.session.get_domain("My Domain");
  Stream stream = f.session.create_stream("My Stream", {.domain = domain});
  CHECK(stream.write_mark(100, {.message = "My Mark"}));
  CHECK(stream.write_pushpop(200, 500, {.message = "My Message", .color = color::green}));
  Counter counter = domain.get_counter<int64_t>("My Counter");
  CHECK(stream.write_counter_sample(counter, 600, 12));
  const int64_t values[] = {10, 8, 4}, times[] = {700, 800, 900};
  CHECK(stream.write_counter_batch(counter, values, times) == 3);
  auto schema = domain.get_schema<Item>(EventKind::kRangeStartEnd);
  CHECK(stream.write_event(schema, Item{1000, 1500, "process items", 64, 16384}));
  REQUIRE(f.session.flush().ok());

  const auto& events = f.backend.events("My Stream");
  REQUIRE(events.size() == 3);
  CHECK(events[0].schema == "mark");
  CHECK(events[0].message() == "My Mark");
  CHECK(events[0].number("time") == 100);
  CHECK(events[1].schema == "range");
  CHECK(events[1].message() == "My Message");
  CHECK(events[1].number("begin") == 200);
  CHECK(events[1].number("end") == 500);
  CHECK(events[1].number("color") == 0x008000);
  CHECK(events[2].schema == "Item");
  CHECK(events[2].message() == "process items");
  CHECK(events[2].number("start") == 1000);
  CHECK(events[2].number("end") == 1500);
  CHECK(events[2].number("items") == 64);
  CHECK(events[2].number("input_bytes") == 16384);
  const auto& samples = f.backend.samples("My Stream");
  REQUIRE(samples.size() == 4);
  CHECK(samples[0].time == 600);
  CHECK(samples[0].bits == 12);
  CHECK(samples[3].time == 900);
  CHECK(samples[3].bits == 4);
  CHECK(f.session.stats().recorded == 7);
  CHECK(f.session.stats().lost() == 0);
  CHECK(f.backend.violations().empty());
}

TEST_CASE("messages may be registered, made at run time, empty, or null") {
  Fixture f;
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  const RegisteredString registered = domain.get_registered_string("registered");
  const char* null = nullptr;
  stream.write_mark(1, {.message = registered});
  stream.write_mark(2, {.message = std::string("made ") + "here"});
  stream.write_mark(3, {.message = ""});
  stream.write_mark(4, {.message = null});
  stream.write_mark(5);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 5);
  std::vector<std::string> by_time(6);
  for (const RecordedEvent& event : events)
    by_time[static_cast<size_t>(event.number("time"))] = event.message();
  CHECK(by_time == std::vector<std::string>{"", "registered", "made here", "", "", ""});
  CHECK(domain.get_registered_string("registered").ok());
  CHECK(domain.get_registered_string("").ok());  // as nvtx.writer has it
}

TEST_CASE("bytes that are no UTF-8, and zeros, come out as U+FFFD; the rest of the text stays") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  stream.write_mark(1, {.message = std::string_view("a\xFF\xFE"
                                                    "b\0c",
                                                    6)});
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.events("s").at(0).message() ==
        "a\xEF\xBF\xBD\xEF\xBF\xBD"
        "b\xEF\xBF\xBD"
        "c");
}

TEST_CASE("a push and its pop in one step become one complete range") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  stream.write_push(10, {.message = "outer"});
  stream.write_push(20, {.message = "inner"});
  stream.write_pop(30);
  stream.write_pop(40);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 2);
  CHECK(events[0].message() == "inner");
  CHECK(events[0].number("begin") == 20);
  CHECK(events[0].number("end") == 30);
  CHECK(events[1].message() == "outer");
  CHECK(events[1].number("end") == 40);
  CHECK(f.session.stats().recorded == 4);  // calls, not rows
}

TEST_CASE("what stays unpaired in a step is written as push and pop, in order, after the batches") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  stream.write_pop(5);
  stream.write_push(10, {.message = "a"});
  stream.write_mark(15, {.message = "m"});
  stream.write_push(20, {.message = std::string("b")});
  REQUIRE(f.session.flush().ok());
  stream.write_pop(30);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 5);
  CHECK(events[0].message() == "m");
  CHECK(events[0].is_batched);
  CHECK(events[1].schema == "pop");
  CHECK(events[2].schema == "push");
  CHECK(events[2].message() == "a");
  CHECK(events[3].message() == "b");
  CHECK(events[4].schema == "pop");
  CHECK(events[4].number("end") == 30);
}

TEST_CASE("a start is paired with the end of its id, whatever lies between") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  const RangeId a = stream.write_start(10, {.message = "a"});
  const RangeId b = stream.write_start(20, {.message = "b"});
  CHECK(a.value != 0);
  CHECK(a.value != b.value);
  stream.write_end(30, a);
  stream.write_end(99, RangeId{12345});
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 3);
  CHECK(events[0].schema == "start-end range");
  CHECK(events[0].message() == "a");
  CHECK(events[0].number("end") == 30);
  CHECK(events[1].schema == "start");
  CHECK(events[1].number("range_id") == static_cast<int64_t>(b.value));
  CHECK(events[2].schema == "end");
  CHECK(events[2].number("range_id") == 12345);
}

TEST_CASE("a range that ends before it begins is passed on untouched") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  CHECK(stream.write_pushpop(200, 100, {.message = "backwards"}));
  REQUIRE(f.session.flush().ok());
  CHECK(f.backend.events("s").at(0).number("begin") == 200);
  CHECK(f.backend.events("s").at(0).number("end") == 100);
}

TEST_CASE("a batch says whether its rows are sorted by their first timestamp") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  for (const int64_t time : {1, 2, 2}) stream.write_mark(time);
  REQUIRE(f.session.flush().ok());
  for (const int64_t time : {5, 4}) stream.write_mark(time);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 5);
  CHECK(events[0].batch_flags == NVTX_BATCH_FLAG_TIME_SORTED);
  CHECK(events[3].batch_flags == NVTX_BATCH_FLAG_UNSORTED);
}

TEST_CASE("a stream with an ordering guarantee keeps the order of the calls and pairs nothing") {
  Fixture f;
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream(
      "s", {.domain = domain, .ordering = StreamOrdering::kPackedRangeStart});
  auto schema = domain.get_schema<Item>(EventKind::kRangeStartEnd);
  stream.write_mark(1, {.message = "first"});
  stream.write_event(schema, Item{2, 3, "second", 0, 0});
  stream.write_mark(4, {.message = "third"});
  stream.write_push(5, {.message = "fourth"});
  stream.write_pop(6);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 5);
  CHECK(events[0].message() == "first");
  CHECK(events[1].message() == "second");
  CHECK(events[2].message() == "third");
  CHECK(events[3].message() == "fourth");
  CHECK(events[4].schema == "pop");
}

TEST_CASE("an ordered stream that goes from thread to thread keeps its order") {
  Fixture f;
  Stream stream = f.session.create_stream("s", {.ordering = StreamOrdering::kStrict});
  for (int64_t i = 0; i < 6; ++i) {
    if (i % 2 == 0) {
      std::thread([&] { stream.write_mark(i); }).join();
    } else {
      stream.write_mark(i);
    }
  }
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 6);
  for (size_t i = 0; i < 6; ++i) CHECK(events[i].number("time") == static_cast<int64_t>(i));
}

TEST_CASE("rows of a batch come out one by one, also when they fill several records") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  Fixture f(settings);
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  auto schema = domain.get_schema<Item>(EventKind::kRangeStartEnd);
  std::vector<Item> rows;
  for (int64_t i = 0; i < 150; ++i) rows.push_back(Item{i, i + 1, "row", i * 2, 0});
  CHECK(stream.write_event_batch(schema, rows) == 150);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 150);
  for (size_t i = 0; i < 150; ++i) CHECK(events[i].number("items") == static_cast<int64_t>(i) * 2);
}

TEST_CASE("pushes and pops around one of a user's schema are left to the backend to pair") {
  // The user's row may have a scope of its own: only the backend knows whose pop the next one is.
  Fixture f;
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  auto push = domain.get_schema<PushWithField>(EventKind::kRangePush);
  stream.write_push(1, {.message = "outer"});
  stream.write_event(push, PushWithField{2, 7});
  stream.write_pop(3);
  stream.write_pop(4);
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 4);
  CHECK(events[0].message() == "outer");
  CHECK(events[0].schema == "push");
  CHECK(events[1].schema == "PushWithField");
  CHECK(events[1].number("depth") == 7);
  CHECK(events[2].number("end") == 3);
  CHECK(events[3].number("end") == 4);
}

TEST_CASE("categories have a number by name, the same each time") {
  Fixture f;
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  const Category hot = domain.get_category("hot");
  stream.write_mark(1, {.category = hot});
  stream.write_mark(2, {.category = "hot"});
  stream.write_mark(3, {.category = 42});
  REQUIRE(f.session.flush().ok());
  const auto& events = f.backend.events("s");
  REQUIRE(events.size() == 3);
  CHECK(events[0].number("category") == hot.id);
  CHECK(events[1].number("category") == hot.id);
  CHECK(events[2].number("category") == 42);
}

// --- Bad input: each is refused or passed on in a defined way, and nothing else is lost.

TEST_CASE(
    "a second open stream of one name is an error that names it; a closed name may be reused") {
  Fixture f;
  Stream first = f.session.create_stream("twin");
  Stream second = f.session.create_stream("twin");
  CHECK(first.ok());
  CHECK_FALSE(second.ok());
  CHECK(second.status().code() == ResultCode::kInvalidArgument);
  CHECK(second.status().message().find("\"twin\"") != std::string::npos);
  CHECK_FALSE(second.write_mark(1));
  REQUIRE(first.close().ok());
  CHECK(f.session.create_stream("twin").ok());
}

TEST_CASE("a domain of another session is refused when a stream is opened") {
  Fixture f;
  Session other = *Session::begin("other", {.interface = f.backend.interface()});
  Stream stream = f.session.create_stream("s", {.domain = other.get_domain("d")});
  CHECK_FALSE(stream.ok());
  CHECK(stream.status().message().find("another session") != std::string::npos);
}

TEST_CASE("what was defined in another domain is refused and counted, call by call") {
  Fixture f;
  Domain mine = f.session.get_domain("mine"), other = f.session.get_domain("other");
  Stream stream = f.session.create_stream("s", {.domain = mine});
  auto schema = other.get_schema<Item>(EventKind::kRangeStartEnd);
  CHECK_FALSE(stream.write_event(schema, Item{}));
  CHECK_FALSE(stream.write_counter_sample(other.get_counter<double>("c"), 1, 2.0));
  CHECK_FALSE(stream.write_mark(1, {.message = other.get_registered_string("text")}));
  CHECK_FALSE(stream.write_counter_sample(Counter(), 1, 2));
  CHECK(stream.write_mark(2));
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().recorded == 1);
  CHECK(stream.stats().lost(LossCause::kInvalid) == 4);
  CHECK(stream.stats().lost() == 4);
}

TEST_CASE("a row of the wrong size is refused and counted") {
  Fixture f;
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  auto schema = domain.get_schema<Item>(EventKind::kRangeStartEnd);
  const Item rows[2] = {};
  CHECK_FALSE(stream.write_event(schema, rows, sizeof(Item) - 1));
  CHECK_FALSE(stream.write_event(schema, rows, sizeof(Item) + 8));
  CHECK(stream.write_event_batch(schema, rows, sizeof(Item) + 1) == 0);
  CHECK(stream.write_event(static_cast<const AnySchema&>(schema), rows, sizeof(Item)));
  CHECK(stream.stats().lost(LossCause::kInvalid) == 3);
}

TEST_CASE("a counter keeps its type: the same name with another type is an error") {
  Fixture f;
  Domain domain = f.session.get_domain("d");
  CHECK(domain.get_counter<int64_t>("c").ok());
  CHECK(domain.get_counter<int64_t>("c").ok());
  CHECK_FALSE(domain.get_counter<uint32_t>("c").ok());
  CHECK_FALSE(domain.get_counter<double>("c").ok());
  CHECK(domain.status().message().find("\"c\"") != std::string::npos);
}

TEST_CASE("writing to a closed stream, and after the session's end, is counted and harmless") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  Stream copy = stream;
  CHECK(stream.write_mark(1));
  REQUIRE(stream.close().ok());
  REQUIRE(stream.close().ok());
  CHECK_FALSE(copy.write_mark(2));
  CHECK(f.backend.events("s").size() == 1);
  CHECK(copy.stats().recorded == 1);
  CHECK(copy.stats().lost(LossCause::kStreamClosed) == 1);
  CHECK(f.session.stats().lost(LossCause::kStreamClosed) == 1);
  Stream open = f.session.create_stream("t");
  REQUIRE(f.session.end().ok());
  CHECK_FALSE(open.write_mark(3));
  CHECK_FALSE(f.session.is_recording());
  CHECK(f.session.get_domain("late").status().code() == ResultCode::kInvalidArgument);
  CHECK_FALSE(f.session.create_stream("late").ok());
}

TEST_CASE("a live call on a stream with explicit times is refused and counted") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  CHECK_FALSE(stream.mark({.message = "now"}));
  CHECK(stream.stats().lost(LossCause::kInvalid) == 1);
}

TEST_CASE("a message larger than a record may be is counted as too large; others are kept") {
  runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  Fixture f(settings);
  Stream stream = f.session.create_stream("s");
  CHECK_FALSE(stream.write_mark(1, {.message = std::string(4096, 'x')}));
  CHECK(stream.write_mark(2, {.message = std::string(4096 - 32, 'y')}));
  CHECK(stream.write_mark(3));
  REQUIRE(f.session.flush().ok());
  CHECK(stream.stats().lost(LossCause::kTooLarge) == 1);
  CHECK(stream.stats().recorded == 2);
}

TEST_CASE("what the backend refuses is counted, told by flush() once, and recording goes on") {
  Fixture f;
  Stream stream = f.session.create_stream("s");
  f.backend.fail_every_nth = 1;
  stream.write_mark(1);
  stream.write_mark(2);
  const Status status = f.session.flush();
  CHECK(status.code() == ResultCode::kFailed);
  CHECK(status.message().find("EventBatchWrite") != std::string::npos);
  CHECK(status.message().find("0 events recorded, 2 lost") != std::string::npos);
  f.backend.fail_every_nth = 0;
  stream.write_mark(3);
  CHECK(f.session.flush().ok());
  CHECK(stream.stats().recorded == 1);
  CHECK(stream.stats().lost(LossCause::kRejected) == 2);
}

TEST_CASE("a backend that refuses the session or a stream is an error with its code") {
  RecordingBackend backend;
  runtime::Runtime runtime(runtime::Settings(), runtime::Runtime::Drive::kByHand);
  backend.open_result = NVTXW_RESULT_NOT_SUPPORTED;
  auto session = Session::begin("x", {.interface = backend.interface()});
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().code() == ResultCode::kNotSupported);
  CHECK(session.status().message().find("\"x\"") != std::string::npos);
}

TEST_CASE("a value that would split the configuration is refused by name") {
  RecordingBackend backend;
  runtime::Runtime runtime(runtime::Settings(), runtime::Runtime::Drive::kByHand);
  auto session = Session::begin("x", {.output = "a|b", .interface = backend.interface()});
  REQUIRE_FALSE(session.ok());
  CHECK(session.status().message().find("output \"a|b\"") != std::string::npos);
}

TEST_CASE("switched off, everything works and nothing is called") {
  runtime::Settings settings;
  settings.enabled = false;
  Fixture f(settings);
  Domain domain = f.session.get_domain("d");
  Stream stream = f.session.create_stream("s", {.domain = domain});
  CHECK(stream.ok());
  CHECK(domain.ok());
  CHECK_FALSE(stream.write_mark(1, {.message = "x", .category = "c"}));
  CHECK_FALSE(stream.write_counter_sample(domain.get_counter<int>("c"), 1, 1));
  CHECK_FALSE(f.session.is_recording());
  CHECK(f.session.flush().ok());
  CHECK(f.session.end().ok());
  CHECK(f.backend.calls().empty());
  CHECK(f.session.stats().lost() == 0);
}

}  // namespace
}  // namespace ringscribe
