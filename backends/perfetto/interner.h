// SPDX-License-Identifier: Apache-2.0
//
// Interner: short numbers for texts that come again: event names, categories, annotation names.
//
//   Interner names;
//   uint64_t id = names.id("draw");                // 1 for the first text
//   names.drain([&](uint64_t new_id, std::string_view text) { write the definition });
//
// A definition has to be in the file before the number is used, so the sink drains before it
// writes events. The table is bounded by its user: see full().
//
// Threads: one at a time. Lifetime: texts are copied.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_INTERNER_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_INTERNER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ringscribe::perfetto {

class Interner {
 public:
  // The number of `text`, from 1 in order of appearance.
  uint64_t id(std::string_view text);

  // Calls define(id, text) for each text that is new since the last call, in order.
  template <typename Define>
  void drain(Define define) {
    for (const Entry* entry : fresh_) define(entry->second, std::string_view(entry->first));
    fresh_.clear();
  }

  // True if the table should be cleared before more is added.
  bool full(size_t entries_max, size_t bytes_max) const noexcept {
    return ids_.size() >= entries_max || bytes_ >= bytes_max;
  }
  bool has_fresh() const noexcept { return !fresh_.empty(); }

  // Forgets all; numbers begin at 1 again.
  void clear();

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Map = std::unordered_map<std::string, uint64_t, Hash, std::equal_to<>>;
  using Entry = Map::value_type;

  Map ids_;
  std::vector<const Entry*> fresh_;  // a map's nodes do not move
  size_t bytes_ = 0;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_INTERNER_H_
