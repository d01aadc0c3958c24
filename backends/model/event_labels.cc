// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/event_labels.h"

#include <string>

namespace ringscribe::model {

void EventLabels::refresh() {
  if (definitions_.renames() == seen_renames_) return;
  seen_renames_ = definitions_.renames();
  places_.assign(kPlaces, {});
}

const EventLabel* EventLabels::fill(EventLabel& place, const LabelKey& key) {
  EventLabel label;
  label.key = key;
  if (key.message != 0) {
    const std::string* text = definitions_.string(key.message);
    if (text == nullptr) return nullptr;
    label.message = *text;
  }
  if (key.category != 0) label.category = definitions_.category_name(key.domain, key.category);
  label.number = ++last_number_;
  place = label;
  return &place;
}

}  // namespace ringscribe::model
