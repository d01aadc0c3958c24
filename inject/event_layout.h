// SPDX-License-Identifier: Apache-2.0
//
// EventLayout: what the attributes of a live event become when it has payloads: a row of a schema
// of ours, beside which the program's payloads stand.
//
//   Result<runtime::SchemaDefinition*> schema = define(domain_state, {EventKind::kMark, false,
//   kInt64}); EventRow row;  row.time = ...;
//
// Threads: any; values and a pure function.
#ifndef RINGSCRIBE_INJECT_EVENT_LAYOUT_H_
#define RINGSCRIBE_INJECT_EVENT_LAYOUT_H_

#include <cstddef>
#include <cstdint>

#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/domain_state.h"

namespace ringscribe::inject {

// The type of the value in the attributes, with NVTX's numbers.
enum class PayloadValue : uint8_t { kNone, kUint64, kInt64, kDouble, kUint32, kInt32, kFloat };
struct EventLayout {
  EventKind kind = EventKind::kMark;
  bool has_inline_text = false;
  PayloadValue value = PayloadValue::kNone;
};
// A row of any such layout, which has of these what EventLayout says.
struct EventRow {
  int64_t time = 0;
  uint64_t message = 0;  // a string handle, or the address of the text
  uint32_t color = 0, category = 0;
  uint64_t range_id = 0;
  uint64_t value = 0;
};

// The kinds of events that have such a layout, and the number of each from 0.
inline constexpr size_t kLayoutKinds = 5, kPayloadValues = 7;
constexpr size_t layout_kind(EventKind kind) noexcept {
  return kind == EventKind::kMark         ? 0
         : kind == EventKind::kRangePush  ? 1
         : kind == EventKind::kRangePop   ? 2
         : kind == EventKind::kRangeStart ? 3
                                          : 4;
}

// The schema of that layout in the domain; the same each time.
Result<runtime::SchemaDefinition*> define(runtime::DomainState& domain, const EventLayout& layout);

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_EVENT_LAYOUT_H_
