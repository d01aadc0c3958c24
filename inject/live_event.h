// SPDX-License-Identifier: Apache-2.0
//
// LiveEvent: the attributes of one NVTX call, read as NVTX has them, and written into the calling
// thread's ring at the time of the call.
//
//   LiveEvent event(domain, thread);
//   if (event.read(attributes)) event.write<RecordKind::kPush>(EventKind::kRangePush);
//
// Without a payload it is a record with text. With one it is a row of a schema of ours
// (event_layout.h), and with extended payloads several that make one event.
//
// Threads: a value of the calling one.
#ifndef RINGSCRIBE_INJECT_LIVE_EVENT_H_
#define RINGSCRIBE_INJECT_LIVE_EVENT_H_

#include <cstdint>
#include <cstring>

#include "ringscribe/inject/event_layout.h"
#include "ringscribe/inject/event_text.h"
#include "ringscribe/inject/nvtx_abi.h"
#include "ringscribe/inject/thread_state.h"
#include "ringscribe/inject/traced_domain.h"
#include "ringscribe/runtime/recorder.h"

namespace ringscribe::inject {

class LiveEvent {
 public:
  LiveEvent(TracedDomain& domain, ThreadState& thread) noexcept
      : domain_(domain), thread_(thread) {}

  // False if its category is filtered out. nullptr: no attributes.
  [[gnu::always_inline]] bool read(const nvtxEventAttributes_t* attributes);
  [[gnu::always_inline]] bool read(const char* message) {
    if (message != nullptr) set_text(domain_, thread_, message, text_);
    return domain_.passes(0);
  }
  bool read(const wchar_t* message) {
    return read(message == nullptr ? nullptr : to_utf8(thread_, message));
  }
  // Of the calls that have payloads and no attributes.
  bool read(const nvtxPayloadData_t* payloads, size_t count) {
    payloads_ = payloads;
    payload_count_ = payloads == nullptr ? 0 : count;
    has_payloads_ = true;
    return domain_.passes(0);
  }

  // kMark, kPush, kStart, with what was read; kPop, kEnd with payloads only. False if it was lost.
  template <runtime::RecordKind kKind>
  [[gnu::always_inline]] bool write(EventKind kind, uint64_t range_id = 0) {
    if (!has_payloads_) [[likely]]
      return runtime::write_live_text<kKind>(domain_.stream(), text_, range_id);
    return write_payloads(kind, range_id);
  }
  bool write_payloads(EventKind kind, uint64_t range_id);

 private:
  TracedDomain& domain_;
  ThreadState& thread_;
  runtime::TextAttributes text_;
  bool has_payloads_ = false;
  PayloadValue value_ = PayloadValue::kNone;
  uint64_t bits_ = 0;  // of the value
  const nvtxPayloadData_t* payloads_ = nullptr;
  size_t payload_count_ = 0;

  [[gnu::cold]] [[gnu::noinline]] void read_payload(const nvtxEventAttributes_t& attributes);
  [[gnu::cold]] [[gnu::noinline]] nvtxEventAttributes_t resized(
      const nvtxEventAttributes_t& attributes);
};

inline bool LiveEvent::read(const nvtxEventAttributes_t* given) {
  if (given == nullptr) [[unlikely]]
    return domain_.passes(0);
  // Larger ones are of a later version, whose first members are these; smaller ones lack members.
  nvtxEventAttributes_t whole;
  if (given->size < sizeof(nvtxEventAttributes_t)) [[unlikely]] {
    whole = resized(*given);
    given = &whole;
  }
  const nvtxEventAttributes_t& from = *given;
  if (!domain_.passes(from.category)) return false;
  text_.category = from.category;
  if (from.colorType == NVTX_COLOR_ARGB) text_.color_argb = from.color;
  if (from.messageType == NVTX_MESSAGE_TYPE_REGISTERED)
    text_.registered_string = domain_.string_number(from.message.registered);
  else if (from.messageType == NVTX_MESSAGE_TYPE_ASCII && from.message.ascii != nullptr)
    set_text(domain_, thread_, from.message.ascii, text_);
  else if (from.messageType == NVTX_MESSAGE_TYPE_UNICODE && from.message.unicode != nullptr)
    set_text(domain_, thread_, to_utf8(thread_, from.message.unicode), text_);
  if (from.payloadType != NVTX_PAYLOAD_UNKNOWN) [[unlikely]]
    read_payload(from);
  return true;
}

}  // namespace ringscribe::inject

#endif  // RINGSCRIBE_INJECT_LIVE_EVENT_H_
