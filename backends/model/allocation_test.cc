// SPDX-License-Identifier: Apache-2.0
//
// The model allocates nothing for an event or a sample once it has seen one of its kind.
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "ringscribe/backends/model/model.h"
#include "ringscribe/backends/model/test_schemas.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace {
size_t allocation_count = 0;
}  // namespace

void* operator new(size_t size) {
  ++allocation_count;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace ringscribe::model {
namespace {

constexpr uint64_t kId = NVTX_PAYLOAD_SCHEMA_ID_STATIC_START;

class CountingSink final : public EventSink {
 public:
  explicit CountingSink(uint64_t& calls) : calls_(calls) {}
  Status session(std::string_view) override { return {}; }
  Status track(const Track&) override { return {}; }
  Status counter_track(const CounterTrack&) override { return {}; }
  Status clock_point(int64_t, int64_t) override { return {}; }
  Status event(const Event&) override { return count(); }
  Status counter_sample(const CounterSample&) override { return count(); }
  Status problem(std::string_view, uint64_t) override { return {}; }
  Status finish() override { return {}; }

 private:
  Status count() {
    ++calls_;
    return {};
  }
  uint64_t& calls_;
};

TEST_CASE("a thousand rows, samples and nested pushes allocate nothing") {
  uint64_t calls = 0;
  Model model(std::make_unique<CountingSink>(calls), "s");
  SchemaBuilder point(kId);
  point.name("point").entry(NVTX_PAYLOAD_ENTRY_TYPE_INT32, "x");
  REQUIRE(model.schema(0, point.attr()).ok());
  const uint64_t families[] = {NVTX_PAYLOAD_SCHEMA_FLAG_MARK, NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_PUSH,
                               NVTX_PAYLOAD_SCHEMA_FLAG_RANGE_POP};
  for (uint64_t i = 0; i < 3; ++i) {
    SchemaBuilder schema(kId + 1 + i, NVTX_PAYLOAD_SCHEMA_TYPE_STATIC, families[i]);
    schema.entry(NVTX_PAYLOAD_ENTRY_TYPE_INT64, "t", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_TIMESTAMP})
        .entry(NVTX_PAYLOAD_ENTRY_TYPE_CSTRING_UTF32, "m",
               {.flags = NVTX_PAYLOAD_ENTRY_FLAG_EVENT_MESSAGE, .detail = 32})
        .entry(kId, "p", {.flags = NVTX_PAYLOAD_ENTRY_FLAG_ARRAY_FIXED_SIZE, .detail = 4});
    REQUIRE(model.schema(0, schema.attr()).ok());
  }
  nvtxCounterAttr_t counter = {};
  counter.structSize = sizeof(counter);
  counter.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
  counter.name = "c";
  counter.counterId = NVTX_COUNTER_ID_STATIC_START;
  REQUIRE(model.counter(0, counter).ok());
  nvtxwStreamAttributes_t attr = {};
  attr.name = "main";
  attr.timeDomainId = NVTX_TIMESTAMP_TYPE_CPU_CLOCK_GETTIME_MONOTONIC;
  REQUIRE(model.stream_open(0, 0, attr).ok());

  Blob row;
  row.put<int64_t>(1);
  for (int i = 0; i < 32; ++i) row.put(U'ä');
  row.zeros(16);
  const nvtxPayloadData_t mark = row.payload(kId + 1);
  const nvtxPayloadData_t push = row.payload(kId + 2);
  const nvtxPayloadData_t pop = row.payload(kId + 3);
  bool is_ok = true;
  const auto round = [&] {
    is_ok = is_ok && model.event(0, {&mark, 1}).ok() && model.event(0, {&push, 1}).ok() &&
            model.event(0, {&pop, 1}).ok() &&
            model.counter_sample(0, 1, counter.counterId, row.data(), 8).ok();
  };
  // An outer range stays open, as it does around the work of a thread.
  is_ok = model.event(0, {&push, 1}).ok();
  for (int i = 0; i < 3; ++i) round();
  const size_t before = allocation_count;
  for (int i = 0; i < 1000; ++i) round();
  const size_t after = allocation_count;
  CHECK(is_ok);
  CHECK(calls == 3009);
  CHECK(after - before == 0);
}

}  // namespace
}  // namespace ringscribe::model
