// SPDX-License-Identifier: Apache-2.0
//
// DecodedEvent: what the payloads of one event say, before it is paired, placed and converted.
//
//   const DecodedEvent& event = decoder.decode(domain, payloads);
//   const EventTimes times = times_of(event);
//   if (!times.ok) ...                 // neither a mark nor a range can be made of it
//
// Threads: a value. Lifetime: its views are valid until the decoder decodes the next event.
#ifndef RINGSCRIBE_BACKENDS_MODEL_DECODED_EVENT_H_
#define RINGSCRIBE_BACKENDS_MODEL_DECODED_EVENT_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/schema.h"

namespace ringscribe::model {

struct Timestamp {
  int64_t value = 0;
  uint64_t time_domain = 0;  // 0: the stream's
  bool present = false;
};

// Who names the scope of an event, strongest first (NVTX, "scope specification and precedence").
// The batch's scope stands between kEntry and kGeneralSemantics, and the stream's comes last.
enum class ScopeSource : uint8_t {
  kRoleEntry,
  kRoleSemantics,
  kEntry,
  kGeneralSemantics,
  kNobody,
};

struct DecodedEvent {
  Family family = Family::kNone;
  Timestamp begin, end, mark;
  Timestamp times[2];  // timestamps without further role, in order
  bool has_message = false;
  std::string_view message;
  uint32_t category = 0;  // 0: none
  uint32_t color = 0;     // 0: none
  uint64_t range_id = 0;  // 0: none
  uint64_t scope = 0;
  ScopeSource scope_source = ScopeSource::kNobody;
  // What is said of the range's end: it counts for an event that is only an end.
  uint64_t end_scope = 0;
  ScopeSource end_scope_source = ScopeSource::kNobody;
  // Entries of process and thread IDs: a scope too, weaker than a scope ID of the same source.
  bool has_process = false;
  bool has_thread = false;
  uint64_t process = 0;
  uint64_t thread = 0;
  ScopeSource ids_source = ScopeSource::kNobody;
  std::vector<Field> fields;
  std::vector<uint64_t> flows;  // of correlated entries (schema.h, flow_number)

  // Ready for the next event; keeps the memory of `fields` and `flows`.
  void clear() {
    std::vector<Field> kept_fields = std::move(fields);
    std::vector<uint64_t> kept_flows = std::move(flows);
    kept_fields.clear();
    kept_flows.clear();
    *this = DecodedEvent();
    fields = std::move(kept_fields);
    flows = std::move(kept_flows);
  }
};

// The event's kind and times. `kind` is one of kMark (begin), kRangePushPop and kRangeStartEnd
// (begin and end), kPush and kStart (begin), kPop and kEnd (end).
struct EventTimes {
  bool ok = false;
  Family kind = Family::kNone;
  Timestamp begin, end;
};

// Follows the schema's family, and where it has none, or not the timestamps it asks for, what
// roles there are: a complete range with one end only is a push, pop, start or end.
EventTimes times_of(const DecodedEvent& event);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_DECODED_EVENT_H_
