// SPDX-License-Identifier: Apache-2.0
//
// EventText: what a model event says apart from its place and time, as members of a JSON object:
// "name", "cat" and, if there is more to say, "args".
//
// In args stand the fields as they are (structs as objects, arrays as arrays), then "color" as
// "#AARRGGBB", and what is out of the ordinary under the names of model::Event. Keys are unique
// (object_keys.h): a field goes before a name of ours.
//
// What is the same for all events of a label, and the keys of a layout, are kept as bytes.
//
//   EventText text;
//   text.append(event, out);  // "name":"match","cat":"hot","args":{"items":64}
//
// Threads: one at a time. Lifetime: the event's views are copied.
#ifndef RINGSCRIBE_BACKENDS_CHROME_EVENT_TEXT_H_
#define RINGSCRIBE_BACKENDS_CHROME_EVENT_TEXT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/chrome/json_text.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::chrome {

class EventText {
 public:
  EventText() : labels_(kLabels) {}

  void append(const model::Event& event, std::string& out);
  // The same for an event of a block. REQUIRES: is_ordinary(block).
  void append(const model::EventBlock& block, size_t row, std::string& out);

  // Whether label, fields and times say all about each event of a block.
  static bool is_ordinary(const model::EventBlock& block) noexcept;

 private:
  static constexpr size_t kLabels = 4096;
  // Longer texts are written anew each time, so that the table stays small.
  static constexpr size_t kLabelBytesMax = 1024;

  struct Label {
    uint64_t number = 0;  // EventLabel::number; 0: free
    std::string head;     // name and category
    std::string color;    // as a JSON string; "": none
    uint32_t category_id = 0;
  };
  // The keys of fields, and those of ours behind them, as JSON strings.
  struct Keys {
    std::vector<std::string> fields;
    std::string color;
    std::string category_id;
  };

  const Label& label_of(const model::EventBlock& block, size_t row);
  const Keys& keys_of(const model::EventBlock& block);

  std::vector<Label> labels_;
  Label long_label_;
  std::vector<Keys> keys_;  // by EventBlock::field_names; 0: without fields
  JsonText json_;
};

}  // namespace ringscribe::chrome

#endif  // RINGSCRIBE_BACKENDS_CHROME_EVENT_TEXT_H_
