// SPDX-License-Identifier: Apache-2.0
//
// Makes COUNT calls of one kind and leaves at once: instructions_test.py counts what that takes.
//
//   count_events live_mark|live_range|explicit_mark|counter|event40|mixed COUNT record|flush
//
// mixed: no event is like the one before it.
// record: the calls alone. flush: the calls, and one step that carries them to the null backend.
// Nothing happens on another thread, nothing is torn down: two runs with different counts differ
// by nothing but the events.
#include <ringscribe/ringscribe.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "ringscribe/runtime/runtime.h"

namespace rs = ringscribe;

namespace {

struct Row {
  int64_t time;
  int64_t a, b, c;
  double d;
};
RINGSCRIBE_SCHEMA(Row, MARK(time), FIELD(a), FIELD(b), FIELD(c), FIELD(d));

bool record(rs::Session& session, std::string_view what, size_t count) {
  rs::Domain domain = session.get_domain();
  const rs::Stream live = session.live_stream("live");
  const rs::Stream stream = session.create_stream("explicit");
  const rs::RegisteredString message = domain.get_registered_string("explicit mark");
  const rs::Counter counter = domain.get_counter<int64_t>("counter");
  const rs::Schema<Row> schema = domain.get_schema<Row>(rs::EventKind::kMark);
  if (what == "live_mark") {
    for (size_t i = 0; i < count; ++i) RINGSCRIBE_MARK(live, "live mark");
  } else if (what == "live_range") {
    for (size_t i = 0; i < count; ++i) {
      RINGSCRIBE_RANGE(live, "live range");
    }
  } else if (what == "explicit_mark") {
    for (size_t i = 0; i < count; ++i)
      stream.write_mark(static_cast<int64_t>(i), {.message = message});
  } else if (what == "counter") {
    for (size_t i = 0; i < count; ++i)
      stream.write_counter_sample(counter, static_cast<int64_t>(i), i);
  } else if (what == "event40") {
    for (size_t i = 0; i < count; ++i)
      stream.write_event(schema, Row{static_cast<int64_t>(i), 1, 2, 3, 4.0});
  } else if (what == "mixed") {
    for (size_t i = 0; i < count / 5; ++i) {
      const auto time = static_cast<int64_t>(i);
      RINGSCRIBE_RANGE(live, "outer");
      RINGSCRIBE_MARK(live, "one");
      RINGSCRIBE_MARK(live, "two");
      stream.write_counter_sample(counter, time, i);
      stream.write_event(schema, Row{time, 1, 2, 3, 4.0});
    }
  } else {
    return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  rs::runtime::Settings settings;
  settings.ring_bytes = 4 << 20;                    // holds all events of a run
  settings.clock = rs::runtime::ClockChoice::kTsc;  // the same instructions on every machine
  rs::runtime::Runtime runtime(settings, rs::runtime::Runtime::Drive::kByHand);
  auto session = rs::Session::begin("instructions", {.backend = "null"});
  if (!session.ok()) return session.status().print();
  if (!record(*session, arguments[1], std::strtoull(arguments[2], nullptr, 10))) return 2;
  const uint64_t lost = session->stats().lost();
  if (lost != 0) {
    std::fprintf(stderr, "count_events: %llu events were lost, and then count for too little\n",
                 static_cast<unsigned long long>(lost));
    return 1;
  }
  if (std::strcmp(arguments[3], "flush") == 0 && session->flush().print() != 0) return 1;
  _exit(0);
}
