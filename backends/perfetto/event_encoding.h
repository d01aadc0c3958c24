// SPDX-License-Identifier: Apache-2.0
//
// EventEncoder: what a model event says apart from its place and time, as the body of a packet.
//
// Name and category become Perfetto's; all else becomes annotations, the arguments of a viewer:
// the fields as they are, then what is out of the ordinary, under the names of model::Event.
// What was found for an event's label and field names is kept in a small table, so that the next
// one like it is only its numbers.
//
//   EventEncoder encoder;
//   EncodedEvent encoded = encoder.encode(event, bodies);   // appends to `bodies`
//
// Threads: one at a time. Lifetime: the event's views are copied.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

// Where an event's body is, and which texts it needs.
struct EncodedEvent {
  uint32_t head = 0;
  uint32_t name_set = 0;
  uint32_t body = 0;  // offset
  uint32_t body_bytes = 0;
};

class EventEncoder {
 public:
  EventEncoder() : labels_(kLabels) {}

  // Appends the body to `bodies`, which is smaller than 4 GiB afterwards.
  EncodedEvent encode(const model::Event& event, std::string& bodies);
  // The same for an event of a block. REQUIRES: is_ordinary(block).
  EncodedEvent encode(const model::EventBlock& block, size_t row, std::string& bodies) {
    const Label& label = label_of(block, row);
    if (block.fields_per_row == 0 && label.extra.empty()) return {label.head, 0, 0, 0};
    return encode_fields(block, row, bodies);
  }

  // Whether label, fields and times say all about each event of a block.
  static bool is_ordinary(const model::EventBlock& block) noexcept;

  Interners& ids() noexcept { return ids_; }
  // Forgets all interned texts, and what refers to them.
  void clear();

 private:
  static constexpr size_t kLabels = 4096;
  struct Label {
    uint64_t number = 0;  // EventLabel::number; 0: free
    uint32_t head = 0;
    uint32_t name_set = 0;         // of `extra` alone
    uint32_t field_names = 0;      // EventBlock::field_names; 0: none yet
    uint32_t fields_name_set = 0;  // of such fields and `extra`
    std::string extra;             // the body without the fields
  };

  Label& label_of(const model::EventBlock& block, size_t row) {
    Label& label = labels_[block.rows[row].label->number % kLabels];
    const uint64_t number = block.rows[row].label->number;
    if (label.number != number) fill(label, number, block.event(row));
    return label;
  }
  void fill(Label& label, uint64_t number, const model::Event& event);
  // The numbers of the names of `fields`, which EventBlock::field_names stands for.
  const std::vector<uint32_t>& names_of(uint32_t field_names, std::span<const model::Field> fields);
  EncodedEvent encode_fields(const model::EventBlock& block, size_t row, std::string& bodies);

  Interners ids_;
  std::vector<Label> labels_;
  std::vector<std::vector<uint32_t>> field_names_;  // by EventBlock::field_names
};

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_
