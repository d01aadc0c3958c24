// SPDX-License-Identifier: Apache-2.0
//
// EventBody: the bytes of an event behind its header, and the event class that says what they are.
//
// One class for each kind, domain, layout of fields and set of what is out of the ordinary:
// "io:mark", "io:push" and "io:pop", "io:start" and "io:end"; without the domain's name for the
// default domain. A begin has message, category, fields and the rest; an end has the message, with
// which the bytes of its begin begin. An empty message is left out: babeltrace2 2.0.4 shows an
// older text of the same class in the place of an empty one.
//
//   EventBody bodies(classes);
//   EventBody::Place place = bodies.append(event, bytes);
//
// Names: message and category are always called so, and nothing else is. Then come the names of
// fields, then ours: what has a name already gets a number behind it (FieldNames).
//
// Threads: one at a time. Lifetime: the class table has to outlive it; views are copied.
#ifndef RINGSCRIBE_BACKENDS_CTF_EVENT_BODY_H_
#define RINGSCRIBE_BACKENDS_CTF_EVENT_BODY_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ringscribe/backends/ctf/class_table.h"
#include "ringscribe/backends/ctf/field_layout.h"
#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::ctf {

class EventBody {
 public:
  struct Place {
    uint32_t begin_class;    // of a mark its only one
    uint32_t end_class;      // of a range
    uint32_t message_bytes;  // what an end has of the bytes
  };

  explicit EventBody(ClassTable& classes) noexcept : classes_(classes) {}

  // Appends the event's bytes.
  Place append(const model::Event& event, std::string& out);
  // The same for an event of a block.
  Place append(const model::EventBlock& block, size_t row, std::string& out);

 private:
  // What is not in every event: a bit a field.
  enum Extra : uint16_t {
    kCategory = 1,
    kColor = 2,
    kCategoryId = 4,
    kRangeId = 8,
    kEndIsMissing = 16,
    kBeginIsMissing = 32,
    kEndBeforeBegin = 64,
    kTimeDomain = 128,
    kAsText = 256,  // domain and fields are texts: there are too many classes
    kMessage = 512,
  };
  struct Class {
    Place place{};
    std::unique_ptr<FieldLayout> layout;
  };
  struct Known {
    const Class* made = nullptr;
    uint64_t kinds = 0;
    uint32_t field_names = 0;
    uint16_t extras = 0;
    model::EventKind kind{};
    std::string domain;
  };

  static uint16_t extras_of(const model::Event& event) noexcept;
  Class& class_of(const model::Event& event, uint16_t& extras);
  Place declare(const model::Event& event, uint16_t extras, const FieldLayout& layout);
  uint32_t end_class(model::EventKind kind, bool has_message, std::string_view domain);
  Place append(const model::Event& event, const Class& made, uint16_t extras, std::string& out);

  ClassTable& classes_;
  LayoutKey layout_key_;
  std::string key_;
  std::unordered_map<std::string, Class> known_;
  std::unordered_map<std::string, uint32_t> ends_;  // by kind and domain
  std::array<Known, 64> recent_;                    // of blocks
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_EVENT_BODY_H_
