// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/inject/live_event.h"

#include <cstddef>
#include <cstring>

#include "ringscribe/inject/payload_list.h"
#include "ringscribe/runtime/loss.h"

namespace ringscribe::inject {

using runtime::PayloadBytes;

static_assert(static_cast<int>(PayloadValue::kUint64) == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 &&
              static_cast<int>(PayloadValue::kInt64) == NVTX_PAYLOAD_TYPE_INT64 &&
              static_cast<int>(PayloadValue::kDouble) == NVTX_PAYLOAD_TYPE_DOUBLE &&
              static_cast<int>(PayloadValue::kUint32) == NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 &&
              static_cast<int>(PayloadValue::kInt32) == NVTX_PAYLOAD_TYPE_INT32 &&
              static_cast<int>(PayloadValue::kFloat) == NVTX_PAYLOAD_TYPE_FLOAT);

nvtxEventAttributes_t LiveEvent::resized(const nvtxEventAttributes_t& attributes) {
  nvtxEventAttributes_t whole{};
  std::memcpy(&whole, &attributes, attributes.size);
  whole.size = sizeof whole;
  // Half a member is none.
  if (attributes.size < offsetof(nvtxEventAttributes_t, message) + sizeof whole.message)
    whole.messageType = NVTX_MESSAGE_UNKNOWN;
  if (attributes.size < offsetof(nvtxEventAttributes_t, payload) + sizeof whole.payload)
    whole.payloadType = NVTX_PAYLOAD_UNKNOWN;
  if (attributes.size < offsetof(nvtxEventAttributes_t, color) + sizeof whole.color)
    whole.colorType = NVTX_COLOR_UNKNOWN;
  if (attributes.size < offsetof(nvtxEventAttributes_t, category) + sizeof whole.category)
    whole.category = 0;
  return whole;
}

void LiveEvent::read_payload(const nvtxEventAttributes_t& from) {
  has_payloads_ = true;
  switch (from.payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
    case NVTX_PAYLOAD_TYPE_INT64:
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      value_ = static_cast<PayloadValue>(from.payloadType);
      bits_ = from.payload.ullValue;
      return;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
    case NVTX_PAYLOAD_TYPE_INT32:
    case NVTX_PAYLOAD_TYPE_FLOAT:
      value_ = static_cast<PayloadValue>(from.payloadType);
      bits_ = from.payload.uiValue;  // the upper half may be anything
      return;
    case NVTX_PAYLOAD_TYPE_EXT:
      payloads_ =
          reinterpret_cast<const nvtxPayloadData_t*>(static_cast<uintptr_t>(from.payload.ullValue));
      payload_count_ =
          payloads_ != nullptr && from.reserved0 > 0 ? static_cast<size_t>(from.reserved0) : 0;
      return;
    default:
      has_payloads_ = false;  // of a version to come
      return;
  }
}

bool LiveEvent::write_payloads(EventKind kind, uint64_t range_id) {
  PayloadList list(domain_);
  const bool is_end = kind == EventKind::kRangePop || kind == EventKind::kRangeEnd;
  // A payload's message comes after the attributes', and the last one counts; so ours goes first.
  // But where a payload names another by its index, ours goes last.
  const bool counts_payloads = list.counts_payloads(payloads_, payload_count_);
  const bool has_inline_text = !is_end && !text_.text.empty();
  EventRow row;
  row.color = text_.color_argb;
  row.category = text_.category;
  row.range_id = range_id;
  row.value = bits_;
  if (has_inline_text)
    row.message = reinterpret_cast<uint64_t>(text_.text.data());
  else if (text_.registered_string != 0)
    row.message = domain_.string_word(text_.registered_string);
  const uint32_t layout = domain_.layout_number({kind, has_inline_text, value_});
  if (layout == 0) return runtime::count_invalid(domain_.stream(), InvalidCall::kSchema);
  row.time = runtime::live_time();
  if (payload_count_ == 0 && !has_inline_text)
    return runtime::write_row(domain_.stream(), layout, &row, sizeof row);
  const PayloadBytes own{layout, 0, &row, sizeof row};
  if (!counts_payloads) list.add(own);
  list.keep_room((counts_payloads ? 1u : 0u) + (has_inline_text ? 1u : 0u));
  if (!list.add(payloads_, payload_count_))
    runtime::note_invalid(domain_.stream(), InvalidCall::kPayloadLeftOut);
  list.keep_room(0);
  if (counts_payloads) list.add(own);
  if (has_inline_text)
    list.add({0, NVTX_TYPE_PAYLOAD_SCHEMA_REFERENCED, text_.text.data(), text_.text.size() + 1});
  return runtime::write_payloads(domain_.stream(), list.all());
}

}  // namespace ringscribe::inject
