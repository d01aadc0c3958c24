// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/record_runs.h"

#include <catch2/catch.hpp>
#include <vector>

#include "ringscribe/runtime/recent_map.h"
#include "ringscribe/runtime/row_buffer.h"

namespace ringscribe::runtime {
namespace {

// Records with a header word each, as a ring holds them.
std::vector<uint8_t> records(const std::vector<std::vector<uint64_t>>& bodies) {
  std::vector<uint8_t> bytes;
  for (const std::vector<uint64_t>& body : bodies) {
    for (size_t i = 0; i <= body.size(); ++i) {
      bytes.resize(bytes.size() + 8);
      store_word(bytes.data() + bytes.size() - 8, i == 0 ? 0xABCD : body[i - 1]);
    }
  }
  return bytes;
}

TEST_CASE("a run of marks becomes rows with the looks of its site") {
  const std::vector<uint8_t> run = records({{5}, {7}, {6}});
  PointRow rows[3];
  TimeOrder order;
  copy_marks(run.data(), 3, 1, 2, 3, reinterpret_cast<uint8_t*>(rows), order);
  CHECK(rows[0].time == 5);
  CHECK(rows[1].time == 7);
  CHECK(rows[2].time == 6);
  for (const PointRow& row : rows) CHECK((row.color == 1 && row.category == 2 && row.message == 3));
  CHECK_FALSE(order.is_sorted);
  CHECK(order.last == 6);
}

TEST_CASE("a run of ranges is sorted by begin, whatever the ends") {
  const std::vector<uint8_t> run = records({{5, 50}, {6, 10}});
  RangeRow rows[2];
  TimeOrder order;
  copy_ranges(run.data(), 2, 1, 2, 3, reinterpret_cast<uint8_t*>(rows), order);
  CHECK((rows[0].begin == 5 && rows[0].end == 50 && rows[1].begin == 6 && rows[1].end == 10));
  CHECK((rows[1].color == 1 && rows[1].category == 2 && rows[1].message == 3));
  CHECK(order.is_sorted);
}

TEST_CASE("order goes on from run to run") {
  TimeOrder order;
  const std::vector<uint8_t> first = records({{5}}), equal = records({{5}}), less = records({{4}});
  add_times(first.data() + 8, 16, 1, order);
  add_times(equal.data() + 8, 16, 1, order);
  CHECK(order.is_sorted);
  add_times(less.data() + 8, 16, 1, order);
  CHECK_FALSE(order.is_sorted);
}

TEST_CASE("rows of any size are copied from records that are padded") {
  for (const size_t row_bytes : {1, 8, 9, 16, 24, 32, 40, 48, 56, 64, 72, 100}) {
    const size_t stride = 8 + (row_bytes + 7) / 8 * 8;
    std::vector<uint8_t> from(3 * stride), to(3 * row_bytes + 1, 0xEE);
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<uint8_t>(i);
    copy_rows(from.data() + 8, stride, 3, row_bytes, to.data());
    size_t wrong = 0;
    for (size_t row = 0; row < 3; ++row)
      for (size_t i = 0; i < row_bytes; ++i)
        wrong += to[row * row_bytes + i] == from[row * stride + 8 + i] ? 0u : 1u;
    CHECK(wrong == 0);
    CHECK(to.back() == 0xEE);
  }
}

TEST_CASE("a buffer keeps what it holds while it grows") {
  RowBuffer buffer;
  for (uint32_t i = 0; i < 10'000; ++i) std::memcpy(buffer.extend(4), &i, 4);
  size_t wrong = 0;
  for (uint32_t i = 0; i < 10'000; ++i)
    wrong += std::memcmp(buffer.data() + 4 * i, &i, 4) == 0 ? 0u : 1u;
  CHECK(wrong == 0);
  CHECK(buffer.size() == 40'000);
  const uint8_t* const before = buffer.data();
  buffer.clear();
  CHECK(buffer.size() == 0);
  CHECK(buffer.extend(40'000) == before);
}

TEST_CASE("a thing is found where it was made, also among many") {
  RecentMap<int> map;
  int* const first = &map.at(7);
  CHECK(map.find(8) == nullptr);
  for (uint32_t number = 0; number < 1'000; ++number) map.at(number) += static_cast<int>(number);
  CHECK(&map.at(7) == first);
  CHECK(*map.find(999) == 999);
  int sum = 0;
  for (const auto& [number, thing] : map) sum += thing;
  CHECK(sum == 499'500);
}

}  // namespace
}  // namespace ringscribe::runtime
