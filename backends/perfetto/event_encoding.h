// SPDX-License-Identifier: Apache-2.0
//
// encode_event: what a model event says apart from its place and time, as the body of a packet.
//
// Name and category become Perfetto's; all else becomes annotations, the arguments of a viewer:
// the fields as they are, then what is out of the ordinary, under the names of model::Event.
//
// Threads: one at a time. Lifetime: the event's views are copied.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_

#include <string>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

// Appends to `body`.
void encode_event(const model::Event& event, Interners& ids, std::string& body);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_EVENT_ENCODING_H_
