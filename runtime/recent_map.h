// SPDX-License-Identifier: Apache-2.0
//
// RecentMap: things by number, with those that were asked for last at hand. A thing stays where it
// is.
//
//   RecentMap<RowBatch> batches;
//   RowBatch& batch = batches.at(schema_number);   // made if it is not there
//
// Threads: one.
#ifndef RINGSCRIBE_RUNTIME_RECENT_MAP_H_
#define RINGSCRIBE_RUNTIME_RECENT_MAP_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

template <typename T>
class RecentMap {
 public:
  T& at(uint32_t number) {
    Recent& recent = recent_[number % kRecent];
    if (recent.thing == nullptr || recent.number != number) [[unlikely]]
      recent = {number, &all_[number]};
    return *recent.thing;
  }
  // nullptr if it is not there.
  T* find(uint32_t number) {
    const auto found = all_.find(number);
    return found == all_.end() ? nullptr : &found->second;
  }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }

 private:
  static constexpr size_t kRecent = 8;
  struct Recent {
    uint32_t number = 0;
    T* thing = nullptr;
  };
  Recent recent_[kRecent];
  Map<uint32_t, T> all_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_RECENT_MAP_H_
