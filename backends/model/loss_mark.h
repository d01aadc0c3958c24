// SPDX-License-Identifier: Apache-2.0
//
// The mark by which a producer of ours says that events are missing: it lies in the domain
// "ringscribe" and has the fields `lost_stream`, `lost_cause` and `lost_events`
// (runtime/session_state.h writes it).
//
//   Loss loss;
//   if (read_loss_mark(event, loss)) sink.loss(loss);
//
// Threads: any. Lifetime: the loss refers to the event's texts.
#ifndef RINGSCRIBE_BACKENDS_MODEL_LOSS_MARK_H_
#define RINGSCRIBE_BACKENDS_MODEL_LOSS_MARK_H_

#include "ringscribe/backends/model/event_sink.h"

namespace ringscribe::model {

// False, and `loss` unchanged, for any other event.
inline bool read_loss_mark(const Event& event, Loss& loss) {
  if (event.kind != EventKind::kMark || event.domain != "ringscribe") return false;
  const Field* stream = nullptr;
  const Field* cause = nullptr;
  const Field* events = nullptr;
  for (const Field& field : event.fields) {
    if (field.name == "lost_stream" && field.value.kind == ValueKind::kText) stream = &field;
    if (field.name == "lost_cause" && field.value.kind == ValueKind::kText) cause = &field;
    if (field.name == "lost_events" && field.value.kind == ValueKind::kUint) events = &field;
  }
  if (stream == nullptr || cause == nullptr || events == nullptr) return false;
  loss = {event.begin, event.synchronised, stream->value.text, cause->value.text,
          events->value.uint_value};
  return true;
}

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_LOSS_MARK_H_
