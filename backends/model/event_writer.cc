// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/event_writer.h"

#include <algorithm>

#include "ringscribe/backends/model/loss_mark.h"

namespace ringscribe::model {
namespace {

EventKind kind_of(Family family) {
  switch (family) {
    case Family::kRangeStartEnd:
    case Family::kStart:
    case Family::kEnd:
      return EventKind::kRangeStartEnd;
    case Family::kRangePushPop:
    case Family::kPush:
    case Family::kPop:
      return EventKind::kRangePushPop;
    default:
      return EventKind::kMark;
  }
}

// A scope number that no producer has, for pushes and pops of a thread without scope.
constexpr uint64_t kTrackScope = uint64_t{1} << 63;

int64_t signed_id(uint64_t id) {
  return static_cast<int64_t>(std::min(id, static_cast<uint64_t>(INT64_MAX)));
}

Tracks::ThreadName thread_name(const DecodedEvent& decoded) {
  return {decoded.has_process, decoded.has_thread, signed_id(decoded.process),
          signed_id(decoded.thread)};
}

}  // namespace

uint64_t effective_scope(const StreamState& stream, const DecodedEvent& decoded,
                         uint64_t batch_scope, bool is_end) {
  if (is_end && decoded.end_scope_source < decoded.scope_source) return decoded.end_scope;
  if (decoded.scope_source <= ScopeSource::kEntry) return decoded.scope;
  if (batch_scope != NVTX_SCOPE_NONE) return batch_scope;
  if (decoded.scope_source == ScopeSource::kGeneralSemantics) return decoded.scope;
  return stream.scope;
}

Status EventWriter::write(StreamState& stream, const DecodedEvent& decoded, uint64_t batch_scope) {
  const EventTimes times = times_of(decoded);
  if (!times.ok) {
    problems_.add("An event of stream '" + stream.name +
                  "' has no timestamp, or none that its kind asks for; it is left out.");
    return {};
  }
  Event event;
  event.kind = kind_of(times.kind);
  event.stream = stream.identity;
  const bool is_end = times.kind == Family::kPop || times.kind == Family::kEnd;
  uint64_t scope = effective_scope(stream, decoded, batch_scope, is_end);
  Status placed;
  if (decoded.ids_source < decoded.scope_source) {
    placed = placement_.track_of_thread(stream, thread_name(decoded), event.track);
    scope = kTrackScope | event.track;
  } else {
    placed = placement_.track_of(stream, scope, event.track);
  }
  if (!placed.ok()) return placed;
  describe(stream.domain, decoded, event);
  const PairingKey by_place{stream.identity, scope};
  switch (times.kind) {
    case Family::kMark:
      return write_mark(moment(stream, times.begin), event);
    case Family::kPush:
      return keep(stream, decoded, moment(stream, times.begin), event, pushes_.open(by_place));
    case Family::kPop: {
      const Moment end = moment(stream, times.end);
      if (const RangePairing::Ended range = pushes_.close(by_place))
        return close(*range, end, decoded.has_message, event);
      event.begin_is_missing = true;
      return write_mark(end, event);
    }
    case Family::kStart:
      return write_start(stream, decoded, moment(stream, times.begin), event);
    case Family::kEnd:
      return write_end(stream, decoded, moment(stream, times.end), event);
    default: {
      const Moment begin = moment(stream, times.begin);
      return write_range(begin, moment(stream, times.end), event);
    }
  }
}

EventWriter::Moment EventWriter::moment(StreamState& stream, const Timestamp& timestamp) {
  const uint32_t node = placement_.time_node(stream, timestamp.time_domain);
  return {node, stream.cached_time_domain, timestamp.value};
}

Status EventWriter::write_mark(const Moment& at, Event& event) {
  ConvertedTime time;
  if (Status status = placement_.convert(at.node, at.time, time); !status.ok()) return status;
  event.begin = event.end = time.time;
  event.synchronised = time.synchronised;
  event.time_domain = at.time_domain;
  Loss loss;
  if (read_loss_mark(event, loss)) {
    if (Status status = sink_.loss(loss); !status.ok()) return status;
  }
  return sink_.event(event);
}

Status EventWriter::write_range(const Moment& begin, const Moment& end, Event& event) {
  ConvertedTime from;
  ConvertedTime to;
  if (Status status = placement_.convert(begin.node, begin.time, from); !status.ok()) return status;
  if (Status status = placement_.convert(end.node, end.time, to); !status.ok()) return status;
  event.begin = from.time;
  event.end = to.time;
  event.synchronised = from.synchronised;
  event.time_domain = begin.time_domain;
  const bool is_comparable =
      from.synchronised == to.synchronised && (from.synchronised || begin.node == end.node);
  if (!is_comparable) {
    problems_.add(
        "The two ends of a range are in time domains that nothing relates; its end is "
        "taken as missing.");
    event.end = event.begin;
    event.end_is_missing = true;
  }
  if (event.end < event.begin) {
    event.end_before_begin = true;
    event.written_end = event.end;
    event.end = event.begin;
  }
  return sink_.event(event);
}

Status EventWriter::keep(StreamState& stream, const DecodedEvent& decoded, const Moment& at,
                         const Event& event, OpenRange& half) {
  half.kind = event.kind;
  half.domain = stream.domain;
  half.track = event.track;
  half.stream = event.stream;
  half.time_node = at.node;
  half.time_domain = at.time_domain;
  half.time = at.time;
  half.range_id = decoded.range_id;
  half.category = decoded.category;
  half.color = decoded.color;
  half.has_message = decoded.has_message;
  half.message.assign(decoded.message);
  half.flows = decoded.flows;
  half.fields = copy_fields(decoded.fields, half.arena);
  // Converted now for the record of the latest time, and again when the other half comes.
  ConvertedTime time;
  return placement_.convert(at.node, at.time, time);
}

Status EventWriter::write_start(StreamState& stream, const DecodedEvent& decoded,
                                const Moment& begin, const Event& event) {
  const PairingKey key{stream.domain, decoded.range_id};
  if (Status status = keep(stream, decoded, begin, event, starts_.open(key)); !status.ok())
    return status;
  if (ends_.open_count() == 0) return {};
  // One that is earlier is of another range of that id, whose start may still come.
  const RangePairing::Ended end =
      ends_.close_first(key, [&](const OpenRange& half) { return may_end(half, begin); });
  if (end == nullptr) return {};
  const RangePairing::Ended range = starts_.close(key);
  return close_with(*range, *end);
}

Status EventWriter::close_with(const OpenRange& range, const OpenRange& end) {
  Event whole;
  describe(end, whole);
  return close(range, {end.time_node, end.time_domain, end.time}, end.has_message, whole);
}

bool EventWriter::close_nearby_start(const OpenRange& end, Status& status) {
  ConvertedTime to;
  if (!placement_.convert(end.time_node, end.time, to).ok() || !to.synchronised) return false;
  const auto is_near = [&](const OpenRange& start) {
    ConvertedTime from;
    return placement_.convert(start.time_node, start.time, from).ok() && from.synchronised &&
           from.time > to.time &&
           static_cast<uint64_t>(from.time) - static_cast<uint64_t>(to.time) <= kEarlyEndNs;
  };
  const RangePairing::Ended range = starts_.close_first({end.domain, end.range_id}, is_near);
  if (range != nullptr) status = close_with(*range, end);
  return range != nullptr;
}

Status EventWriter::write_end(StreamState& stream, const DecodedEvent& decoded, const Moment& end,
                              Event& event) {
  const PairingKey key{stream.domain, decoded.range_id};
  if (const RangePairing::Ended range = starts_.close(key))
    return close(*range, end, decoded.has_message, event);
  Status first;
  if (ends_.open_count() >= kWaitingEndsMax) {
    for (const RangePairing::Ended& old : ends_.close_all()) {
      Status status;
      if (!close_nearby_start(*old, status)) status = write_end_without_start(*old);
      if (first.ok()) first = status;
    }
  }
  Status status = keep(stream, decoded, end, event, ends_.open(key));
  return first.ok() ? status : first;
}

bool EventWriter::may_end(const OpenRange& end, const Moment& begin) {
  if (end.time_node == begin.node) return end.time >= begin.time;
  ConvertedTime from;
  ConvertedTime to;
  if (!placement_.convert(begin.node, begin.time, from).ok()) return true;
  if (!placement_.convert(end.time_node, end.time, to).ok()) return true;
  return !from.synchronised || !to.synchronised || to.time >= from.time;
}

Status EventWriter::close(const OpenRange& range, const Moment& end, bool has_message,
                          Event& event) {
  event.track = range.track;
  event.stream = range.stream;
  if (!has_message) event.message = range.message;
  if (event.color_argb == 0) event.color_argb = range.color;
  if (event.category_id == 0 && range.category != 0) {
    event.category_id = range.category;
    event.category = definitions_.category_name(range.domain, range.category);
  }
  merge_fields(range, event);
  merge_flows(range, event);
  return write_range({range.time_node, range.time_domain, range.time}, end, event);
}

Status EventWriter::write_end_without_start(const OpenRange& end) {
  Event event;
  describe(end, event);
  event.begin_is_missing = true;
  return write_mark({end.time_node, end.time_domain, end.time}, event);
}

Status EventWriter::finish() {
  Status first;
  const auto note = [&first](Status status) {
    if (first.ok()) first = std::move(status);
  };
  for (const RangePairing::Ended& range : pushes_.close_all()) note(close_missing(*range));
  std::vector<RangePairing::Ended> ends = ends_.close_all();
  std::erase_if(ends, [&](const RangePairing::Ended& end) {
    Status status;
    const bool is_whole = close_nearby_start(*end, status);
    note(status);
    return is_whole;
  });
  for (const RangePairing::Ended& range : starts_.close_all()) note(close_missing(*range));
  for (const RangePairing::Ended& end : ends) note(write_end_without_start(*end));
  return first;
}

Status EventWriter::close_missing(const OpenRange& range) {
  Event event;
  describe(range, event);
  ConvertedTime begin;
  if (Status status = placement_.convert(range.time_node, range.time, begin); !status.ok()) {
    return status;
  }
  event.begin = begin.time;
  event.synchronised = begin.synchronised;
  event.end = std::max(begin.time, placement_.latest(range.time_node).time);
  event.end_is_missing = true;
  return sink_.event(event);
}

void EventWriter::describe(uint32_t domain, const DecodedEvent& decoded, Event& event) const {
  event.range_id = event.kind == EventKind::kRangeStartEnd ? decoded.range_id : 0;
  event.message = decoded.message;
  event.category_id = decoded.category;
  if (decoded.category != 0) event.category = definitions_.category_name(domain, decoded.category);
  event.color_argb = decoded.color;
  event.domain = definitions_.domain_name(domain);
  event.fields = decoded.fields;
  event.flows = decoded.flows;
}

void EventWriter::describe(const OpenRange& range, Event& event) const {
  event.kind = range.kind;
  event.track = range.track;
  event.stream = range.stream;
  event.time_domain = range.time_domain;
  event.range_id = range.kind == EventKind::kRangeStartEnd ? range.range_id : 0;
  event.message = range.message;
  event.category_id = range.category;
  if (range.category != 0) {
    event.category = definitions_.category_name(range.domain, range.category);
  }
  event.color_argb = range.color;
  event.domain = definitions_.domain_name(range.domain);
  event.fields = range.fields;
  event.flows = range.flows;
}

void EventWriter::merge_flows(const OpenRange& range, Event& event) {
  if (range.flows.empty()) return;
  merged_flows_ = range.flows;
  for (const uint64_t flow : event.flows)
    if (std::find(merged_flows_.begin(), merged_flows_.end(), flow) == merged_flows_.end())
      merged_flows_.push_back(flow);
  event.flows = merged_flows_;
}

void EventWriter::merge_fields(const OpenRange& range, Event& event) {
  if (range.fields.empty()) return;
  merged_.assign(range.fields.begin(), range.fields.end());
  for (const Field& later : event.fields) {
    const auto is_same = [&later](const Field& field) { return field.name == later.name; };
    const auto earlier = std::find_if(merged_.begin(), merged_.end(), is_same);
    if (earlier != merged_.end() && !later.name.empty()) {
      *earlier = later;
    } else {
      merged_.push_back(later);
    }
  }
  event.fields = merged_;
}

}  // namespace ringscribe::model
