// SPDX-License-Identifier: Apache-2.0
//
// EventLabels: what an event says by numbers (message, category, colour), looked up once and
// numbered, so that neither the model nor a sink does it again for the next such event.
//
// A table of fixed size with one place for each key: two keys that share a place push each other
// out, and get new numbers when they come again. A number is never used twice, so a sink may keep
// what it made of it.
//
//   const EventLabel* label = labels.find({handle, domain, category, color});
//   if (label == nullptr) label = labels.add({handle, domain, category, color});
//   if (label == nullptr) ...                  // nobody registered the handle
//
// Threads: one at a time. Lifetime: a label is valid until the next add() or refresh(), its views
// until the definitions change. Cost: find() a comparison, add() a few map lookups.
#ifndef RINGSCRIBE_BACKENDS_MODEL_EVENT_LABELS_H_
#define RINGSCRIBE_BACKENDS_MODEL_EVENT_LABELS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

struct LabelKey {
  uint64_t message = 0;  // a registered string's handle; 0: none
  uint32_t domain = 0;
  uint32_t category = 0;
  uint32_t color = 0;
  bool operator==(const LabelKey&) const = default;
};

class EventLabels {
 public:
  static constexpr size_t kPlaces = 4096;

  explicit EventLabels(const Definitions& definitions)
      : definitions_(definitions), places_(kPlaces) {}

  // Null if it is not in its place.
  const EventLabel* find(const LabelKey& key) const {
    const Place& place = places_[place_of(key)];
    return place.label.number != 0 && place.key == key ? &place.label : nullptr;
  }
  // Looks it up in the definitions. Null if there is a message that nobody registered.
  const EventLabel* add(const LabelKey& key);

  // Forgets all labels if a definition was replaced since the last call. To be called before the
  // first find() after definitions may have changed.
  void refresh();

 private:
  struct Place {
    LabelKey key;
    EventLabel label;  // number 0: free
  };

  static size_t place_of(const LabelKey& key) {
    const uint64_t numbers = (uint64_t{key.category} << 32 | key.color) + key.domain;
    const uint64_t mixed = (key.message ^ (numbers * 0xD6E8FEB86659FD93u)) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(mixed >> 52);  // the upper 12 bits
  }

  const Definitions& definitions_;
  std::vector<Place> places_;
  uint64_t last_number_ = 0;
  uint64_t seen_renames_ = 0;
};

static_assert(EventLabels::kPlaces == size_t{1} << 12);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_EVENT_LABELS_H_
