// SPDX-License-Identifier: Apache-2.0
//
// A track event of a Perfetto trace as an event of the model; what event_encoding.h does,
// backwards.
//
//   InternedTexts texts;
//   add_interned(interned_data, texts);
//   DecodedTrackEvent event;
//   decode_track_event(track_event, texts, event);     // protozero::exception: no protobuf
//
// Threads: one at a time. Lifetime: a decoded event is valid until it is decoded into again; it
// refers neither to the bytes nor to the interned texts.
#ifndef RINGSCRIBE_BACKENDS_PERFETTO_TRACK_EVENT_DECODER_H_
#define RINGSCRIBE_BACKENDS_PERFETTO_TRACK_EVENT_DECODER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/model/arena.h"
#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/perfetto/trace_packet_writer.h"

namespace ringscribe::perfetto {

// What a sequence was told, by number.
struct InternedTexts {
  using Table = std::unordered_map<uint64_t, std::string>;
  Table categories, names, annotation_names, strings;

  void clear();
};

void add_interned(std::string_view interned_data, InternedTexts& texts);

// The packet's track_event apart from its content.
struct TrackEventHead {
  EventType type{};  // 0: of another kind
  bool has_track = false;
  uint64_t track_uuid = 0;
};

TrackEventHead read_head(std::string_view track_event);

struct DecodedTrackEvent {
  model::Arena arena;
  // Without times, track, stream, kind and domain. The category is as it stands in the trace.
  model::Event event;
  std::vector<uint64_t> flows;
  // Of a counter.
  bool has_value = false;
  bool is_floating = false;
  int64_t int_value = 0;
  double double_value = 0;
};

void decode_track_event(std::string_view track_event, const InternedTexts& texts,
                        DecodedTrackEvent& decoded);

}  // namespace ringscribe::perfetto

#endif  // RINGSCRIBE_BACKENDS_PERFETTO_TRACK_EVENT_DECODER_H_
