// SPDX-License-Identifier: Apache-2.0
//
// Interners: the texts of a file by number, and two numbers that say which of them an event needs:
// its head (name and category) and its name set (of its annotations). Most events of a program have
// one of a few heads and sets, so a sequence remembers those it was told, not single texts.
//
//   Interners ids;
//   uint32_t head = ids.head({ids.names.id("match"), ids.categories.id("hot")});
//   uint32_t set = ids.name_set(annotation_name_ids);     // 0 for none
//
// Threads: one at a time.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_INTERNED_EVENT_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_INTERNED_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/perfetto/interner.h"

namespace ringscribe::perfetto {

struct EventHead {
  uint32_t name = 0;  // 0: the name is too long to be interned, and stands in the body
  uint32_t category = 0;
};

class Interners {
 public:
  Interner names;
  Interner categories;
  Interner annotation_names;

  uint32_t head(EventHead head);
  // REQUIRES: numbers that were given since the last clear().
  const EventHead& head_of(uint32_t number) const noexcept { return heads_[number]; }

  // `name_ids`: of annotations; may name one twice.
  uint32_t name_set(const std::vector<uint32_t>& name_ids);
  const std::vector<uint32_t>& names_of(uint32_t set) const noexcept {
    return sets_[set - 1]->first;
  }

  bool full(size_t entries_max, size_t bytes_max) const noexcept;
  void clear();

 private:
  using Sets = std::map<std::vector<uint32_t>, uint32_t>;
  std::unordered_map<uint64_t, uint32_t> head_numbers_;  // by name and category
  std::vector<EventHead> heads_;
  Sets set_numbers_;
  std::vector<const Sets::value_type*> sets_;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_INTERNED_EVENT_H_
