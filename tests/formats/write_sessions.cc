// SPDX-License-Identifier: Apache-2.0
//
// write_sessions KIND JOURNAL [...]: sessions that no document describes, as journals.
//
//   texts JOURNAL           messages, categories and names of bytes that are no UTF-8
//   losses JOURNAL          two streams that record 5,000 marks each into a ring that is too small
//   wide JOURNAL COUNT      COUNT scopes, with a range and two marks each, and COUNT counters
//   two JOURNAL JOURNAL     two sessions of one name at once
//   long JOURNAL COUNT      COUNT events in order of time, 1 ms apart: marks, ranges and samples
//
// Exit code 1, with a sentence, if anything is refused, or lost where nothing should be.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/ringscribe.h"
#include "ringscribe/runtime/runtime.h"

namespace {

namespace rs = ringscribe;

void require(bool is_so, const std::string& sentence) {
  if (is_so) return;
  std::fprintf(stderr, "write_sessions: %s\n", sentence.c_str());
  std::exit(1);
}

void require(const rs::Status& status) { require(status.ok(), status.to_string()); }

// Waits for room, however slow the machine is.
rs::runtime::Settings patient() {
  rs::runtime::Settings settings;
  settings.overflow = rs::runtime::Overflow::kBlock;
  settings.block_timeout_ns = 0;
  return settings;
}

rs::Session begin(std::string_view name, const std::string& journal) {
  rs::Result<rs::Session> session =
      rs::Session::begin(name, {.backend = "journal", .output = journal});
  require(session.status());
  return std::move(*session);
}

void end(rs::Session& session) {
  require(session.end());
  require(session.stats().lost() == 0, "events were lost");
}

rs::Stream open(rs::Session& session, std::string_view name, const rs::Domain& domain = {}) {
  rs::Stream stream = session.create_stream(
      name, {.domain = domain, .time_domain = rs::TimestampType::kCpuClockMonotonic});
  require(stream.status());
  return stream;
}

void write_texts(const std::string& journal) {
  const rs::runtime::Runtime runtime(patient(), rs::runtime::Runtime::Drive::kThread);
  rs::Session session = begin("\xFF texts", journal);
  const std::vector<std::string> texts = {
      "\xFF\xFE",
      std::string("a\0b", 3),
      "cut \xE2\x82",
      "\xED\xA0\x80 surrogate",
      "\xC0\xAF long form",
      std::string(65537, '"'),
      std::string(65535, 'x') + "\xC3\xA9",
      std::string(256, 'y'),
      std::string(257, 'z'),
  };
  int64_t time = 0;
  for (const std::string& text : texts) {
    rs::Domain domain = session.get_domain(text.substr(0, 300));
    rs::Stream stream = open(session, text.substr(0, 300), domain);
    const std::string_view category = std::string_view(text).substr(0, 300);
    stream.write_mark(++time, {.message = text, .category = category});
    stream.write_mark(time, {.message = domain.get_registered_string(text)});
    stream.write_pushpop(time, time + 1, {.message = text, .category = category});
    stream.write_startend(time, time + 1, {.message = text, .category = category});
    const rs::Counter counter =
        domain.get_counter<int64_t>(text.substr(0, 300), {.description = text, .unit = category});
    stream.write_counter_sample(counter, time, int64_t{5});
  }
  end(session);
}

void write_losses(const std::string& journal) {
  rs::runtime::Settings settings;
  settings.ring_bytes = 16 * 1024;
  settings.log_level = rs::runtime::LogLevel::kOff;
  // Nobody reads the ring before the flush.
  const rs::runtime::Runtime runtime(settings, rs::runtime::Runtime::Drive::kByHand);
  rs::Session session = begin("losses", journal);
  for (const char* name : {"small", "other"}) {
    rs::Stream stream = open(session, name);
    for (int64_t i = 0; i < 5000; ++i) stream.write_mark(i, {.message = "many"});
    require(session.flush());
    require(stream.stats().lost() > 0, "the ring was not too small");
  }
  require(session.end());
}

struct Item {
  int64_t start, end;
  rs::ScopeId scope;
  int64_t items;
};
struct Moment {
  int64_t time;
  rs::ScopeId scope;
};
RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), FIELD(scope), FIELD(items));
RINGSCRIBE_SCHEMA(Moment, MARK(time), FIELD(scope));

