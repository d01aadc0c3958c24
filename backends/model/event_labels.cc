// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/event_labels.h"

#include <string>

namespace ringscribe::model {

void EventLabels::refresh() {
  if (definitions_.renames() == seen_renames_) return;
  seen_renames_ = definitions_.renames();
  places_.assign(kPlaces, {});
}

const EventLabel* EventLabels::add(const LabelKey& key) {
  EventLabel label;
  label.category_id = key.category;
  label.color_argb = key.color;
  if (key.message != 0) {
    const std::string* text = definitions_.string(key.message);
    if (text == nullptr) return nullptr;
    label.message = *text;
  }
  if (key.category != 0) label.category = definitions_.category_name(key.domain, key.category);
  label.number = ++last_number_;
  Place& place = places_[place_of(key)];
  place = {key, label};
  return &place.label;
}

}  // namespace ringscribe::model
