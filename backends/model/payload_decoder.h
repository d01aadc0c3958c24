// SPDX-License-Identifier: Apache-2.0
//
// PayloadDecoder: turns the payload bytes of one event into roles and fields.
//
// Nothing in a payload is believed: every read is checked against the bytes that the producer
// handed over, pointers are followed only into the event's own payloads and the batch's data
// (strings and arrays that are flagged as deep copies excepted: NVTX lets them be anywhere, and
// the producer vouches for them, unless bound_deep_copies() says that it is a file), and one event
// makes at most kValuesMax values. What breaks a
// rule is left out and becomes a problem; the rest of the event is decoded.
//
//   PayloadDecoder decoder(definitions, problems);
//   const DecodedEvent& event = decoder.decode(domain, payloads);
//
// Threads: one at a time. Lifetime: an event is valid until the next decode; its views point into
// the payloads, the definitions, and the decoder's arena. Cost: no allocation in steady state.
#ifndef RINGSCRIBE_BACKENDS_MODEL_PAYLOAD_DECODER_H_
#define RINGSCRIBE_BACKENDS_MODEL_PAYLOAD_DECODER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/decoded_event.h"
#include "ringscribe/backends/model/definitions.h"
#include "ringscribe/backends/model/entry_locator.h"
#include "ringscribe/backends/model/problems.h"
#include "ringscribe/backends/model/schema.h"
#include "ringscribe/backends/model/value_reader.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

class PayloadDecoder {
 public:
  // Strings, bytes and array elements together; more than that in one event is an attack.
  static constexpr size_t kValuesMax = size_t{1} << 18;
  PayloadDecoder(const PayloadDecoder&) = delete;
  PayloadDecoder& operator=(const PayloadDecoder&) = delete;
  PayloadDecoder(const Definitions& definitions, Problems& problems)
      : definitions_(definitions),
        problems_(problems),
        locator_(definitions),
        reader_(definitions, arena_) {}

  // Decodes several payloads that make one event.
  const DecodedEvent& decode(uint32_t domain, std::span<const nvtxPayloadData_t> payloads);

  // Decodes one row of a batch, which begins at `row`. Sets `size` to the bytes it takes; to 0 if
  // that cannot be told, and the rest of the batch is lost.
  const DecodedEvent& decode_row(const Schema& schema, Bytes row, const BatchData& batch,
                                 size_t& size);

  // From now on deep copies are followed into `memory` only: the payloads come from a file.
  void bound_deep_copies(Bytes memory) { locator_.bound_deep_copies(memory); }

  // The event decoded last.
  const DecodedEvent& event() const { return event_; }

 private:
  // One run over a schema's steps.
  struct Run {
    SchemaView view;
    std::span<Field> fields;  // room for one a step
    size_t field_count = 0;
    size_t cursor = 0;
    bool is_broken = false;  // the size of what was passed is unknown
  };

  void begin_event();
  void decode_payload(const nvtxPayloadData_t& payload);
  void decode_predefined(uint64_t type, const nvtxPayloadData_t& payload);

  // The fields of what begins `bytes`; `size` is what it takes, or 0 if that cannot be told.
  // Of a union only the member at `*selected` is decoded.
  std::span<Field> decode_schema(const Schema& schema, Bytes bytes, bool apply_roles,
                                 const size_t* selected, size_t& size);
  void run_step(Run& run, size_t index, bool apply_roles);
  void settle_step(Run& run, size_t index, const Located& at, bool apply_roles);

  // Finds the data of an entry. False if it is not there: a problem was counted.
  bool locate(const Run& run, const Step& step, size_t offset, Located& at);
  // False if there is nothing to show.
  bool make_value(Run& run, const Step& step, const Located& at, bool apply_roles, Value& value);
  bool make_array(const Step& step, const Located& at, Value& value);
  bool nested_value(const Schema& nested, Bytes bytes, bool apply_roles, const size_t* selected,
                    size_t& size, Value& value);
  bool select_member(const Run& run, const Step& step, size_t& selected);

  // True if the value is the event's own (time, message, colour, ...) and not a field.
  void take_flow(const Step& step, const Value& value);
  bool take_role(const Step& step, const Value& value);
  void take_scope(Role purpose, uint64_t scope, ScopeSource with_purpose, ScopeSource general);
  void take_id(const Step& step, uint64_t id);

  bool spend(size_t values);
  void problem(const Schema& schema, const Step& step, std::string_view what);

  const Definitions& definitions_;
  Problems& problems_;
  EntryLocator locator_;
  Arena arena_;
  ValueReader reader_;
  DecodedEvent event_;
  // Of the event that is being decoded.
  nvtxPayloadData_t row_payload_ = {};
  uint32_t domain_ = 0;
  size_t values_left_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_PAYLOAD_DECODER_H_