void write_wide(const std::string& journal, int64_t count) {
  const rs::runtime::Runtime runtime(patient(), rs::runtime::Runtime::Drive::kThread);
  rs::Session session = begin("wide", journal);
  rs::Domain domain = session.get_domain("wide");
  rs::Stream stream = open(session, "wide", domain);
  const auto range = domain.get_schema<Item>(rs::EventKind::kRangePushPop);
  const auto mark = domain.get_schema<Moment>(rs::EventKind::kMark);
  for (int64_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    const rs::Scope scope =
        domain.get_scope("rack[" + std::to_string(i / 100) + "]/node[" + number + "]");
    stream.write_event(range, Item{i, i + 10, {scope.id()}, i});
    stream.write_event(mark, Moment{i, {scope.id()}});
    stream.write_event(mark, Moment{i + 10, {scope.id()}});
    const rs::Counter counter = domain.get_counter<int64_t>("counter " + number, {.scope = scope});
    stream.write_counter_sample(counter, i, i);
  }
  end(session);
}

void write_two(const std::string& first, const std::string& second) {
  const rs::runtime::Runtime runtime(patient(), rs::runtime::Runtime::Drive::kThread);
  rs::Session one = begin("the same", first);
  rs::Session two = begin("the same", second);
  rs::Stream of_one = open(one, "stream");
  rs::Stream of_two = open(two, "stream");
  for (int64_t i = 0; i < 1000; ++i) {
    of_one.write_mark(i, {.message = "of 1"});
    of_two.write_pushpop(i, i + 1, {.message = "of 2"});
  }
  end(one);
  end(two);
}

void write_long(const std::string& journal, int64_t count) {
  const rs::runtime::Runtime runtime(patient(), rs::runtime::Runtime::Drive::kThread);
  rs::Session session = begin("long", journal);
  rs::Domain domain = session.get_domain("long");
  std::vector<rs::Stream> streams;
  for (const char* name : {"a", "b", "c"}) streams.push_back(open(session, name, domain));
  const auto schema = domain.get_schema<Item>(rs::EventKind::kRangePushPop);
  const rs::Counter depth = domain.get_counter<int64_t>("depth");
  for (int64_t i = 0; i < count; ++i) {
    const rs::Stream& stream = streams[static_cast<size_t>(i / 1000 % 3)];
    // Later than what our own stream says of today, however long the machine is up.
    const int64_t time = 100'000'000'000'000'000 + i * 1'000'000;
    const rs::EventArgs args = {.message = i % 7 == 0 ? "seventh" : "event", .category = 5};
    switch (i % 5) {
      case 0:
        stream.write_pushpop(time, time + 700'000, args);
        break;
      case 1:
        stream.write_event(schema, Item{time, time + 600'000, {}, i});
        break;
      case 2:
        stream.write_startend(time - 2'000'000, time, args);
        break;
      case 3:
        stream.write_counter_sample(depth, time, i);
        break;
      default:
        stream.write_mark(time, args);
    }
  }
  end(session);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view kind = count > 2 ? arguments[1] : "";
  if (kind == "texts" && count == 3) {
    write_texts(arguments[2]);
  } else if (kind == "losses" && count == 3) {
    write_losses(arguments[2]);
  } else if (kind == "wide" && count == 4) {
    write_wide(arguments[2], std::atoll(arguments[3]));
  } else if (kind == "two" && count == 4) {
    write_two(arguments[2], arguments[3]);
  } else if (kind == "long" && count == 4) {
    write_long(arguments[2], std::atoll(arguments[3]));
  } else {
    std::fprintf(stderr, "usage: write_sessions texts|losses|wide|two|long JOURNAL [...]\n");
    return 1;
  }
  return 0;
}
