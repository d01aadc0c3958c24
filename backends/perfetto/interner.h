// SPDX-License-Identifier: Apache-2.0
//
// Interner: short numbers for texts that come again: event names, categories, annotation names.
//
//   Interner names;
//   uint32_t id = names.id("draw");                // 1 for the first text
//   names.text(id);                                // "draw"
//
// The numbers count for the whole file; each sequence has to define those that it uses (see
// interned_event.h). The table is bounded by its user: see full().
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
  uint32_t id(std::string_view text);

  // REQUIRES: `id` is a number that id() gave since the last clear().
  std::string_view text(uint32_t id) const noexcept { return entries_[id - 1]->first; }

  uint32_t size() const noexcept { return static_cast<uint32_t>(entries_.size()); }
  // True if the table should be cleared before more is added.
  bool full(size_t entries_max, size_t bytes_max) const noexcept {
    return entries_.size() >= entries_max || bytes_ >= bytes_max;
  }

  // Forgets all; numbers begin at 1 again.
  void clear();

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using Map = std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>>;

  Map ids_;
  std::vector<const Map::value_type*> entries_;  // by number; a map's nodes do not move
  size_t bytes_ = 0;
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_INTERNER_H_
