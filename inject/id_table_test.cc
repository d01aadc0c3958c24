// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/id_table.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <thread>

namespace ringscribe::inject {
namespace {

TEST_CASE("an ID is found once it was added, and is taken then") {
  IdTable<int> table;
  int one = 1, two = 2;
  CHECK(table.find(7) == nullptr);
  CHECK(table.add(7, &one));
  CHECK(table.add(uint64_t{1} << 32, &two));
  CHECK(table.find(7) == &one);
  CHECK(table.find(uint64_t{1} << 32) == &two);
  CHECK(table.find(8) == nullptr);
  CHECK(table.find(0) == nullptr);
  CHECK_FALSE(table.add(7, &two));
  CHECK(table.find(7) == &one);
}

TEST_CASE("IDs that have been added are found by others while more come") {
  IdTable<const uint64_t> table;
  std::deque<uint64_t> objects;
  std::atomic<uint64_t> added{0};
  constexpr uint64_t kIds = 20'000;
  bool all_found = true;
  std::thread reader([&] {
    for (uint64_t last = 0; last < kIds;) {
      last = added.load(std::memory_order_acquire);
      for (uint64_t back = 0; back < 50 && back < last; ++back) {
        const uint64_t* found = table.find((last - back) << 20);
        all_found = all_found && found != nullptr && *found == last - back;
      }
      all_found = all_found && table.find((kIds + 1) << 20) == nullptr;
    }
  });
  for (uint64_t id = 1; id <= kIds; ++id) {
    objects.push_back(id);
    REQUIRE(table.add(id << 20, &objects.back()));
    added.store(id, std::memory_order_release);
  }
  reader.join();
  CHECK(all_found);
}

}  // namespace
}  // namespace ringscribe::inject
