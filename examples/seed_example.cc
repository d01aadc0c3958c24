// SPDX-License-Identifier: Apache-2.0
//
// seed_example: pre-collected data, as in the guide of Python's nvtx.writer, from C++.
//
//   bazel run //examples:seed_example -- [OUTPUT]     // .pftrace or .rsj
#include <ringscribe/ringscribe.h>

#include <cstdint>

namespace rs = ringscribe;

struct Item {
  int64_t start, end;
  rs::FixedString<32> message;
  int64_t items, input_bytes;
};
RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(items),
                  FIELD(input_bytes));

int main(int count, char** arguments) {
  auto session = rs::Session::begin(
      "Example Writer", {.output = count > 1 ? arguments[1] : "Example Writer.pftrace"});
  if (!session.ok()) return session.status().print();
  rs::Domain domain = session->get_domain("My Domain");
  rs::Stream stream = session->create_stream("My Stream", {.domain = domain});
  stream.write_mark(100, {.message = "My Mark"});
  stream.write_pushpop(200, 500, {.message = "My Message", .color = rs::color::green});

  const rs::Counter counter = domain.get_counter<int64_t>("My Counter");
  stream.write_counter_sample(counter, 600, 12);
  const int64_t values[] = {10, 8, 4};
  const int64_t timestamps[] = {700, 800, 900};
  stream.write_counter_batch(counter, values, timestamps);

  const auto schema = domain.get_schema<Item>(rs::EventKind::kRangeStartEnd);
  stream.write_event(schema, Item{1000, 1500, "process items", 64, 16384});
  return session->end().print();
}
