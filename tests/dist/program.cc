// SPDX-License-Identifier: Apache-2.0
//
// program OUTPUT: a C++20 program against the unpacked distribution, which uses what goes through
// its library: inline hot path, slow paths, definitions, texts made at run time, another thread.
#include <ringscribe/ringscribe.h>

#include <string>
#include <thread>
#include <vector>

namespace rs = ringscribe;

enum class Side : uint8_t { buy, sell };
RINGSCRIBE_ENUM(Side, buy, sell);

struct Item {
  int64_t start, end;
  rs::Text message;
  rs::Array<float> weights;
  Side side;
};
RINGSCRIBE_SCHEMA(Item, RANGE_BEGIN(start), RANGE_END(end), MESSAGE(message), FIELD(weights),
                  FIELD(side));

int main(int, char** argv) {
  auto session = rs::Session::begin("from C++", {.output = argv[1]});
  if (!session.ok()) return session.status().print();
  rs::Domain domain = session->get_domain("engine");
  rs::Stream items = session->create_stream(
      "items", {.domain = domain, .time_domain = rs::TimestampType::kCpuClockMonotonic});
  items.write_mark(100, {.message = "mark " + std::to_string(1), .category = "hot"});
  const auto schema = domain.get_schema<Item>(rs::EventKind::kRangeStartEnd);
  const std::vector<float> weights = {0.5f, 1.5f};
  items.write_event(schema, Item{1000, 1500, "process items", weights, Side::sell});

  rs::Stream book = session->live_stream("order book", domain);
  const rs::Counter depth = domain.get_counter<int64_t>("depth", {.unit = "orders"});
  std::thread([&] {
    rs::prepare_thread("worker");
    RINGSCRIBE_RANGE(book, "match", {.color = rs::color::green});
    RINGSCRIBE_SAMPLE(book, depth, 17);
  }).join();
  return session->end().print();
}
